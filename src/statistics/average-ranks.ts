/**
 * Ranks from 1 (smallest), ties sharing the average of their places. Values closer than `tolerance` to their neighbour
 * are tied: it absorbs float noise and must be far below any real difference.
 */
export function averageRanks(values: ArrayLike<number>, tolerance = 0): Float64Array {
  const order = Array.from(values, (_, index) => index).sort((a, b) => values[a]! - values[b]! || a - b);
  const ranks = new Float64Array(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end]!]! - values[order[end - 1]!]! <= tolerance) end += 1;
    for (let place = start; place < end; place += 1) ranks[order[place]!] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}
