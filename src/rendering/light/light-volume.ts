import { bounceVolume } from './bounce-volume.ts';
import { CUBE_FACES, padded } from './padded-lattice.ts';
import { openIndex, type Visibility } from './see-sky.ts';
import { type SolverLight, skyCubes } from './sky-cubes.ts';
import { type LightVolume, unfoldVolume } from './unfold-volume.ts';

/**
 * Light arriving at every open cell of the fine lattice: the sky where it is visible, plus diffuse bounces off every
 * surface, solved on a coarser lattice of the same scene (discrete ordinates: each face of each cell with matter gives
 * off B = albedo E / pi; E counts the sky, the sun and the bounces before).
 */
export function solveLight(fine: Visibility, coarse: Visibility, light: SolverLight, bounces: number): LightVolume {
  const cube = skyCubes(fine, light);
  if (bounces > 0) addBounces(cube, fine, bounceVolume(coarse, light, bounces));
  return {
    lattice: fine.lattice,
    data: unfoldVolume(fine.lattice, cube, 4, fine.open, openIndex(fine), fine.matter),
  };
}

/** Samples the coarse bounce half a coarse cell in front of each face of each fine cell. */
function addBounces(cube: Float32Array, { lattice, open }: Visibility, bounce: LightVolume): void {
  const { nx, ny, nz, size, origin } = bounce.lattice;
  const cells = nx * ny * nz;
  const { strides } = padded(lattice);
  for (let j = 0; j < open.length; j += 1) {
    const index = open[j]!;
    const z = Math.floor(index / strides[2]);
    const y = Math.floor((index - z * strides[2]) / strides[1]);
    const x = index - z * strides[2] - y * strides[1];
    const cx = (lattice.origin[0] + (x - 0.5) * lattice.size - origin[0]) / size - 0.5;
    const cy = (lattice.origin[1] + (y - 0.5) * lattice.size - origin[1]) / size - 0.5;
    const cz = (lattice.origin[2] + (z - 0.5) * lattice.size - origin[2]) / size - 0.5;
    for (let face = 0; face < CUBE_FACES; face += 1) {
      const push = 0.25 * (face & 1 ? -1 : 1);
      const sx = Math.min(Math.max(cx + (face < 2 ? push : 0), 0), nx - 1.001);
      const sy = Math.min(Math.max(cy + (face === 2 || face === 3 ? push : 0), 0), ny - 1.001);
      const sz = Math.min(Math.max(cz + (face > 3 ? push : 0), 0), nz - 1.001);
      const [x0, y0, z0] = [Math.floor(sx), Math.floor(sy), Math.floor(sz)];
      const [fx, fy, fz] = [sx - x0, sy - y0, sz - z0];
      const corner = face * cells + x0 + nx * (y0 + ny * z0);
      const to = 4 * (CUBE_FACES * j + face);
      for (let tap = 0; tap < 8; tap += 1) {
        const weight = (tap & 1 ? fx : 1 - fx) * (tap & 2 ? fy : 1 - fy) * (tap & 4 ? fz : 1 - fz);
        const from = 3 * (corner + (tap & 1) + nx * (((tap >> 1) & 1) + ny * (tap >> 2)));
        cube[to]! += weight * bounce.data[from]!;
        cube[to + 1]! += weight * bounce.data[from + 1]!;
        cube[to + 2]! += weight * bounce.data[from + 2]!;
      }
    }
  }
}
