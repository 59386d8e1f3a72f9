import { expect, test } from 'vitest';
import { hashJson } from '../../src/core/hash.ts';
import type { Json } from '../../src/core/json.ts';
import { trialKey } from '../../src/core/trial.ts';
import { judgeSpec, openJudge, picture } from './judge-harness.ts';

const URL = 'http://127.0.0.1:9';
const IMAGE = picture(1);

interface Question {
  readonly spec?: Parameters<typeof judgeSpec>[1];
  readonly parameters?: Json;
  readonly image?: string;
  readonly caption?: string;
  readonly repeat?: number;
}

async function keyOf({
  spec = {},
  parameters = {},
  image = IMAGE.key,
  caption = 'c',
  repeat = 0,
}: Question): Promise<string> {
  const judge = await openJudge(judgeSpec(URL, spec));
  return trialKey({
    evaluator: hashJson([judge.fingerprint, judge.environment]),
    image,
    caption,
    parameters: hashJson(judge.keyParameters(parameters)),
    repeat,
  });
}

/** One question a field: changing any of them must never be answered from what is stored for another. */
const CHANGES: Record<string, Question> = {
  'model id': { spec: { model: 'judge-sim-2' } },
  'base address': { spec: { baseUrl: `${URL}/other/v1` } },
  'endpoint kind': { spec: { provider: 'google', baseUrl: `${URL}/v1` } },
  rubric: { spec: { rubric: 'semantic-orientation-overlap' } },
  temperature: { spec: { temperature: 0.5 } },
  'temperature left to the provider': { spec: { temperature: null } },
  seed: { spec: { seed: 0 } },
  'image detail': { spec: { detail: 'low' } },
  'reasoning effort': { spec: { reasoning: 'low' } },
  'maximum tokens': { spec: { maxTokens: 511 } },
  'form of the answer': { spec: { structured: 'json' } },
  'one pixel of the picture': { image: picture(2).key },
  caption: { caption: 'd' },
  repeat: { repeat: 1 },
  'swept temperature': { parameters: { temperature: 0.5 } },
  'swept seed': { parameters: { seed: 1 } },
  'swept detail': { parameters: { detail: 'high' } },
  'swept rubric': { parameters: { rubric: 'free-text-0-100' } },
  'swept model': { parameters: { model: 'm' } },
};

test('changing any one field is another trial', async () => {
  const keys = await Promise.all([{}, ...Object.values(CHANGES)].map(keyOf));
  expect(new Set(keys).size).toBe(keys.length);
});

test('what cannot change a number is the same trial', async () => {
  const base = await keyOf({});
  for (const spec of [
    { timeout: 5 },
    { attempts: 2 },
    { concurrency: 3 },
    { requestsPerMinute: 9 },
    { keyFrom: 'A_KEY' },
  ])
    expect(await keyOf({ spec })).toBe(base);
  expect(await keyOf({ spec: { baseUrl: `${URL}/v1/` } })).toBe(base);
});

test("a swept rubric's content is in the key, and values have one spelling", async () => {
  const judge = await openJudge(judgeSpec(URL));
  expect(judge.keyParameters({ rubric: 'yes-no', temperature: '0.50', seed: 'null' })).toEqual({
    rubric: { id: 'yes-no', version: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    temperature: 0.5,
    seed: null,
  });
  expect(() => judge.keyParameters({ temprature: 1 })).toThrow(
    'evaluators.sim: unknown parameter "temprature"; expected one of model, rubric, temperature, seed, detail, reasoning, maxTokens, structured',
  );
  expect(() => judge.keyParameters({ temperature: 'hot' })).toThrow(
    'evaluators.sim: parameter temperature: invalid value',
  );
  expect(() => judge.keyParameters({ rubric: 'nope' })).toThrow('unknown rubric "nope"');
});

test('the fingerprint names all that shapes a request, and no key', async () => {
  const judge = await openJudge(judgeSpec(URL, { keyFrom: 'A_KEY' }), { environment: { A_KEY: 'sk-secret-4711' } });
  expect(judge.fingerprint).toEqual({
    kind: 'judge',
    form: 'parallax/judge-request@1',
    endpoint: 'openai',
    address: `${URL}/v1`,
    model: 'judge-sim',
    temperature: 0,
    seed: null,
    detail: 'auto',
    reasoning: null,
    maxTokens: 512,
    structured: 'schema',
    rubric: { id: 'direct-0-100', version: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  expect(judge).toMatchObject({
    role: 'alignment',
    scale: { name: 'judge-0-100', min: 0, max: 100 },
    reads: { image: true, caption: true, scene: false },
    costly: true,
  });
});

test.each([
  [{ provider: 'anthropic', seed: 1 }, 'provider "anthropic" has no seed "1"; expected null'],
  [{ provider: 'anthropic', detail: 'low' }, 'provider "anthropic" has no detail "low"; expected auto'],
  [{ provider: 'anthropic', rubric: 'yes-no' }, 'expected a provider that returns log-probabilities'],
  [{ provider: 'anthropic', temperature: 1.5 }, 'no temperature "1.5"; expected 0 to 1'],
  [{ baseUrl: 'http://user:word@127.0.0.1/v1' }, 'baseUrl holds a user name or password'],
  [{ baseUrl: 'http://gpu.example/v1', keyFrom: 'A_KEY' }, 'a key would go over plain http to "gpu.example"'],
  [{ baseUrl: 'http://127.0.0.1/v1?key=1' }, 'expected an address without ? or #'],
  [{ baseUrl: 'ftp://127.0.0.1/v1' }, 'expected http or https'],
] as const)('%j is refused before anything is asked', async (more, message) => {
  await expect(openJudge(judgeSpec(URL, more))).rejects.toThrow(message);
});
