import { AuditError } from '../../core/errors.ts';
import type { JudgeSpec } from '../../core/evaluator-spec.ts';
import { type Rubric, readRubric } from './read-rubric.ts';
import { readsCaption } from './rubric.ts';

/** What of a rubric decides how an audit asks it; every level of a swept rubric must share it. */
export interface RubricForm {
  /** Two pictures of different generators are compared, in both orders. */
  readonly pairwise: boolean;
}

/** Why a rubric cannot stand in for the evaluator's own (another scale, other inputs), or null. */
export function rubricMismatch(base: Rubric, other: Rubric): string | null {
  if (JSON.stringify(other.scale) !== JSON.stringify(base.scale))
    return `scale ${other.scale.name} differs from the evaluator's; expected ${base.scale.name}`;
  if (readsCaption(other) !== readsCaption(base)) return `reads the caption differently; expected as ${base.id}`;
  if ((other.mode === 'pairwise') !== (base.mode === 'pairwise') || other.images !== base.images)
    return `is asked about other pictures; expected as ${base.id}`;
  return null;
}

/**
 * How an audit asks a judge under its rubric and the rubrics it is swept over.
 *
 * @param swept Levels of a factor `rubric` that applies to the judge.
 * @param folder Where relative rubric paths start: the audit file's folder.
 * @throws AuditError for an unknown rubric, rubrics that cannot stand in for each other, or views that do not suit them.
 */
export function rubricForm(spec: JudgeSpec, swept: readonly string[], folder: string): RubricForm {
  const where = `evaluators.${spec.id}`;
  const base = readRubric(spec.rubric, folder);
  for (const name of swept) {
    const other = readRubric(name, folder);
    const problem = rubricMismatch(base, other);
    if (problem !== null) throw new AuditError(`factors.rubric: rubric ${other.id}: ${problem}`);
  }
  const pairwise = base.mode === 'pairwise';
  const several = base.images === 'several' && !pairwise;
  if (several && spec.views === undefined)
    throw new AuditError(`${where}: rubric ${base.id} reads several views; expected "views" with 2 or more poses`, {
      hint: 'For example views: ["45/0", "45/90", "45/180", "45/270"] (pitch/yaw).',
    });
  if (!several && spec.views !== undefined)
    throw new AuditError(
      `${where}: rubric ${base.id} ${pairwise ? 'compares one picture of each of two generators' : 'reads one picture'}; expected no "views"`,
    );
  return { pairwise };
}
