/**
 * Exactly rounded sums (Shewchuk 1997, "Adaptive precision floating-point arithmetic"): the double nearest to the true
 * sum of the doubles added, in whatever order they come. Equal multisets therefore give equal sums, and a sum of
 * `+a` and `-a` is 0, not 1e-16.
 */
export class ExactSum {
  /** Non-overlapping partial sums, smallest first. */
  readonly #partials: number[] = [];

  add(value: number): void {
    let x = value;
    let kept = 0;
    for (let index = 0; index < this.#partials.length; index += 1) {
      let y = this.#partials[index]!;
      if (Math.abs(x) < Math.abs(y)) {
        const held = x;
        x = y;
        y = held;
      }
      const high = x + y;
      const low = y - (high - x);
      if (low !== 0) {
        this.#partials[kept] = low;
        kept += 1;
      }
      x = high;
    }
    this.#partials.length = kept;
    this.#partials.push(x);
  }

  /** The correctly rounded sum (half to even), 0 for nothing added. */
  value(): number {
    const partials = this.#partials;
    let index = partials.length - 1;
    if (index < 0) return 0;
    let high = partials[index]!;
    let low = 0;
    while (index > 0) {
      index -= 1;
      const x = high;
      const y = partials[index]!;
      high = x + y;
      low = y - (high - x);
      if (low !== 0) break;
    }
    // The remaining partials decide a tie between two doubles.
    if (index > 0 && ((low < 0 && partials[index - 1]! < 0) || (low > 0 && partials[index - 1]! > 0))) {
      const doubled = low * 2;
      const rounded = high + doubled;
      if (doubled === rounded - high) high = rounded;
    }
    return high;
  }
}

/** Exactly rounded sum of some values. */
export function exactSum(values: Iterable<number>): number {
  const sum = new ExactSum();
  for (const value of values) sum.add(value);
  return sum.value();
}

/** Exactly rounded sum over the number of values; NaN for none. */
export function exactMean(values: ArrayLike<number>): number {
  const sum = new ExactSum();
  for (let index = 0; index < values.length; index += 1) sum.add(values[index]!);
  return values.length === 0 ? Number.NaN : sum.value() / values.length;
}
