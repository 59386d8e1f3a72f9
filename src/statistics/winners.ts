/** Index of the unique largest value; null when the top is tied (within `tolerance`), a value is missing (NaN), or there is none to beat. */
export function uniqueTop(values: ArrayLike<number>, tolerance = 0): number | null {
  let top = 0;
  for (let index = 0; index < values.length; index += 1) {
    if (Number.isNaN(values[index]!)) return null;
    if (values[index]! > values[top]!) top = index;
  }
  if (values.length < 2) return null;
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
    if (top !== null) tops.add(top);
    else if (row.length > 1) tied += 1;
  }
  return { tops: [...tops].sort((a, b) => a - b), tied };
}
