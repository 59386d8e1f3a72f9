// Writes the published TIFA human-annotation file as a score table, or (with --ratings) its human scores as a rating table.
//
//   node tests/support/tifa-table.ts human_annotations_with_scores.json > tifa.csv
//   node tests/support/tifa-table.ts human_annotations_with_scores.json --ratings > tifa-ratings.csv
//
// Runs as it stands on Node 22.18 and later; on Node 20 use `node scripts/run-ts.mjs tests/support/tifa-table.ts ...`.
import { readFileSync } from 'node:fs';

interface Annotation {
  text_id: string;
  human_scores: number[];
  [metric: string]: unknown;
}

/** The five question-answering models: levels of the factor `vqa`. */
export const TIFA_MODELS = ['blip2-flant5xl', 'git-large', 'mplug-large', 'ofa-large', 'vilt'] as const;

function annotations(text: string): { generator: string; annotation: Annotation }[] {
  return Object.entries(JSON.parse(text) as Record<string, Annotation>)
    .map(([key, annotation]) => ({ generator: key.slice(annotation.text_id.length + 1), annotation }))
    .sort((a, b) => compare(a.generator, b.generator) || compare(a.annotation.text_id, b.annotation.text_id));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Score table: evaluator `tifa`, factor `vqa`, one row a generator, prompt and model; the prompt's source from its id. */
export function tifaTable(text: string): string {
  const lines = ['evaluator,generator,prompt,factor,level,score,source'];
  for (const { generator, annotation } of annotations(text))
    for (const model of TIFA_MODELS) {
      const source = annotation.text_id.replace(/_[^_]*$/, '');
      lines.push(`tifa,${generator},${annotation.text_id},vqa,${model},${annotation[`tifa_${model}`]},${source}`);
    }
  return `${lines.join('\n')}\n`;
}

/** Rating table: the two human scores of every picture, raters numbered as in the file. */
export function tifaRatings(text: string): string {
  const lines = ['generator,prompt,rater,rating'];
  for (const { generator, annotation } of annotations(text))
    for (const [rater, rating] of annotation.human_scores.entries())
      lines.push(`${generator},${annotation.text_id},rater-${rater + 1},${rating}`);
  return `${lines.join('\n')}\n`;
}

const [path, flag] = process.argv.slice(2);
if (process.argv[1]?.includes('tifa-table') && path !== undefined) {
  const text = readFileSync(path, 'utf8');
  process.stdout.write(flag === '--ratings' ? tifaRatings(text) : tifaTable(text));
}
