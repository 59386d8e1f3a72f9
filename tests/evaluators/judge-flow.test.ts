import { setMaxListeners } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import type { Log } from '../../src/core/log.ts';
import { readJudgeRecord } from '../../src/evaluators/judge/judge-record.ts';
import { redactor } from '../../src/evaluators/judge/redact.ts';
import { RequestFlow } from '../../src/evaluators/judge/request-flow.ts';
import { retryAfter } from '../../src/evaluators/judge/retry-after.ts';
import { startJudgeSim } from '../../src/evaluators/judge-sim/start-judge-sim.ts';
import { json, startRecorder } from './hosts/recorder.ts';
import { askAll, faults, judgeSpec, openJudge, request } from './judge-harness.ts';

const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const item of open.splice(0).reverse()) await item.close();
});
const many = (count: number) => Array.from({ length: count }, (_, index) => request(index));
const { signal } = new AbortController();
setMaxListeners(0, signal);

test('Retry-After in every form providers use', () => {
  expect(retryAfter({ 'retry-after': '7' }, null)).toBe(7000);
  expect(retryAfter({ 'retry-after': '0.25' }, null)).toBe(250);
  expect(retryAfter({ 'retry-after-ms': '120', 'retry-after': '7' }, null)).toBe(120);
  const date = { date: 'Mon, 30 Nov 2026 10:00:00 GMT', 'retry-after': 'Mon, 30 Nov 2026 10:00:30 GMT' };
  expect(retryAfter(date, null)).toBe(30_000);
  const details = [{ '@type': 'x' }, { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3.5s' }];
  expect(retryAfter({}, { error: { details } })).toBe(3500);
  for (const value of ['soon', '-1', '', '7s']) expect(retryAfter({ 'retry-after': value }, null)).toBeNull();
});

test('secrets are removed as they stand, in URLs and in JSON', () => {
  const redact = redactor(['sk-"a/b"+c', null, '', 'abc']);
  expect(redact('x sk-"a/b"+c y sk-%22a%2Fb%22%2Bc z sk-\\"a/b\\"+c abc')).toBe('x *** y *** z *** abc');
});

test('no more requests start in any rolling minute than the limit', async () => {
  const flow = new RequestFlow({ concurrency: 10, requestsPerMinute: 5, minute: 300 });
  open.push(flow);
  const starts: number[] = [];
  await Promise.all(
    Array.from({ length: 12 }, () => flow.run(1, false, signal, async () => void starts.push(performance.now()))),
  );
  starts.sort((a, b) => a - b);
  for (let index = 5; index < starts.length; index += 1)
    expect((starts[index] as number) - (starts[index - 5] as number)).toBeGreaterThanOrEqual(200);
});

test('no more tokens start in any rolling minute than the limit; a larger request goes alone', async () => {
  const flow = new RequestFlow({ concurrency: 10, tokensPerMinute: 100, minute: 200 });
  open.push(flow);
  const starts: { at: number; tokens: number }[] = [];
  await Promise.all(
    [40, 40, 40, 40, 250, 10].map((tokens) =>
      flow.run(tokens, false, signal, async () => void starts.push({ at: performance.now(), tokens })),
    ),
  );
  expect(starts.length).toBe(6);
  for (const { at } of starts) {
    const window = starts.filter((start) => start.at <= at && start.at > at - 150);
    const sum = window.reduce((total, { tokens }) => total + tokens, 0);
    expect(sum <= 100 || window.length === 1).toBe(true);
  }
});

test('a 429 halves the concurrency once for requests sent together, and answers raise it again', () => {
  const flow = new RequestFlow({ concurrency: 16 });
  open.push(flow);
  flow.slowDown(1);
  flow.slowDown(1);
  flow.slowDown(1);
  expect(flow.concurrency).toBe(8);
  for (let answer = 0; answer < 9; answer += 1) flow.speedUp();
  expect(flow.concurrency).toBe(9);
  for (let answer = 0; answer < 1000; answer += 1) flow.speedUp();
  expect(flow.concurrency).toBe(16);
  expect(flow.slowed).toEqual({ times: 3, lowest: 8 });
});

test('bursts of 429 are waited out: every request is scored in the end', async () => {
  // A burst hits whoever comes next, so attempts are bounded well above it: 20 in a row take seven bursts of 3 end to end
  // (0.1^7), whatever the timing.
  const sim = await startJudgeSim({ faults: faults({ 'rate-limit': 0.1 }, { burst: 3, retryAfter: 0.05 }), seed: 5 });
  const judge = await openJudge(judgeSpec(sim.url, { concurrency: 8, attempts: 20 }));
  open.push(sim, judge);
  const outcomes = await askAll(judge, many(60));
  expect([...outcomes.values()].filter(({ status }) => status !== 'scored')).toEqual([]);
  const { slowed, attempts } = judge.report();
  expect(slowed.times).toBe(sim.stats().faults['rate-limit']);
  expect(slowed.lowest).toBeLessThan(8);
  expect(attempts).toBe(sim.stats().requests);
});

test('Retry-After is waited for at least, and not at all when it is too long', async () => {
  const seen: number[] = [];
  const server = await startRecorder((response) => {
    seen.push(performance.now());
    json(429, {}, { 'retry-after': '0.3' })(response);
  });
  const judge = await openJudge(judgeSpec(server.url, { attempts: 2 }), { backoff: 1 });
  const impatient = await openJudge(judgeSpec(server.url, { attempts: 5 }), { maxWait: 100 });
  open.push(server, judge, impatient);
  expect([...(await askAll(judge, many(1))).values()][0]).toMatchObject({
    status: 'failed',
    reason: 'rate-limited: status 429, "{}"; tried 2 times',
  });
  expect((seen[1] as number) - (seen[0] as number)).toBeGreaterThanOrEqual(299);
  expect([...(await askAll(impatient, many(1))).values()][0]).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('rate-limited: status 429 asks to wait 0.3'),
  });
  expect(seen.length).toBe(3);
});

