import type { Random } from '../core/random.ts';

const EPSILON = 1e-9;

/**
 * A balanced probability sample by the cube method (Deville and Tille 2004; fast flight of Chauvet and Tille 2006).
 *
 * Every unit k is drawn with exactly its probability. As far as whole numbers allow, the sample estimates the population
 * totals of the balancing variables without error: sum over the sample of x_k / p_k = sum over all of x_k. When no more than
 * as many units as variables are undecided, variables are given up from the last one on.
 *
 * @param probabilities Inclusion probabilities in (0, 1].
 * @param variables One row a unit, one column a balancing variable, the most important first (start with the
 * probabilities themselves for a fixed sample size).
 * @returns Indices of the drawn units, ascending.
 */
export function cubeSample(
  probabilities: readonly number[],
  variables: readonly (readonly number[])[],
  random: Random,
): number[] {
  const state = [...probabilities];
  const order = random.shuffle(probabilities.map((_, index) => index));
  let columns = variables[0]?.length ?? 0;
  while (true) {
    const open: number[] = [];
    for (const unit of order) {
      if (!isOpen(state[unit] as number)) continue;
      open.push(unit);
      if (open.length > columns) break;
    }
    if (open.length === 0) break;
    columns = Math.min(columns, open.length - 1);
    const rows = Array.from({ length: columns }, (_, column) =>
      open.map((unit) => (variables[unit]?.[column] as number) / (probabilities[unit] as number)),
    );
    step(state, open, nullVector(rows, open.length), random);
  }
  return state.flatMap((value, index) => (value > 0.5 ? [index] : []));
}

function isOpen(value: number): boolean {
  return value > EPSILON && value < 1 - EPSILON;
}

/** Moves along +-u to the border of the unit cube, with probabilities that keep every unit's expectation. */
function step(state: number[], open: readonly number[], u: readonly number[], random: Random): void {
  let forward = Number.POSITIVE_INFINITY;
  let backward = Number.POSITIVE_INFINITY;
  open.forEach((unit, index) => {
    const direction = u[index] as number;
    const value = state[unit] as number;
    if (Math.abs(direction) < EPSILON) return;
    forward = Math.min(forward, (direction > 0 ? 1 - value : value) / Math.abs(direction));
    backward = Math.min(backward, (direction > 0 ? value : 1 - value) / Math.abs(direction));
  });
  const length = random.next() * (forward + backward) < backward ? forward : -backward;
  open.forEach((unit, index) => {
    const moved = (state[unit] as number) + length * (u[index] as number);
    state[unit] = moved < EPSILON ? 0 : moved > 1 - EPSILON ? 1 : moved;
  });
}

/** A vector of largest entry 1 that every row is orthogonal to; there is one, as there are fewer rows than entries. */
function nullVector(rows: number[][], length: number): number[] {
  const pivots: number[] = [];
  let rank = 0;
  for (let column = 0; column < length && rank < rows.length; column += 1) {
    let best = rank;
    for (let row = rank + 1; row < rows.length; row += 1)
      if (Math.abs(rows[row]?.[column] as number) > Math.abs(rows[best]?.[column] as number)) best = row;
    const pivotRow = rows[best] as number[];
    if (Math.abs(pivotRow[column] as number) < 1e-10) continue;
    rows[best] = rows[rank] as number[];
    rows[rank] = pivotRow;
    const scale = pivotRow[column] as number;
    for (let entry = column; entry < length; entry += 1) pivotRow[entry] = (pivotRow[entry] as number) / scale;
    for (let row = 0; row < rows.length; row += 1) {
      const other = rows[row] as number[];
      const factor = other[column] as number;
      if (row === rank || factor === 0) continue;
      for (let entry = column; entry < length; entry += 1)
        other[entry] = (other[entry] as number) - factor * (pivotRow[entry] as number);
    }
    pivots.push(column);
    rank += 1;
  }
  const free = Array.from({ length }, (_, column) => column).find((column) => !pivots.includes(column)) as number;
  const result = new Array<number>(length).fill(0);
  result[free] = 1;
  pivots.forEach((column, row) => {
    result[column] = -(rows[row]?.[free] as number);
  });
  const largest = Math.max(...result.map(Math.abs));
  return result.map((value) => value / largest);
}
