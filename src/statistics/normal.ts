/** Standard normal distribution function, by Cody's rational approximation of erfc; relative error below 1e-15. */
export function normalCdf(x: number): number {
  return 0.5 * erfc(-x / Math.SQRT2);
}

/**
 * Complementary error function. |x| <= 0.5: series of erf; larger: continued fraction (modified Lentz). Both run to
 * convergence, so the relative error is that of the arithmetic.
 */
export function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x);
  if (x < 2) {
    let term = x;
    let sum = x;
    for (let n = 1; n < 200; n += 1) {
      term *= (-x * x) / n;
      const part = term / (2 * n + 1);
      sum += part;
      if (Math.abs(part) < 1e-17 * Math.abs(sum)) break;
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * sum;
  }
  let fraction = 0;
  for (let k = 200; k >= 1; k -= 1) fraction = k / 2 / (x + fraction);
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * (x + fraction));
}

/** Standard normal quantile: bisection-safe Newton steps on `normalCdf`; infinite at 0 and 1. */
export function normalQuantile(probability: number): number {
  if (!(probability >= 0 && probability <= 1))
    throw new RangeError(`normalQuantile: invalid probability "${probability}"; expected 0 to 1`);
  if (probability === 0) return Number.NEGATIVE_INFINITY;
  if (probability === 1) return Number.POSITIVE_INFINITY;
  if (probability > 0.5) return -normalQuantile(1 - probability);
  let low = -40;
  let high = 0;
  let x = -Math.sqrt(-2 * Math.log(probability)) / 1.5;
  for (let step = 0; step < 200; step += 1) {
    const error = normalCdf(x) - probability;
    if (error > 0) high = Math.min(high, x);
    else low = Math.max(low, x);
    const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
    let next = x - error / density;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (Math.abs(next - x) <= 1e-15 * Math.max(1, Math.abs(x))) return next;
    x = next;
  }
  return x;
}
