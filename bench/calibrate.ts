// npm run calibrate [-- --quick]: calibration of the intervals and bands by simulation; writes docs/calibration.md.
// --quick runs 2% of it and prints the document instead.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { falseReversals, familyWiseError, reversalPower, UNREVERSED } from './calibration-bands.ts';
import { NULL_MODELS } from './calibration-data.ts';
import type { Calibration } from './calibration-document.ts';
import { marginCoverage, rhoCoverage } from './calibration-intervals.ts';
import { calibrationPage } from './calibration-page.ts';
import { CALIBRATION, QUICK } from './calibration-settings.ts';

const quick = process.argv.includes('--quick');
const { seed, margin, rho, family, moreFamilies, power, reversals } = CALIBRATION;
const sized = ({ runs }: { runs: number }, resamples: number) => ({
  seed,
  runs: quick ? Math.max(10, Math.round(runs * QUICK)) : runs,
  resamples,
});
const started = process.cpuUsage();
const minutes = () => {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 6e7;
};
const say = (done: string) => process.stderr.write(`${minutes().toFixed(1)} min  ${done}\n`);

/** One cell after another; a line on stderr when each is done. */
async function each<Cell, Result>(
  name: string,
  cells: readonly Cell[],
  measure: (cell: Cell) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const cell of cells) {
    results.push(await measure(cell));
    say(`${name} ${Object.values(cell as object).join(' ')}`);
  }
  return results;
}

const calibration: Calibration = {
  margins: await each(
    'margins',
    margin.prompts.map((prompts) => ({ prompts })),
    ({ prompts }) => ({ prompts, shapes: marginCoverage(prompts, sized(margin, margin.resamples)) }),
  ),
  rhos: await each(
    'rho',
    rho.truths.flatMap((truth) => rho.prompts.map((prompts) => ({ truth, prompts }))),
    ({ truth, prompts }) => ({ truth, prompts, coverage: rhoCoverage(truth, prompts, sized(rho, rho.resamples)) }),
  ),
  families: await each(
    'family',
    [
      ...NULL_MODELS.flatMap((model) =>
        family.prompts.map((prompts) => ({ model, prompts, rows: family.rows as number, runs: family.runs as number })),
      ),
      ...moreFamilies.map((more) => ({ model: 'independent' as const, ...more })),
    ],
    async ({ model, prompts, rows, runs }) => ({
      model,
      prompts,
      result: await familyWiseError(model, prompts, rows, sized({ runs }, family.resamples)),
    }),
  ),
  powers: await each(
    'power',
    power.prompts.map((prompts) => ({ prompts })),
    async ({ prompts }) => ({
      prompts,
      result: await reversalPower(prompts, power.rows, power.effects, sized(power, power.resamples)),
    }),
  ),
  reversals: await each(
    'reversals',
    UNREVERSED.flatMap((truth) => reversals.prompts.map((prompts) => ({ truth, prompts }))),
    async ({ truth, prompts }) => ({
      truth,
      prompts,
      result: await falseReversals(truth, prompts, reversals.rows, sized(reversals, reversals.resamples)),
    }),
  ),
};

const page = calibrationPage(calibration, minutes());
if (quick) process.stdout.write(page);
else {
  const path = join(import.meta.dirname, '..', 'docs', 'calibration.md');
  writeFileSync(path, page);
  say(`wrote ${path}`);
}
