import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SceneDraft } from '../../src/scenes/draft.ts';
import { FIXTURES, fixtureDraft, importFile, memoryFile } from './reference-room.ts';

/** A change of the source, told in canonical terms: where floor points go, and a turn counter-clockwise from above. */
interface Motion {
  readonly point: (x: number, z: number) => [number, number];
  readonly turn: number;
}

// biome-ignore lint/suspicious/noExplicitAny: fixtures of sixteen formats are changed in place by their own rules
type Loose = any;

interface Format {
  readonly format: string;
  readonly path: string;
  readonly roomSize?: number;
  /** Changes the positions and angles of the three pieces of furniture, in the format's own frame. */
  readonly move: (json: Loose, motion: Motion) => Loose;
}

const DEGREES = 180 / Math.PI;

function zUp(motion: Motion, x: number, y: number): [number, number] {
  const [a, b] = motion.point(x, -y);
  return [a, -b];
}

/** The same flip of z serves Unity's frame. */
const unity = zUp;

function zUpMatrix(motion: Motion, data: number[]): number[] {
  const [c, s] = [Math.cos(motion.turn), Math.sin(motion.turn)];
  const turned = [...data];
  for (const column of [0, 4, 8]) {
    const [x, y] = [data[column] as number, data[column + 1] as number];
    turned[column] = x * c - y * s;
    turned[column + 1] = x * s + y * c;
  }
  const [x, y] = zUp(motion, data[12] as number, data[13] as number);
  turned[12] = x;
  turned[13] = y;
  return turned;
}

/** Product of a turn about the vertical and a quaternion, both [x, y, z, w]. */
function turnedQuaternion(axis: 'y' | 'z', turn: number, [x, y, z, w]: [number, number, number, number]): number[] {
  const [s, c] = [Math.sin(turn / 2), Math.cos(turn / 2)];
  const [p, q] = axis === 'y' ? [s, 0] : [0, s];
  return [c * x + p * z - q * y, c * y + p * w + q * x, c * z + q * w - p * x, c * w - p * y - q * z];
}

const sceneEval = (path: string): Format => ({
  format: 'sceneeval',
  path,
  move: (json, motion) => {
    for (const { transform } of json.scene.object) transform.data = zUpMatrix(motion, transform.data);
    return json;
  },
});

const thor = (json: Loose, motion: Motion): Loose => {
  for (const object of json.objects) {
    const [x, z] = unity(motion, object.position.x, object.position.z);
    Object.assign(object.position, { x, z });
    object.rotation.y -= motion.turn * DEGREES;
    delete object.vertices;
    delete object.children;
  }
  return json;
};

