import type { MeshPart, PartMaterial } from './draft.ts';

/** Collects flat-shaded triangles into one mesh part; degenerate triangles are left out. */
export class MeshBuilder {
  readonly #positions: number[] = [];
  readonly #normals: number[] = [];
  readonly #uvs: number[] = [];
  readonly #indices: number[] = [];
  readonly #withUvs: boolean;

  /** @param withUvs keep texture coordinates (only materials with a texture need them) */
  constructor(withUvs: boolean) {
    this.#withUvs = withUvs;
  }

  /** Corners counter-clockwise seen from outside. */
  triangle(
    corners: readonly (readonly number[])[],
    normal: readonly number[],
    uvs: readonly (readonly number[])[],
  ): void {
    if (area(corners) < 1e-12) return;
    const first = this.#positions.length / 3;
    corners.forEach((corner, index) => {
      this.#positions.push(...corner);
      this.#normals.push(...normal);
      if (this.#withUvs) this.#uvs.push(...(uvs[index] as number[]));
    });
    this.#indices.push(first, first + 1, first + 2);
  }

  /** Corners counter-clockwise seen from outside; split along the first and third corner. */
  quad(corners: readonly (readonly number[])[], normal: readonly number[], uvs: readonly (readonly number[])[]): void {
    const pick = <T>(items: readonly T[], numbers: readonly number[]): T[] => numbers.map((n) => items[n] as T);
    this.triangle(pick(corners, [0, 1, 2]), normal, pick(uvs, [0, 1, 2]));
    this.triangle(pick(corners, [0, 2, 3]), normal, pick(uvs, [0, 2, 3]));
  }

  /** A quad with the normal of its own plane. */
  flatQuad(corners: readonly (readonly number[])[], uvs: readonly (readonly number[])[]): void {
    const [a, b, c, d] = corners as [number[], number[], number[], number[]];
    const normal = cross(minus(c, a), minus(d, b));
    const length = Math.hypot(...normal);
    if (length < 1e-12) return;
    this.quad(
      corners,
      normal.map((value) => value / length + 0),
      uvs,
    );
  }

  /** The part; an empty builder gives a part without triangles. */
  part(name: string, material: PartMaterial): MeshPart {
    return {
      name,
      positions: Float32Array.from(this.#positions),
      normals: Float32Array.from(this.#normals),
      ...(this.#withUvs ? { uvs: Float32Array.from(this.#uvs) } : {}),
      indices: Uint32Array.from(this.#indices),
      material,
    };
  }
}

function minus(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, index) => value - (b[index] as number));
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  const [ax, ay, az] = a as [number, number, number];
  const [bx, by, bz] = b as [number, number, number];
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}

function area(corners: readonly (readonly number[])[]): number {
  const [a, b, c] = corners as [number[], number[], number[]];
  return Math.hypot(...cross(minus(b, a), minus(c, a))) / 2;
}
