import { compareText } from '../../core/json.ts';
import type { Point, Room, Scene, SceneObject } from '../../core/scene.ts';
import { categoryEntry, categoryOfLabel } from '../../scenes/kit/categories.ts';
import type { Placement } from '../../scenes/kit/category-table.ts';
import { cornersOf, type Footprint } from '../../scenes/policies/footprint.ts';
import { insidePolygon } from '../../scenes/polygon.ts';
import { type Area, areaOf, areaRound, distanceToArea, type WallLine } from './area.ts';
import { standingBox } from './rigid.ts';

/** An object and the box round it. */
export interface Member {
  readonly object: SceneObject;
  readonly box: Footprint;
  /** Metres it falls when it leaves its supporter for the floor. */
  readonly drop: number;
}

/**
 * How a group may move: `floor` anywhere in the room at its height (what hangs from the ceiling or floats, too), `rug` like
 * it but under things, `wall` along walls.
 */
export type Mounting = 'floor' | 'rug' | 'wall';

/** Objects that move as one body: one that stands by itself and all it carries. */
export interface Group {
  /** Id of the object that stands by itself. */
  readonly id: string;
  readonly members: readonly Member[];
  readonly mounting: Mounting;
  readonly area: Area;
  /** The wall a `wall` group hangs on; null when it hangs clear of every wall. */
  readonly wall: WallLine | null;
}

/** What becomes of supported objects: they move with their supporter, or fall to the floor and move by themselves. */
export const SUPPORTED_CHOICES = ['move', 'fall'] as const;
export type SupportedChoice = (typeof SUPPORTED_CHOICES)[number];

/** Flatter than this and on the floor: a rug, metres. */
const RUG_HEIGHT = 0.03;
/** Higher than this above the floor an object does not stand on it, metres. */
const RAISED = 0.06;
/** How near the wall a thing of the kit's wall categories, and any other raised thing, counts as hanging on it, metres. */
const NEAR_WALL = { wall: 0.25, other: 0.1 } as const;
/** How far above or below a surface a thing may stand on it, metres. */
const ON_TOP = 0.05;

/** The objects of a scene in bodies that move as one, by id of the bearing object. */
export function groupsOf(scene: Pick<Scene, 'objects' | 'rooms'>, supported: SupportedChoice): Group[] {
  if (scene.objects.length === 0) return [];
  const boxes = new Map(scene.objects.map((object) => [object.id, standingBox(object)]));
  const box = (object: SceneObject) => boxes.get(object.id) as Footprint;
  const areas = scene.rooms.map((room: Room) => areaOf(room));
  if (areas.length === 0) areas.push(areaRound([...boxes.values()]));
  const supporters = supportersOf(scene.objects, boxes);
  const rootOf = (object: SceneObject): SceneObject => {
    let root = object;
    // supports cannot go round (validateDraft), and a supporter found by geometry is lower: the bound only keeps damaged files out
    for (let step = 0; step <= scene.objects.length; step += 1) {
      const next = supporters.get(root.id);
      if (next === undefined) return root;
      root = next;
    }
    return object;
  };
  const members = new Map<string, Member[]>();
  for (const object of [...scene.objects].sort((a, b) => compareText(a.id, b.id))) {
    const falls = supported === 'fall' && supporters.has(object.id);
    const root = supported === 'fall' ? object : rootOf(object);
    const member = { object, box: box(object), drop: falls ? Math.max(0, box(object).low) : 0 };
    members.set(root.id, [...(members.get(root.id) ?? []), member]);
  }
  return scene.objects
    .filter(({ id }) => members.has(id))
    .sort((a, b) => compareText(a.id, b.id))
    .map((root) => {
      const area = nearest(areas, [box(root).x, box(root).z]);
      const onFloor = supported === 'fall' && supporters.has(root.id);
      return {
        id: root.id,
        members: members.get(root.id) as Member[],
        area,
        ...mountingOf(root, box(root), area, onFloor),
      };
    });
}

