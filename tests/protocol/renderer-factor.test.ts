import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderConfiguration } from '../../src/protocol/plan.ts';
import { planCounts } from '../../src/protocol/plan-counts.ts';
import { loadAudit } from '../../src/sweep/load-audit.ts';

const AUDIT = `schema: parallax/audit@1
name: two-renderers
seed: 7
declared: { prompts: 2, generators: 2 }
renderer: { name: chromium }
evaluators:
  - { id: clip, kind: scores }
factors:
  pitch: [45, 90]
  renderer: [chromium, blender]
`;

async function load(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'parallax-renderer-factor-'));
  try {
    const file = join(folder, 'audit.yaml');
    writeFileSync(file, text);
    return await loadAudit(file, { withoutScenes: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('the renderer is a render factor whose default is the renderer of the audit', async () => {
  const { plan } = await load(AUDIT);
  expect(plan.c0['renderer']).toBe('chromium');
  const factor = plan.factors.find(({ factor: name }) => name === 'renderer');
  expect(factor).toMatchObject({ kind: 'render', levels: ['chromium', 'blender'], default: 'chromium', shared: true });
  const of = (name: string, level: string) =>
    plan.configurations.find((planned) => planned.factor === name && planned.level === level)!;
  expect(of('renderer', 'chromium').identity).toBe(of('', '').identity);
  expect(renderConfiguration(of('renderer', 'blender').configuration)).toEqual({
    resolution: 512,
    focal: 50,
    lighting: 'city',
    background: 'grey-255',
    pitch: 90,
    yaw: 0,
    renderer: 'blender',
  });
  // c0, pitch 45, and c0 by Blender.
  expect(planCounts(plan).perScene.renders).toBe(3);
});

test('an audit that does not sweep the renderer has none in its configurations', async () => {
  const { plan } = await load(AUDIT.replace(/ {2}renderer: \[.*\n/, ''));
  expect(plan.c0).not.toHaveProperty('renderer');
  expect(renderConfiguration(plan.c0)).not.toHaveProperty('renderer');
});

test('unknown renderers, pictures from files and a default in the wrong place are errors that say what is expected', async () => {
  await expect(load(AUDIT.replace('[chromium, blender]', '[chromium, unreal]'))).rejects.toThrow(
    'invalid level "unreal"; expected one of chromium, blender',
  );
  await expect(load(AUDIT.replace('name: chromium', 'name: files, folder: pictures'))).rejects.toThrow(
    'invalid level "files"; expected one of chromium, blender',
  );
  await expect(load(`${AUDIT}default: { renderer: blender }\n`)).rejects.toThrow(
    'expected the default as "renderer: {name',
  );
});
