import { AuditError, quoted } from '../core/errors.ts';
import type { Opening, Point, Room, Wall } from '../core/scene.ts';
import type { MeshPart, PartMaterial } from './draft.ts';
import { MeshBuilder } from './mesh-builder.ts';
import { signedArea, triangulatePolygon, whyNotSimple } from './polygon.ts';
import { wallFootprint } from './wall-footprint.ts';

/** Thickness of a wall, metres; it stands outside the floor polygon. */
export const WALL_THICKNESS = 0.1;
/** Thickness of a wall that another room's wall stands against: both halves of a partition, so that neither buries furniture. */
export const PARTITION_THICKNESS = 0.01;
/** Thickness of the floor slab, metres; its top is y = 0. Walls start at its underside. */
export const FLOOR_THICKNESS = 0.05;

/**
 * Walls along every edge of a floor polygon, ids `w0`, `w1`, ... in the order of the points; normals point outward
 * whichever way the polygon winds.
 *
 * @param openings holes by edge number; `from` and `to` are metres from the edge's first point
 * @throws AuditError when the polygon is not simple
 */
export function wallsAlong(
  floor: readonly Point[],
  height: number,
  openings: Readonly<Record<number, readonly Opening[]>> = {},
): Wall[] {
  const why = whyNotSimple(floor);
  if (why !== null)
    throw new AuditError(`room-shell: floor polygon ${quoted(floor)} ${why}; expected a simple polygon`);
  const outward = signedArea(floor) > 0 ? 1 : -1;
  return floor.map((start, index) => {
    const end = floor[(index + 1) % floor.length] as Point;
    return {
      id: `w${index}`,
      start,
      end,
      normal: normalOf(start, end, outward),
      height,
      openings: [...(openings[index] ?? [])],
    };
  });
}

/** Unit normal of the segment in x/z; `side` 1 is the outer side of a polygon with positive signed area. */
export function normalOf(start: Point, end: Point, side: 1 | -1): Point {
  const dx = end[0] - start[0];
  const dz = end[1] - start[1];
  const length = Math.hypot(dx, dz);
  // "+ 0" turns -0 into 0, so that equal scenes have equal JSON.
  return [(side * dz) / length + 0, (-side * dx) / length + 0];
}

/** A room with this outline: walls along every edge. */
export function polygonRoom(options: {
  readonly id: string;
  readonly type: string;
  readonly floor: readonly Point[];
  readonly height: number;
  readonly openings?: Readonly<Record<number, readonly Opening[]>>;
}): Room {
  return {
    id: options.id,
    type: options.type,
    floor: [...options.floor],
    wallHeight: options.height,
    walls: wallsAlong(options.floor, options.height, options.openings),
  };
}

/**
 * A rectangle centred on the origin, `width` along x and `depth` along z. Edges in order: 0 back wall (z = -depth/2, from
 * -x to +x), 1 right (x = +width/2), 2 front (z = +depth/2), 3 left.
 */
export function rectangularRoom(options: {
  readonly id: string;
  readonly type: string;
  readonly width: number;
  readonly depth: number;
  readonly height: number;
  readonly openings?: Readonly<Record<number, readonly Opening[]>>;
}): Room {
  const x = options.width / 2;
  const z = options.depth / 2;
  const floor: Point[] = [
    [-x, -z],
    [x, -z],
    [x, z],
    [-x, z],
  ];
  return polygonRoom({ ...options, floor });
}

/** Geometry of one room in scene space, one part a surface. */
export interface RoomShell {
  readonly floor: MeshPart;
  readonly walls: readonly { readonly wall: string; readonly part: MeshPart }[];
}

/**
 * Floor slab (top y = 0, texture repeats once a metre) and walls of a room. A wall is a prism outside the floor polygon,
 * mitred against the walls that share its ends, its openings cut through with their reveals.
 *
 * @param others every other room of the scene: a wall that stands against one of their walls is a thin partition
 */
