import { type Card, type CardEvaluator, cardSchema } from '../core/card.ts';
import type { Estimates } from '../core/estimates.ts';
import { hashJson } from '../core/hash.ts';
import { compareText } from '../core/json.ts';
import type { Manifest } from '../core/manifest.ts';
import { buildContract, cardIdOf } from './build-contract.ts';
import { buildEvidence } from './build-evidence.ts';

/**
 * The Evaluator Configuration Card of an audit: one contract with its ID and one body of evidence an evaluator.
 *
 * @throws AuditError when manifest and estimates do not fit each other.
 */
export function buildCard(manifest: Manifest, estimates: Estimates): Card {
  const evaluators = manifest.evaluators.map((evaluator): CardEvaluator => {
    const contract = buildContract(manifest, evaluator.id);
    const measured = estimates.evaluators.find((entry) => entry.evaluator === evaluator.id);
    return {
      evaluator: evaluator.id,
      ...cardIdOf(contract),
      contract,
      evidence: buildEvidence(manifest, evaluator, estimates, measured),
    };
  });
  const card: Omit<Card, 'evidenceHash'> = {
    schema: 'parallax/card@1',
    audit: { name: manifest.audit.name, sha256: manifest.audit.sha256 },
    draft: manifest.draft,
    evaluators,
    statistics: {
      seed: estimates.seed,
      resamples: estimates.resamples,
      level: estimates.level,
      interval: estimates.interval,
      resampledUnit: estimates.resampledUnit,
      band: estimates.family.band,
      familyScope: estimates.familyScope,
      criticalValue: estimates.family.criticalValue,
      contrasts: estimates.family.contrasts,
      maxMissing: estimates.maxMissing,
    },
    data: {
      generators: [...manifest.generators],
      prompts: manifest.prompts.length,
      sources: countBy(manifest.prompts.map((prompt) => prompt.source)),
      scenes: manifest.counts.scenes,
      objects: manifest.counts.objects,
      proxies: manifest.counts.proxies,
      renderFailures: manifest.counts.renderFailures,
    },
    environment: {
      renderer: manifest.protocol.renderer?.environment ?? null,
      evaluators: Object.fromEntries(manifest.evaluators.map((entry) => [entry.id, entry.environment])),
      source: manifest.source,
      packages: manifest.packages,
    },
  };
  return cardSchema.parse({ ...card, evidenceHash: evidenceHashOf(card, manifest) });
}

/**
 * SHA-256 binding a card to its data: every file inside the results folder by path and digest, every input by role and
 * digest (where it lay differs between machines), and the card without its environment.
 */
export function evidenceHashOf(card: Omit<Card, 'evidenceHash'>, manifest: Manifest): string {
  const { environment: _environment, ...bound } = card;
  return hashJson({
    key: 'parallax/evidence@1',
    card: bound,
    files: manifest.files.map(({ path, sha256 }) => ({ path, sha256 })).sort((a, b) => compareText(a.path, b.path)),
    inputs: manifest.inputs.map(({ role, sha256 }) => `${role} ${sha256}`).sort(compareText),
  });
}

function countBy(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of [...values].sort(compareText)) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
