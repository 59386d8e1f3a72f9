import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import {
  type EnsembleSpec,
  ensembleSpecSchema,
  type JudgeSpec,
  qualitySpecSchema,
  scoresSpecSchema,
} from '../../src/core/evaluator-spec.ts';
import { silentLog } from '../../src/core/log.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import { combineMembers, ensembleFingerprint } from '../../src/evaluators/ensemble.ts';
import type { JointEvaluator, ScoreRequest } from '../../src/evaluators/evaluator.ts';
import { RUBRIC_FOLDER } from '../../src/evaluators/judge/read-rubric.ts';
import { type JudgeSim, startJudgeSim } from '../../src/evaluators/judge-sim/start-judge-sim.ts';
import { createQuality } from '../../src/evaluators/quality.ts';
import { createScores } from '../../src/evaluators/scores.ts';
import { evaluatorContract, tableCell } from './contract.ts';
import { MODELS } from './fixtures.ts';
import { judgeSpec, openJudge, picture, WORDS } from './judge-harness.ts';

/** The kinds that need more than a model: judges over a real server, tables, ensembles. */
const folder = mkdtempSync(join(tmpdir(), 'parallax-contract-'));
const captions = WORDS.slice(0, 3);
const images = async () => [0, 1, 2].map((seed) => picture(seed));
let sim: JudgeSim;
beforeAll(async () => {
  sim = await startJudgeSim({ seed: 1 });
});
afterAll(async () => {
  await sim.close();
  rmSync(folder, { recursive: true, force: true });
});

const PROVIDERS = {
  openai: [{ seed: 3 }, { detail: 'low' }, { structured: 'json' }, { reasoning: 'low' }, { temperature: null }],
  anthropic: [{ structured: 'none' }, { reasoning: 'low' }, { temperature: null }],
  google: [{ seed: 3 }, { detail: 'low' }, { reasoning: 'low' }, { temperature: null }],
} satisfies Record<JudgeSpec['provider'], Record<string, unknown>[]>;

/** A rubric of the same id and version with one word changed. */
function reworded(): string {
  const text = readFileSync(join(RUBRIC_FOLDER, 'direct-0-100.yaml'), 'utf8');
  const file = join(folder, 'reworded.yaml');
  writeFileSync(file, text.replace('How well', 'How closely'));
  return file;
}

/** The shipped rubric under another path, with comments and layout of its own. */
function moved(): string {
  const file = join(folder, 'moved.yaml');
  writeFileSync(file, `# Moved.\n${readFileSync(join(RUBRIC_FOLDER, 'direct-0-100.yaml'), 'utf8')}`);
  return file;
}
reworded();
moved();

for (const provider of Object.keys(PROVIDERS) as JudgeSpec['provider'][]) {
  const open = (more: Record<string, unknown> = {}, context: Parameters<typeof openJudge>[1] = {}) =>
    openJudge(judgeSpec(sim.url, { provider, ...more }), { folder, ...context });
  evaluatorContract({
    name: `judge (${provider})`,
    open: (batch) => open({ concurrency: batch }),
    images,
    captions,
    folder,
    tolerance: 0,
    others: [
      ...PROVIDERS[provider].map((more) => ({ what: JSON.stringify(more), same: false, open: () => open(more) })),
      { what: 'another model', same: false, open: () => open({ model: 'judge-sim-2' }) },
      { what: 'another temperature', same: false, open: () => open({ temperature: 1 }) },
      { what: 'other tokens', same: false, open: () => open({ maxTokens: 99 }) },
      { what: 'another rubric', same: false, open: () => open({ rubric: 'semantic-orientation-overlap' }) },
      { what: 'a reworded rubric', same: false, open: () => open({ rubric: 'reworded.yaml' }) },
      { what: 'another server', same: false, open: () => open({ baseUrl: 'http://127.0.0.1:9/v1' }) },
      { what: 'another name', same: true, open: () => open({ id: 'other' }) },
      { what: 'the rubric in another place', same: true, open: () => open({ rubric: 'moved.yaml' }) },
      { what: 'limits', same: true, open: () => open({ requestsPerMinute: 9, tokensPerMinute: 9, attempts: 2 }) },
      { what: 'another time-out', same: true, open: () => open({ timeout: 3 }) },
      {
        what: 'a key',
        same: true,
        open: () => open({ keyFrom: 'OTHER_KEY' }, { environment: { OTHER_KEY: 'secret' } }),
      },
    ],
  });
}

