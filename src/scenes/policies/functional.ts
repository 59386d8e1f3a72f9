import { compareText } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';
import type { Room } from '../../core/scene.ts';
import {
  aroundPoses,
  besidePoses,
  type Candidate,
  freePoses,
  frontPoses,
  middlePoses,
  oppositePoses,
  underPoses,
  wallPoses,
} from './candidates.ts';
import { FloorPlan } from './floor-plan.ts';
import { FUNCTIONAL_RULES, type Rule } from './functional-rules.ts';
import type { ListedObject, PlacedObject } from './policy.ts';
import { ceilingPoses, hangingPoses, onPoses, windowPoses } from './raised-candidates.ts';
import { surfaceCategories } from './surface-categories.ts';

/** Plants and unknown things lower than this go on a surface, metres. */
const SMALL = 0.5;

/** What free floor before a piece is worth against its place along the wall. */
const CLEARANCE_WEIGHT = 1.5;

const ORDER: ReadonlyMap<string, number> = new Map(FUNCTIONAL_RULES.map(([category], at) => [category, at]));
const RULES: ReadonlyMap<string, readonly Rule[]> = new Map(FUNCTIONAL_RULES);

/**
 * Arranges a room for use: bed and sofa at a wall, nightstands beside the bed, chairs at desk and table, the rug under
 * the table, lamps by and on what they light, pictures above furniture, doors kept free, nothing in anything else. What
 * finds no free place stands where it overlaps least.
 */
export function functional(list: readonly ListedObject[], room: Room, random: Random): PlacedObject[] {
  const plan = new FloorPlan(room);
  const rank = (object: ListedObject) => ORDER.get(object.entry?.category ?? '') ?? FUNCTIONAL_RULES.length;
  const ordered = [...list].sort((a, b) => rank(a) - rank(b) || compareText(a.label, b.label));
  for (const object of ordered) {
    const stream = random.derive(object.id);
    const pose = bestPose(plan, object, stream) ?? leastCrowded(plan, object, stream);
    plan.put(object, pose);
  }
  const order = new Map(list.map(({ id }, at) => [id, at]));
  return [...plan.placed].sort((a, b) => (order.get(a.id) as number) - (order.get(b.id) as number));
}

function bestPose(plan: FloorPlan, object: ListedObject, random: Random): Candidate | null {
  for (const rule of rulesFor(object)) {
    const clearance = rule.kind === 'wall' ? (rule.clearance ?? 0) : 0;
    const sides = rule.kind === 'wall' ? (rule.sides ?? 0) : 0;
    const most = CLEARANCE_WEIGHT * ((clearance > 0 ? 1 : 0) + (sides > 0 ? 1 : 0));
    let best: Candidate | null = null;
    // best wishes first; once no clearance could lift the rest above the best found, the search ends
    for (const pose of poses(plan, object, rule, random).sort((a, b) => b.score - a.score)) {
      if (best !== null && best.score >= pose.score + most) break;
      if (!plan.fits(object, pose)) continue;
      const front = clearance > 0 ? plan.frontClearance(object, pose, clearance) : 0;
      const side = sides > 0 ? plan.sideClearance(object, pose, sides) : 0;
      const score = pose.score + CLEARANCE_WEIGHT * (front + side);
      if (best === null || score > best.score) best = { ...pose, score };
    }
    if (best !== null) return best;
  }
  return null;
}

function rulesFor({ entry, size }: ListedObject): readonly Rule[] {
  const own = RULES.get(entry?.category ?? '') ?? [];
  const fallback: Rule = { kind: 'wall', prefer: 'corner' };
  if (entry === null || entry.category === 'plant')
    return size[1] < SMALL
      ? [{ kind: 'on', of: surfaceCategories, spot: 'end' }, ...own, fallback]
      : [...own, fallback];
  return own;
}

function poses(plan: FloorPlan, object: ListedObject, rule: Rule, random: Random): Candidate[] {
  const around = (of: readonly string[], make: (target: PlacedObject) => Candidate[]): Candidate[] => {
    const found = plan.of(of);
    // earlier categories of the rule first, then earlier objects
    return found.flatMap((target) => {
      const late = of.indexOf(target.entry?.category ?? '') + 0.1 * found.indexOf(target);
      return make(target).map((pose) => ({ ...pose, score: pose.score - 4 * late }));
    });
  };
  switch (rule.kind) {
    case 'wall':
      return wallPoses(plan, object, rule.prefer, random);
    case 'beside':
      return around(rule.of, (target) => besidePoses(target, object, rule.gap, random));
    case 'front':
      return around(rule.of, (target) => frontPoses(target, object, rule.gap, rule.faces ? Math.PI : 0, random));
    case 'around':
      return around(rule.of, (target) => aroundPoses(target, object, rule.gap, random));
    case 'opposite':
      return around(rule.of, (target) => oppositePoses(plan, target, object, random));
    case 'under':
      return around(rule.of, (target) => underPoses(target, rule.forward, random));
    case 'on':
      return around(rule.of, (target) => onPoses(target, object, rule.spot, random));
    case 'hang':
      return hangingPoses(plan, object, plan.of(rule.of), rule.eye, random);
    case 'window':
      return windowPoses(plan, object, random);
    case 'ceiling':
      return rule.of.length === 0
        ? ceilingPoses(plan, object, null, random)
        : around(rule.of, (target) => ceilingPoses(plan, object, target, random));
    case 'middle':
      return middlePoses(plan, object, random);
  }
}

/** No rule found room: anywhere that is free, else where it is in the way least. */
function leastCrowded(plan: FloorPlan, object: ListedObject, random: Random): Candidate {
  const candidates = [...freePoses(plan, object, random), ...wallPoses(plan, object, 'corner', random)];
  const [x, z] = plan.centre;
  let best: Candidate = { x, y: 0, z, yaw: 0, supportedBy: null, score: 0 };
  let least = plan.crowding(object, best);
  for (const pose of candidates.sort((a, b) => b.score - a.score)) {
    const crowding = plan.crowding(object, pose);
    if (crowding >= least - 1e-9) continue;
    best = pose;
    least = crowding;
    if (least === 0 && plan.fits(object, pose)) return pose;
  }
  return best;
}
