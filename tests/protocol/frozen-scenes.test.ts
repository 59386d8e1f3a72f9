import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planCounts } from '../../src/protocol/plan-counts.ts';
import { loadAudit } from '../../src/sweep/load-audit.ts';

const file = join(import.meta.dirname, '../../audits/frozen-scenes.yaml');

describe('the reference audit', () => {
  test('amounts to the published counts', async () => {
    const { plan } = await loadAudit(file, { withoutScenes: true });
    const { perEvaluator, ...counts } = planCounts(plan);
    expect(counts).toEqual({
      templates: 337,
      sharedLevels: 386,
      configurations: 387,
      distinctConfigurations: 380,
      contrasts: 110_295,
      distinctContrasts: 108_300,
      generators: 6,
      prompts: 50,
      evaluators: 20,
      perScene: { renders: 35, composites: 44, probes: 4 },
    });
    expect(perEvaluator).toHaveLength(20);
  });

  test('yaw is swept at pitch 45 and its default level aliases pitch 45, never c0', async () => {
    const { plan } = await loadAudit(file, { withoutScenes: true });
    const of = (factor: string, level: string) =>
      plan.configurations.find((planned) => planned.factor === factor && planned.level === level)?.identity;
    expect(of('yaw', '0')).toBe(of('pitch', '45'));
    expect(of('yaw', '0')).not.toBe(of('', ''));
    expect(of('pitch', '90')).toBe(of('', ''));
    expect(of('paraphrase', 'original')).toBe(of('', ''));
  });
});