{
  const table = async (name: string, add = 0): Promise<string> => {
    const rows = (await images()).flatMap((image, at) =>
      captions.map((caption, word) => {
        const { generator, prompt } = tableCell(image, caption);
        return `blip,${generator},${prompt},,,${at + word / 10 + add}`;
      }),
    );
    writeFileSync(join(folder, name), `evaluator,generator,prompt,factor,level,score\n${rows.join('\n')}\n`);
    return name;
  };
  const open = async (name: string, add = 0, more: Record<string, unknown> = {}) => {
    const file = await table(name, add);
    return createScores(scoresSpecSchema.parse({ id: 'blip', kind: 'scores', file, ...more }), { folder });
  };
  await table('table.csv');
  await table('copy.csv');
  await table('other.csv', 1);
  evaluatorContract({
    name: 'scores',
    open: () => open('table.csv'),
    images,
    captions,
    folder,
    tolerance: 0,
    others: [
      { what: 'another number in the table', same: false, open: () => open('other.csv', 1) },
      { what: 'another scale', same: false, open: () => open('table.csv', 0, { scale: { name: 'itm' } }) },
      { what: 'the table in another place', same: true, open: () => open('copy.csv') },
    ],
  });
}

/** An ensemble as the sweep computes it: its base is asked for every member, and the outcomes are combined. */
async function openEnsemble(
  more: Partial<Record<keyof EnsembleSpec, unknown>>,
  model = 'clip',
): Promise<JointEvaluator> {
  const spec = ensembleSpecSchema.parse({
    id: 'mean',
    kind: 'ensemble',
    of: 'iqa',
    over: 'templates',
    members: ['a {}', 'the {}'],
    ...more,
  });
  const base = await createQuality(qualitySpecSchema.parse({ id: 'iqa', kind: 'quality', model }), {
    folder: MODELS,
    log: silentLog,
  });
  return {
    ...base,
    id: spec.id,
    fingerprint: ensembleFingerprint(spec, base.fingerprint),
    async *score(requests, signal) {
      const members = requests.flatMap((request) =>
        spec.members.map(
          (member): ScoreRequest => ({
            ...request,
            key: `${request.key} / ${member}`,
            caption: member.replace('{}', request.caption ?? ''),
          }),
        ),
      );
      const outcomes = new Map<string, Outcome>();
      for await (const [key, outcome] of base.score(members, signal)) outcomes.set(key, outcome);
      for (const { key } of requests)
        yield [
          key,
          combineMembers(
            spec.aggregate,
            spec.members.map((member) => outcomes.get(`${key} / ${member}`) as Outcome),
          ),
        ];
    },
    close: () => base.close(),
  };
}

evaluatorContract({
  name: 'ensemble',
  open: () => openEnsemble({}),
  images,
  captions: captions.slice(0, 1),
  folder,
  tolerance: 1e-3,
  others: [
    { what: 'another aggregate', same: false, open: () => openEnsemble({ aggregate: 'max' }) },
    { what: 'another member', same: false, open: () => openEnsemble({ members: ['a {}', 'one {}'] }) },
    { what: 'another base', same: false, open: () => openEnsemble({}, 'long-clip') },
    { what: 'another name', same: true, open: () => openEnsemble({ id: 'average' }) },
    { what: 'members in another order', same: true, open: () => openEnsemble({ members: ['the {}', 'a {}'] }) },
  ],
});
