import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/core/log.ts';
import { createDualEncoder } from '../../src/evaluators/dual-encoder.ts';
import { resolveModel } from '../../src/evaluators/model-source.ts';
import { encoderSpec, MODELS, never } from './fixtures.ts';

/** A hub on loopback that has one model at one revision. */
let server: Server;
let asked: string[] = [];
let broken = false;
const PINNED = 'a'.repeat(40);
const saved = {
  models: process.env['PARALLAX_MODELS'],
  host: process.env['HF_ENDPOINT'],
  token: process.env['HF_TOKEN'],
};

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const path = /^\/owner\/tiny\/resolve\/(main|a{40})\/(.+)$/.exec(request.url ?? '')?.[2];
    const file = join(MODELS, 'siglip-combined', path ?? 'x');
    if (broken) {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('half a file');
      response.destroy();
    } else if (path !== undefined && existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end('not found');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env['HF_ENDPOINT'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  delete process.env['HF_TOKEN'];
});
afterAll(async () => {
  for (const [name, value] of [
    ['PARALLAX_MODELS', saved.models],
    ['HF_ENDPOINT', saved.host],
    ['HF_TOKEN', saved.token],
  ] as const)
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  await new Promise((resolve) => server.close(resolve));
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-models-'));
  process.env['PARALLAX_MODELS'] = folder;
  asked = [];
  broken = false;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const context = { folder: MODELS, log: silentLog };

describe('hub ids', () => {
  test('are downloaded once, then opened without a network', async () => {
    const spec = { ...encoderSpec('siglip-combined'), model: 'owner/tiny', revision: PINNED };
    const first = await createDualEncoder(spec, context);
    const local = await createDualEncoder(encoderSpec('siglip-combined'), context);
    expect(first.fingerprint).toEqual(local.fingerprint);
    expect(asked.length).toBeGreaterThan(5);
    asked = [];
    const again = await createDualEncoder(spec, context);
    expect((await again.embedCaptions(['a lamp'], never))[0]).toEqual(
      (await local.embedCaptions(['a lamp'], never))[0],
    );
    expect(asked).toEqual([]);
    await Promise.all([first, local, again].map((encoder) => encoder.close()));
    const files = (readdirSync(join(folder, 'owner', 'tiny', PINNED), { recursive: true }) as string[]).sort();
    expect(files).toEqual([
      '.complete-fp32',
      'config.json',
      'onnx',
      join('onnx', 'model.onnx'),
      'preprocessor_config.json',
      'tokenizer.json',
      'tokenizer_config.json',
    ]);
  });

  test('a download cut short leaves no file behind', async () => {
    broken = true;
    await expect(resolveModel({ model: 'owner/tiny', dtype: 'fp32' }, context)).rejects.toThrow(
      /owner\/tiny: cannot download "config.json" at revision "main" \(.+\); expected a reachable hub, or the checkpoint copied to/,
    );
    const left = existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]) : [];
    expect(left.filter((name) => name.includes('config.json'))).toEqual([]);
  });

  test('a dtype the hub does not have is named after the download', async () => {
    await expect(
      createDualEncoder({ ...encoderSpec('siglip-combined', { dtype: 'q4' }), model: 'owner/tiny' }, context),
    ).rejects.toThrow('owner/tiny: missing q4 weights');
  });

  test.each([
    ['../secret', 'missing model folder'],
    ['owner/a..b', 'missing model folder'],
    ['no-such-folder', 'missing model folder'],
  ])('%s is not asked for', async (model, message) => {
    await expect(resolveModel({ model, dtype: 'fp32' }, context)).rejects.toThrow(message);
    expect(asked).toEqual([]);
  });

  test('a revision cannot leave the folder', async () => {
    await expect(resolveModel({ model: 'owner/tiny', revision: '../../x', dtype: 'fp32' }, context)).rejects.toThrow(
      'invalid revision "../../x"',
    );
  });
});

test('pocket is the embedded model, unless a folder of that name lies beside the audit file', async () => {
  const embedded = join(import.meta.dirname, '..', '..', 'models', 'pocket');
  expect(await resolveModel({ model: 'pocket', dtype: 'fp32' }, context)).toEqual({
    folder: embedded,
    shown: 'pocket',
  });
  cpSync(join(MODELS, 'clip', 'config.json'), join(folder, 'pocket', 'config.json'));
  expect(await resolveModel({ model: 'pocket', dtype: 'fp32' }, { ...context, folder })).toEqual({
    folder: join(folder, 'pocket'),
    shown: 'pocket',
  });
});

test('a folder beside the audit file is used as it is', async () => {
  expect(await resolveModel({ model: 'clip', dtype: 'fp32' }, context)).toEqual({
    folder: join(MODELS, 'clip'),
    shown: 'clip',
  });
  expect(asked).toEqual([]);
});
