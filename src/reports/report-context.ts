import { formatEstimate, formatNumber, type NumberFormat } from '../cards/format-number.ts';
import { type EstimateRow, listEstimates } from '../cards/list-estimates.ts';
import type { Card } from '../core/card.ts';
import type { Estimate, Estimates, EvaluatorEstimates } from '../core/estimates.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Mark } from './charts/mark.ts';
import { type Html, html } from './html.ts';
import type { Picture } from './read-pictures.ts';

/** How many estimates have a row in the report; the rest stands in estimates.csv only. */
export const REPORT_ESTIMATES = 1500;

/** Everything the sections of a report read, and how they write a number that links to its estimate. */
export interface ReportContext {
  readonly manifest: Manifest;
  readonly estimates: Estimates;
  readonly card: Card;
  readonly pictures: readonly Picture[];
  /** Rows of the appendix that numbers link to. */
  readonly rows: readonly EstimateRow[];
  /** Rows beyond the appendix. */
  readonly rowsLeftOut: number;
  /** A number that links to its row; `pointer` is relative to the evaluator. */
  number(evaluator: EvaluatorEstimates, pointer: string, value: number | null, format?: NumberFormat): Html;
  /** Words and link of a chart's mark that shows the estimate at `pointer`. */
  mark(evaluator: EvaluatorEstimates, pointer: string, text: string): Mark;
  /** An estimate with its interval, linked; or why there is none. */
  estimate(evaluator: EvaluatorEstimates, pointer: string, estimate: Estimate, format?: NumberFormat): Html;
}

/** Anchor of an estimate's row. */
export function anchorOf(pointer: string): string {
  return `e${pointer.replaceAll('/', '-')}`;
}

/** Puts manifest, estimates, card and pictures together. */
export function reportContext(
  manifest: Manifest,
  estimates: Estimates,
  card: Card,
  pictures: readonly Picture[],
): ReportContext {
  const all = listEstimates(estimates);
  // Margins of hundreds of pairs would bury the rest, so they fill what room is left.
  const isMargin = (row: EstimateRow) => row.pointer.includes('/envelopes/');
  const first = all.filter((row) => !isMargin(row)).slice(0, REPORT_ESTIMATES);
  const kept = new Set([...first, ...all.filter(isMargin).slice(0, REPORT_ESTIMATES - first.length)]);
  const rows = all.filter((row) => kept.has(row));
  const anchors = new Set(rows.map((row) => row.pointer));
  const place = new Map(estimates.evaluators.map((evaluator, index) => [evaluator.evaluator, index]));
  const pointerOf = (evaluator: EvaluatorEstimates, pointer: string) =>
    `/evaluators/${place.get(evaluator.evaluator) ?? 0}/${pointer}`;
  const link = (evaluator: EvaluatorEstimates, pointer: string, text: string): Html => {
    const absolute = pointerOf(evaluator, pointer);
    return anchors.has(absolute)
      ? html`<a class="n" href="#${anchorOf(absolute)}">${text}</a>`
      : html`<a class="n" href="estimates.json" title="estimates.json${absolute}">${text}</a>`;
  };
  return {
    manifest,
    estimates,
    card,
    pictures,
    rows,
    rowsLeftOut: all.length - rows.length,
    number: (evaluator, pointer, value, format = {}) => link(evaluator, pointer, formatNumber(value, format)),
    mark: (evaluator, pointer, text) => {
      const absolute = pointerOf(evaluator, pointer);
      // Parts of an estimate (one level's mean, say) have no row of their own: the nearest row above them is led to.
      const row = nearestRow(absolute, anchors);
      return { described: `${text}\nestimate ${absolute}`, href: row === null ? '' : `#${anchorOf(row)}` };
    },
    estimate: (evaluator, pointer, estimate, format = {}) => link(evaluator, pointer, formatEstimate(estimate, format)),
  };
}

function nearestRow(pointer: string, rows: ReadonlySet<string>): string | null {
  for (let at = pointer; at.lastIndexOf('/') > 0; at = at.slice(0, at.lastIndexOf('/'))) if (rows.has(at)) return at;
  return null;
}
