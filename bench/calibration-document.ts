import type { FalseReversals, FamilyWise, Power } from './calibration-bands.ts';
import type { Shape } from './calibration-data.ts';
import type { Coverage, RhoCoverage } from './calibration-intervals.ts';

/** Everything the command measured. */
export interface Calibration {
  readonly margins: readonly {
    readonly prompts: number;
    readonly shapes: Record<Shape, Record<'percentile' | 'bca', Coverage>>;
  }[];
  readonly rhos: readonly { readonly truth: number; readonly prompts: number; readonly coverage: RhoCoverage }[];
  readonly families: readonly { readonly model: string; readonly prompts: number; readonly result: FamilyWise }[];
  readonly powers: readonly { readonly prompts: number; readonly result: Power }[];
  readonly reversals: readonly { readonly truth: string; readonly prompts: number; readonly result: FalseReversals }[];
}

/** `94.8 ± 0.3`: a share of runs in percent with its Monte Carlo standard error; at 0 and 100% the 95% limit instead (3 / runs). */
export function percentOf(count: number, runs: number): string {
  if (runs === 0) return '–';
  if (count === 0) return `0 (< ${(300 / runs).toFixed(1)})`;
  if (count === runs) return `100 (> ${(100 - 300 / runs).toFixed(1)})`;
  const share = count / runs;
  return `${(100 * share).toFixed(1)} ± ${(100 * Math.sqrt((share * (1 - share)) / runs)).toFixed(1)}`;
}

const covered = ({ runs, above, below }: Coverage) => percentOf(runs - above - below, runs);
/** `94.8`: a share of runs in percent. */
export const plain = (count: number, runs: number) => (runs === 0 ? '–' : ((100 * count) / runs).toFixed(1));
const number = (value: number | null, digits = 2) => (value === null ? 'none' : value.toFixed(digits));

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Coverage of the intervals of a margin. */
export function marginTable(margins: Calibration['margins']): string {
  return table(
    ['scores', 'N', 'percentile', 'misses: above, below', 'BCa', 'misses: above, below'],
    (['normal', 'skewed', 'tied'] as const).flatMap((shape) =>
      margins.map(({ prompts, shapes }) => {
        const { percentile, bca } = shapes[shape];
        const misses = ({ runs, above, below }: Coverage) => `${plain(above, runs)}, ${plain(below, runs)}`;
        return [shape, String(prompts), covered(percentile), misses(percentile), covered(bca), misses(bca)];
      }),
    ),
  );
}

/** Coverage of the intervals of rho in its forms. */
export function rhoTable(rhos: Calibration['rhos']): string {
  const misses = ({ runs, above, below }: Coverage) => `${plain(above, runs)}, ${plain(below, runs)}`;
  return table(
    [
      'true rho',
      'N',
      'median rho',
      'percentile',
      'misses: above, below',
      'BCa',
      'median corrected',
      'corrected',
      'misses: above, below',
      'undefined',
    ],
    rhos.map(({ truth, prompts, coverage: { plain: own, bca, corrected, correctedUndefined, medians } }) => [
      String(truth),
      String(prompts),
      number(medians.plain),
      covered(own),
      misses(own),
      covered(bca),
      number(medians.corrected),
      covered(corrected),
      misses(corrected),
      plain(correctedUndefined, own.runs),
    ]),
  );
}

/** Coverage of the interval of the peak when every factor has the same rho. */
export function peakTable(rhos: Calibration['rhos']): string {
  const misses = ({ runs, above, below }: Coverage) => `${plain(above, runs)}, ${plain(below, runs)}`;
  return table(
    [
      'true rho of all four',
      'N',
      'median peak',
      'selected anew',
      'misses: above, below',
      'factor held',
      'misses: above, below',
    ],
    rhos.map(({ truth, prompts, coverage: { peak, peakFixed, medians } }) => [
      String(truth),
      String(prompts),
      number(medians.peak),
      covered(peak),
      misses(peak),
      covered(peakFixed),
      misses(peakFixed),
    ]),
  );
}

/** Family-wise error of both bands. */
export function familyTable(families: Calibration['families']): string {
  return table(
    ['scores', 'N', 'contrasts', 'in the band', 'audits', 'studentised', 'its c', 'published form', 'its c'],
    families.map(({ model, prompts, result }) => [
      model,
      String(prompts),
      String(result.contrasts),
      result.inBand.toFixed(0),
      String(result.runs),
      percentOf(result.errors.studentised, result.runs),
      number(result.criticalValue.studentised),
      percentOf(result.errors.published, result.runs),
      number(result.criticalValue.published),
    ]),
  );
}

/** Power of both bands against a planted reversal. */
export function powerTable(powers: Calibration['powers']): string {
  return table(
    [
      'margin, SD of a prompt difference',
      ...powers.flatMap(({ prompts }) => [`N = ${prompts}, studentised`, `N = ${prompts}, published form`]),
    ],
    (powers[0]?.result.found ?? []).map(({ effect }, index) => [
      `±${effect}`,
      ...powers.flatMap(({ result }) => {
        const { counts } = result.found[index]!;
        return [percentOf(counts.studentised, result.runs), percentOf(counts.published, result.runs)];
      }),
    ]),
  );
}

/** False-positive rate of reversals. */
export function reversalTable(reversals: Calibration['reversals']): string {
  return table(
    ['truth', 'N', 'pointwise', 'level pairs called', 'confirmed, studentised', 'confirmed, published form'],
    reversals.map(({ truth, prompts, result }) => [
      truth,
      String(prompts),
      percentOf(result.pointwise, result.runs),
      result.pointwiseCount.toFixed(1),
      percentOf(result.confirmed.studentised, result.runs),
      percentOf(result.confirmed.published, result.runs),
    ]),
  );
}
