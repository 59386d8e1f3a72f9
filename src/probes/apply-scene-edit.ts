import type { Point, Scene, SceneObject, Wall } from '../core/scene.ts';
import type { SceneEdit } from './probe.ts';

/** The scene description after an edit: objects removed, moved, re-cast as proxies; rooms reflected with a mirrored scene. */
export function applySceneEdit(scene: Scene, edit: SceneEdit): Scene {
  const removed = new Set(edit.removed ?? []);
  const moved = new Map((edit.moved ?? []).map(({ id, to }) => [id, [...to]]));
  const falls = new Map((edit.moved ?? []).map(({ id, from, to }) => [id, (from[13] as number) - (to[13] as number)]));
  // an object rests on its supporter as long as both fall equally far, or neither does
  const parted = (id: string, supporter: string): boolean =>
    Math.abs((falls.get(id) ?? 0) - (falls.get(supporter) ?? 0)) > 1e-6;
  const replaced = new Set((edit.replaced ?? []).map(({ id }) => id));
  const plane = edit.mirrored;
  const objects = scene.objects
    .filter(({ id }) => !removed.has(id))
    .map((object): SceneObject => {
      const transform = moved.get(object.id) ?? object.transform;
      return {
        ...object,
        transform: plane === undefined ? transform : mirrorMatrix(transform, plane),
        geometry: replaced.has(object.id) ? 'proxy' : object.geometry,
        supportedBy:
          object.supportedBy === null || removed.has(object.supportedBy) || parted(object.id, object.supportedBy)
            ? null
            : object.supportedBy,
      };
    });
  return {
    ...scene,
    objects,
    rooms: plane === undefined ? scene.rooms : scene.rooms.map((room) => mirrorRoom(room, plane)),
  };
}

/** A rigid transform reflected in the plane x = `plane`: position mirrored, rotation conjugated, so that it stays rigid. */
export function mirrorMatrix(matrix: readonly number[], plane: number): number[] {
  const result = [...matrix];
  // S M S with S = diag(-1, 1, 1): entries with exactly one x index change sign.
  for (const index of [1, 2, 4, 8]) result[index] = -(matrix[index] as number) + 0;
  result[12] = 2 * plane - (matrix[12] as number);
  return result;
}

function mirrorRoom(room: Scene['rooms'][number], plane: number): Scene['rooms'][number] {
  const point = ([x, z]: Point): Point => [2 * plane - x, z];
  const wall = (one: Wall): Wall => ({
    ...one,
    start: point(one.start),
    end: point(one.end),
    normal: [-one.normal[0] + 0, one.normal[1]],
  });
  return { ...room, floor: room.floor.map(point), walls: room.walls.map(wall) };
}
