import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AuditError, messageOf } from '../../src/core/errors.ts';
import { canonicalJson } from '../../src/core/json.ts';
import { Random } from '../../src/core/random.ts';
import { IMPORTERS } from '../../src/scenes/import-formats.ts';
import { SourceFile } from '../../src/scenes/source-file.ts';
import { validateDraft } from '../../src/scenes/validate-draft.ts';
import { twoBoxesGlb } from './make-glb.ts';
import { mutateBytes, mutateJson, mutateText } from './mutate.ts';
import { FIXTURES, importFile } from './reference-room.ts';

/** Mutated files a fixture; `PARALLAX_FUZZ=10000` for a long run (`npm run fuzz`). */
const RUNS = Number(process.env['PARALLAX_FUZZ'] ?? 300);

const SOURCES: readonly (readonly [format: string, path: string])[] = [
  ['sceneeval', 'sceneeval/upstream.json'],
  ['sceneeval', 'sceneeval/fork.json'],
  ['holodeck', 'holodeck/bedroom.json'],
  ['procthor', 'procthor/house.json'],
  ['layoutvlm', 'layoutvlm/layout.json'],
  ['layoutvlm', 'layoutvlm/scene.json'],
  ['idesign', 'idesign/scene_graph.json'],
  ['reason3d', 'reason3d/placed_objects.json'],
  ['sceneweaver', 'sceneweaver/layout_3.json'],
  ['sceneweaver-plan', 'sceneweaver/results.json'],
  ['physcene', 'physcene/bedroom.json'],
  ['boxes', 'boxes/room.json'],
  ['layoutgpt', 'layoutgpt/bedroom.json'],
  ['scenesmith', 'scenesmith/house_state.json'],
  ['sdf', 'sdf/room.sdf'],
  ['3d-front', 'front3d/house.json'],
  ['spatiallm', 'spatiallm/scene.txt'],
];

/** Imports a file; anything but drafts that can be frozen, refusals and errors of one line is a crash. */
async function survives(format: string, file: SourceFile): Promise<'imported' | 'refused'> {
  for (const importer of IMPORTERS) importer.recognise(file);
  try {
    const scenes = await importFile(format, file, { roomSize: 3 });
    for (const scene of scenes) {
      if ('refused' in scene) expect(scene.refused).not.toMatch(/[\n\r]/);
      else {
        validateDraft(scene.draft);
        const { objects, rooms, source } = scene.draft;
        canonicalJson({
          rooms,
          source,
          objects: objects.map(({ geometry, ...object }) => ({ ...object, geometry: geometry.kind })),
        });
      }
      for (const note of scene.notes) expect(note).not.toMatch(/\n/);
    }
    return scenes.some((scene) => 'draft' in scene) ? 'imported' : 'refused';
  } catch (error) {
    expect(error, messageOf(error)).toBeInstanceOf(AuditError);
    expect(messageOf(error).length).toBeGreaterThan(10);
    return 'refused';
  }
}

test.each(SOURCES)('%s: mutated %s never crashes', { timeout: 60_000 + RUNS * 200 }, async (format, path) => {
  const text = readFileSync(join(FIXTURES, path), 'utf8');
  const name = path.split('/').at(-1) as string;
  const outcomes = { imported: 0, refused: 0 };
  for (let run = 0; run < RUNS; run += 1) {
    const random = new Random(run, 'fuzz', path);
    const mutated = name.endsWith('.json') ? mutateJson(text, random) : mutateText(text, random);
    const file = new SourceFile(join('/nowhere', name), name, new TextEncoder().encode(mutated));
    outcomes[await survives(format, file)] += 1;
  }
  // A fuzzer that only ever sees refusals, or never any, tests nothing.
  expect(outcomes.refused).toBeGreaterThan(0);
  expect(outcomes.imported + outcomes.refused).toBe(RUNS);
});

test('glb: mutated bytes never crash', { timeout: 60_000 + RUNS * 200 }, async () => {
  const glb = await twoBoxesGlb();
  const outcomes = { imported: 0, refused: 0 };
  for (let run = 0; run < RUNS; run += 1) {
    const bytes = mutateBytes(glb, new Random(run, 'fuzz', 'glb'));
    outcomes[await survives('glb', new SourceFile('/nowhere/scene.glb', 'scene.glb', bytes))] += 1;
  }
  expect(outcomes.refused).toBeGreaterThan(0);
  expect(outcomes.imported).toBeGreaterThan(0);
});
