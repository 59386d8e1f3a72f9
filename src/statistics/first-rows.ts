/**
 * For every row the first row that holds the same values in all `columns`. Linear: open addressing over a mixed hash, with a
 * full comparison on every hit.
 */
export function firstRows(columns: readonly Uint32Array[], rows: number): Uint32Array {
  let capacity = 16;
  while (capacity < rows * 2) capacity *= 2;
  const slots = new Int32Array(capacity).fill(-1);
  const first = new Uint32Array(rows);
  const mask = capacity - 1;
  for (let row = 0; row < rows; row += 1) {
    let hash = 0x9e3779b1;
    for (const column of columns) hash = Math.imul((hash ^ (hash >>> 15) ^ column[row]!) + 0x7f4a7c15, 0x85ebca6b);
    let slot = (hash ^ (hash >>> 13)) & mask;
    while (true) {
      const held = slots[slot]!;
      if (held === -1) {
        slots[slot] = row;
        first[row] = row;
        break;
      }
      if (columns.every((column) => column[held] === column[row])) {
        first[row] = held;
        break;
      }
      slot = (slot + 1) & mask;
    }
  }
  return first;
}
