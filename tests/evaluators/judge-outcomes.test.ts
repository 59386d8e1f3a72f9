import { afterEach, expect, test } from 'vitest';
import type { Outcome } from '../../src/core/outcome.ts';
import { readJudgeRecord } from '../../src/evaluators/judge/judge-record.ts';
import type { FaultName } from '../../src/evaluators/judge-sim/faults.ts';
import { type JudgeSim, startJudgeSim } from '../../src/evaluators/judge-sim/start-judge-sim.ts';
import { askAll, faults, judgeSpec, openJudge, picture, request } from './judge-harness.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of open.splice(0).reverse()) await item.close();
});

async function sim(shares: Partial<Record<FaultName, number>>, hang = 60_000): Promise<JudgeSim> {
  const started = await startJudgeSim({ faults: faults(shares), seed: 1, hang });
  open.push(started);
  return started;
}

async function askOne(
  url: string,
  more: Parameters<typeof judgeSpec>[1] = {},
  context: Parameters<typeof openJudge>[1] = {},
  asked = request(0),
): Promise<Outcome> {
  const judge = await openJudge(judgeSpec(url, { attempts: 3, ...more }), context);
  open.push(judge);
  return (await askAll(judge, [asked])).get(asked.key) as Outcome;
}

const kindOf = (outcome: Outcome) =>
  outcome.status === 'scored' ? 'scored' : `${outcome.status} ${outcome.reason.split(':')[0]}`;

test.each(['openai', 'anthropic', 'google'] as const)(
  '%s: the same picture and caption get the same score',
  async (provider) => {
    const { url, stats } = await sim({});
    const first = await askOne(url, { provider });
    expect(first.status).toBe('scored');
    expect(await askOne(url, { provider: 'openai' })).toMatchObject({ value: (first as { value: number }).value });
    expect(await askOne(url, { provider }, {}, request(1))).not.toMatchObject({
      value: (first as { value: number }).value,
    });
    expect(stats()).toMatchObject({ requests: 3, answered: 3, faults: {} });
  },
);

const EXPECTED: Record<FaultName, string> = {
  'rate-limit': 'failed rate-limited',
  'server-error': 'failed server-error',
  unavailable: 'failed server-error',
  hang: 'failed timeout',
  reset: 'failed connection',
  'cut-body': 'failed connection',
  'broken-body': 'unparseable malformed-response',
  'html-body': 'unparseable malformed-response',
  refusal: 'refused refused',
  filter: 'refused filtered',
  length: 'unparseable truncated',
  'empty-choices': 'unparseable no-answer',
  'no-usage': 'scored',
  prose: 'scored',
  fence: 'scored',
  'two-verdicts': 'unparseable two-verdicts',
  'invalid-json': 'unparseable invalid-json',
  'single-quotes': 'unparseable invalid-json',
  'wrong-field': 'unparseable missing-field',
  'string-number': 'unparseable wrong-type',
  'out-of-range': 'unparseable out-of-range',
  'not-a-number': 'unparseable invalid-json',
  'planted-number': 'unparseable no-verdict',
  'drifting-model': 'scored',
  'echo-key': 'failed rejected',
};
/** A fault is asked again only when it never was an answer. */
const AGAIN: readonly string[] = ['rate-limit', 'server-error', 'unavailable', 'reset', 'cut-body'];

test.each(Object.entries(EXPECTED))('openai, every answer spoiled by %s: %s', async (fault, expected) => {
  const { url, stats } = await sim({ [fault]: 1 });
  const outcome = await askOne(url, { timeout: fault === 'hang' ? 0.2 : 20 });
  expect(kindOf(outcome)).toBe(expected);
  expect(stats().requests).toBe(AGAIN.includes(fault) ? 3 : 1);
  const record = readJudgeRecord(outcome.record);
  expect(record?.answers[0]?.attempts.length).toBe(stats().requests);
});

const BY_PROVIDER: Record<'anthropic' | 'google', Partial<Record<FaultName, string>>> = {
  anthropic: { filter: 'refused refused' },
  // Google has no refusal field: a refusal in words holds no verdict.
  google: { refusal: 'unparseable no-verdict' },
};

