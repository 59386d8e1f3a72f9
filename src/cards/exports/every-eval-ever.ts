import type { Card, CardEvaluator } from '../../core/card.ts';
import { type Estimate, isMeasured } from '../../core/estimates.ts';
import { sha256 } from '../../core/hash.ts';
import { prettyJson } from '../../core/json.ts';
import type { Manifest } from '../../core/manifest.ts';

/** What an audit cannot know and a record of this format asks for. */
export interface EveryEvalEverOptions {
  /** Unix time, seconds, at which the record is made. */
  readonly retrieved: string;
  readonly organization?: string | undefined;
}

/**
 * Every Eval Ever records (schema 0.3.0), one file a generator: the generator is the model, each evaluator one result.
 * Only scored results become results, because a record cannot hold a missing score; what was failed, refused, unparseable
 * or skipped is counted in the details, and evaluators without a score are named in `failures.json`. Ids depend on the
 * content alone.
 */
export function everyEvalEverFiles(
  manifest: Manifest,
  card: Card,
  options: EveryEvalEverOptions,
): Record<string, string> {
  const files: Record<string, string> = {};
  const failures: { generator: string; evaluator: string; reason: string }[] = [];
  for (const generator of card.data.generators) {
    const results = card.evaluators.flatMap((entry) => {
      const { scores } = entry.evidence;
      const found =
        scores.status === 'measured'
          ? scores.value.generators.find((row) => row.generator === generator)?.score
          : undefined;
      if (found !== undefined && isMeasured(found)) return [resultOf(manifest, card, entry, generator, found)];
      const reason =
        scores.status === 'measured'
          ? found === undefined
            ? 'not in the estimates'
            : (found as { undefinedBecause: string }).undefinedBecause
          : `${scores.status}: ${scores.reason}`;
      failures.push({ generator, evaluator: entry.evaluator, reason });
      return [];
    });
    if (results.length === 0) continue;
    const id = `${slug(card.audit.name)}/${slug(generator)}/${card.evidenceHash.slice(0, 16)}`;
    const record = {
      schema_version: '0.3.0',
      evaluation_id: id,
      retrieved_timestamp: options.retrieved,
      source_metadata: {
        source_name: card.audit.name,
        source_type: 'evaluation_run',
        source_organization_name: options.organization ?? 'unknown',
        evaluator_relationship: 'other',
        additional_details: {
          evidence_sha256: card.evidenceHash,
          audit_sha256: card.audit.sha256,
          draft: String(card.draft),
        },
      },
      model_info: {
        name: generator,
        id: `unknown/${slug(generator)}`,
        additional_details: {
          deployment_type: 'unknown',
          model_availability: 'unknown',
          model_kind: 'text-to-3D generator',
        },
      },
      eval_library: {
        name: 'parallax-audit',
        version: manifest.packages['parallax-audit'] ?? 'unknown',
      },
      evaluation_results: results,
    };
    files[`data/${slug(card.audit.name)}/unknown/${slug(generator)}/${uuidOf(id)}.json`] = prettyJson(record);
  }
  files[`adapter_reports/${slug(card.audit.name)}_failures.json`] = prettyJson(failures);
  return files;
}

function resultOf(
  manifest: Manifest,
  card: Card,
  entry: CardEvaluator,
  generator: string,
  score: Extract<Estimate, { value: number }>,
) {
  const { scale } = entry.contract.evaluator;
  const { stability, ledger } = entry.evidence;
  const parameters: Record<string, string | number | boolean | null> = {
    card_id: entry.cardId,
    card_sha256: entry.digest,
    ...entry.contract.view,
    ...entry.contract.caption?.default,
    ...entry.contract.parameters,
  };
  const details: Record<string, string> = {
    card_id: entry.cardId,
    ...(ledger.status === 'measured'
      ? Object.fromEntries(Object.entries(ledger.value).map(([state, count]) => [`outcomes_${state}`, String(count)]))
      : {}),
    ...(stability.status === 'measured'
      ? {
          peak_rho: text(stability.value.peakRho),
          peak_rho_factor: stability.value.peakRho.factor ?? 'none',
          smallest_kendall_w: text(stability.value.minKendallW),
        }
      : { stability: `${stability.status}: ${stability.reason}` }),
  };
  const interval = score.lower !== null && score.upper !== null && score.level !== null;
  return {
    evaluation_result_id: sha256(`${card.evidenceHash} ${entry.digest} ${generator}`).slice(0, 32),
    evaluation_name: entry.evaluator,
    source_data: {
      dataset_name: card.audit.name,
      source_type: 'other',
      additional_details: {
        prompts: String(card.data.prompts),
        prompt_sources: Object.keys(card.data.sources).join(', '),
        scenes: String(manifest.counts.scenes),
      },
    },
    metric_config: {
      metric_id: entry.cardId,
      metric_name: entry.evaluator,
      metric_kind: entry.contract.evaluator.role,
      metric_unit: scale.name,
      metric_parameters: parameters,
      lower_is_better: false,
      score_type: 'continuous',
      min_score: scale.min ?? '-Infinity',
      max_score: scale.max ?? 'Infinity',
      evaluation_description: `Mean of ${entry.evaluator} over prompts at the default configuration of card ${entry.cardId}.`,
    },
    score_details: {
      score: score.value,
      details,
      uncertainty: {
        ...(interval
          ? {
              confidence_interval: {
                lower: score.lower,
                upper: score.upper,
                confidence_level: score.level,
                method: `${score.method} bootstrap over ${card.statistics.resampledUnit}s`,
              },
            }
          : {}),
        num_samples: score.n,
        ...(interval ? { num_bootstrap_samples: card.statistics.resamples } : {}),
      },
    },
  };
}

function text(estimate: Estimate): string {
  if (!isMeasured(estimate)) return estimate.undefinedBecause;
  const upper = estimate.unbounded === true ? 'unbounded' : estimate.upper;
  return estimate.lower === null && estimate.upper === null
    ? String(estimate.value)
    : `${estimate.value} [${estimate.lower}, ${upper}]`;
}

/** A name as a path part: letters, digits, dot, dash and underscore. */
function slug(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '');
  // A name that had to be changed keeps apart from every other name through its hash.
  return safe === name ? safe : `${safe === '' ? 'name' : safe}-${sha256(name).slice(0, 8)}`;
}

/** A version 4 style UUID made from text: the same text gives the same file name. */
function uuidOf(content: string): string {
  const hex = sha256(content);
  const variant = ((Number.parseInt(hex[16] as string, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
