import { withheldBecause } from '../../cards/withheld.ts';
import type { EvaluatorEstimates } from '../../core/estimates.ts';
import type { Html } from '../html.ts';
import type { ReportContext } from '../report-context.ts';

/** One part of the report: its anchor, heading and content. */
export interface ReportSection {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

/** How many evaluators get charts of their own; fewer when each chart holds many generators, so that the page stays small. */
export function chartedEvaluators({ estimates }: ReportContext): number {
  return estimates.generators.length > 20 ? 3 : 6;
}
/** How many generators a chart names; the tables hold all. */
export const CHARTED_GENERATORS = 12;

/** Evaluators whose estimates no gate withholds, in the order of the audit. */
export function shownEvaluators(context: ReportContext): EvaluatorEstimates[] {
  return context.estimates.evaluators.filter((evaluator) => withheldBecause(evaluator) === null);
}

/** Those of them that count in the headlines. */
export function alignmentEvaluators(context: ReportContext): EvaluatorEstimates[] {
  return shownEvaluators(context).filter((evaluator) => evaluator.role === 'alignment');
}

/** Generators in the order of their score at c0, best first; those without a score last, in text order. */
export function generatorsByScore(evaluator: EvaluatorEstimates): string[] {
  return [...evaluator.generators]
    .sort((a, b) => (b.score.value ?? Number.NEGATIVE_INFINITY) - (a.score.value ?? Number.NEGATIVE_INFINITY))
    .map(({ generator }) => generator);
}
