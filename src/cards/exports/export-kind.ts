import { statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { AuditError, quoted } from '../../core/errors.ts';
import { writeWhole } from '../../core/write-file.ts';
import { bibtexEntry } from '../bibtex-entry.ts';
import { buildCard } from '../build-card.ts';
import { estimatesCsv } from '../estimates-csv.ts';
import { methodsText } from '../methods-text.ts';
import { readResults } from '../read-results.ts';
import { renderCardLatex } from '../render-card-latex.ts';
import { scoresCsv } from '../scores-csv.ts';
import { type CroissantOptions, croissantFiles, croissantGaps } from './croissant.ts';
import { everyEvalEverFiles } from './every-eval-ever.ts';
import { huggingFaceFiles } from './hugging-face.ts';
import { inTotoFiles } from './in-toto.ts';

/** Forms results can be exported to. */
export const EXPORT_KINDS = ['in-toto', 'eee', 'hf', 'croissant', 'paper', 'parquet'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** What the person who publishes knows and an audit does not. */
export interface ExportOptions {
  readonly license?: string | undefined;
  readonly url?: string | undefined;
  readonly creator?: string | undefined;
  /** Data set repository on the Hugging Face hub. */
  readonly dataset?: string | undefined;
  /** YYYY-MM-DD; by default the day the manifest was written. */
  readonly date?: string | undefined;
}

/** What an export wrote, and what is left to be filled in by hand. */
export interface Exported {
  /** Paths relative to the folder written to. */
  readonly files: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Writes the results of an audit in another form: `in-toto` (a Statement about the card), `eee` (Every Eval Ever 0.3.0),
 * `hf` (Hugging Face evaluation results), `croissant` (the frozen scenes as a data set), `paper` (estimates and scores as
 * CSV, LaTeX tables, methods paragraph, BibTeX), `parquet` (raw scores and estimates). Times come from the manifest's file, so an export repeats.
 *
 * @throws AuditError for an unknown kind, or a folder that is not a results folder.
 */
export async function exportKind(
  kind: string,
  results: string,
  out: string,
  options: ExportOptions = {},
): Promise<Exported> {
  if (!(EXPORT_KINDS as readonly string[]).includes(kind))
    throw new AuditError(`export: unknown kind ${quoted(kind)}; expected one of ${EXPORT_KINDS.join(', ')}`, {
      code: 'USAGE',
    });
  const { folder, manifest, estimates } = readResults(results);
  const card = buildCard(manifest, estimates);
  const target = resolve(out);
  const { mtime, mtimeMs } = statSync(join(folder, 'manifest.json'));
  const written = Math.floor(mtimeMs / 1000);
  const date = options.date ?? mtime.toISOString().slice(0, 10);
  const notes: string[] = [];
  let files: Record<string, string>;
  switch (kind as ExportKind) {
    case 'in-toto':
      files = inTotoFiles(manifest, card);
      notes.push('the statement is unsigned');
      break;
    case 'eee':
      files = everyEvalEverFiles(manifest, card, { retrieved: String(written), organization: options.creator });
      break;
    case 'hf':
      files = huggingFaceFiles(card, { ...options, date });
      if (options.dataset === undefined)
        notes.push('dataset.id is the name of the audit: give the data set repository');
      break;
    case 'croissant': {
      const locate = (path: string) => relative(target, resolve(folder, path)).split(sep).join('/');
      const stated: CroissantOptions = { ...options, date, locate };
      files = croissantFiles(manifest, card, stated);
      notes.push(...croissantGaps(stated));
      break;
    }
    case 'parquet': {
      // Loaded late: the other kinds need no database.
      const { writeParquet } = await import('./parquet.ts');
      const names = await writeParquet(folder, manifest, estimates, target);
      if (card.draft) notes.push('DRAFT: made from a partial run');
      return { files: names, notes };
    }
    case 'paper':
      files = {
        'estimates.csv': estimatesCsv(estimates),
        'scores.csv': scoresCsv(card),
        'tables.tex': renderCardLatex(card),
        'methods.md': methodsText(card),
        'references.bib': bibtexEntry(card),
      };
      break;
  }
  for (const [path, content] of Object.entries(files)) writeWhole(join(target, path), content);
  if (card.draft) notes.push('DRAFT: made from a partial run');
  return { files: Object.keys(files), notes };
}
