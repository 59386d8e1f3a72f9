import type { Box } from '../framing.ts';

/**
 * Triangles in scene space that block and reflect light: 9 numbers a triangle, and the linear RGB albedo of each.
 * Opacity below 1 lets light through (glass, cut-out leaves).
 */
export interface Occluder {
  readonly positions: Float32Array;
  readonly albedo: Float32Array;
  readonly opacity: Float32Array;
}

/** A lattice of cubes round a scene. Cell (x, y, z) has index x + nx (y + ny z) and centre origin + (i + 0.5) size. */
export interface Lattice {
  readonly nx: number;
  readonly ny: number;
  readonly nz: number;
  readonly size: number;
  readonly origin: readonly [number, number, number];
}

/** Matter of some triangles in the lattice, cell by cell (only cells that hold any). */
export interface Matter {
  /** Cell index of each entry, rising. */
  readonly cells: Uint32Array;
  /** Share of a cell's face hidden by the matter in it, seen along x, y and z: 3 an entry, 0..1. */
  readonly opacity: Float32Array;
  /** Mean linear albedo, 3 an entry. */
  readonly albedo: Float32Array;
}

/** A lattice for a box: about `budget` cells, none smaller than `finest` metres; one ring of empty cells all round. */
export function latticeFor(box: Box, budget: number, finest: number): Lattice {
  const extent = [0, 1, 2].map((i) => Math.max(box.max[i]! - box.min[i]!, 1e-3)) as [number, number, number];
  let size = Math.max(finest, Math.cbrt((extent[0] * extent[1] * extent[2]) / budget), Math.max(...extent) / 250);
  for (;;) {
    const [nx, ny, nz] = extent.map((length) => Math.ceil(length / size) + 3) as [number, number, number];
    if (nx * ny * nz <= budget || size > Math.max(...extent)) {
      // A floor at the bottom of the box falls in the middle of a cell, never on a cell boundary.
      const origin = [
        (box.min[0] + box.max[0] - nx * size) / 2,
        box.min[1] - 1.75 * size,
        (box.min[2] + box.max[2] - nz * size) / 2,
      ] as const;
      return { nx, ny, nz, size, origin };
    }
    size *= 1.03;
  }
}

/**
 * Spreads triangles over the lattice by area: points at most half a cell apart, each carrying its share of the area.
 * A face seen along an axis hides sum(area |n|) / cell face; front- and back-facing area count apart, so that a board
 * inside one cell is opaque once, not twice.
 */
export function spreadMatter(lattice: Lattice, occluders: readonly Occluder[]): Matter {
  const { nx, ny, nz, size, origin } = lattice;
  const slot = new Int32Array(nx * ny * nz).fill(-1);
  const cells: number[] = [];
  // Per entry: six one-sided areas, then albedo x area (3) and area.
  let sums = new Float64Array(10 * 4096);
  const face = size * size;
  for (const { positions, albedo, opacity } of occluders) {
    for (let triangle = 0; triangle < opacity.length; triangle += 1) {
      const p = 9 * triangle;
      const ax = positions[p]!;
      const ay = positions[p + 1]!;
      const az = positions[p + 2]!;
      const ux = positions[p + 3]! - ax;
      const uy = positions[p + 4]! - ay;
      const uz = positions[p + 5]! - az;
      const vx = positions[p + 6]! - ax;
      const vy = positions[p + 7]! - ay;
      const vz = positions[p + 8]! - az;
      const cx = uy * vz - uz * vy;
      const cy = uz * vx - ux * vz;
      const cz = ux * vy - uy * vx;
      const double = Math.sqrt(cx * cx + cy * cy + cz * cz);
      if (!(double > 1e-12)) continue;
      const longest = Math.sqrt(
        Math.max(
          ux * ux + uy * uy + uz * uz,
          vx * vx + vy * vy + vz * vz,
          (ux - vx) ** 2 + (uy - vy) ** 2 + (uz - vz) ** 2,
        ),
      );
      const steps = Math.min(Math.max(1, Math.ceil((2 * longest) / size)), 4096);
      const share = (opacity[triangle]! * double) / 2 / (steps * steps);
      const sx = (share * cx) / double;
      const sy = (share * cy) / double;
      const sz = (share * cz) / double;
      const [red, green, blue] = [albedo[3 * triangle]!, albedo[3 * triangle + 1]!, albedo[3 * triangle + 2]!];
      // The triangle cut into steps^2 equal ones; a point at the centre of each.
      for (let i = 0; i < steps; i += 1)
        for (let j = 0; j < 2 * (steps - i) - 1; j += 1) {
          const s = (i + (j & 1 ? 2 / 3 : 1 / 3)) / steps;
          const t = ((j >> 1) + (j & 1 ? 2 / 3 : 1 / 3)) / steps;
          const x = Math.floor((ax + s * ux + t * vx - origin[0]) / size);
          const y = Math.floor((ay + s * uy + t * vy - origin[1]) / size);
          const z = Math.floor((az + s * uz + t * vz - origin[2]) / size);
          if (x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz) continue;
          const cell = x + nx * (y + ny * z);
          let entry = slot[cell]!;
          if (entry < 0) {
            entry = cells.length;
            slot[cell] = entry;
            cells.push(cell);
            if (10 * cells.length > sums.length) {
              const grown = new Float64Array(2 * sums.length);
              grown.set(sums);
              sums = grown;
            }
          }
          const at = 10 * entry;
          if (sx > 0) sums[at]! += sx;
          else sums[at + 1]! -= sx;
          if (sy > 0) sums[at + 2]! += sy;
          else sums[at + 3]! -= sy;
          if (sz > 0) sums[at + 4]! += sz;
          else sums[at + 5]! -= sz;
          sums[at + 6]! += share * red;
          sums[at + 7]! += share * green;
          sums[at + 8]! += share * blue;
          sums[at + 9]! += share;
        }
    }
  }
  const order = Uint32Array.from(cells).sort();
  const opacity = new Float32Array(3 * order.length);
  const albedo = new Float32Array(3 * order.length);
  order.forEach((cell, index) => {
    const at = 10 * slot[cell]!;
    for (let axis = 0; axis < 3; axis += 1) {
      opacity[3 * index + axis] = Math.min(1, Math.max(sums[at + 2 * axis]!, sums[at + 2 * axis + 1]!) / face);
      albedo[3 * index + axis] = sums[at + 6 + axis]! / Math.max(sums[at + 9]!, 1e-12);
    }
  });
  return { cells: order, opacity, albedo };
}