const FORMATS: readonly Format[] = [
  sceneEval('sceneeval/upstream.json'),
  sceneEval('sceneeval/fork.json'),
  sceneEval('sceneeval/hsm.json'),
  {
    format: 'holodeck',
    path: 'holodeck/bedroom.json',
    move: (json, motion) => thor({ ...json, objects: json.objects.slice(0, 3) }, motion),
  },
  { format: 'procthor', path: 'procthor/house.json', move: thor },
  {
    format: 'layoutvlm',
    path: 'layoutvlm/layout.json',
    move: (json, motion) => {
      for (const item of Object.values(json) as Loose[]) {
        [item.position[0], item.position[1]] = zUp(motion, item.position[0], item.position[1]);
        item.rotation[2] += motion.turn * DEGREES;
      }
      const task = JSON.parse(readFileSync(join(FIXTURES, 'layoutvlm', 'scene.json'), 'utf8'));
      return { ...task, layout: json };
    },
  },
  {
    format: 'idesign',
    path: 'idesign/scene_graph.json',
    move: (json, motion) =>
      json.slice(0, 3).map((item: Loose) => {
        const [x, y] = zUp(motion, item.position.x, item.position.y);
        return {
          ...item,
          position: { ...item.position, x, y },
          rotation: { z_angle: item.rotation.z_angle - motion.turn * DEGREES },
        };
      }),
  },
  {
    format: 'reason3d',
    path: 'reason3d/placed_objects.json',
    move: (json, motion) =>
      json.map((item: Loose) => {
        const [x, z] = unity(motion, item.center[0], item.center[2]);
        return { ...item, center: [x, item.center[1], z], rotation: [0, item.rotation[1] - motion.turn * DEGREES, 0] };
      }),
  },
  {
    format: 'sceneweaver',
    path: 'sceneweaver/layout_3.json',
    move: (json, motion) => {
      delete json.objects['4444_book'];
      for (const item of Object.values(json.objects) as Loose[]) {
        [item.location[0], item.location[1]] = zUp(motion, item.location[0], item.location[1]);
        item.rotation[2] += motion.turn;
      }
      return json;
    },
  },
  {
    format: 'sceneweaver-plan',
    path: 'sceneweaver/results.json',
    move: (json, motion) => {
      delete json.Placement_small;
      for (const numbered of Object.values(json.Placement_big) as Loose[]) {
        numbered['1'].position = zUp(motion, numbered['1'].position[0], numbered['1'].position[1]);
        numbered['1'].rotation += motion.turn * DEGREES;
      }
      return json;
    },
  },
  {
    format: 'physcene',
    path: 'physcene/bedroom.json',
    move: (json, motion) => {
      for (const [item] of Object.values(json.ThreedFront) as Loose[]) {
        const [x, z] = motion.point(item.position[0], item.position[2]);
        item.position = [x, item.position[1], z];
        item.theta += motion.turn;
      }
      return json;
    },
  },
  {
    format: 'boxes',
    path: 'boxes/room.json',
    move: (json, motion) => {
      json.translations = json.translations.map(([x, y, z]: [number, number, number]) => {
        const [a, b] = motion.point(x, z);
        return [a, y, b];
      });
      json.angles = json.angles.map(([angle]: [number]) => [angle + motion.turn]);
      return json;
    },
  },
  {
    format: 'layoutgpt',
    path: 'layoutgpt/bedroom.json',
    roomSize: 3,
    move: (json, motion) => {
      for (const [, box] of json[0].object_list) {
        const [x, z] = motion.point(box.left / 100, box.top / 100);
        Object.assign(box, { left: x * 100, top: z * 100, orientation: box.orientation + motion.turn * DEGREES });
      }
      return json.slice(0, 1);
    },
  },
  {
    format: 'scenesmith',
    path: 'scenesmith/house_state.json',
    move: (json, motion) => {
      const { objects } = json.rooms.bedroom;
      delete objects.book_0;
      delete objects.wall_0;
      for (const { transform } of Object.values(objects) as Loose[]) {
        const [x, y, z] = transform.translation;
        const [a, b] = zUp(motion, x + 2, y + 1.5);
        transform.translation = [a - 2, b - 1.5, z];
        const [w, qx, qy, qz] = transform.rotation_wxyz;
        const [tx, ty, tz, tw] = turnedQuaternion('z', motion.turn, [qx, qy, qz, w]);
        transform.rotation_wxyz = [tw, tx, ty, tz];
      }
      return json;
    },
  },
  {
    format: '3d-front',
    path: 'front3d/house.json',
    move: (json, motion) => {
      json.scene.room.length = 1;
      for (const child of json.scene.room[0].children.slice(0, 3)) {
        const [x, z] = motion.point(child.pos[0], child.pos[2]);
        child.pos = [x, child.pos[1], z];
        child.rot = turnedQuaternion('y', motion.turn, child.rot);
      }
      return json;
    },
  },
  {
    format: 'spatiallm',
    path: 'spatiallm/scene.txt',
    move: (text: string, motion) =>
      text
        .split('\n')
        .map((line) => {
          const match = /^(bbox_\d=Bbox\(\w+),(.*)\)$/.exec(line);
          if (match === null) return line;
          const [x, y, z, angle, ...size] = (match[2] as string).split(',').map(Number) as [
            number,
            number,
            number,
            number,
          ];
          return `${match[1]},${[...zUp(motion, x, y), z, angle + motion.turn, ...size].join(',')})`;
        })
        .join('\n'),
  },
];

