/**
 * Holm's step-down adjustment: family-wise error under any dependence. `resamples` is the number behind the p values, whose
 * smallest possible value is 1 / (resamples + 1).
 *
 * @throws RangeError when the family is too large for the resamples: see `requireResolution`.
 */
export function holm(p: readonly number[], resamples: number, level = 0.95): number[] {
  requireResolution(p.length, resamples, level);
  const order = p.map((_, index) => index).sort((a, b) => p[a]! - p[b]! || a - b);
  const adjusted = new Array<number>(p.length);
  let largest = 0;
  for (const [place, index] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (p.length - place) * p[index]!));
    adjusted[index] = largest;
  }
  return adjusted;
}

/**
 * Benjamini and Hochberg's step-up adjustment: false discovery rate under independence or positive dependence.
 *
 * @throws RangeError when the family is too large for the resamples.
 */
export function benjaminiHochberg(p: readonly number[], resamples: number, level = 0.95): number[] {
  requireResolution(p.length, resamples, level);
  const order = p.map((_, index) => index).sort((a, b) => p[b]! - p[a]! || b - a);
  const adjusted = new Array<number>(p.length);
  let smallest = 1;
  for (const [place, index] of order.entries()) {
    smallest = Math.min(smallest, (p.length * p[index]!) / (p.length - place));
    adjusted[index] = smallest;
  }
  return adjusted;
}

/**
 * A resampling p cannot be under 1 / (B + 1); times the size of the family that must still reach 1 - level, or nothing could ever
 * be found and the adjustment would only look careful. The band's own adjusted p has no such limit.
 */
function requireResolution(family: number, resamples: number, level: number): void {
  if (family / (resamples + 1) > 1 - level)
    throw new RangeError(
      `a family of ${family} is too large for ${resamples} resamples at level ${level}; expected at most ${Math.floor((1 - level) * (resamples + 1))} (use the adjusted p of the simultaneous band)`,
    );
}