export function roomShell(
  room: Room,
  surfaces: { readonly floor: PartMaterial; readonly wall: PartMaterial },
  others: readonly Room[] = [],
): RoomShell {
  const neighbours = others.flatMap((other) => other.walls);
  const thicknesses = new Map(
    room.walls.map((wall) => [
      wall,
      neighbours.some((other) => standsAgainst(wall, other)) ? PARTITION_THICKNESS : WALL_THICKNESS,
    ]),
  );
  return {
    floor: floorSlab(room, surfaces.floor),
    walls: room.walls.map((wall) => ({ wall: wall.id, part: wallPrism(wall, room.walls, thicknesses, surfaces.wall) })),
  };
}

/** True when the two walls run along one line, back to back, and overlap by more than a centimetre. */
function standsAgainst(wall: Wall, other: Wall): boolean {
  if (wall.normal[0] * other.normal[0] + wall.normal[1] * other.normal[1] > -0.999) return false;
  const length = Math.hypot(wall.end[0] - wall.start[0], wall.end[1] - wall.start[1]);
  const direction: Point = [(wall.end[0] - wall.start[0]) / length, (wall.end[1] - wall.start[1]) / length];
  const along = (point: Point): number =>
    (point[0] - wall.start[0]) * direction[0] + (point[1] - wall.start[1]) * direction[1];
  const across = (point: Point): number =>
    (point[0] - wall.start[0]) * wall.normal[0] + (point[1] - wall.start[1]) * wall.normal[1];
  // Walls a few centimetres apart would also stick through each other at full thickness.
  if (across(other.start) < -0.01 || across(other.start) > 2 * WALL_THICKNESS) return false;
  const low = Math.max(0, Math.min(along(other.start), along(other.end)));
  const high = Math.min(length, Math.max(along(other.start), along(other.end)));
  return high - low > 0.01;
}

function floorSlab(room: Room, material: PartMaterial): MeshPart {
  const builder = new MeshBuilder(true);
  const turn = signedArea(room.floor) > 0 ? 1 : -1;
  // Seen from above (+y), the (x, z) plane is mirrored: positive winding must be reversed to face up.
  for (const triangle of triangulatePolygon(room.floor)) {
    const corners = triangle.map((index) => room.floor[index] as Point);
    const up = turn > 0 ? [...corners].reverse() : corners;
    builder.triangle(
      up.map(([x, z]) => [x, 0, z]),
      [0, 1, 0],
      up,
    );
    const down = [...up].reverse();
    builder.triangle(
      down.map(([x, z]) => [x, -FLOOR_THICKNESS, z]),
      [0, -1, 0],
      down,
    );
  }
  room.floor.forEach((start, index) => {
    const end = room.floor[(index + 1) % room.floor.length] as Point;
    const [a, b] = turn > 0 ? [start, end] : [end, start];
    const normal = normalOf(start, end, turn);
    const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
    builder.quad(
      [
        [b[0], -FLOOR_THICKNESS, b[1]],
        [a[0], -FLOOR_THICKNESS, a[1]],
        [a[0], 0, a[1]],
        [b[0], 0, b[1]],
      ],
      [normal[0], 0, normal[1]],
      [
        [0, 0],
        [length, 0],
        [length, FLOOR_THICKNESS],
        [0, FLOOR_THICKNESS],
      ],
    );
  });
  return builder.part('floor', material);
}

