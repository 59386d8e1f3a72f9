import type { Failure } from '../core/outcome.ts';
import type { Random } from '../core/random.ts';
import type { Scene } from '../core/scene.ts';
import { labelWords } from '../scenes/kit/categories.ts';
import { type Footprint, localPoint, overlapDepth } from '../scenes/policies/footprint.ts';
import { standingAt } from './placing/draws.ts';
import { type Group, groupsOf } from './placing/groups.ts';
import { editOf, fits, landed, TOUCH } from './placing/rearrange.ts';
import type { FloorMove } from './placing/rigid.ts';
import type { SceneEdit, SceneProbe } from './probe.ts';

/** Width, depth and height of two objects of similar size differ at most by this factor, the geometric mean of the three. */
const SIMILAR = 1.6;

/**
 * Two objects of other names and similar size exchange place and direction, with what they carry; everything else stays.
 * Drawn among the pairs on the floor of one room that fit in each other's place, back where the other's back was, shifted by
 * at most 30 cm each way.
 */
export const swapped: SceneProbe = {
  name: 'swapped',
  kind: 'scene',
  control: false,
  expectation:
    'lowers the score of an evaluator that reads which object stands where: two of similar size change places',
  about: ['relations'],
  edit: async ({ scene }, random) => swap(scene, random),
};

function swap(scene: Scene, random: Random): SceneEdit | Failure {
  if (scene.objects.length < 2)
    return { status: 'skipped', reason: scene.objects.length === 0 ? 'no objects' : 'fewer than two objects' };
  const groups = groupsOf(scene, 'move');
  const name = (group: Group) => {
    const root = group.members.find(({ object }) => object.id === group.id);
    return labelWords(root?.object.label ?? '').join(' ');
  };
  const standing = groups.filter(({ mounting }) => mounting === 'floor');
  const pairs = standing
    .flatMap((first, index) => standing.slice(index + 1).map((second) => [first, second] as const))
    .filter(([a, b]) => a.area === b.area && name(a) !== name(b) && unlikeness(a, b) <= Math.log(SIMILAR));
  if (pairs.length === 0)
    return { status: 'skipped', reason: 'no two objects on the floor have other names and similar sizes' };
  for (const [a, b] of random.shuffle(pairs)) {
    const others = bodiesOf(groups.filter((group) => group !== a && group !== b));
    const [first, second] = [settle(a, standingAt(b), others), settle(b, standingAt(a), others)];
    if (first === null || second === null) continue;
    const [there, here] = [bodyOf(a, first), bodyOf(b, second)];
    if (there.some((box) => here.some((other) => overlapDepth(box, other) > TOUCH))) continue;
    return editOf(
      new Map([
        [a, first],
        [b, second],
      ]),
    );
  }
  return { status: 'skipped', reason: 'no two objects of similar size fit in each other’s place' };
}

/** Mean over width, height and depth of the absolute logarithm of the ratio. */
function unlikeness(a: Group, b: Group): number {
  const [p, q] = [standingAt(a), standingAt(b)];
  const ratios = [
    [p.width, q.width],
    [p.depth, q.depth],
    [p.high - p.low, q.high - q.low],
  ] as const;
  return ratios.reduce((sum, [first, second]) => sum + Math.abs(Math.log(first / second)) / 3, 0);
}

/**
 * The move of a group to another's place: its back where the other's back was and the same way round, shifted as little as it
 * takes to stand inside the room and clear of everything else; null when no shift of `SHIFTS` does.
 */
function settle(group: Group, place: Footprint, others: readonly Footprint[]): FloorMove | null {
  const own = standingAt(group);
  const [x, z] = localPoint(place, 0, (own.depth - place.depth) / 2);
  for (const [right, front] of SHIFTS) {
    const to = localPoint({ x, z, yaw: place.yaw }, right, front);
    const move: FloorMove = { pivot: [own.x, own.z], to, turn: place.yaw - own.yaw };
    if (fits(group, move, others)) return move;
  }
  return null;
}

/** Shifts to the right and to the front, metres, every 5 cm, smallest first. */
const SHIFTS: readonly (readonly [number, number])[] = Array.from({ length: 13 * 13 }, (_, index) => {
  const [right, front] = [(index % 13) - 6, Math.floor(index / 13) - 6];
  return [0.05 * right, 0.05 * front] as const;
}).sort((a, b) => Math.hypot(...a) - Math.hypot(...b) || a[0] - b[0] || a[1] - b[1]);

/** The boxes of everything in the way: rugs are not. */
function bodiesOf(groups: readonly Group[]): Footprint[] {
  return groups.filter(({ mounting }) => mounting !== 'rug').flatMap(({ members }) => members.map(({ box }) => box));
}

function bodyOf(group: Group, move: FloorMove): Footprint[] {
  return group.members.map((member) => landed(member, move));
}
