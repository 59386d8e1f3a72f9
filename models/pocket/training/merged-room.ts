import { Random } from '../../../src/core/random.ts';
import { decodeSrgb } from '../../../src/rendering/agx.ts';
import type { MeshPart, PartMaterial } from '../../../src/scenes/draft.ts';
import { buildFurniture } from '../../../src/scenes/kit/furniture.ts';
import { roomShell } from '../../../src/scenes/room-shell.ts';
import { floorMaterial } from '../../../src/scenes/surfaces.ts';
import type { Piece, RoomPlan } from './room-plan.ts';

/** A run of triangles that is shown or hidden together. */
export interface Section {
  /** `furniture`, `floor` or `wall:<id>`. */
  readonly name: string;
  /** First index and number of indices. */
  readonly start: number;
  readonly count: number;
}

/** One room as world-space triangles with their surface baked into the vertices, as the renderer's page merges a GLB. */
export interface MergedRoom {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** Linear RGB. */
  readonly tints: Float32Array;
  /** Roughness, metalness, emission, opacity. */
  readonly surfaces: Float32Array;
  readonly uvs: Float32Array;
  /** 1 floor, 2 wall, 3 + k piece k. */
  readonly ids: Float32Array;
  readonly indices: Uint32Array;
  readonly sections: readonly Section[];
  /** Name of the floor's texture, null for a plain colour. */
  readonly texture: string | null;
}

/** Box of a room and its walls, metres. */
export interface RoomBox {
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
}

class Merger {
  readonly #parts: { part: MeshPart; id: number; matrix: readonly number[] | null }[] = [];
  readonly #sections: Section[] = [];
  #vertices = 0;
  #indices = 0;
  #start = 0;

  add(part: MeshPart, id: number, matrix: readonly number[] | null = null): void {
    this.#parts.push({ part, id, matrix });
    this.#vertices += part.positions.length / 3;
    this.#indices += part.indices.length;
  }

  close(name: string): void {
    this.#sections.push({ name, start: this.#start, count: this.#indices - this.#start });
    this.#start = this.#indices;
  }

  merge(texture: string | null): MergedRoom {
    const room: MergedRoom = {
      positions: new Float32Array(3 * this.#vertices),
      normals: new Float32Array(3 * this.#vertices),
      tints: new Float32Array(3 * this.#vertices),
      surfaces: new Float32Array(4 * this.#vertices),
      uvs: new Float32Array(2 * this.#vertices),
      ids: new Float32Array(this.#vertices),
      indices: new Uint32Array(this.#indices),
      sections: this.#sections,
      texture,
    };
    let vertex = 0;
    let index = 0;
    for (const { part, id, matrix } of this.#parts) {
      const count = part.positions.length / 3;
      const { colour, roughness, metalness } = part.material;
      const tint = colour.map(decodeSrgb);
      // [cosine, sine, x, y, z] of a turn about +Y and a shift.
      const [c, s, x, y, z] = matrix ?? [1, 0, 0, 0, 0];
      for (let at = 0; at < count; at += 1) {
        const to = vertex + at;
        const [px, py, pz] = [part.positions[3 * at]!, part.positions[3 * at + 1]!, part.positions[3 * at + 2]!];
        const [nx, ny, nz] = [part.normals[3 * at]!, part.normals[3 * at + 1]!, part.normals[3 * at + 2]!];
        room.positions[3 * to] = px * c! + pz * s! + x!;
        room.positions[3 * to + 1] = py + y!;
        room.positions[3 * to + 2] = -px * s! + pz * c! + z!;
        room.normals[3 * to] = nx * c! + nz * s!;
        room.normals[3 * to + 1] = ny;
        room.normals[3 * to + 2] = -nx * s! + nz * c!;
        room.tints.set(tint, 3 * to);
        room.surfaces[4 * to] = roughness;
        room.surfaces[4 * to + 1] = metalness;
        room.surfaces[4 * to + 3] = 1;
        if (part.uvs !== undefined) {
          room.uvs[2 * to] = part.uvs[2 * at]!;
          room.uvs[2 * to + 1] = part.uvs[2 * at + 1]!;
        }
        room.ids[to] = id;
      }
      for (let at = 0; at < part.indices.length; at += 1) room.indices[index + at] = part.indices[at]! + vertex;
      vertex += count;
      index += part.indices.length;
    }
    return room;
  }
}

/** Kit geometry by category and look, each built once. */
export class PieceCache {
  readonly #built = new Map<string, MeshPart[]>();

  parts(piece: Piece): MeshPart[] {
    const key = `${piece.category}/${piece.variant}`;
    const known = this.#built.get(key);
    if (known !== undefined) return known;
    const parts = buildFurniture(piece.category, piece.size, new Random(piece.variant, 'pocket', piece.category));
    this.#built.set(key, parts);
    return parts;
  }
}

/** Triangles of a furnished room: furniture, floor, then each wall. */
export async function mergeRoom(plan: RoomPlan, cache: PieceCache): Promise<MergedRoom> {
  const merger = new Merger();
  plan.pieces.forEach((piece, index) => {
    const place = [Math.cos(piece.yaw), Math.sin(piece.yaw), piece.x, piece.y, piece.z];
    for (const part of cache.parts(piece)) merger.add(part, 3 + index, place);
  });
  merger.close('furniture');
  const floor: PartMaterial =
    plan.floorColour === null
      ? await floorMaterial(plan.floor.kind, plan.floor.variant)
      : { name: 'floor', colour: plan.floorColour, roughness: 0.6, metalness: 0 };
  const wall: PartMaterial = { name: 'wall', colour: plan.wallColour, roughness: 0.9, metalness: 0 };
  const shell = roomShell(plan.room, { floor, wall });
  merger.add(shell.floor, 1);
  merger.close('floor');
  for (const { wall: id, part } of shell.walls) {
    merger.add(part, 2);
    merger.close(`wall:${id}`);
  }
  return merger.merge(plan.floorColour === null ? `${plan.floor.kind}/${plan.floor.variant}` : null);
}

/** Box of all triangles, as the renderer frames a scene. */
export function boxOf(positions: Float32Array): RoomBox {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let at = 0; at < positions.length; at += 1) {
    const axis = at % 3;
    const value = positions[at]!;
    if (value < min[axis]!) min[axis] = value;
    if (value > max[axis]!) max[axis] = value;
  }
  return { min, max };
}