test.each([
  [401, { error: { message: 'Incorrect API key provided' } }, 'expected a valid key'],
  [402, { error: { message: 'pay' } }, 'expected an account with credit'],
  [429, { error: { message: 'quota', code: 'insufficient_quota' } }, 'expected an account with credit'],
  [404, { error: { message: 'no such model' } }, 'expected an address and model the provider knows'],
])('%i of the account or the address stops the run, not one request', async (status, body, expected) => {
  const server = await startRecorder(json(status, body));
  const judge = await openJudge(judgeSpec(server.url, { concurrency: 2 }));
  open.push(server, judge);
  await expect(askAll(judge, many(30))).rejects.toThrow(expected);
  expect(server.requests.length).toBeLessThanOrEqual(4);
  await expect(askAll(judge, many(30))).rejects.toThrow(expected);
  expect(server.requests.length).toBeLessThanOrEqual(4);
});

test.each([
  [400, { error: { message: 'bad', code: 'content_filter' } }, 'refused', 'filtered: status 400, "bad"'],
  [400, { error: { message: 'picture too large' } }, 'failed', 'rejected: status 400, "picture too large"'],
  [403, { error: { message: 'flagged' } }, 'failed', 'rejected: status 403, "flagged"'],
  [307, {}, 'failed', 'rejected: status 307, "{}"'],
  [200, { error: { code: 502, message: 'upstream' } }, 'failed', 'server-error: status 502, "upstream"; tried 2 times'],
  [200, { choices: [] }, 'unparseable', 'no-answer: no text in the answer (no choice)'],
  [200, [], 'unparseable', 'no-answer: no text in the answer (no choice)'],
  [200, 7, 'unparseable', 'malformed-response: answer of 1 characters is not JSON'],
])('status %i with %j ends as %s', async (status, body, expected, reason) => {
  const server = await startRecorder(json(status, body));
  const judge = await openJudge(judgeSpec(server.url, { attempts: 2 }));
  open.push(server, judge);
  expect([...(await askAll(judge, many(1))).values()][0]).toMatchObject({ status: expected, reason });
});

test('a missing key is an error before the first request; a key never shows', async () => {
  const server = await startRecorder(
    json(
      400,
      { error: { message: 'you sent sk-secret-4711 and sk%2Dsecret' } },
      { 'x-request-id': 'r-sk-secret-4711' },
    ),
  );
  open.push(server);
  const spec = judgeSpec(server.url, { keyFrom: 'JUDGE_KEY' });
  for (const environment of [{}, { JUDGE_KEY: ' ' }])
    await expect(askAll(await openJudge(spec, { environment }), many(1))).rejects.toThrow(
      'evaluators.sim: environment variable JUDGE_KEY is not set; expected the key of openai',
    );
  expect(server.requests).toEqual([]);
  const judge = await openJudge(spec, { environment: { JUDGE_KEY: 'sk-secret-4711' } });
  const outcomes = JSON.stringify([...(await askAll(judge, many(1)))]);
  expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-secret-4711');
  expect(outcomes).toContain('you sent ***');
  expect(outcomes).not.toContain('sk-secret-4711');
});

