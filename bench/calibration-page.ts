import { type FamilyWise, LEAD } from './calibration-bands.ts';
import { COMMON_SHARE, type Shape } from './calibration-data.ts';
import {
  type Calibration,
  familyTable,
  marginTable,
  peakTable,
  percentOf,
  plain,
  powerTable,
  reversalTable,
  rhoTable,
} from './calibration-document.ts';
import type { Coverage } from './calibration-intervals.ts';
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

${peakText(calibration)}

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

/** Share covered, as the tables print it. */
const held = ({ runs, above, below }: Coverage) => `${percentOf(runs - above - below, runs).split(' ')[0]}%`;

function marginText({ margins }: Calibration): string {
  const of = (prompts: number, shape: Shape, method: 'percentile' | 'bca') =>
    held(margins.find((one) => one.prompts === prompts)!.shapes[shape][method]);
  const row = (shape: Shape, method: 'percentile' | 'bca') =>
    [10, 20, 50].map((prompts) => of(prompts, shape, method)).join(', ');
  return `With few prompts the intervals are too short: percentile intervals hold ${row('normal', 'percentile')} of normal differences at N = 10, 20, 50, and ${row('skewed', 'percentile')} of skewed ones,
whose misses lie mostly on one side. BCa divides those misses more evenly and holds ${row('skewed', 'bca')}; for tied scores at N = 10 it is the shorter one (${of(10, 'tied', 'bca')} against ${of(10, 'tied', 'percentile')}). Hence
the warning on every interval under 20 prompts, and percentile as the default.`;
}

function rhoText({ rhos }: Calibration): string {
  const at = (truth: number, prompts: number) =>
    rhos.find((one) => one.truth === truth && one.prompts === prompts)!.coverage;
  const row = (truth: number, form: 'plain' | 'corrected') =>
    [20, 50, 200].map((prompts) => held(at(truth, prompts)[form])).join(', ');
  const { plain: worst } = at(10, 20);
  return `With generators far apart (rho 0.3) the interval holds ${row(0.3, 'plain')} at N = 20, 50, 200; with generators close together (rho 10) ${row(10, 'plain')}. It is conservative below and short above:
at rho 10 and N = 20 the lower limit is above the truth in ${plain(worst.above, worst.runs)}% of the runs, the upper limit below it in ${plain(worst.below, worst.runs)}%. So "the lower limit is above 1" is a cautious statement, and the upper
limit is not to be relied on where the generators are close. The corrected form holds ${row(10, 'corrected')} there.`;
}

function peakText({ rhos }: Calibration): string {
  const { plain: one, peak } = rhos.find(({ truth, prompts }) => truth === 0.3 && prompts === 50)!.coverage;
  return `Taking the largest of four equal values pushes the interval up: at rho 0.3 and N = 50 it lies above the truth in ${plain(peak.above, peak.runs)}% of the runs, that of a single factor in ${plain(one.above, one.runs)}%. Where generators are close
together prompt noise outweighs this, and the peak is too low like every rho.`;
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
  const share = ({ errors, runs }: FamilyWise, band: 'studentised' | 'published') => `${plain(errors[band], runs)}%`;
  return `The published form, whose standard error stays fixed while the means are resampled, is far from its 5% (${share(twenty, 'published')} at N = 20, ${share(fifty, 'published')} at N = 50 for independent scores):
this is why it is labelled approximate. The studentised band errs in ${share(worst.result, 'studentised')} of the audits where it errs most (${worst.model}, N = ${worst.prompts}); at N = 20 it errs in ${share(twenty, 'studentised')}, because its
critical value is then so large (${twenty.criticalValue.studentised?.toFixed(2)}) that little can be confirmed.`;
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
  const worst = Math.max(...reversals.map(({ result }) => result.confirmed.studentised));
  const most = reversals.reduce((best, one) =>
    one.result.pointwise / one.result.runs > best.result.pointwise / best.result.runs ? one : best,
  );
  const { runs } = most.result;
  return `Pointwise intervals call reversals in ${plain(most.result.pointwise, runs)}% of the audits of the worst kind (${most.truth}, N = ${most.prompts}), though there are none: they describe, they confirm nothing. The
studentised band called ${worst === 0 ? `none in any of these audits` : `one in at most ${plain(worst, runs)}% of the audits of a kind`}.`;
}
