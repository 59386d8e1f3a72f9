import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Random } from '../../../src/core/random.ts';
import type { SceneDraft } from '../../../src/scenes/draft.ts';
import { freezeScene } from '../../../src/scenes/freeze.ts';
import { importScenes } from '../../../src/scenes/import-scenes.ts';
import { fieldFromScenes } from '../../../src/scenes/policies/field-from-scenes.ts';
import { layOut } from '../../../src/scenes/policies/lay-out.ts';
import { findScenes, readScene } from '../../../src/scenes/read-scene.ts';
import { rectangularRoom } from '../../../src/scenes/room-shell.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'field-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const room = rectangularRoom({ id: 'room', type: 'bedroom', width: 4, depth: 4, height: 2.6 });

function draft(prompt: string, change: Partial<SceneDraft> = {}): SceneDraft {
  const objects = ['bed', 'nightstand', 'nightstand', 'didgeridoo'].map((label) => ({
    label,
    size: [0.5, 0.6, 0.4] as const,
  }));
  return {
    ...layOut('grid', { room, objects, random: new Random(0, prompt), prompt, generator: 'theirs' }),
    ...change,
  };
}

async function freezeAll(...drafts: SceneDraft[]): Promise<string> {
  const scenes = join(folder, 'in');
  for (const [index, one] of drafts.entries())
    await freezeScene(one, join(scenes, `${one.generator}-${one.prompt}-${index}`));
  return scenes;
}

test('prompts from the object lists, the same list and room under every policy, their scenes unchanged', async () => {
  const scenes = await freezeAll(draft('b, "two"'), draft('a'), draft('c', { rooms: [] }), draft('d', { objects: [] }));
  const out = join(folder, 'out');
  const summary = await fieldFromScenes({ scenes, out, seed: 3 });
  expect(summary).toEqual({
    prompts: ['a', 'b, "two"'].map((id) => ({ id, text: 'A bedroom with a bed, two nightstands and a didgeridoo.' })),
    generators: ['theirs', 'functional', 'grid', 'scatter', 'sparse'],
    skipped: [
      { scene: 'theirs-c', reason: 'it has no room' },
      { scene: 'theirs-d', reason: 'it has no object' },
    ],
  });
  expect(await readFile(join(out, 'prompts.csv'), 'utf8')).toBe(
    'id,text,source\n' +
      'a,"A bedroom with a bed, two nightstands and a didgeridoo.",object lists of theirs\n' +
      '"b, ""two""","A bedroom with a bed, two nightstands and a didgeridoo.",object lists of theirs\n',
  );
  const made = await Promise.all((await findScenes(out)).map(readScene));
  expect(made.map(({ scene }) => `${scene.generator}/${scene.prompt}`).sort()).toEqual(
    summary.generators.flatMap((generator) => ['a', 'b, "two"'].map((prompt) => `${generator}/${prompt}`)).sort(),
  );
  for (const { scene } of made) {
    expect(scene.rooms).toEqual([room]);
    for (const { size } of scene.objects) expect(size).toEqual([0.5, 0.6, 0.4]);
    if (scene.generator !== 'sparse')
      expect(scene.objects.map(({ label }) => label)).toEqual(['bed', 'nightstand', 'nightstand', 'didgeridoo']);
  }
  const copy = await readFile(join(out, 'scenes/theirs/a/scene.json'), 'utf8');
  expect(copy).toBe(await readFile(join(scenes, 'theirs-a-1/scene.json'), 'utf8'));

  const again = join(folder, 'again');
  await fieldFromScenes({ scenes, out: again, seed: 3, policies: ['scatter'], limit: 1 });
  expect((await findScenes(again)).map((path) => path.slice(path.indexOf('scenes/')))).toEqual([
    'scenes/scatter/a',
    'scenes/theirs/a',
  ]);
  for (const file of ['scene.json', 'scene.glb'])
    expect(await readFile(join(again, 'scenes/scatter/a', file))).toEqual(
      await readFile(join(out, 'scenes/scatter/a', file)),
    );
});

test('what cannot be a field is one line', async () => {
  const out = join(folder, 'out');
  await expect(fieldFromScenes({ scenes: join(folder, 'none'), out, seed: 0 })).rejects.toThrow(/missing folder/);
  const twice = await freezeAll(draft('a'), draft('a'));
  await expect(fieldFromScenes({ scenes: twice, out, seed: 0 })).rejects.toThrow(
    'two scenes of prompt "a"; expected one a prompt',
  );
  const mixed = join(folder, 'mixed');
  await freezeScene(draft('a'), join(mixed, 'a'));
  await freezeScene(draft('b', { generator: 'others' }), join(mixed, 'b'));
  await expect(fieldFromScenes({ scenes: mixed, out, seed: 0 })).rejects.toThrow(
    /scenes of 2 generators .*; expected one/,
  );
  const named = join(folder, 'named');
  await freezeScene(draft('a', { generator: 'grid' }), join(named, 'a'));
  await expect(fieldFromScenes({ scenes: named, out, seed: 0 })).rejects.toThrow(
    'generator "grid" has the name of a policy',
  );
  const empty = join(folder, 'empty');
  await freezeScene(draft('a', { rooms: [] }), join(empty, 'a'));
  await expect(fieldFromScenes({ scenes: empty, out, seed: 0 })).rejects.toThrow(
    'none of 1 scenes can be laid out again (it has no room)',
  );
  expect(existsSync(out)).toBe(false);
});

const layoutgpt = join(
  import.meta.dirname,
  '../../../../shared/corpus/layoutgpt/gpt4.bedroom.k-similar.k_8.px_regular.json',
);

test.skipIf(!existsSync(layoutgpt))(
  'real LayoutGPT bedrooms join as a fifth generator',
  async () => {
    const scenes = join(folder, 'bedrooms');
    const file = join(folder, 'layouts.json');
    await writeFile(file, JSON.stringify((JSON.parse(await readFile(layoutgpt, 'utf8')) as unknown[]).slice(0, 9)));
    await importScenes({ format: 'layoutgpt', paths: [file], out: scenes, roomSize: 3.5 });
    const summary = await fieldFromScenes({ scenes, out: join(folder, 'out'), seed: 7, limit: 8 });
    expect(summary.generators).toEqual(['layoutgpt', 'functional', 'grid', 'scatter', 'sparse']);
    expect(summary.prompts.length).toBe(8);
    for (const { text } of summary.prompts) expect(text).toMatch(/^A bedroom with .*(bed|nightstand|wardrobe).*\.$/);
    expect((await findScenes(join(folder, 'out'))).length).toBe(40);
  },
  300_000,
);
