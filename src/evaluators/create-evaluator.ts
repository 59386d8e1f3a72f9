import { AuditError } from '../core/errors.ts';
import type { EvaluatorSpec } from '../core/evaluator-spec.ts';
import type { Log } from '../core/log.ts';
import { createCommand } from './command.ts';
import { createDualEncoder } from './dual-encoder.ts';
import type { Evaluator } from './evaluator.ts';
import { createJudge, type JudgeContext } from './judge.ts';
import { createQuality } from './quality.ts';
import { createScores } from './scores.ts';

export interface EvaluatorContext {
  /** Folder that relative paths of the entry start from: the audit file's. */
  readonly folder: string;
  readonly log: Log;
  readonly signal?: AbortSignal;
  /** Shared by all hosted judges of a run. */
  readonly budget?: JudgeContext['budget'];
}

/**
 * The evaluator an audit file's entry describes, checked and ready to score; `close` it when done.
 *
 * Ensembles are not created: their outcomes follow from stored ones (`combineMembers`).
 *
 * @throws AuditError when the entry names something that is missing, unknown or unusable.
 */
export async function createEvaluator(spec: EvaluatorSpec, context: EvaluatorContext): Promise<Evaluator> {
  switch (spec.kind) {
    case 'dual-encoder':
      return createDualEncoder(spec, context);
    case 'quality':
      return createQuality(spec, context);
    case 'command':
      return createCommand(spec, context);
    case 'scores':
      return createScores(spec, context);
    case 'judge':
      return createJudge(spec, {
        folder: context.folder,
        log: context.log,
        environment: process.env,
        ...(context.budget === undefined ? {} : { budget: context.budget }),
      });
    case 'ensemble':
      throw new AuditError(
        `${spec.id}: an ensemble is computed from the outcomes of "${spec.of}"; expected it to be scored with that evaluator`,
        { code: 'USAGE' },
      );
  }
}
