import { LEAD } from './calibration-bands.ts';
import { COMMON_SHARE } from './calibration-data.ts';
import {
  type Calibration,
  familyTable,
  marginTable,
  peakTable,
  percentOf,
  powerTable,
  reversalTable,
  rhoTable,
} from './calibration-document.ts';
import { CALIBRATION } from './calibration-settings.ts';

/** docs/calibration.md: what was simulated, the tables, and what they say. Every number in the text is taken from the tables. */
export function calibrationPage(calibration: Calibration, minutes: number): string {
  const { seed, margin, rho, family, power, reversals } = CALIBRATION;
  const { runs, resamples } = margin;
  return `# Calibration

<!-- Written by \`npm run calibrate\`; do not edit. -->

Do the 95% intervals hold the truth 95 times in 100, and do the bands err 5 times in 100? Here every method meets made-up audits whose truth
is known, through the same functions that \`parallax analyze\` uses. \`npm run calibrate\` runs all of it and writes this page; \`npm test\`
runs a small part, and checks that a row of this page comes out again to the digit.

Seed ${seed}; ${minutes.toFixed(1)} minutes of one processor core. Shares are percent of the simulated runs, ± their Monte Carlo standard error; where
nothing (or everything) was found the 95% limit of the share stands in brackets. N is the number of prompts.

## Interval of a margin

${runs} runs a row, ${resamples} resamples each; the differences of the prompts have mean 0. Normal; skewed: exponential less 1, skewness 2; tied: -1, 0 or 1 with probabilities
0.15, 0.7, 0.15. "Above" means that the whole interval lies above the truth.

${marginTable(calibration.margins)}

${marginText(calibration)}

## Interval of rho

${rho.runs} runs a row, ${rho.resamples} resamples each. Six equally spaced generators, a factor of eight levels, variance 1 between prompts and 1 within a scene; the spacing makes the true
rho what the first column says. A large rho means generators close together, where prompt noise swells the variance between them: the denominator is too
large and rho too small. The corrected form takes that noise out again; where nothing is left of the denominator it is undefined (last column; the other
columns are over the defined runs).

${rhoTable(calibration.rhos)}

${rhoText(calibration)}

### The peak

The same audits with four such factors, so that the peak is the largest of four estimates of one value. "Selected anew" is the interval that is reported; "factor held"
stands beside it as \`fixedFactor\`.

${peakTable(calibration.rhos)}

The largest of several equal values is too large on average, and selecting anew in each resample adds to that: where factors are this close, read the peak with its
leave-one-generator range, and the single factors beside it.

## Family-wise error of the bands

Audits in which no generator differs from another: the share in which the band calls at least one contrast different from zero. ${family.resamples} resamples an audit.
Correlated: ${100 * COMMON_SHARE}% of a score's variance is common to all configurations of its scene, as in a sweep. Skewed: exponential, with the long tail on
alternate sides, so that differences are skewed too. Tied: three steps, so that contrasts with fewer than 10 prompts off the modal difference leave the band.

${familyTable(calibration.families)}

${familyText(calibration)}

## Power against a planted reversal

${power.runs} audits of ${power.rows * 15} contrasts, ${power.resamples} resamples each. One generator leads another by the stated margin at one level and trails by as much at another level of the same factor; the share of audits in which both
are confirmed.

${powerTable(calibration.powers)}

${powerText(calibration)}

## Reversals that are none

${reversals.runs} audits of ${reversals.rows * 15} contrasts, ${reversals.resamples} resamples each, in which no order is ever reversed: either nothing differs, or one generator leads all others by ${LEAD} SD at half of
the levels of every factor and ties with them at the rest. The share of audits in which at least one reversal is called, by pointwise intervals and by the bands.

${reversalTable(calibration.reversals)}

${reversalText(calibration)}
`;
}

