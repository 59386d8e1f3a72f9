/** Columns of a score table (design section 7), in the order they are written. The first six are required. */
export const SCORE_COLUMNS = [
  'evaluator',
  'generator',
  'prompt',
  'factor',
  'level',
  'score',
  'status',
  'reason',
  'scene',
  'image',
  'caption',
  'repeat',
  'source',
] as const;
export type ScoreColumn = (typeof SCORE_COLUMNS)[number];
export const REQUIRED_SCORE_COLUMNS: readonly ScoreColumn[] = SCORE_COLUMNS.slice(0, 6);
