import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isFailure } from '../../src/core/outcome.ts';
import { cellsOf } from '../../src/protocol/plan.ts';
import { loadAudit } from '../../src/sweep/load-audit.ts';
import { probeStage } from '../../src/sweep/probe-stage.ts';
import { writeTinyAudit } from '../support/tiny-audit.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-probe-stage-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const audit = (probes: string) =>
  writeTinyAudit(join(folder, 'audit'), {
    generators: ['a', 'b'],
    prompts: ['p0', 'p1'],
    pitches: [90, 45],
    red: () => 100,
    more: `probes: ${probes}\n`,
  });
const stage = async (file: string) => {
  const { plan, scenes } = await loadAudit(file);
  const sceneOf = await probeStage({
    plan,
    scenes,
    folder: join(folder, 'probes'),
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  return { plan, sceneOf };
};

describe('probes of an audit', () => {
  test('are frozen once, by name, seed and repeat, and found again', async () => {
    const file = await audit('[{name: scrambled, repeats: 2}, wrong-prompt]');
    const { sceneOf } = await stage(file);
    const hashOf = (repeat: number) => {
      const found = sceneOf('a', 'p0', { name: 'scrambled', repeat });
      if (isFailure(found)) throw new Error(found.reason);
      return found.scene.hash;
    };
    expect(
      new Set([hashOf(0), hashOf(1), (sceneOf('a', 'p0', null) as { scene: { hash: string } }).scene.hash]).size,
    ).toBe(3);
    const wrong = sceneOf('a', 'p0', { name: 'wrong-prompt', repeat: 0 });
    expect(isFailure(wrong) ? wrong : wrong.captionOf?.id).toBe('p1');
    const made = readdirSync(join(folder, 'probes'), { recursive: true }).sort();
    expect(made.filter((path) => String(path).endsWith('scene.json')).length).toBe(8);
    const again = await stage(file);
    expect(readdirSync(join(folder, 'probes'), { recursive: true }).sort()).toEqual(made);
    const same = again.sceneOf('a', 'p0', { name: 'scrambled', repeat: 1 });
    expect(isFailure(same) ? same : same.scene.hash).toBe(hashOf(1));
  });

  test('apply to the prompts that specify what they damage', async () => {
    const file = await audit('[keep-half, scrambled, rerender]');
    writeFileSync(
      join(folder, 'audit', 'annotations.csv'),
      'prompt,objects,counts,relations\np0,bed,1,bed by desk\np1,bed,,\n',
    );
    const { plan, sceneOf } = await stage(file);
    const probesOf = (id: string) => {
      const prompt = plan.prompts.find((one) => one.id === id);
      if (prompt === undefined) throw new Error(id);
      const evaluator = { id: 'planted', reads: { image: true, caption: true, scene: false }, repeats: 1 };
      return cellsOf(plan, evaluator, prompt).flatMap(({ probe }) => (probe === null ? [] : [probe.name]));
    };
    expect([probesOf('p0'), probesOf('p1')]).toEqual([
      ['keep-half', 'scrambled', 'rerender'],
      ['keep-half', 'rerender'],
    ]);
    expect(sceneOf('a', 'p1', { name: 'scrambled', repeat: 0 })).toEqual({
      status: 'skipped',
      reason: 'the probe was not made',
    });
  });

  test('parameters are the probe’s own, and make another scene', async () => {
    const { sceneOf } = await stage(await audit('[{name: scrambled, supported: fall}]'));
    expect(isFailure(sceneOf('a', 'p0', { name: 'scrambled', repeat: 0 }))).toBe(false);
    const [scene] = readdirSync(join(folder, 'probes'));
    expect(readdirSync(join(folder, 'probes', scene as string))).toEqual(['scrambled.1-fall-0-0']);
    await expect(loadAudit(await audit('[{name: keep-half, supported: fall}]'))).rejects.toThrow(
      /audit\.yaml: probes: unknown parameter "supported" of keep-half; expected orphans/,
    );
    await expect(loadAudit(await audit('[{name: scrambled, supported: fly}]'))).rejects.toThrow(
      /audit\.yaml:\d+:\d+: /,
    );
  });

  test('probes named on the command line keep the parameters the audit gives them', async () => {
    const file = await audit('[{name: scrambled, repeats: 3, supported: fall}]');
    const { plan } = await loadAudit(file, { probes: ['scrambled', 'mirrored'] });
    expect(plan.probes).toEqual([
      { name: 'scrambled', repeats: 3, choices: { supported: 'fall' }, about: ['relations'] },
      { name: 'mirrored', repeats: 1, choices: {}, about: null },
    ]);
  });
});