function marginText({ margins }: Calibration): string {
  const of = (prompts: number, shape: 'normal' | 'skewed' | 'tied', method: 'percentile' | 'bca') => {
    const row = margins.find((one) => one.prompts === prompts)!.shapes[shape][method];
    return ((100 * (row.runs - row.above - row.below)) / row.runs).toFixed(1);
  };
  return `Percentile intervals are too short for few prompts (${of(10, 'normal', 'percentile')}% at N = 10 and ${of(20, 'normal', 'percentile')}% at N = 20 for normal differences, ${of(50, 'normal', 'percentile')}% at N = 50), more so when differences are skewed
(${of(10, 'skewed', 'percentile')}%, ${of(20, 'skewed', 'percentile')}%, ${of(50, 'skewed', 'percentile')}%), and then nearly all misses lie on one side. BCa divides the misses more evenly but is no longer where N is small
(${of(10, 'skewed', 'bca')}%, ${of(20, 'skewed', 'bca')}%, ${of(50, 'skewed', 'bca')}% for skewed differences). Hence the warning on every interval under 20 prompts.`;
}

function rhoText({ rhos }: Calibration): string {
  const held = (truth: number, prompts: number, form: 'plain' | 'corrected') => {
    const row = rhos.find((one) => one.truth === truth && one.prompts === prompts)!.coverage[form];
    return row.runs === 0 ? 'none' : `${((100 * (row.runs - row.above - row.below)) / row.runs).toFixed(1)}%`;
  };
  return `With generators far apart (rho 0.3) the interval holds ${held(0.3, 50, 'plain')} at N = 50. With generators close together (rho 10) it lies too low and holds ${held(10, 20, 'plain')} at N = 20, ${held(10, 50, 'plain')} at N = 50 and ${held(10, 200, 'plain')}
at N = 200: it errs towards calling the configuration harmless, so "the lower limit is above 1" is a cautious statement. The corrected form holds ${held(10, 20, 'corrected')}, ${held(10, 50, 'corrected')} and ${held(10, 200, 'corrected')} there.`;
}

function familyText({ families }: Calibration): string {
  const at = (prompts: number, contrasts: number) =>
    families.find(
      ({ model, prompts: n, result }) => model === 'independent' && n === prompts && result.contrasts === contrasts,
    )!.result;
  const worst = families.reduce((most, one) =>
    one.result.errors.studentised / one.result.runs > most.result.errors.studentised / most.result.runs ? one : most,
  );
  const [twenty, fifty] = [at(20, 2010), at(50, 2010)];
  return `The published form, whose standard error stays fixed while the means are resampled, is far from its 5% (${percentOf(twenty.errors.published, twenty.runs)}% at N = 20, ${percentOf(fifty.errors.published, fifty.runs)}% at N = 50 for independent scores):
this is why it is labelled approximate. The largest share of the studentised band is ${percentOf(worst.result.errors.studentised, worst.result.runs)}% (${worst.model}, N = ${worst.prompts}); at N = 20 it is far below 5%, and its critical value so large that little can be confirmed.`;
}

function powerText({ powers }: Calibration): string {
  const needed = powers.map(({ prompts, result }) => {
    const first = result.found.find(({ counts }) => counts.studentised >= 0.8 * result.runs);
    return `${first === undefined ? 'more than the largest margin tried' : `${first.effect} SD`} at N = ${prompts}`;
  });
  return `The smallest of these margins that the studentised band confirms in at least 80% of the audits: ${needed.join(', ')}. That is the price of searching the whole family honestly:
with few prompts a reversal that is not confirmed is not shown to be absent.`;
}

function reversalText({ reversals }: Calibration): string {
  const worst = Math.max(...reversals.map(({ result }) => result.confirmed.studentised / result.runs));
  const most = reversals.reduce((best, one) =>
    one.result.pointwise / one.result.runs > best.result.pointwise / best.result.runs ? one : best,
  );
  return `Pointwise intervals call reversals in up to ${percentOf(most.result.pointwise, most.result.runs)}% of audits that have none (${most.truth}, N = ${most.prompts}): they describe, they confirm nothing. The studentised band
calls one in at most ${(100 * worst).toFixed(1)}%.`;
}