function wallPrism(
  wall: Wall,
  walls: readonly Wall[],
  thicknesses: ReadonlyMap<Wall, number>,
  material: PartMaterial,
): MeshPart {
  const length = Math.hypot(wall.end[0] - wall.start[0], wall.end[1] - wall.start[1]);
  const direction: Point = [(wall.end[0] - wall.start[0]) / length, (wall.end[1] - wall.start[1]) / length];
  const thickness = thicknesses.get(wall) ?? WALL_THICKNESS;
  const outer = wallFootprint(wall, walls, (other) => thicknesses.get(other) ?? WALL_THICKNESS);
  // Which way round is outward: start -> end with the normal on its right or on its left.
  const flip = direction[0] * wall.normal[1] - direction[1] * wall.normal[0] > 0;

  const holes = wall.openings
    .map(({ from, to, bottom, top }) => ({
      from: Math.max(0, Math.min(from, to)),
      to: Math.min(length, Math.max(from, to)),
      bottom: Math.max(0, Math.min(bottom, top)),
      top: Math.min(wall.height, Math.max(bottom, top)),
    }))
    .filter((hole) => hole.to - hole.from > 1e-6 && hole.top - hole.bottom > 1e-6);
  const us = breaks([0, length, ...holes.flatMap((hole) => [hole.from, hole.to])]);
  const vs = breaks([-FLOOR_THICKNESS, wall.height, ...holes.flatMap((hole) => [hole.bottom, hole.top])]);
  const solid = (i: number, j: number): boolean => {
    if (i < 0 || j < 0 || i >= us.length - 1 || j >= vs.length - 1) return false;
    const u = ((us[i] as number) + (us[i + 1] as number)) / 2;
    const v = ((vs[j] as number) + (vs[j + 1] as number)) / 2;
    return !holes.some((hole) => hole.from < u && u < hole.to && hole.bottom < v && v < hole.top);
  };
  // The outer face may be longer or shorter than the inner one (mitres): its first and last break follow the mitre.
  const outerAt = (i: number): number => {
    if (i === 0) return outer.from;
    if (i === us.length - 1) return outer.to;
    return Math.min(outer.to, Math.max(outer.from, us[i] as number));
  };
  const inner3 = (i: number, j: number): number[] => {
    const u = us[i] as number;
    return [wall.start[0] + direction[0] * u, vs[j] as number, wall.start[1] + direction[1] * u];
  };
  const outer3 = (i: number, j: number): number[] => {
    const u = outerAt(i);
    return [
      wall.start[0] + direction[0] * u + wall.normal[0] * thickness,
      vs[j] as number,
      wall.start[1] + direction[1] * u + wall.normal[1] * thickness,
    ];
  };
  const builder = new MeshBuilder(material.texture !== undefined);
  const face = (corners: number[][], uvs: number[][]): void => {
    builder.flatQuad(flip ? [...corners].reverse() : corners, flip ? [...uvs].reverse() : uvs);
  };
  for (let i = 0; i < us.length - 1; i += 1)
    for (let j = 0; j < vs.length - 1; j += 1) {
      if (!solid(i, j)) continue;
      const [u0, u1, v0, v1] = [us[i], us[i + 1], vs[j], vs[j + 1]] as [number, number, number, number];
      const flat = [
        [u0, v0],
        [u1, v0],
        [u1, v1],
        [u0, v1],
      ];
      const depth = (a: number, b: number): number[][] => [
        [0, a],
        [thickness, a],
        [thickness, b],
        [0, b],
      ];
      face([inner3(i, j), inner3(i + 1, j), inner3(i + 1, j + 1), inner3(i, j + 1)], flat);
      face([outer3(i + 1, j), outer3(i, j), outer3(i, j + 1), outer3(i + 1, j + 1)], [...flat].reverse());
      if (!solid(i - 1, j)) face([outer3(i, j), inner3(i, j), inner3(i, j + 1), outer3(i, j + 1)], depth(v0, v1));
      if (!solid(i + 1, j))
        face([inner3(i + 1, j), outer3(i + 1, j), outer3(i + 1, j + 1), inner3(i + 1, j + 1)], depth(v0, v1));
      if (!solid(i, j - 1)) face([outer3(i, j), outer3(i + 1, j), inner3(i + 1, j), inner3(i, j)], depth(u0, u1));
      if (!solid(i, j + 1))
        face([inner3(i, j + 1), inner3(i + 1, j + 1), outer3(i + 1, j + 1), outer3(i, j + 1)], depth(u0, u1));
    }
  return builder.part('wall', material);
}

/** Sorted distinct values, a micrometre apart at least. */
function breaks(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.filter((value, index) => index === 0 || value - (sorted[index - 1] as number) > 1e-6);
}