test('a wrong key does not show in the error that stops the run', async () => {
  const server = await startRecorder(json(401, { error: { message: 'key sk-secret-4711 is wrong' } }));
  const judge = await openJudge(judgeSpec(server.url, { keyFrom: 'K' }), { environment: { K: 'sk-secret-4711' } });
  open.push(server, judge);
  await expect(askAll(judge, many(1))).rejects.toThrow(/key \*\*\* is wrong/);
});

test("the provider's own key variable is not sent to another server", async () => {
  const server = await startRecorder(json(400, {}));
  const judge = await openJudge(judgeSpec(server.url), { environment: { OPENAI_API_KEY: 'sk-secret-4711' } });
  open.push(server, judge);
  await askAll(judge, many(1));
  expect(server.requests[0]?.headers.authorization).toBeUndefined();
});

test('a model id that drifts is reported at once and stands in every record', async () => {
  const warnings: string[] = [];
  const log: Log = { debug() {}, info() {}, warn: (message) => void warnings.push(message) };
  const sim = await startJudgeSim({ faults: faults({ 'drifting-model': 0.5 }), seed: 1 });
  const judge = await openJudge(judgeSpec(sim.url, { concurrency: 2 }), { log });
  open.push(sim, judge);
  const outcomes = await askAll(judge, many(20));
  const { models, systemFingerprints } = judge.report();
  const drifted = sim.stats().faults['drifting-model'] as number;
  expect(models).toEqual([
    { asked: 'judge-sim', answered: { 'judge-sim': 20 - drifted, 'judge-sim-next': drifted }, drifted: true },
  ]);
  expect(systemFingerprints).toEqual({ fp_sim_1: 20 - drifted, fp_sim_2: drifted });
  expect(warnings.length).toBe(1);
  expect(warnings[0]).toContain('evaluators.sim: the provider now answers as "judge-sim');
  const recorded = [...outcomes.values()].map(({ record }) => readJudgeRecord(record)?.answers[0]?.model);
  expect(recorded.filter((model) => model === 'judge-sim-next').length).toBe(drifted);
});

test('an abort stops at once, keeps what was answered and answers nothing else', async () => {
  const sim = await startJudgeSim({ faults: faults({ hang: 0.05 }), seed: 4 });
  const judge = await openJudge(judgeSpec(sim.url, { concurrency: 4 }));
  open.push(sim, judge);
  const controller = new AbortController();
  const kept: string[] = [];
  const asked = (async () => {
    for await (const [key] of judge.score(many(40), controller.signal)) {
      kept.push(key);
      if (kept.length === 10) controller.abort();
    }
  })();
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  expect(kept.length).toBeGreaterThanOrEqual(10);
  expect(kept.length).toBeLessThan(40);
});

test('swept parameters are honoured, and an impossible one is a failure of that request only', async () => {
  const sim = await startJudgeSim({});
  const judge = await openJudge(judgeSpec(sim.url));
  open.push(sim, judge);
  const asked = [
    request(0),
    request(0, { parameters: { temperature: 1 } }),
    request(0, { parameters: { rubric: 'free-text-0-100' } }),
    request(0, { parameters: { temprature: 1 } }),
    request(0, { parameters: { rubric: 'yes-no' } }),
    request(0, { parameters: { rubric: 'none-such' } }),
    request(0, { parameters: { maxTokens: '0' } }),
  ];
  const outcomes = await askAll(judge, asked);
  expect(asked.map(({ key }) => outcomes.get(key)?.status)).toEqual([
    'scored',
    'scored',
    'scored',
    'failed',
    'failed',
    'failed',
    'failed',
  ]);
  for (const { key } of asked.slice(3))
    expect(outcomes.get(key)).toMatchObject({ reason: expect.stringMatching(/^invalid-request: /) });
  expect(sim.stats()).toMatchObject({ requests: 3, distinct: 3 });
});
