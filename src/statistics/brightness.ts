import type { Brightness } from '../core/estimates.ts';
import type { Random } from '../core/random.ts';
import { pearson, permutationP, spearman } from './correlation.ts';
import { undefinedEstimate } from './interval.ts';
import { meanOf } from './quantile.ts';

export interface BrightnessLevel {
  readonly level: string;
  /** log2 of the mean foreground (alpha-weighted, linear) luminance; null when unknown. */
  readonly log2Luminance: number | null;
  /** Mean score shift, percent of c0. */
  readonly shiftPercent: number | null;
}

/** Correlation over the lighting levels of log2 luminance with the mean score shift: Pearson, Spearman, exact permutation p. */
export function brightness(levels: readonly BrightnessLevel[], withheld: string | null, random: Random): Brightness {
  const known = levels.filter((level) => level.log2Luminance !== null && level.shiftPercent !== null);
  const x = known.map(({ log2Luminance }) => log2Luminance!);
  const y = known.map(({ shiftPercent }) => shiftPercent!);
  const shown = levels.map(({ level, log2Luminance, shiftPercent }) => ({ level, log2Luminance, shiftPercent }));
  const r = pearson(x, y);
  const reason =
    withheld ??
    (levels.length === 0
      ? 'lighting was not swept'
      : known.length < 3
        ? 'fewer than three lighting levels with a known luminance and score'
        : r === null
          ? 'no spread in luminance or score'
          : null);
  const none = { pearsonP: null, spearman: null, spearmanP: null, permutations: null, levels: shown };
  if (reason !== null || r === null) return { ...undefinedEstimate(reason ?? 'undefined', known.length), ...none };
  const ofPearson = permutationP(x, y, pearson, random.derive('pearson'));
  const ofSpearman = permutationP(x, y, spearman, random.derive('spearman'));
  return {
    value: r,
    lower: null,
    upper: null,
    level: null,
    method: 'pearson',
    n: known.length,
    excluded: levels.length - known.length,
    pearsonP: ofPearson?.p ?? null,
    spearman: spearman(x, y),
    spearmanP: ofSpearman?.p ?? null,
    permutations: ofPearson?.kind ?? null,
    levels: shown,
  };
}

/** Shifts averaged over evaluators, level by level, then correlated. */
export function averageBrightness(all: readonly Brightness[], random: Random): Brightness {
  const names = [...new Set(all.flatMap(({ levels }) => levels.map(({ level }) => level)))];
  const levels = names.map((level) => {
    const own = all.flatMap((one) => one.levels.filter((item) => item.level === level));
    const shifts = own.flatMap(({ shiftPercent }) => (shiftPercent === null ? [] : [shiftPercent]));
    const lights = own.flatMap(({ log2Luminance }) => (log2Luminance === null ? [] : [log2Luminance]));
    return {
      level,
      log2Luminance: meanOf(lights),
      shiftPercent: shifts.length === all.length ? meanOf(shifts) : null,
    };
  });
  return brightness(levels, null, random);
}