function read(path: string): Loose {
  const text = readFileSync(join(FIXTURES, path), 'utf8');
  return path.endsWith('.json') ? JSON.parse(text) : text;
}

async function importMoved({ format, path, move, roomSize }: Format, motion: Motion): Promise<SceneDraft> {
  const name = path.split('/').at(-1) as string;
  const file = memoryFile(name, move(read(path), motion));
  const [scene] = await importFile(format, file, roomSize === undefined ? {} : { roomSize });
  if (scene === undefined || !('draft' in scene)) throw new Error(`refused: ${scene?.refused}`);
  return scene.draft;
}

/** Positive when the three pieces turn counter-clockwise seen from above. */
function chirality(draft: Pick<SceneDraft, 'objects'>): number {
  const [a, b, c] = draft.objects
    .slice(0, 3)
    .map(({ transform }) => [transform[12] as number, transform[14] as number]) as [
    [number, number],
    [number, number],
    [number, number],
  ];
  return -Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
}

const IDENTITY: Motion = { point: (x, z) => [x, z], turn: 0 };

test.each(FORMATS)('$path: a rigid motion of the source moves the scene rigidly', async (format) => {
  const before = await importMoved(format, IDENTITY);
  const number = fc.double({ min: -20, max: 20, noNaN: true });
  await fc.assert(
    fc.asyncProperty(fc.double({ min: -Math.PI, max: Math.PI, noNaN: true }), number, number, async (turn, dx, dz) => {
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      const point = (x: number, z: number): [number, number] => [x * c + z * s + dx, -x * s + z * c + dz];
      const after = await importMoved(format, { point, turn });
      for (const [index, { transform, size, label }] of before.objects.entries()) {
        const moved = after.objects[index] as (typeof after.objects)[number];
        const [x, z] = point(transform[12] as number, transform[14] as number);
        const front = [
          (transform[8] as number) * c + (transform[10] as number) * s,
          -(transform[8] as number) * s + (transform[10] as number) * c,
        ];
        expect({ label: moved.label, size: moved.size.map((side) => side.toFixed(4)) }).toEqual({
          label,
          size: size.map((side) => side.toFixed(4)),
        });
        const off = [
          (moved.transform[12] as number) - x,
          (moved.transform[13] as number) - (transform[13] as number),
          (moved.transform[14] as number) - z,
          (moved.transform[8] as number) - (front[0] as number),
          (moved.transform[10] as number) - (front[1] as number),
        ];
        expect(Math.max(...off.map(Math.abs))).toBeLessThan(1e-4);
      }
      expect(chirality(after)).toBe(chirality(before));
    }),
    { seed: 5, numRuns: 12 },
  );
});

test.each(FORMATS)('$path: no handedness is changed, a mirrored source stays mirrored', async (format) => {
  const before = await importMoved(format, IDENTITY);
  const mirrored = await importMoved(format, { point: (x, z) => [-x, z], turn: 0 });
  // Seen from above, from bed to wardrobe to chair turns left in the reference room.
  expect(chirality(before)).toBe(1);
  expect(chirality(mirrored)).toBe(-1);
  for (const [index, { transform }] of before.objects.slice(0, 3).entries()) {
    const other = mirrored.objects[index]?.transform as readonly number[];
    expect(other[12]).toBeCloseTo(-(transform[12] as number), 6);
    expect(other[14]).toBeCloseTo(transform[14] as number, 6);
  }
});

test('the fixtures agree with each other on the turn of the three pieces', async () => {
  expect(chirality(await fixtureDraft('layoutvlm', 'layoutvlm/layout.json'))).toBe(1);
});
