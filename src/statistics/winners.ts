/** Index of the unique largest value; null when the top is tied (within `tolerance`) or a value is missing (NaN). */
export function uniqueTop(values: ArrayLike<number>, tolerance = 0): number | null {
  let top = 0;
  for (let index = 0; index < values.length; index += 1) {
    if (Number.isNaN(values[index]!)) return null;
    if (values[index]! > values[top]!) top = index;
  }
  if (values.length === 0) return null;
  for (let index = 0; index < values.length; index += 1)
    if (index !== top && values[top]! - values[index]! <= tolerance) return null;
  return top;
}

/** Distinct unique tops over some levels, ascending, and how many levels had a tied top. */
export function winners(rows: readonly ArrayLike<number>[], tolerance = 0): { tops: number[]; tied: number } {
  const tops = new Set<number>();
  let tied = 0;
  for (const row of rows) {
    const top = uniqueTop(row, tolerance);
    if (top === null) tied += 1;
    else tops.add(top);
  }
  return { tops: [...tops].sort((a, b) => a - b), tied };
}
