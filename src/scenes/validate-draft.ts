import { AuditError, quoted } from '../core/errors.ts';
import type { SceneDraft } from './draft.ts';
import { whyNotSimple } from './polygon.ts';

/** How far a transform may be from a rotation (entries of R'R - I, determinant - 1). */
export const RIGID_TOLERANCE = 1e-4;

/**
 * What the schema cannot say: unique ids, rigid transforms, supports that exist without going round, simple floors,
 * finite geometry.
 *
 * @throws AuditError naming the scene, the thing and the value
 */
export function validateDraft(draft: SceneDraft): void {
  const fail = (what: string): never => {
    throw new AuditError(`scene ${quoted(draft.id)}: ${what}`);
  };
  const objects = new Map(draft.objects.map((object) => [object.id, object]));
  if (objects.size !== draft.objects.length)
    fail(`duplicate object id ${quoted(doubled(draft.objects))}; expected unique ids`);
  const rooms = new Set(draft.rooms.map((room) => room.id));
  if (rooms.size !== draft.rooms.length) fail(`duplicate room id ${quoted(doubled(draft.rooms))}; expected unique ids`);
  for (const room of draft.rooms) {
    const why = whyNotSimple(room.floor);
    if (why !== null) fail(`room ${quoted(room.id)}: invalid floor polygon, it ${why}; expected a simple polygon`);
    if (new Set(room.walls.map((wall) => wall.id)).size !== room.walls.length)
      fail(`room ${quoted(room.id)}: duplicate wall id ${quoted(doubled(room.walls))}; expected unique ids`);
    for (const wall of room.walls) {
      if (Math.hypot(wall.end[0] - wall.start[0], wall.end[1] - wall.start[1]) < 1e-6)
        fail(`room ${quoted(room.id)}: wall ${quoted(wall.id)} has no length; expected two different ends`);
      if (Math.abs(Math.hypot(...wall.normal) - 1) > 1e-4)
        fail(
          `room ${quoted(room.id)}: wall ${quoted(wall.id)}: invalid normal ${quoted(wall.normal)}; expected length 1`,
        );
    }
  }
  for (const id of Object.keys(draft.surfaces ?? {}))
    if (!rooms.has(id)) fail(`surfaces of unknown room ${quoted(id)}; expected one of ${[...rooms].join(', ')}`);
  for (const object of draft.objects) {
    const where = `object ${quoted(object.id)}`;
    const why = whyNotRigid(object.transform);
    if (why !== null) fail(`${where}: invalid transform (${why}); expected a rotation and a translation`);
    const seen = new Set<string>([object.id]);
    for (let support = object.supportedBy; support !== null; support = objects.get(support)?.supportedBy ?? null) {
      if (!objects.has(support)) fail(`${where}: unknown supporting object ${quoted(support)}; expected an object id`);
      if (seen.has(support)) fail(`${where}: supports go round through ${quoted(support)}; expected no cycle`);
      seen.add(support);
    }
    if (object.geometry.kind !== 'proxy') continue;
    for (const part of object.geometry.parts) {
      if (
        part.positions.length % 3 !== 0 ||
        part.normals.length !== part.positions.length ||
        part.indices.length % 3 !== 0
      )
        fail(
          `${where}: part ${quoted(part.name)}: array lengths do not fit; expected 3 numbers a vertex and a triangle`,
        );
      if (!part.positions.every(Number.isFinite) || !part.normals.every(Number.isFinite))
        fail(`${where}: part ${quoted(part.name)} is not finite; expected finite positions and normals`);
      const vertices = part.positions.length / 3;
      if (!part.indices.every((index) => index < vertices))
        fail(
          `${where}: part ${quoted(part.name)} has an index beyond its ${vertices} vertices; expected smaller indices`,
        );
    }
  }
}

/** Why a column-major 4x4 matrix is not a rotation with a translation, or null. */
export function whyNotRigid(matrix: readonly number[]): string | null {
  if (matrix.length !== 16 || !matrix.every(Number.isFinite)) return 'not 16 finite numbers';
  const m = matrix as number[];
  if (m[3] !== 0 || m[7] !== 0 || m[11] !== 0 || m[15] !== 1) return 'last row is not 0 0 0 1';
  const column = (index: number): [number, number, number] =>
    [m[4 * index], m[4 * index + 1], m[4 * index + 2]] as [number, number, number];
  const [a, b, c] = [column(0), column(1), column(2)];
  const dot = (p: readonly number[], q: readonly number[]): number =>
    p.reduce((sum, value, k) => sum + value * (q[k] as number), 0);
  const pairs: readonly [readonly number[], readonly number[], number][] = [
    [a, a, 1],
    [b, b, 1],
    [c, c, 1],
    [a, b, 0],
    [a, c, 0],
    [b, c, 0],
  ];
  for (const [p, q, expected] of pairs)
    if (Math.abs(dot(p, q) - expected) > RIGID_TOLERANCE) return 'it scales or shears';
  const determinant =
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  return Math.abs(determinant - 1) > RIGID_TOLERANCE ? 'it mirrors' : null;
}

function doubled(items: readonly { readonly id: string }[]): string {
  return items.find((item, index) => items.findIndex((other) => other.id === item.id) < index)?.id ?? '';
}