/** The supporter of every supported object: as the scene says, else what is right under a raised object. */
export function supportersOf(
  objects: readonly SceneObject[],
  boxes: ReadonlyMap<string, Footprint>,
): Map<string, SceneObject> {
  const byId = new Map(objects.map((object) => [object.id, object]));
  const supporters = new Map<string, SceneObject>();
  for (const object of objects) {
    const named = object.supportedBy === null ? undefined : byId.get(object.supportedBy);
    const found = named ?? under(object, objects, boxes);
    // what stands on a rug stands on the floor: it does not travel with the rug
    if (found !== undefined && !isRug(found, boxes.get(found.id) as Footprint)) supporters.set(object.id, found);
  }
  return supporters;
}

/** The object whose top, or whose seat or shelf, a raised object stands on; the highest below it, ties by id. */
function under(
  object: SceneObject,
  objects: readonly SceneObject[],
  boxes: ReadonlyMap<string, Footprint>,
): SceneObject | undefined {
  const box = boxes.get(object.id) as Footprint;
  if (box.low <= RAISED || placementOf(object) === 'ceiling' || placementOf(object) === 'wall') return undefined;
  return objects
    .filter((other) => {
      const below = boxes.get(other.id) as Footprint;
      if (other.id === object.id || below.low >= box.low) return false;
      if (box.low > below.high + ON_TOP) return false;
      // inside the other's height: a cushion on a seat, a vase in a shelf, never a picture behind a low cabinet
      const inside = insidePolygon([box.x, box.z], cornersOf(below));
      return inside && box.width * box.depth <= below.width * below.depth;
    })
    .sort(
      (a, b) => (boxes.get(b.id) as Footprint).high - (boxes.get(a.id) as Footprint).high || compareText(a.id, b.id),
    )[0];
}

/** Where the kit says such a thing usually stands; null for a label it does not know. */
export function placementOf(object: Pick<SceneObject, 'label'>): Placement | null {
  const category = categoryOfLabel(object.label);
  return category === null ? null : categoryEntry(category).placement;
}

function isRug(object: SceneObject, box: Footprint): boolean {
  return box.low <= RAISED && (placementOf(object) === 'rug' || box.high - box.low < RUG_HEIGHT);
}

function mountingOf(
  object: SceneObject,
  box: Footprint,
  area: Area,
  onFloor: boolean,
): { mounting: Mounting; wall: WallLine | null } {
  const placement = placementOf(object);
  if (onFloor) return { mounting: 'floor', wall: null };
  if (isRug(object, box)) return { mounting: 'rug', wall: null };
  const near = nearestWall(box, area);
  const raised = box.low > RAISED;
  if (placement === 'wall' && near !== null && near.gap <= NEAR_WALL.wall) return { mounting: 'wall', wall: near.wall };
  if (placement === 'wall' && raised && area.walls.length > 0) return { mounting: 'wall', wall: null };
  if (placement !== 'ceiling' && raised && near !== null && near.gap <= NEAR_WALL.other)
    return { mounting: 'wall', wall: near.wall };
  return { mounting: 'floor', wall: null };
}

/** The wall a box leans on with its flat side, and the gap between them, metres. */
function nearestWall(box: Footprint, area: Area): { wall: WallLine; gap: number } | null {
  let best: { wall: WallLine; gap: number; reach: number } | null = null;
  for (const wall of area.walls) {
    const places = cornersOf(box).map(([x, z]) => {
      const [dx, dz] = [x - wall.start[0], z - wall.start[1]];
      return { at: dx * wall.along[0] + dz * wall.along[1], off: -(dx * wall.outward[0] + dz * wall.outward[1]) };
    });
    const middle = places.reduce((sum, { at }) => sum + at / 4, 0);
    if (middle < 0 || middle > wall.length) continue;
    const reach = Math.max(...places.map(({ off }) => Math.abs(off)));
    const gap = Math.min(...places.map(({ off }) => Math.abs(off)));
    if (best === null || reach < best.reach) best = { wall, gap, reach };
  }
  return best;
}

function nearest(areas: readonly Area[], point: Point): Area {
  let [best, least] = [areas[0] as Area, Infinity];
  for (const area of areas) {
    const distance = distanceToArea(point, area);
    if (distance < least) [best, least] = [area, distance];
  }
  return best;
}
