import { join } from 'node:path';
import type { Point, Room } from '../../src/core/scene.ts';
import { assembleDraft } from '../../src/scenes/assemble-draft.ts';
import { AssetLibrary } from '../../src/scenes/assets.ts';
import { readCatalogue } from '../../src/scenes/catalogue.ts';
import type { SceneDraft } from '../../src/scenes/draft.ts';
import { IMPORTERS } from '../../src/scenes/import-formats.ts';
import type { ImportedScene, Importer, ImportOptions } from '../../src/scenes/importer.ts';
import { SourceFile } from '../../src/scenes/source-file.ts';

export const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'scenes');

/** Default options of a test: nothing known but the fixture catalogue. */
export async function testOptions(change: Partial<ImportOptions> = {}): Promise<ImportOptions> {
  return {
    generator: null,
    prompt: null,
    prompts: null,
    assets: await AssetLibrary.open({}),
    catalogue: await readCatalogue([join(FIXTURES, 'assets.csv')]),
    up: null,
    metresPerUnit: null,
    roomSize: null,
    wallHeight: 2.6,
    allowUnknownSize: false,
    ...change,
  };
}

export function importerOf(format: string): Importer {
  return IMPORTERS.find((importer) => importer.format === format) as Importer;
}

/** Reads a file with one importer and completes every scene of it. */
export async function importFile(
  format: string,
  file: SourceFile,
  change: Partial<ImportOptions> = {},
): Promise<ImportedScene[]> {
  const options = await testOptions(change);
  const scenes = await importerOf(format).parse(file, options);
  const origin = { format, file: file.name, sha256: file.sha256, id: 'scene', generator: format, prompt: 'p' };
  return Promise.all(scenes.map((scene) => assembleDraft(scene, origin, options)));
}

export async function importFixture(
  format: string,
  path: string,
  change: Partial<ImportOptions> = {},
): Promise<ImportedScene[]> {
  return importFile(format, await SourceFile.open(join(FIXTURES, path)), change);
}

/** The only scene of a fixture; fails the test when it is refused. */
export async function fixtureDraft(
  format: string,
  path: string,
  change: Partial<ImportOptions> = {},
): Promise<SceneDraft> {
  const [scene] = await importFixture(format, path, change);
  if (scene === undefined || !('draft' in scene)) throw new Error(`refused: ${scene?.refused}`);
  return scene.draft;
}

/** A file that exists only in memory. */
export function memoryFile(name: string, content: unknown): SourceFile {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return new SourceFile(join('/nowhere', name), name, new TextEncoder().encode(text));
}

export interface SeenObject {
  readonly label: string;
  readonly size: readonly number[];
  /** Bottom centre of the box. */
  readonly base: readonly number[];
  readonly front: readonly number[];
}

/** What matters of an object, rounded to a millimetre. */
export function seen(draft: SceneDraft): Record<string, SeenObject> {
  return Object.fromEntries(
    draft.objects.map(({ id, label, size, transform }) => [
      id,
      {
        label,
        size: size.map(milli),
        base: transform.slice(12, 15).map(milli),
        front: transform.slice(8, 11).map(milli),
      },
    ]),
  );
}

export function milli(value: number): number {
  return Math.round(value * 1000) / 1000 + 0;
}

/** The three pieces of furniture of the reference room, by label. */
export const FURNITURE: readonly Omit<SeenObject, 'label'>[] = [
  { size: [1.6, 0.6, 2], base: [2, 0, -2], front: [0, 0, 1] },
  { size: [1.2, 2, 0.6], base: [0.3, 0, -1], front: [1, 0, 0] },
  { size: [0.5, 0.9, 0.4], base: [3.2, 0, -0.6], front: [0.5, 0, -0.866] },
];

/** Expected objects of a fixture: ids and labels as the format gives them, everything else from the reference. */
export function furniture(
  names: readonly (readonly [id: string, label: string])[],
  shift: Point = [0, 0],
): Record<string, SeenObject> {
  return Object.fromEntries(
    names.map(([id, label], index) => {
      const { size, base, front } = FURNITURE[index] as (typeof FURNITURE)[number];
      const [x, y, z] = base as [number, number, number];
      return [id, { label, size, base: [milli(x + shift[0]), y, milli(z + shift[1])], front }];
    }),
  );
}

/** Walls by the side they stand on, whatever their ids: ends sorted, openings by plan coordinates. */
export function wallsBySide(room: Room): unknown[] {
  return room.walls
    .map((wall) => {
      const length = Math.hypot(wall.end[0] - wall.start[0], wall.end[1] - wall.start[1]);
      const at = (along: number): number[] => [
        milli(wall.start[0] + ((wall.end[0] - wall.start[0]) * along) / length),
        milli(wall.start[1] + ((wall.end[1] - wall.start[1]) * along) / length),
      ];
      const side =
        wall.normal[1] < -0.5 ? 'north' : wall.normal[1] > 0.5 ? 'south' : wall.normal[0] > 0.5 ? 'east' : 'west';
      return {
        side,
        ends: [at(0), at(length)].sort(byNumbers),
        height: wall.height,
        openings: wall.openings.map(({ type, from, to, bottom, top }) => ({
          type,
          ends: [at(from), at(to)].sort(byNumbers),
          bottom: milli(bottom),
          top: milli(top),
        })),
      };
    })
    .sort((a, b) => (a.side < b.side ? -1 : 1));
}

function byNumbers(a: readonly number[], b: readonly number[]): number {
  return (a[0] as number) - (b[0] as number) || (a[1] as number) - (b[1] as number);
}

/** Corners of a floor, in any order and from any start. */
export function corners(room: Room): number[][] {
  return room.floor.map(([x, z]) => [milli(x), milli(z)]).sort(byNumbers);
}

export const FLOOR = [
  [0, -3],
  [0, 0],
  [4, -3],
  [4, 0],
];

const plain = (side: string, ends: number[][]) => ({ side, ends, height: 2.6, openings: [] as unknown[] });

/** The reference walls; formats without holes have none. */
export function walls(holes: boolean): unknown[] {
  const east = plain('east', [
    [4, -3],
    [4, 0],
  ]);
  const south = plain('south', [
    [0, 0],
    [4, 0],
  ]);
  if (holes) {
    east.openings.push({
      type: 'window',
      ends: [
        [4, -2],
        [4, -1],
      ],
      bottom: 0.9,
      top: 2.1,
    });
    south.openings.push({
      type: 'door',
      ends: [
        [2.5, 0],
        [3.4, 0],
      ],
      bottom: 0,
      top: 2.1,
    });
  }
  return [
    east,
    plain('north', [
      [0, -3],
      [4, -3],
    ]),
    south,
    plain('west', [
      [0, -3],
      [0, 0],
    ]),
  ];
}
