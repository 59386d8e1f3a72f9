import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuditError } from '../../src/core/errors.ts';
import { auditJsonSchema, readAudit } from '../../src/protocol/audit-file.ts';
import { loadAudit } from '../../src/sweep/load-audit.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-audit-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MINIMAL = `schema: parallax/audit@1
name: tiny
seed: 0
evaluators:
  - {id: one, kind: scores}
`;

function write(text: string): string {
  const file = join(folder, 'audit.yaml');
  writeFileSync(file, text);
  return file;
}

async function messageFrom(action: () => unknown): Promise<string> {
  try {
    await action();
  } catch (error) {
    if (error instanceof AuditError) return error.message.replaceAll(folder, '');
    throw error;
  }
  return 'no error';
}

test('a minimal audit gets the published defaults, and 0 is a seed', async () => {
  const { content, results } = readAudit(write(MINIMAL));
  expect(content.seed).toBe(0);
  expect(content.renderer).toEqual({
    name: 'chromium',
    margin: 0.05,
    wallsBlockLight: true,
    light: 'own',
    exposure: 0,
    hideWallsAbove: 0.15,
    maps: 'package',
    detail: 'full',
    samples: 64,
  });
  expect(content.statistics).toEqual({
    resamples: 10_000,
    level: 0.95,
    band: 'studentised',
    family: 'audit',
    maxMissing: 0.05,
  });
  expect(results).toBe(join(folder, '..', 'results', 'tiny'));
});

describe('a malformed audit ends with one line naming file, place and cure', () => {
  test.each([
    [
      'unknown key',
      MINIMAL.replace('seed: 0', 'seeed: 0'),
      '/audit.yaml:3:1: unknown key "seeed"; expected only known keys',
    ],
    [
      'unknown evaluator key',
      MINIMAL.replace('kind: scores', 'kind: scores, fiel: x.csv'),
      '/audit.yaml:5:29: evaluators.0: unknown key "fiel"; expected only known keys',
    ],
    [
      'wrong type',
      MINIMAL.replace('seed: 0', 'seed: zero'),
      '/audit.yaml:3:7: seed: invalid value "zero"; expected number, received string',
    ],
    [
      'unknown kind',
      MINIMAL.replace('kind: scores', 'kind: scroes'),
      'evaluators.0.kind: invalid value "scroes"; expected',
    ],
    [
      'duplicate evaluator',
      `${MINIMAL}  - {id: one, kind: scores}\n`,
      '/audit.yaml: evaluators: duplicate id "one"; expected distinct ids',
    ],
    ['broken YAML', 'schema: [', '/audit.yaml:1:10: '],
    [
      'an alias bomb',
      `a: &a [1,1,1,1,1,1,1,1,1]\n${Array.from({ length: 8 }, (_, i) => `b${i}: &b${i} [${`*${i === 0 ? 'a' : `b${i - 1}`},`.repeat(9)}]`).join('\n')}`,
      'expected fewer aliases',
    ],
    [
      'deep nesting',
      `a: ${'['.repeat(200)}${']'.repeat(200)}`,
      'nested more than 64 levels deep; expected a flat file',
    ],
  ])('%s', async (_, text, expected) => {
    const message = await messageFrom(() => readAudit(write(text)));
    expect(message).toContain(expected);
    expect(message).not.toContain('\n');
  });

  test.each([
    [
      'factors: {fovv: [1, 2]}',
      'factors.fovv: an evaluator parameter without a default; expected "default: <level>", or one of resolution',
    ],
    ['factors: {pitch: [45, 91]}', 'factors.pitch: invalid level "91"; expected a number from 0 to 90'],
    ['factors: {lighting: [disco]}', 'factors.lighting: invalid level "disco"; expected one of city'],
    ['factors: {background: [grey-300]}', 'factors.background: invalid level "grey-300"; expected grey-0 to grey-255'],
    ['factors: {resolution: [224, 224]}', 'factors.resolution: a level stands twice; expected distinct levels'],
    ['factors: {yaw: {levels: [0], at: {ptch: 45}}}', 'factors.yaw.at: unknown factor "ptch"'],
    [
      'factors: {strictness: {levels: [1], default: 1, evaluators: [two]}}',
      'factors.strictness: unknown evaluator "two"; expected one of one',
    ],
    ['factors: {template: {levels: all}}', 'factors.template: "all" without a grammar; expected the key "grammar"'],
    ['default: {fov: 3}', 'default: unknown factor "fov"'],
    ['probes: [keep-hlaf]', 'probes: unknown probe "keep-hlaf"; expected one of'],
    ['grammar: nowhere.yaml', 'nowhere.yaml: cannot read the file'],
  ])('%s', async (line, expected) => {
    const message = await messageFrom(() => loadAudit(write(`${MINIMAL}${line}\n`), { withoutScenes: true }));
    expect(message).toContain(expected);
  });
});

test('the JSON Schema is generated from the same definition', () => {
  const schema = auditJsonSchema() as {
    required: string[];
    additionalProperties: boolean;
    properties: Record<string, unknown>;
  };
  expect(schema.required.toSorted()).toEqual(['evaluators', 'name', 'schema', 'seed']);
  expect(schema.additionalProperties).toBe(false);
  expect(Object.keys(schema.properties)).toContain('statistics');
});
