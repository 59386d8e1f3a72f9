import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../src/core/json.ts';
import { isFailure } from '../../src/core/outcome.ts';
import { Random } from '../../src/core/random.ts';
import type { FrozenScene, SceneObject } from '../../src/core/scene.ts';
import { applySceneEdit } from '../../src/probes/apply-scene-edit.ts';
import { biggestOnly } from '../../src/probes/biggest-only.ts';
import { findProbe, PROBE_NAMES, PROBES } from '../../src/probes/find-probe.ts';
import { freezeProbe } from '../../src/probes/freeze-probe.ts';
import { keep25 } from '../../src/probes/keep-25.ts';
import { keep75 } from '../../src/probes/keep-75.ts';
import { keepHalf } from '../../src/probes/keep-half.ts';
import { mirrored } from '../../src/probes/mirrored.ts';
import type { SceneEdit, SceneProbe } from '../../src/probes/probe.ts';
import { recoloured } from '../../src/probes/recoloured.ts';
import { swapped } from '../../src/probes/swapped.ts';
import { worstObjects } from '../../src/probes/worst-objects.ts';
import { wrongPrompt } from '../../src/probes/wrong-prompt.ts';
import { readGeometry } from '../../src/scenes/glb-geometry.ts';
import { overlappingPairs } from '../../src/scenes/layout-checks.ts';
import { readScene, sceneBounds } from '../../src/scenes/read-scene.ts';
import { BEDROOM, frozen, L_SHAPE, object, RECTANGLE, roomOver } from './probe-rooms.ts';

