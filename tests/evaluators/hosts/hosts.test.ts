import { afterEach, expect, test, vi } from 'vitest';
import { anthropicHost } from '../../../src/evaluators/hosts/anthropic.ts';
import { googleHost } from '../../../src/evaluators/hosts/google.ts';
import type { Host, HostRequest } from '../../../src/evaluators/hosts/host.ts';
import { openaiHost } from '../../../src/evaluators/hosts/openai.ts';
import { json, startRecorder } from './recorder.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const item of open.splice(0)) await item.close();
});
async function recorder(answer = json(200, {})) {
  const started = await startRecorder(answer);
  open.push(started);
  return started;
}

const HOSTS: readonly Host[] = [openaiHost, anthropicHost, googleHost];
const access = (baseUrl: string, key: string | null = 'KEY-0123456789') => ({
  baseUrl,
  key,
  timeout: 10_000,
  signal: new AbortController().signal,
});
const full: HostRequest = {
  model: 'm-1',
  temperature: 0.5,
  seed: 7,
  detail: 'low',
  reasoning: 'low',
  maxTokens: 99,
  structured: 'schema',
  system: 'S',
  images: [
    { label: 'View 1:', base64: 'QUJD' },
    { label: null, base64: 'REVG' },
  ],
  text: 'T',
  schema: { type: 'object' },
  topLogprobs: 0,
};
const bare: HostRequest = {
  ...full,
  temperature: null,
  seed: null,
  detail: 'auto',
  reasoning: null,
  system: '',
  images: [],
  schema: null,
};

test('openai: what is sent', async () => {
  const { url, requests } = await recorder();
  await openaiHost.send(full, access(`${url}/v1`));
  await openaiHost.send({ ...bare, topLogprobs: 20 }, access(`${url}/v1`));
  expect(requests.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/chat/completions']);
  expect(requests[0]?.body).toEqual({
    model: 'm-1',
    messages: [
      { role: 'system', content: 'S' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'View 1:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD', detail: 'low' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,REVG', detail: 'low' } },
          { type: 'text', text: 'T' },
        ],
      },
    ],
    max_tokens: 99,
    temperature: 0.5,
    seed: 7,
    reasoning_effort: 'low',
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'verdict', strict: true, schema: { type: 'object' } },
    },
  });
  expect(requests[1]?.body).toEqual({
    model: 'm-1',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'T' }] }],
    max_tokens: 99,
    logprobs: true,
    top_logprobs: 20,
  });
});

test('anthropic: what is sent', async () => {
  const { url, requests } = await recorder();
  await anthropicHost.send({ ...full, seed: null, detail: 'auto' }, access(url));
  await anthropicHost.send({ ...bare, reasoning: 'none' }, access(url));
  expect(requests.map(({ path }) => path)).toEqual(['/v1/messages', '/v1/messages']);
  expect(requests[0]?.body).toEqual({
    model: 'm-1',
    max_tokens: 99,
    system: 'S',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'View 1:' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'REVG' } },
          { type: 'text', text: 'T' },
        ],
      },
    ],
    temperature: 0.5,
    output_config: { format: { type: 'json_schema', schema: { type: 'object' } }, effort: 'low' },
    thinking: { type: 'adaptive' },
  });
  expect(requests[1]?.body).toEqual({
    model: 'm-1',
    max_tokens: 99,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'T' }] }],
    thinking: { type: 'disabled' },
  });
});

test('google: what is sent', async () => {
  const { url, requests } = await recorder();
  await googleHost.send(full, access(url));
  await googleHost.send({ ...bare, reasoning: 'none', topLogprobs: 20 }, access(url));
  expect(requests.map(({ path }) => path)).toEqual([
    '/v1beta/models/m-1:generateContent',
    '/v1beta/models/m-1:generateContent',
  ]);
  expect(requests[0]?.body).toEqual({
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'View 1:' },
          { inlineData: { mimeType: 'image/png', data: 'QUJD' } },
          { inlineData: { mimeType: 'image/png', data: 'REVG' } },
          { text: 'T' },
        ],
      },
    ],
    systemInstruction: { role: 'user', parts: [{ text: 'S' }] },
    generationConfig: {
      maxOutputTokens: 99,
      temperature: 0.5,
      seed: 7,
      mediaResolution: 'MEDIA_RESOLUTION_LOW',
      thinkingConfig: { thinkingLevel: 'LOW' },
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object' },
    },
  });
  expect(requests[1]?.body).toEqual({
    contents: [{ role: 'user', parts: [{ text: 'T' }] }],
    generationConfig: {
      maxOutputTokens: 99,
      thinkingConfig: { thinkingBudget: 0 },
      responseLogprobs: true,
      logprobs: 20,
    },
  });
});

test('the key goes in its own header and nothing tells of this machine', async () => {
  const { url, requests } = await recorder();
  for (const host of HOSTS) await host.send(bare, access(url));
  const keys = requests.map(
    ({ headers }) => headers.authorization ?? headers['x-api-key'] ?? headers['x-goog-api-key'],
  );
  expect(keys).toEqual(['Bearer KEY-0123456789', 'Bearer KEY-0123456789', 'KEY-0123456789']);
  for (const { headers } of requests) {
    expect(Object.keys(headers).filter((name) => /stainless|goog-api-client/.test(name))).toEqual([]);
    expect(headers['user-agent']).toBe('node');
  }
});

