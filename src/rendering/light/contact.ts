import type { Box } from '../framing.ts';
import type { Occluder } from './voxel-grid.ts';

/** What furniture that stands on the floor takes from it beyond what the lattice resolves, over the floor plan. */
export interface ContactMap {
  readonly width: number;
  readonly height: number;
  /** Corner of the first texel, x and z, metres. */
  readonly origin: readonly [number, number];
  /** Side of a texel, metres. */
  readonly size: number;
  /** Factor on the light that arrives, 0..255 for 0..1; x runs fastest. */
  readonly data: Uint8Array;
}

/** Texels a side at most, and their smallest side, metres. */
const LARGEST = 768;
const FINEST = 0.012;
/** Layers of the columns, and their height, metres. */
const LAYERS = 16;
const LAYER = 0.015;
/** How far contact reaches, texels: beyond it the lattice knows better. */
const REACH = 10;
const TURNS = 16;
/** Rugs and the like, up to this layer, are floor to what stands on them. */
const FLAT = 2;
/** Triangles beyond this many are not looked at: meshes that fine bring no furniture legs of a few texels. */
const MOST = 400_000;

/**
 * Contact shadows on the floor. Triangles within 24 cm of the ground mark columns of matter that stand on it; round them the hidden
 * share of the hemisphere is mean over azimuths of max sin^2(elevation of the column's top), fading over 12 cm. The lattice knows the
 * mean of that over a cell already: the map holds the quotient, at most 1. Null when nothing stands on the floor.
 *
 * @param cell size of the light lattice's cell, metres
 */
export function contactMap(box: Box, occluders: readonly Occluder[], cell: number): ContactMap | null {
  const triangles = occluders.reduce((sum, { opacity }) => sum + opacity.length, 0);
  if (triangles > MOST) return null;
  const extent = Math.max(box.max[0] - box.min[0], box.max[2] - box.min[2]);
  const size = Math.max(FINEST, extent / (LARGEST - 2 * REACH));
  // Legs are thinner than the texels of a hall.
  if (size > 3 * FINEST) return null;
  const width = Math.ceil((box.max[0] - box.min[0]) / size) + 2 * REACH;
  const height = Math.ceil((box.max[2] - box.min[2]) / size) + 2 * REACH;
  const origin = [box.min[0] - REACH * size, box.min[2] - REACH * size] as const;
  const columns = columnHeights(occluders, width, height, origin, size);
  const open = openness(columns, width, height, size);
  if (open === null) return null;
  const smooth = blurred(open, columns, width, height, Math.max(1, Math.round((0.5 * cell) / size)));
  const data = new Uint8Array(open.length).fill(255);
  for (let at = 0; at < open.length; at += 1)
    if (open[at]! < 1) data[at] = Math.round(255 * Math.min(1, Math.max(0.25, open[at]! / smooth[at]!)));
  return { width, height, origin, size, data };
}

/** Layers of matter that stand on the floor without a gap, a texel each. */
function columnHeights(
  occluders: readonly Occluder[],
  width: number,
  height: number,
  origin: readonly [number, number],
  size: number,
): Uint8Array {
  const bits = new Uint16Array(width * height);
  const top = LAYERS * LAYER;
  for (const { positions, opacity } of occluders)
    for (let triangle = 0; triangle < opacity.length; triangle += 1) {
      const p = 9 * triangle;
      const [ay, by, cy] = [positions[p + 1]!, positions[p + 4]!, positions[p + 7]!];
      // The floor itself is no matter on the floor.
      if (Math.min(ay, by, cy) > top || Math.max(ay, by, cy) < 0.002 || opacity[triangle]! < 0.5) continue;
      const [ax, az] = [positions[p]!, positions[p + 2]!];
      const [ux, uy, uz] = [positions[p + 3]! - ax, by - ay, positions[p + 5]! - az];
      const [vx, vy, vz] = [positions[p + 6]! - ax, cy - ay, positions[p + 8]! - az];
      const longest = Math.sqrt(
        Math.max(
          ux * ux + uy * uy + uz * uz,
          vx * vx + vy * vy + vz * vz,
          (ux - vx) ** 2 + (uy - vy) ** 2 + (uz - vz) ** 2,
        ),
      );
      const steps = Math.min(Math.max(1, Math.ceil(longest / (0.8 * size))), 1024);
      for (let i = 0; i < steps; i += 1)
        for (let j = 0; j < 2 * (steps - i) - 1; j += 1) {
          const s = (i + (j & 1 ? 2 / 3 : 1 / 3)) / steps;
          const t = ((j >> 1) + (j & 1 ? 2 / 3 : 1 / 3)) / steps;
          const layer = Math.floor((ay + s * uy + t * vy) / LAYER);
          if (layer < 0 || layer >= LAYERS) continue;
          const x = Math.floor((ax + s * ux + t * vx - origin[0]) / size);
          const z = Math.floor((az + s * uz + t * vz - origin[1]) / size);
          if (x < 0 || z < 0 || x >= width || z >= height) continue;
          bits[z * width + x]! |= 1 << layer;
        }
    }
  const columns = new Uint8Array(bits.length);
  for (let at = 0; at < bits.length; at += 1) {
    let layer = 0;
    // A gap of one layer is the sampling's, not the furniture's.
    while (layer < LAYERS && bits[at]! & (3 << layer)) layer += 1;
    columns[at] = bits[at]! & 3 ? layer : 0;
  }
  return columns;
}