let folder: string;
let bedroom: FrozenScene;
let crooked: FrozenScene;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-probes-'));
  bedroom = await frozen(BEDROOM, [roomOver(RECTANGLE)]);
  crooked = await frozen(
    [...BEDROOM, object('shelf', 'bookshelf', [0.9, 1.9, 0.3], [-2.6, 0, 1.5, 90])].map((one) =>
      one.id === 'wardrobe' || one.id === 'painting'
        ? { ...one, transform: [...one.transform.slice(0, 14), -2.1, 1] }
        : one,
    ),
    [roomOver(L_SHAPE)],
    'crooked',
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function editOf(probe: SceneProbe, scene: FrozenScene, seed = 1, choices = {}): Promise<SceneEdit> {
  const random = new Random(seed, 'probe', probe.stream ?? probe.name, scene.scene.hash, 0);
  const edit = await probe.edit(scene, random, { prompts: ['p'], choices });
  if (isFailure(edit)) throw new Error(`${probe.name}: ${edit.reason}`);
  return edit;
}
const sceneProbes = PROBES.filter((probe): probe is SceneProbe => probe.kind === 'scene');

test('the published four stand first, and every name finds its probe', () => {
  expect(PROBE_NAMES.slice(0, 4)).toEqual(['keep-half', 'biggest-only', 'scrambled', 'worst-objects']);
  expect(PROBE_NAMES.map((name) => findProbe(name, 'x').name)).toEqual(PROBE_NAMES);
  expect(new Set(PROBE_NAMES).size).toBe(PROBE_NAMES.length);
  expect(() => findProbe('scrambeld', 'audit.yaml')).toThrow(
    /^audit\.yaml: probes: unknown probe "scrambeld"; expected one of keep-half, biggest-only/,
  );
});

describe.each(sceneProbes.map((probe) => [probe.name, probe] as const))('%s, frozen', (name, probe) => {
  test('is a scene of its own with the original’s frame, and its edit replays to the same bytes', async () => {
    for (const original of [bedroom, crooked]) {
      const edit = await editOf(probe, original);
      const first = join(folder, `${original.scene.id}-${name}`);
      const scene = await freezeProbe(original, probe, edit, { seed: 1, repeat: 0 }, first);
      const read = await readScene(first);
      expect(read.scene).toEqual(scene);
      expect(scene.hash).not.toBe(original.scene.hash);
      expect(scene.frame).toEqual(sceneBounds(original));
      expect(sceneBounds(read)).toEqual(sceneBounds(original));
      expect(scene.probe).toEqual({
        name,
        of: original.scene.hash,
        seed: 1,
        repeat: 0,
        expectation: probe.expectation,
        edit: JSON.parse(JSON.stringify(edit)),
      });
      const second = `${first}-again`;
      const replay = scene.probe?.edit as SceneEdit;
      await freezeProbe(original, probe, replay, { seed: 1, repeat: 0 }, second);
      for (const file of ['scene.json', 'scene.glb'])
        expect(readFileSync(join(second, file)).equals(readFileSync(join(first, file)))).toBe(true);
    }
  });

  test('its geometry stands where its description says, the rest is untouched', async () => {
    const edit = await editOf(probe, bedroom, 2);
    const target = join(folder, `${name}-geometry`);
    const { objects, rooms } = await freezeProbe(bedroom, probe, edit, { seed: 2, repeat: 0 }, target);
    const nodes = new Map(readGeometry((await readScene(target)).glb).map((node) => [node.node, node.positions]));
    expect([...nodes.keys()].filter((node) => node.startsWith('object:')).sort()).toEqual(
      objects.map(({ id }) => `object:${id}`).sort(),
    );
    for (const one of objects) {
      const positions = nodes.get(`object:${one.id}`) as Float32Array;
      const [w, h, d] = one.size;
      const box = [-w / 2, w / 2, 0, h, -d / 2, d / 2];
      for (const [side, value] of ownExtent(positions, one).entries())
        expect(value).toBeCloseTo(box[side] as number, 4);
    }
    const original = new Map(readGeometry(bedroom.glb).map((node) => [node.node, node.positions]));
    for (const [node, positions] of original) {
      if (node.startsWith('object:')) continue;
      const now = nodes.get(node) as Float32Array;
      if (edit.mirrored === undefined) expect(now).toEqual(positions);
      else
        expect(now.map((value, index) => (index % 3 === 0 ? -value : value) + 0)).toEqual(positions.map((v) => v + 0));
    }
    expect(rooms.map(({ floor }) => floor.length)).toEqual([4]);
  });

  test('the same seed draws the same edit', async () => {
    expect(canonicalJson((await editOf(probe, crooked, 9)) as never)).toBe(
      canonicalJson((await editOf(probe, crooked, 9)) as never),
    );
  });

  test('an empty room is skipped with the reason, unless nothing is changed anyway', async () => {
    const empty = await frozen([], [roomOver(RECTANGLE)]);
    expect(await probe.edit(empty, new Random(1), { prompts: ['p'] })).toEqual(
      name === 'rerender' ? {} : { status: 'skipped', reason: 'no objects' },
    );
  });
});

/** Smallest and largest x, y, z of world positions in an object's own frame. */
function ownExtent(positions: Float32Array, { transform: m }: SceneObject): number[] {
  const extent = [Infinity, -Infinity, Infinity, -Infinity, Infinity, -Infinity];
  for (let at = 0; at < positions.length; at += 3) {
    const offset = [0, 1, 2].map((axis) => (positions[at + axis] as number) - (m[12 + axis] as number));
    for (let axis = 0; axis < 3; axis += 1) {
      const value = [0, 1, 2].reduce((sum, k) => sum + (m[4 * axis + k] as number) * (offset[k] as number), 0);
      extent[2 * axis] = Math.min(extent[2 * axis] as number, value);
      extent[2 * axis + 1] = Math.max(extent[2 * axis + 1] as number, value);
    }
  }
  return extent;
}

describe('keep-75, keep-half, keep-25', () => {
  test.each([
    [1, null, null, null],
    [2, null, 1, 1],
    [3, null, 2, 1],
    [5, 4, 3, 2],
    [8, 6, 4, 2],
    [11, 9, 6, 3],
  ])('of %i objects', async (count, ...expected) => {
    const scene = await frozen(
      Array.from({ length: count }, (_, index) => object(`o${index}`, 'chair', [0.4, 0.8, 0.4], [index, 0, 0])),
      [],
    );
    const kept: Set<string>[] = [];
    for (const [index, probe] of [keep75, keepHalf, keep25].entries()) {
      const random = new Random(4, 'probe', probe.stream ?? probe.name, scene.scene.hash, 0);
      const edit = await probe.edit(scene, random, { prompts: ['p'] });
      if (expected[index] === null) {
        expect(edit).toEqual({ status: 'skipped', reason: 'too few objects: all would be kept' });
        continue;
      }
      const removed = new Set(isFailure(edit) ? [] : edit.removed);
      const left = scene.scene.objects.map(({ id }) => id).filter((id) => !removed.has(id));
      expect(left.length).toBe(expected[index]);
      kept.push(new Set(left));
    }
    // what a smaller dose keeps, a larger one keeps too
    for (const [index, set] of kept.entries())
      if (index > 0) for (const id of set) expect(kept[index - 1]?.has(id)).toBe(true);
  });

  test('what stood on a removed object falls onto what is left, or floats when asked to', async () => {
    const pile = await frozen(
      [
        object('table', 'table', [1, 0.7, 1], [0, 0, 0]),
        object('box', 'box', [0.5, 0.2, 0.5], [0, 0.7, 0], 'table'),
        object('vase', 'vase', [0.2, 0.3, 0.2], [0, 0.9, 0], 'box'),
      ],
      [],
    );
    const heights = async (removed: string, choices = {}) => {
      const probe = { ...keepHalf, edit: keepHalf.edit };
      for (let seed = 0; seed < 200; seed += 1) {
        const edit = await editOf(probe, pile, seed, choices);
        if (edit.removed?.join() !== removed) continue;
        return applySceneEdit(pile.scene, edit).objects.map(({ id, transform, supportedBy }) => [
          id,
          Math.round((transform[13] as number) * 1e6) / 1e6,
          supportedBy,
        ]);
      }
      throw new Error('no such draw');
    };
    expect(await heights('table')).toEqual([
      ['box', 0, null],
      ['vase', 0.2, 'box'],
    ]);
    expect(await heights('box')).toEqual([
      ['table', 0, null],
      ['vase', 0.7, null],
    ]);
    expect(await heights('table', { orphans: 'float' })).toEqual([
      ['box', 0.7, null],
      ['vase', 0.9, 'box'],
    ]);
  });
});

test('biggest-only: ties in volume go by id', async () => {
  const scene = await frozen(
    ['c', 'a', 'b'].map((id, index) => object(id, 'chair', [0.5, 0.8, 0.5], [index, 0, 0])),
    [],
  );
  expect(await editOf(biggestOnly, scene)).toEqual({ removed: ['b', 'c'] });
});

describe('worst-objects', () => {
  test('takes the lowest-ranked candidate; objects without one are listed', async () => {
    const scene = await frozen(
      [object('bed', 'double bed', [1.6, 0.9, 2], [0, 0, 0]), object('thing', 'qwertz', [0.5, 0.5, 0.5], [2, 0, 0])],
      [],
    );
    const { replaced, unreplaced } = await editOf(worstObjects, scene);
    expect(unreplaced).toEqual(['thing']);
    expect(replaced?.map(({ id }) => id)).toEqual(['bed']);
    expect(replaced?.[0]?.category).not.toMatch(/bed/);
  });

  test('no candidate at all: skipped', async () => {
    const scene = await frozen([object('thing', 'qwertz', [0.5, 0.5, 0.5], [2, 0, 0])], []);
    expect(await worstObjects.edit(scene, new Random(1), { prompts: [] })).toEqual({
      status: 'skipped',
      reason: 'no candidates: no label is a category of the kit',
    });
  });
});

describe('swapped', () => {
  test('exactly two objects of other names exchange place and direction', async () => {
    const scene = await frozen(
      [
        object('desk', 'desk', [1.2, 0.75, 0.6], [-1.5, 0, -1.6]),
        object('dresser', 'dresser', [1.1, 0.8, 0.5], [1.5, 0, 1.6, 180]),
        object('lamp', 'table lamp', [0.2, 0.4, 0.2], [1.5, 0.8, 1.6, 180], 'dresser'),
        object('bed', 'double bed', [1.6, 0.9, 2], [1.5, 0, -0.9]),
      ],
      [roomOver(RECTANGLE)],
    );
    const edit = await editOf(swapped, scene);
    const place = new Map((edit.moved ?? []).map(({ id, to }) => [id, to]));
    expect([...place.keys()]).toEqual(['desk', 'dresser', 'lamp']);
    const at = (id: string) => (place.get(id) as number[]).slice(12).map((value) => Math.round(value * 1e9) / 1e9);
    expect([at('desk'), at('dresser'), at('lamp')]).toEqual([
      // the backs change places: a desk deeper by 10 cm stands 5 cm further out
      [1.5, 0, 1.55, 1],
      [-1.5, 0, -1.65, 1],
      [-1.5, 0.8, -1.65, 1],
    ]);
    expect(overlappingPairs(applySceneEdit(scene.scene, edit).objects)).toEqual([]);
  });

  test('only twins, or nothing alike: skipped', async () => {
    const reasons = [
      [object('a', 'chair', [0.5, 0.9, 0.5], [-1, 0, 0]), object('b', 'chair', [0.5, 0.9, 0.5], [1, 0, 0])],
      [object('a', 'chair', [0.5, 0.9, 0.5], [-1, 0, 0]), object('b', 'double bed', [1.6, 0.9, 2], [1, 0, 0])],
    ];
    for (const objects of reasons)
      expect(await swapped.edit(await frozen(objects, [roomOver(RECTANGLE)]), new Random(1), { prompts: [] })).toEqual({
        status: 'skipped',
        reason: 'no two objects on the floor have other names and similar sizes',
      });
  });
});

test('mirrored: every vertex stands where a mirror shows it', async () => {
  const target = join(folder, 'reflection');
  await freezeProbe(crooked, mirrored, await editOf(mirrored, crooked), { seed: 0, repeat: 0 }, target);
  const { min, max } = sceneBounds(crooked);
  const nodes = new Map(readGeometry((await readScene(target)).glb).map((node) => [node.node, node]));
  for (const { node, positions, indices } of readGeometry(crooked.glb)) {
    const image = nodes.get(node);
    expect(image?.indices).toEqual(indices);
    for (const [at, value] of positions.entries())
      expect(image?.positions[at]).toBeCloseTo(at % 3 === 0 ? min[0] + max[0] - value : value, 4);
  }
});

test('recoloured: every object gets a strong colour of its own', async () => {
  const { recoloured: colours } = await editOf(recoloured, bedroom);
  expect(colours?.map(({ id }) => id)).toEqual(BEDROOM.map(({ id }) => id).sort());
  for (const { colour } of colours ?? []) {
    expect(Math.max(...colour) - Math.min(...colour)).toBeGreaterThan(0.4);
    expect(Math.min(...colour)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...colour)).toBeLessThanOrEqual(1);
  }
  expect(new Set(colours?.map(({ colour }) => colour.join())).size).toBe(BEDROOM.length);
});

test('wrong-prompt: another prompt of the audit, or skipped when there is none', () => {
  const chosen = new Set(
    Array.from({ length: 40 }, (_, seed) => wrongPrompt.choose('b', new Random(seed), { prompts: ['a', 'b', 'c'] })),
  );
  expect([...chosen].sort()).toEqual(['a', 'c']);
  expect(wrongPrompt.choose('a', new Random(1), { prompts: ['a'] })).toEqual({
    status: 'skipped',
    reason: 'the audit has no other prompt',
  });
});

const demo = join(import.meta.dirname, '..', '..', 'audits', 'demo', 'scenes', 'functional', 'living-room');
test.skipIf(!existsSync(demo))('every probe applies to a scene of the demonstration', async () => {
  const scene = await readScene(demo);
  for (const probe of sceneProbes) await editOf(probe, scene);
});
