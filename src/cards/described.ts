import type { Leaf } from './flatten-json.ts';

/** A table of a described card; `numeric` columns align right. */
export interface DescribedTable {
  readonly head: readonly string[];
  readonly numeric: readonly boolean[];
  readonly rows: readonly (readonly string[])[];
}

/** One section in words: the same content whether it becomes Markdown or HTML. */
export interface DescribedSection {
  readonly title: string;
  readonly status: 'measured' | 'not-run' | 'withheld';
  /** Sentences before facts and tables; for a section without measurements, the reason. */
  readonly sentences: readonly string[];
  readonly facts: readonly Leaf[];
  readonly tables: readonly DescribedTable[];
}

/** One evaluator of a card in words. */
export interface DescribedEvaluator {
  readonly evaluator: string;
  readonly cardId: string;
  readonly digest: string;
  readonly role: string;
  readonly contract: readonly DescribedSection[];
  readonly evidence: readonly DescribedSection[];
}
