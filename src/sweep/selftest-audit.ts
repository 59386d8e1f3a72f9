import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AuditError } from '../core/errors.ts';
import { prettyJson } from '../core/json.ts';
import { Random } from '../core/random.ts';
import type { DraftObject, SceneDraft } from '../scenes/draft.ts';
import { freezeScene } from '../scenes/freeze.ts';
import { describeObjects } from '../scenes/policies/describe-objects.ts';
import { layOut } from '../scenes/policies/lay-out.ts';
import { rectangularRoom } from '../scenes/room-shell.ts';

/** The planted evaluators, in the order of the table: id, and its program in `examples/planted/`. */
export const PLANTED_EVALUATORS = [
  'counts-objects',
  'sees-only-colour',
  'loves-brightness',
  'reads-only-caption',
  'draws-at-random',
  'knows-the-layout',
] as const;

/** What the audit of the self-test visits. */
export const SELFTEST_PROBES = [
  'keep-half',
  'biggest-only',
  'scrambled',
  'worst-objects',
  'moved-only',
  'turned-only',
  'recoloured',
  'mirrored',
  'rerender',
  'wrong-prompt',
] as const;

const SEED = 8;
const ROOMS: Readonly<Record<string, { type: string; objects: readonly string[]; size: readonly [number, number] }>> = {
  bedroom: {
    type: 'bedroom',
    objects: ['double bed', 'wardrobe', 'armchair', 'floor lamp', 'dresser', 'chair'],
    size: [4.6, 4.2],
  },
  study: {
    type: 'study',
    objects: ['desk', 'office chair', 'bookshelf', 'sofa', 'floor lamp', 'potted plant', 'cabinet'],
    size: [4.8, 4],
  },
  dining: {
    type: 'dining room',
    objects: ['dining table', 'dining chair', 'dining chair', 'cabinet', 'potted plant', 'armchair'],
    size: [4.6, 4.4],
  },
  living: {
    type: 'living room',
    objects: ['sofa', 'coffee table', 'armchair', 'tv stand', 'bookshelf', 'floor lamp', 'potted plant'],
    size: [5, 4.4],
  },
};

const GRAMMAR = `schema: parallax/grammar@1
name: selftest
raw: true
branches:
  - name: nouns
    form: "a {noun} of {prompt}"
    slots: {noun: {photo: photo, image: image, rendering: rendering}}
`;

/** Folder of the planted programs; src/ and dist/ lie equally deep below the package. */
function plantedFolder(): string {
  const folder = fileURLToPath(new URL('../../examples/planted', import.meta.url));
  if (!existsSync(join(folder, 'serve.mjs')))
    throw new AuditError(`${folder}: missing programs of the self-test; expected the folder examples/planted`, {
      code: 'MISSING_FILE',
      hint: 'install the package again',
    });
  return folder;
}

/**
 * Writes the audit of the self-test: four rooms by two generators (`ordered`, whose layouts are the plan that the layout
 * oracle knows, and `loose`, which lacks an object and has another turned round), the six planted evaluators, two render
 * factors, four templates and the probes. Drawn by the real renderer.
 *
 * @returns path of the audit file
 */
export async function writeSelftestAudit(folder: string): Promise<string> {
  const programs = plantedFolder();
  const plan: Record<string, Record<string, { x: number; z: number; yaw: number }>> = {};
  const prompts: string[] = [];
  for (const [prompt, { type, objects, size }] of Object.entries(ROOMS)) {
    const room = rectangularRoom({ id: 'room', type, width: size[0], depth: size[1], height: 2.6 });
    const ordered = layOut('functional', {
      room,
      objects: objects.map((label) => ({ label })),
      random: new Random(SEED, 'selftest', prompt),
      generator: 'ordered',
      prompt,
    });
    plan[prompt] = Object.fromEntries(
      ordered.objects.map(({ id, transform: m }) => [
        id,
        { x: m[12] as number, z: m[14] as number, yaw: Math.atan2(m[8] as number, m[10] as number) },
      ]),
    );
    prompts.push(`${prompt},"${describeObjects(type, objects)}",selftest`);
    for (const draft of [ordered, loosened(ordered)])
      await freezeScene(draft, join(folder, 'scenes', draft.generator, prompt));
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'plan.json'), prettyJson(plan));
  writeFileSync(join(folder, 'grammar.yaml'), GRAMMAR);
  writeFileSync(join(folder, 'prompts.csv'), `id,text,source\n${prompts.join('\n')}\n`);
  const file = join(folder, 'audit.yaml');
  const run = (id: string) => [process.execPath, join(programs, `${id}.mjs`)];
  // JSON is YAML: paths need no quoting of their own
  writeFileSync(
    file,
    prettyJson({
      schema: 'parallax/audit@1',
      name: 'selftest',
      seed: SEED,
      scenes: 'scenes',
      prompts: 'prompts.csv',
      grammar: 'grammar.yaml',
      renderer: { name: 'chromium', detail: 'quick' },
      evaluators: PLANTED_EVALUATORS.map((id) => ({
        id,
        kind: 'command',
        run: id === 'knows-the-layout' ? [...run(id), 'plan.json'] : run(id),
      })),
      default: {
        resolution: 96,
        focal: 50,
        lighting: 'city',
        background: 'grey-255',
        pitch: 90,
        yaw: 0,
        template: 'raw',
      },
      factors: { lighting: ['city', 'night', 'studio'], pitch: [90, 45], template: { levels: 'all' } },
      probes: [...SELFTEST_PROBES],
      statistics: { resamples: 500 },
      results: 'results',
    }),
  );
  return file;
}

/** The same room without its last object, and with its first turned round on its spot. */
function loosened(draft: SceneDraft): SceneDraft {
  const borne = new Set(draft.objects.map(({ supportedBy }) => supportedBy));
  const last = draft.objects.filter(({ id }) => !borne.has(id)).at(-1);
  const objects = draft.objects
    .filter(({ id }) => id !== last?.id)
    .map((object, index): DraftObject => {
      if (index > 0) return object;
      const m = object.transform;
      const turned = m.map((value, at) => ([0, 2, 8, 10].includes(at) ? 0 - value : value));
      return { ...object, transform: turned };
    });
  return { ...draft, id: `loose-${draft.prompt}`, generator: 'loose', objects };
}
