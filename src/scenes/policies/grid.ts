import type { Random } from '../../core/random.ts';
import type { Room } from '../../core/scene.ts';
import { FloorPlan } from './floor-plan.ts';
import type { ListedObject, PlacedObject } from './policy.ts';

/** Distances between neighbours that are tried, widest first, metres. */
const GAPS = [0.8, 0.65, 0.5, 0.4, 0.3, 0.2, 0.12, 0.06, 0.02] as const;

/**
 * Row by row in the order of the list, everything facing the front wall: no object knows of another. Ceiling lamps hang
 * over their place in the row; everything else stands on the floor. When the list is too long for the room the rows are
 * pushed together and overlap.
 */
export function grid(list: readonly ListedObject[], room: Room, _random: Random): PlacedObject[] {
  const { min, max } = new FloorPlan(room).bounds;
  const [width, depth] = [max[0] - min[0], max[1] - min[1]];
  const rows = GAPS.map((gap) => ({ gap, rows: rowsOf(list, width, gap) })).find(
    (tried) =>
      rowsDepth(tried.rows, tried.gap) <= depth && tried.rows.every((row) => rowWidth(row, tried.gap) <= width),
  ) ?? { gap: 0, rows: rowsOf(list, width, 0) };
  const total = rowsDepth(rows.rows, rows.gap);
  const squeeze = Math.min(1, (depth - 0.02) / total);
  const spare = Math.max(0, depth - total) / (rows.rows.length + 1);
  const placed: PlacedObject[] = [];
  let front = min[1] + rows.gap + spare;
  for (const row of rows.rows) {
    const deep = Math.max(...row.map(({ size }) => size[2]));
    const free = Math.max(0, width - row.reduce((sum, { size }) => sum + size[0], 0)) / (row.length + 1);
    let left = min[0] + free;
    for (const object of row) {
      const middle = (front - min[1] + deep / 2) * squeeze + min[1];
      placed.push({
        ...object,
        x: Math.min(Math.max(left + object.size[0] / 2, min[0]), max[0]),
        y: object.entry?.placement === 'ceiling' ? Math.max(0, room.wallHeight - object.size[1]) : 0,
        z: Math.min(Math.max(middle, min[1] + object.size[2] / 2), Math.max(max[1] - object.size[2] / 2, min[1])),
        yaw: 0,
        supportedBy: null,
      });
      left += object.size[0] + free;
    }
    front += deep + rows.gap + spare;
  }
  return placed;
}

function rowsOf(list: readonly ListedObject[], width: number, gap: number): ListedObject[][] {
  const rows: ListedObject[][] = [];
  for (const object of list) {
    const row = rows.at(-1);
    if (row !== undefined && rowWidth([...row, object], gap) <= width) row.push(object);
    else rows.push([object]);
  }
  return rows;
}

function rowWidth(row: readonly ListedObject[], gap: number): number {
  return row.reduce((sum, { size }) => sum + size[0] + gap, gap);
}

function rowsDepth(rows: readonly ListedObject[][], gap: number): number {
  return rows.reduce((sum, row) => sum + Math.max(...row.map(({ size }) => size[2])) + gap, gap);
}
