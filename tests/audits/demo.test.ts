import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { demoDrafts, objectListsSchema } from '../../audits/demo/demo-drafts.ts';
import { readPrompts } from '../../src/captions/prompts.ts';
import { freezeScene } from '../../src/scenes/freeze.ts';
import { categoryOfLabel } from '../../src/scenes/kit/categories.ts';
import { outsideRooms, overlappingPairs } from '../../src/scenes/layout-checks.ts';
import { plural } from '../../src/scenes/policies/describe-objects.ts';
import { POLICY_NAMES } from '../../src/scenes/policies/policy.ts';
import { findScenes, readScene } from '../../src/scenes/read-scene.ts';

const folder = join(import.meta.dirname, '../../audits/demo');
const lists = objectListsSchema.parse(JSON.parse(readFileSync(join(folder, 'objects.json'), 'utf8')));
const prompts = readPrompts(join(folder, 'prompts.csv'), join(folder, 'paraphrases.csv'));
const labelsOf = (prompt: string) =>
  (lists.prompts[prompt]?.objects ?? []).map((object) => (typeof object === 'string' ? object : object.label));

test('running the script again gives the committed bytes', async () => {
  const drafts = await demoDrafts(lists);
  const out = await mkdtemp(join(tmpdir(), 'demo-'));
  try {
    const committed = await findScenes(join(folder, 'scenes'));
    expect(committed.map((path) => path.slice(path.indexOf('scenes')))).toEqual(
      drafts.map(({ generator, prompt }) => join('scenes', generator, prompt)).sort(),
    );
    for (const draft of drafts) {
      const { generator, prompt } = draft;
      await freezeScene(draft, join(out, generator, prompt));
      for (const file of ['scene.json', 'scene.glb']) {
        const [made, kept] = await Promise.all(
          [out, join(folder, 'scenes')].map((root) => readFile(join(root, generator, prompt, file))),
        );
        expect((made as Buffer).equals(kept as Buffer), `${generator}/${prompt}/${file}`).toBe(true);
      }
    }
  } finally {
    await rm(out, { recursive: true, force: true });
  }
});

test('every committed scene passes its hash check; 48 scenes in under 15 MB', async () => {
  const scenes = await Promise.all((await findScenes(join(folder, 'scenes'))).map(readScene));
  expect(scenes.length).toBe(POLICY_NAMES.length * prompts.length);
  expect(scenes.reduce((sum, { glb }) => sum + glb.length, 0)).toBeLessThan(15e6);
});

test('prompts, paraphrases and object lists belong together', () => {
  expect(prompts.map(({ id }) => id)).toEqual(Object.keys(lists.prompts));
  expect(prompts.length).toBeGreaterThanOrEqual(8);
  for (const { id, text, paraphrases } of prompts) {
    const words = text.split(/\s+/).length;
    expect([id, words >= 15 && words <= 40]).toEqual([id, true]);
    expect(paraphrases.size).toBeGreaterThanOrEqual(2);
    expect(new Set([text, ...paraphrases.values()]).size).toBe(paraphrases.size + 1);
  }
});

test('every object of a list is in the kit and named in its prompt', () => {
  const missing = prompts.flatMap(({ id, text }) =>
    labelsOf(id).filter((label) => {
      expect(categoryOfLabel(label)).not.toBeNull();
      const noun = label.replace(/^(kitchen|laundry) /, '').toLowerCase();
      return !text.toLowerCase().includes(noun) && !text.toLowerCase().includes(plural(noun));
    }),
  );
  expect(missing).toEqual([]);
});

test('the policies differ as they are meant to', async () => {
  const drafts = await demoDrafts(lists);
  const of = (policy: string) => drafts.filter(({ generator }) => generator === policy);
  const overlaps = (policy: string) => of(policy).map(({ objects }) => overlappingPairs(objects).length);
  const total = (values: number[]) => values.reduce((a, b) => a + b, 0);
  expect({ functional: total(overlaps('functional')), sparse: total(overlaps('sparse')) }).toEqual({
    functional: 0,
    sparse: 0,
  });
  expect(total(overlaps('scatter'))).toBeGreaterThan(3 * prompts.length);
  expect(total(overlaps('grid'))).toBeLessThan(prompts.length);
  for (const { rooms, objects, prompt, generator } of drafts) {
    expect([generator, prompt, outsideRooms(objects, rooms)]).toEqual([generator, prompt, []]);
    const listed = labelsOf(prompt);
    expect(objects.length).toBe(generator === 'sparse' ? Math.ceil(listed.length / 2) : listed.length);
  }
});
