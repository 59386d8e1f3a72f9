import { compareText } from '../core/json.ts';

/** Distinct texts in order of first appearance; ids count from 0. */
export class Dictionary {
  readonly values: string[] = [];
  readonly #ids = new Map<string, number>();

  idOf(value: string): number {
    const known = this.#ids.get(value);
    if (known !== undefined) return known;
    const id = this.values.length;
    this.values.push(value);
    this.#ids.set(value, id);
    return id;
  }

  /** Id of a value already seen, or undefined. */
  find(value: string): number | undefined {
    return this.#ids.get(value);
  }

  /** For every id its place in text order, and the sorted values: ids stop depending on row order. */
  sorted(): { values: string[]; place: Uint32Array } {
    const order = this.values.map((_, id) => id).sort((a, b) => compareText(this.values[a]!, this.values[b]!));
    const place = new Uint32Array(order.length);
    for (const [position, id] of order.entries()) place[id] = position;
    return { values: order.map((id) => this.values[id]!), place };
  }
}

/** A column of whole numbers that grows. */
export class GrowingIntegers {
  #data = new Uint32Array(1024);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#data.length) {
      const larger = new Uint32Array(this.#data.length * 2);
      larger.set(this.#data);
      this.#data = larger;
    }
    this.#data[this.#length] = value;
    this.#length += 1;
  }

  /** The values, each replaced by `place[value]` when given. */
  finish(place?: Uint32Array): Uint32Array {
    const result = this.#data.slice(0, this.#length);
    if (place !== undefined) for (let row = 0; row < result.length; row += 1) result[row] = place[result[row]!]!;
    return result;
  }
}

/** A column of scores that grows; NaN stands for "no score". */
export class GrowingScores {
  #data = new Float64Array(1024);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#data.length) {
      const larger = new Float64Array(this.#data.length * 2);
      larger.set(this.#data);
      this.#data = larger;
    }
    this.#data[this.#length] = value;
    this.#length += 1;
  }

  finish(): Float64Array {
    return this.#data.slice(0, this.#length);
  }
}
