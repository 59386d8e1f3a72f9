import { buildCard } from '../cards/build-card.ts';
import { estimatesCsv } from '../cards/estimates-csv.ts';
import { readResults } from '../cards/read-results.ts';
import { readCellScores } from './cell-scores.ts';
import { renderPage } from './page.ts';
import { readPictures } from './read-pictures.ts';
import { reportContext } from './report-context.ts';
import { answers } from './sections/answers.ts';
import { audited } from './sections/audited.ts';
import { cards } from './sections/cards.ts';
import { estimateTable } from './sections/estimate-table.ts';
import { inflation } from './sections/inflation.ts';
import { judging } from './sections/judging.ts';
import { ledger } from './sections/ledger.ts';
import { light } from './sections/light.ts';
import { margins } from './sections/margins.ts';
import { movement } from './sections/movement.ts';
import { notes } from './sections/notes.ts';
import { pictures } from './sections/pictures.ts';
import { probes } from './sections/probes.ts';
import { reversals } from './sections/reversals.ts';
import type { ReportSection } from './sections/section.ts';
import { strata } from './sections/strata.ts';
import { winners } from './sections/winners.ts';
import { wording } from './sections/wording.ts';

/** Generators whose pictures a report shows. */
const PICTURED_GENERATORS = 6;

/** A report: the page, and the files it links to beside it. */
export interface Report {
  /** One self-contained HTML page; it asks for nothing over any network. */
  readonly html: string;
  /** Content by path relative to the report. */
  readonly assets: Readonly<Record<string, string>>;
}

/**
 * The report of a results folder, from its manifest, estimates, raw tables and exported pictures. Same folder, same bytes.
 *
 * @throws AuditError when the folder lacks one of these or one is invalid.
 */
export async function buildReport(resultsFolder: string): Promise<Report> {
  const { folder, manifest, estimates } = readResults(resultsFolder);
  const pictured = new Set(manifest.generators.slice(0, PICTURED_GENERATORS));
  const found = await readPictures(folder, (generator) => pictured.has(generator));
  const context = reportContext(manifest, estimates, buildCard(manifest, estimates), found.pictures);
  const scores = await readCellScores(folder, manifest, new Set(found.pictures.map((picture) => picture.prompt)));
  const sections: (ReportSection | null)[] = [
    audited(context),
    answers(context),
    pictures(context, scores),
    await movement(context),
    await winners(context),
    await margins(context),
    await reversals(context),
    inflation(context),
    await wording(context),
    await light(context),
    await probes(context),
    strata(context),
    ledger(context),
    judging(context),
    notes(context, found.problems),
    cards(context),
    estimateTable(context),
  ];
  return {
    html: renderPage({
      title: manifest.audit.name,
      eyebrow: 'Audit of evaluators',
      draft: manifest.draft,
      sections: sections.filter((section) => section !== null),
      footer: `Evidence SHA-256 ${context.card.evidenceHash}. Made by parallax-audit ${manifest.packages['parallax-audit'] ?? ''} from ${manifest.files.length} hashed files; parallax verify checks them.`,
    }),
    assets: { 'estimates.csv': estimatesCsv(estimates) },
  };
}
