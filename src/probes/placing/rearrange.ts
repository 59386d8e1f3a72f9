import { compareText } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';
import type { Scene } from '../../core/scene.ts';
import { type Footprint, overlapDepth } from '../../scenes/policies/footprint.ts';
import type { SceneEdit } from '../probe.ts';
import { boxInside } from './area.ts';
import { type Group, groupsOf, type Member, type SupportedChoice } from './groups.ts';
import { type FloorMove, moveBox, moveTransform } from './rigid.ts';

/** A pose to try, or null when this draw gives none. */
export type DrawMove = (group: Group, random: Random, share: number) => FloorMove | null;

/** How deep boxes may touch before it counts as a collision, metres. */
export const TOUCH = 0.004;
/** How far a thing on a wall may reach over the outline of the floor, metres. */
const WALL_TOLERANCE = 0.05;
/** Draws an object gets in one attempt, and attempts a set of objects gets. */
const TRIES = 300;
const ATTEMPTS = 4;
/** Least draws in a scene of very many objects. */
const FEWEST_TRIES = 20;

/**
 * Moves every group of a scene (objects with what they carry) to a pose that `draw` proposes, so that it stands inside its
 * room and collides with nothing that has moved or stayed; rugs collide only with rugs. Groups are placed largest first in
 * a random order; tries are bounded. What no try could place keeps its pose, the others are placed round it, and it is
 * listed in `unplaced`.
 *
 * @param held groups that are not to move at all: they stay where they are and are not listed
 */
export function rearrange(
  scene: Pick<Scene, 'objects' | 'rooms'>,
  random: Random,
  draw: DrawMove,
  options: { readonly supported: SupportedChoice; readonly held?: (group: Group) => boolean },
): SceneEdit {
  const groups = groupsOf(scene, options.supported);
  const free = groups.filter((group) => !(options.held?.(group) ?? false));
  const held = groups.filter((group) => !free.includes(group));
  const tries = Math.max(FEWEST_TRIES, Math.min(TRIES, Math.floor(3e7 / (scene.objects.length ** 2 + 1))));
  const stuck = new Set<Group>();
  for (;;) {
    let best: { moves: Map<Group, FloorMove>; failed: Group[] } | null = null;
    for (let attempt = 0; attempt < ATTEMPTS && (best === null || best.failed.length > 0); attempt += 1) {
      const order = inOrder(
        free.filter((group) => !stuck.has(group)),
        random,
      );
      const found = placeAll(order, [...held, ...stuck], random, draw, tries);
      if (best === null || found.failed.length < best.failed.length) best = found;
    }
    const { moves, failed } = best as { moves: Map<Group, FloorMove>; failed: Group[] };
    if (failed.length === 0) return editOf(moves, stuck);
    for (const group of failed) stuck.add(group);
  }
}

/** Larger groups mostly first, so that they find room; the order differs from attempt to attempt. */
function inOrder(groups: readonly Group[], random: Random): Group[] {
  return groups
    .map((group) => {
      const area = Math.max(...group.members.map(({ box }) => box.width * box.depth));
      return { group, key: area * random.between(0.7, 1.3) };
    })
    .sort((a, b) => b.key - a.key || compareText(a.group.id, b.group.id))
    .map(({ group }) => group);
}

function placeAll(
  order: readonly Group[],
  standing: readonly Group[],
  random: Random,
  draw: DrawMove,
  tries: number,
): { moves: Map<Group, FloorMove>; failed: Group[] } {
  const blocked: Record<'rug' | 'other', Footprint[]> = { rug: [], other: [] };
  for (const group of standing) blocked[layerOf(group)].push(...group.members.map(({ box }) => box));
  const moves = new Map<Group, FloorMove>();
  const failed: Group[] = [];
  for (const group of order) {
    const obstacles = blocked[layerOf(group)];
    let move: FloorMove | null = null;
    for (let attempt = 0; attempt < tries && move === null; attempt += 1) {
      const drawn = draw(group, random, attempt / tries);
      if (drawn !== null && fits(group, drawn, obstacles)) move = drawn;
    }
    if (move === null) failed.push(group);
    else moves.set(group, move);
    for (const member of group.members) obstacles.push(move === null ? member.box : landed(member, move));
  }
  return { moves, failed };
}

function layerOf(group: Group): 'rug' | 'other' {
  return group.mounting === 'rug' ? 'rug' : 'other';
}

/** A member's box after a move and a fall. */
export function landed({ box, drop }: Member, move: FloorMove): Footprint {
  const moved = moveBox(box, move);
  return drop === 0 ? moved : { ...moved, low: moved.low - drop, high: moved.high - drop };
}

/** Whether a group stands inside its room after a move, clear of all obstacles. */
export function fits(group: Group, move: FloorMove, obstacles: readonly Footprint[], allowed = TOUCH): boolean {
  return group.members.every((member) => {
    const box = landed(member, move);
    if (!boxInside(box, group.area, group.mounting === 'wall' ? WALL_TOLERANCE : undefined)) return false;
    return obstacles.every((obstacle) => overlapDepth(box, obstacle) <= allowed);
  });
}

/** The edit that makes these moves; sorted by id. */
export function editOf(moves: ReadonlyMap<Group, FloorMove>, stuck: Iterable<Group> = []): SceneEdit {
  const moved = [...moves].flatMap(([group, move]) =>
    group.members.map(({ object, drop }) => ({
      id: object.id,
      from: [...object.transform],
      to: moveTransform(object.transform, move, drop),
    })),
  );
  const unplaced = [...stuck].flatMap(({ members }) => members.map(({ object }) => object.id)).sort(compareText);
  return {
    moved: moved.sort((a, b) => compareText(a.id, b.id)),
    ...(unplaced.length === 0 ? {} : { unplaced }),
  };
}