test('no key, no header; and nothing is taken from the environment', async () => {
  const { url, requests } = await recorder();
  const other = await recorder();
  for (const name of ['OPENAI', 'ANTHROPIC', 'GEMINI', 'GOOGLE']) vi.stubEnv(`${name}_API_KEY`, 'FROM-ENVIRONMENT-1');
  vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'FROM-ENVIRONMENT-2');
  vi.stubEnv('OPENAI_ORG_ID', 'FROM-ENVIRONMENT-3');
  vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'x-leak: FROM-ENVIRONMENT-4\nauthorization: FROM-ENVIRONMENT-5');
  vi.stubEnv('ANTHROPIC_CUSTOM_HEADERS', 'x-leak: FROM-ENVIRONMENT-6\nx-api-key: FROM-ENVIRONMENT-7');
  for (const name of ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'GOOGLE_GEMINI_BASE_URL']) vi.stubEnv(name, other.url);
  const warn = vi.spyOn(console, 'warn');
  for (const host of HOSTS) await host.send(bare, access(url, null));
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
  expect(requests.length).toBe(3);
  expect(other.requests).toEqual([]);
  expect(JSON.stringify(requests)).not.toContain('FROM-ENVIRONMENT');
  expect(JSON.stringify(requests)).not.toMatch(/authorization|x-api-key|x-goog-api-key/);
});

test('every answer comes back as it was sent: one request, whatever the status', async () => {
  for (const host of HOSTS)
    for (const status of [200, 400, 401, 429, 500, 529]) {
      const { url, requests } = await recorder(json(status, { odd: ['body', status] }, { 'retry-after': '7' }));
      const exchanged = await host.send(bare, access(url));
      expect(exchanged).toMatchObject({
        kind: 'answered',
        status,
        body: `{"odd":["body",${status}]}`,
        headers: { 'retry-after': '7' },
      });
      expect(requests.length).toBe(1);
    }
});

test('a redirect is not followed: the key stays here', async () => {
  const other = await recorder();
  const { url } = await recorder((response) => {
    response.writeHead(307, { location: `${other.url}/elsewhere` });
    response.end();
  });
  for (const host of HOSTS) expect(await host.send(bare, access(url))).toMatchObject({ kind: 'answered', status: 307 });
  expect(other.requests).toEqual([]);
});

test('a dropped connection, a time-out and an abort are told apart', async () => {
  const dropped = await recorder((response) => response.destroy());
  const silent = await recorder(() => {});
  for (const host of HOSTS) {
    expect(await host.send(bare, access(dropped.url))).toMatchObject({ kind: 'connection' });
    expect(await host.send(bare, { ...access(silent.url), timeout: 50 })).toEqual({
      kind: 'timeout',
      detail: 'no answer within 0.05 s',
    });
    const controller = new AbortController();
    const asked = host.send(bare, { ...access(silent.url), signal: controller.signal });
    controller.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  }
});

const NOTHING = {
  text: null,
  refusal: null,
  finish: 'other',
  finishText: null,
  usage: null,
  model: null,
  fingerprint: null,
  logprobs: null,
};

test.each([{}, [], null, { choices: [] }, { choices: 'x', candidates: 3, content: {} }, { choices: [null] }])(
  'reading %j makes nothing up',
  (body) => {
    for (const host of HOSTS) expect(host.read(body)).toEqual(NOTHING);
  },
);

test('usage, model and fingerprint are read where each provider puts them', () => {
  expect(
    openaiHost.read({
      model: 'm-2',
      system_fingerprint: 'fp',
      choices: [
        {
          finish_reason: 'stop',
          message: {
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
          },
        },
      ],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 5,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 3 },
      },
    }),
  ).toEqual({
    ...NOTHING,
    text: 'ab',
    finish: 'stop',
    finishText: 'stop',
    usage: { input: 10, output: 5, cached: 4, reasoning: 3 },
    model: 'm-2',
    fingerprint: 'fp',
  });
  expect(
    anthropicHost.read({
      model: 'm-2',
      stop_reason: 'end_turn',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'a' },
      ],
      usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 4, cache_creation_input_tokens: 2 },
    }),
  ).toEqual({
    ...NOTHING,
    text: 'a',
    finish: 'stop',
    finishText: 'end_turn',
    usage: { input: 16, output: 5, cached: 4, reasoning: null },
    model: 'm-2',
  });
  expect(
    googleHost.read({
      modelVersion: 'm-2',
      candidates: [{ finishReason: 'STOP', content: { parts: [{ text: 'hm', thought: true }, { text: 'a' }] } }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, thoughtsTokenCount: 3 },
    }),
  ).toEqual({
    ...NOTHING,
    text: 'a',
    finish: 'stop',
    finishText: 'STOP',
    usage: { input: 10, output: 8, cached: null, reasoning: 3 },
    model: 'm-2',
  });
  expect(googleHost.read({ promptFeedback: { blockReason: 'SAFETY' } })).toEqual({
    ...NOTHING,
    finish: 'filter',
    finishText: 'SAFETY',
  });
});
