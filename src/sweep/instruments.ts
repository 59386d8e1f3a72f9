import { AuditError, quoted } from '../core/errors.ts';
import type { EnsembleSpec, EvaluatorSpec } from '../core/evaluator-spec.ts';
import type { Json } from '../core/json.ts';
import type { EvaluatorRole, Scale } from '../core/protocol.ts';
import { instrumentHash } from '../core/trial.ts';
import { createEvaluator, type EvaluatorContext } from '../evaluators/create-evaluator.ts';
import { ensembleFingerprint } from '../evaluators/ensemble.ts';
import type { Evaluator } from '../evaluators/evaluator.ts';
import { type Plan, viewsOf } from '../protocol/plan.ts';
import type { AskingEvaluator } from './cells.ts';

/** An evaluator of the audit, opened; an ensemble names the evaluator it combines. */
export interface Instrument extends AskingEvaluator {
  readonly spec: EvaluatorSpec;
  /** The evaluator that answers: its own, or an ensemble's base. */
  readonly evaluator: Evaluator;
  readonly role: EvaluatorRole;
  readonly scale: Scale;
  readonly fingerprint: Json;
  readonly environment: Json;
  readonly ensembleSpec: EnsembleSpec | null;
}

/**
 * Opens evaluators (and the bases of ensembles), in the order of the audit file.
 * @throws AuditError for whatever a missing model, program or table makes impossible.
 */
export async function openInstruments(
  specs: readonly EvaluatorSpec[],
  all: readonly EvaluatorSpec[],
  plan: Pick<Plan, 'pairwise'>,
  context: EvaluatorContext,
): Promise<Instrument[]> {
  const opened = new Map<string, Evaluator>();
  const open = async (spec: EvaluatorSpec): Promise<Evaluator> => {
    const known = opened.get(spec.id);
    if (known !== undefined) return known;
    const evaluator = await createEvaluator(spec, context);
    opened.set(spec.id, evaluator);
    return evaluator;
  };
  try {
    const instruments: Instrument[] = [];
    for (const spec of specs) {
      context.signal?.throwIfAborted();
      const base = spec.kind === 'ensemble' ? baseOf(spec, all) : spec;
      const evaluator = await open(base);
      const shared = {
        id: spec.id,
        spec,
        evaluator,
        instrument: instrumentHash(evaluator.fingerprint, evaluator.environment),
        reads: evaluator.reads,
        repeats: base.repeats ?? 1,
        views: viewsOf(base),
        pairwise: plan.pairwise?.has(base.id) === true,
        role: spec.role ?? evaluator.role,
        scale: evaluator.scale,
        environment: evaluator.environment,
        ...('keyParameters' in evaluator && typeof evaluator.keyParameters === 'function'
          ? { keyParameters: (parameters: Json) => (evaluator.keyParameters as (given: Json) => Json)(parameters) }
          : {}),
      };
      instruments.push(
        spec.kind === 'ensemble'
          ? {
              ...shared,
              fingerprint: ensembleFingerprint(spec, evaluator.fingerprint),
              ensemble: { over: spec.over, members: spec.members },
              ensembleSpec: spec,
            }
          : { ...shared, fingerprint: evaluator.fingerprint, ensemble: null, ensembleSpec: null },
      );
    }
    return instruments;
  } catch (error) {
    await closeAll([...opened.values()]);
    throw error;
  }
}

function baseOf(spec: EnsembleSpec, all: readonly EvaluatorSpec[]): EvaluatorSpec {
  const base = all.find(({ id }) => id === spec.of);
  if (base === undefined || base.kind === 'ensemble' || base.kind === 'scores')
    throw new AuditError(
      `evaluators.${spec.id}: cannot combine ${quoted(spec.of)}; expected an evaluator that is asked here (not a table or another ensemble)`,
    );
  return base;
}

/** Closes each distinct evaluator once. */
export async function closeInstruments(instruments: readonly Instrument[]): Promise<void> {
  await closeAll([...new Set(instruments.map(({ evaluator }) => evaluator))]);
}

async function closeAll(evaluators: readonly Evaluator[]): Promise<void> {
  await Promise.allSettled(evaluators.map((evaluator) => evaluator.close()));
}

/** Specs an audit runs: those named, or all that are not optional. */
export function selectSpecs(
  all: readonly EvaluatorSpec[],
  named: readonly string[] | null,
  shown: string,
): EvaluatorSpec[] {
  if (named === null) {
    const usual = all.filter(({ optional }) => optional !== true);
    return usual.length > 0 ? usual : [...all];
  }
  const unknown = named.find((id) => !all.some((spec) => spec.id === id));
  if (unknown !== undefined)
    throw new AuditError(
      `${shown}: unknown evaluator ${quoted(unknown)}; expected one of ${all.map(({ id }) => id).join(', ')}`,
    );
  return all.filter(({ id }) => named.includes(id));
}
