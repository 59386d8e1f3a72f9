import seedrandom from 'seedrandom';
import { canonicalJson, type Json } from './json.ts';

/**
 * A seeded, named random stream. Streams with other seeds or names are independent, so adding one draw somewhere
 * moves no other result. 0 is a seed like any other.
 *
 * @example
 * const stream = new Random(7, 'bootstrap', 'prompts');
 * stream.integer(6); // 0..5
 */
export class Random {
  readonly seed: number;
  readonly names: readonly Json[];
  readonly #draw: seedrandom.PRNG;

  constructor(seed: number, ...names: Json[]) {
    if (!Number.isSafeInteger(seed)) throw new RangeError(`Random: invalid seed "${seed}"; expected a whole number`);
    this.seed = seed;
    this.names = names;
    this.#draw = seedrandom(canonicalJson(['parallax/random@1', seed, ...names]));
  }

  /** Uniform in [0, 1), 53 random bits. */
  next(): number {
    return this.#draw.double();
  }

  /** Uniform whole number in 0..below-1. */
  integer(below: number): number {
    if (!Number.isSafeInteger(below) || below < 1 || below > 2 ** 32)
      throw new RangeError(`Random.integer: invalid bound "${below}"; expected a whole number from 1 to 2^32`);
    return Math.floor(this.#draw.double() * below);
  }

  /** Uniform in [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Standard normal (Box-Muller, one draw of two uniforms). */
  normal(): number {
    const u = 1 - this.next();
    return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * this.next());
  }

  /** One element. */
  pick<T>(items: readonly T[]): T {
    return items[this.integer(items.length)] as T;
  }

  /** A shuffled copy (Fisher-Yates). */
  shuffle<T>(items: readonly T[]): T[] {
    const copy = [...items];
    for (let last = copy.length - 1; last > 0; last -= 1) {
      const other = this.integer(last + 1);
      const held = copy[last] as T;
      copy[last] = copy[other] as T;
      copy[other] = held;
    }
    return copy;
  }

  /** A stream of its own, named below this one; independent of how far this one has been drawn. */
  derive(...names: Json[]): Random {
    return new Random(this.seed, ...this.names, ...names);
  }
}