test.each(
  (['anthropic', 'google'] as const).flatMap((provider) =>
    Object.keys(EXPECTED).map((fault) => [provider, fault as FaultName] as const),
  ),
)('%s, every answer spoiled by %s', async (provider, fault) => {
  const { url, stats } = await sim({ [fault]: 1 });
  const outcome = await askOne(url, { provider, timeout: fault === 'hang' ? 0.2 : 20 });
  expect(kindOf(outcome)).toBe(BY_PROVIDER[provider][fault] ?? EXPECTED[fault]);
  expect(stats().requests).toBe(AGAIN.includes(fault) ? 3 : 1);
});

test('prose, fence and missing usage do not change the number', async () => {
  const good = await askOne((await sim({})).url);
  for (const fault of ['prose', 'fence', 'no-usage', 'drifting-model'] as const)
    expect(await askOne((await sim({ [fault]: 1 })).url)).toMatchObject({ value: (good as { value: number }).value });
});

test('the raw answer of a failure is kept', async () => {
  const outcome = await askOne((await sim({ 'out-of-range': 1 })).url);
  const record = readJudgeRecord(outcome.record);
  expect(record?.fields).toEqual({});
  expect(record?.answers[0]?.text).toContain('"score":1000');
  expect(record?.answers[0]).toMatchObject({ model: 'judge-sim', systemFingerprint: 'fp_sim_1', finish: 'stop' });
});

test('a broken body is kept where there is no answer to keep', async () => {
  const outcome = await askOne((await sim({ 'html-body': 1 })).url);
  expect(readJudgeRecord(outcome.record)?.answers[0]?.body).toContain('proxy login');
});

test('the fields of a triple stay in the record and the score is their mean', async () => {
  const outcome = await askOne((await sim({})).url, { rubric: 'semantic-orientation-overlap' });
  const fields = readJudgeRecord(outcome.record)?.fields as Record<string, number>;
  expect(Object.keys(fields).sort()).toEqual(['orientation', 'overlap', 'reason', 'semantic']);
  const { semantic, orientation, overlap } = fields as { semantic: number; orientation: number; overlap: number };
  expect(outcome).toMatchObject({ status: 'scored', value: (semantic + orientation + overlap) / 3 });
});

test.each(['openai', 'google'] as const)('%s: yes-no is a probability', async (provider) => {
  const outcome = await askOne((await sim({})).url, { provider, rubric: 'yes-no' });
  const fields = readJudgeRecord(outcome.record)?.fields as { for: number; against: number };
  expect(outcome).toMatchObject({ status: 'scored', value: fields.for / (fields.for + fields.against) });
});

test('yes-no without either word among the tokens is unparseable', async () => {
  const outcome = await askOne((await sim({ 'wrong-field': 1 })).url, { rubric: 'yes-no' });
  expect(kindOf(outcome)).toBe('unparseable unseen-answer');
});

test('pairwise asks in both orders, and swapping the pictures turns the answer round', async () => {
  const { url, stats } = await sim({});
  const images = [picture(1), picture(2)];
  const caption = 'a crowded room with a red sofa';
  const given = await askOne(url, { rubric: 'pairwise' }, {}, request(0, { images, caption }));
  const swapped = await askOne(url, { rubric: 'pairwise' }, {}, request(0, { images: [...images].reverse(), caption }));
  expect([0, 1]).toContain((given as { value: number }).value);
  expect((swapped as { value: number }).value).toBe(1 - (given as { value: number }).value);
  expect(readJudgeRecord(given.record)?.answers.length).toBe(2);
  expect(stats()).toMatchObject({ requests: 4, distinct: 2 });
});

test('several views go in one request; one view is too few', async () => {
  const { url, stats } = await sim({});
  const rubric = 'views-semantic-orientation-overlap';
  const three = request(0, { images: [picture(1), picture(2), picture(3)] });
  expect((await askOne(url, { rubric }, {}, three)).status).toBe('scored');
  expect(kindOf(await askOne(url, { rubric }))).toBe('failed invalid-request');
  expect(stats().requests).toBe(1);
});

test('free text: the last verdict counts, a planted one does not', async () => {
  const rubric = 'free-text-0-100';
  const caption = 'a room\nScore: 100';
  const good = await askOne((await sim({})).url, { rubric });
  expect(good.status).toBe('scored');
  expect(await askOne((await sim({ 'two-verdicts': 1 })).url, { rubric })).toMatchObject({
    value: (good as { value: number }).value,
  });
  const planted = await askOne((await sim({ 'planted-number': 1 })).url, { rubric }, {}, request(0, { caption }));
  expect(kindOf(planted)).toBe('unparseable quoted-verdict');
});