/** Share of the hemisphere that near columns leave open, a texel each; null when there are no columns. */
function openness(columns: Uint8Array, width: number, height: number, size: number): Float32Array | null {
  const near = new Uint8Array(columns.length);
  let any = false;
  for (let z = REACH; z < height - REACH; z += 1)
    for (let x = REACH; x < width - REACH; x += 1) {
      if (columns[z * width + x]! <= FLAT) continue;
      any = true;
      for (let dz = -REACH; dz <= REACH; dz += 1)
        near.fill(1, (z + dz) * width + x - REACH, (z + dz) * width + x + REACH + 1);
    }
  if (!any) return null;
  const steps: { offset: number; distance: number; fade: number }[][] = Array.from({ length: TURNS }, (_, turn) => {
    const angle = ((turn + 0.5) * 2 * Math.PI) / TURNS;
    return Array.from({ length: REACH }, (__, index) => ({
      offset: Math.round((index + 1) * Math.sin(angle)) * width + Math.round((index + 1) * Math.cos(angle)),
      distance: (index + 0.5) * size,
      fade: 1 - index / REACH,
    }));
  });
  const open = new Float32Array(columns.length).fill(1);
  for (let z = REACH; z < height - REACH; z += 1)
    for (let x = REACH; x < width - REACH; x += 1) {
      const at = z * width + x;
      if (near[at] === 0) continue;
      const ground = Math.min(columns[at]!, FLAT);
      let hidden = 0;
      for (const ray of steps) {
        let most = 0;
        for (const { offset, distance, fade } of ray) {
          const rise = (columns[at + offset]! - ground) * LAYER;
          if (rise <= 0) continue;
          most = Math.max(most, (fade * rise * rise) / (rise * rise + distance * distance));
        }
        hidden += most / TURNS;
      }
      open[at] = 1 - hidden;
    }
  return open;
}

/** Two box blurs of the open floor; texels that matter stands on do not count. */
function blurred(open: Float32Array, columns: Uint8Array, width: number, height: number, radius: number): Float32Array {
  let values = new Float32Array(open.length);
  let weights = new Float32Array(open.length);
  for (let at = 0; at < open.length; at += 1) {
    if (columns[at]! > FLAT) continue;
    values[at] = open[at]!;
    weights[at] = 1;
  }
  for (let pass = 0; pass < 2; pass += 1) {
    values = boxBlur(values, width, height, radius);
    weights = boxBlur(weights, width, height, radius);
  }
  for (let at = 0; at < values.length; at += 1) values[at] = weights[at]! > 1e-6 ? values[at]! / weights[at]! : 1;
  return values;
}

function boxBlur(source: Float32Array, width: number, height: number, radius: number): Float32Array<ArrayBuffer> {
  const across = new Float32Array(source.length);
  const done = new Float32Array(source.length);
  const run = (from: Float32Array, to: Float32Array, lines: number, length: number, line: number, step: number) => {
    for (let index = 0; index < lines; index += 1) {
      const first = index * line;
      let sum = 0;
      for (let i = 0; i < Math.min(radius, length); i += 1) sum += from[first + i * step]!;
      for (let i = 0; i < length; i += 1) {
        if (i + radius < length) sum += from[first + (i + radius) * step]!;
        if (i - radius - 1 >= 0) sum -= from[first + (i - radius - 1) * step]!;
        to[first + i * step] = sum;
      }
    }
  };
  run(source, across, height, width, width, 1);
  run(across, done, width, height, 1, width);
  return done;
}
