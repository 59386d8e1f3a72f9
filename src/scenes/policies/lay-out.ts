import { AuditError, quoted } from '../../core/errors.ts';
import { hashJson } from '../../core/hash.ts';
import type { Random } from '../../core/random.ts';
import type { Room } from '../../core/scene.ts';
import type { DraftObject, SceneDraft } from '../draft.ts';
import { yawTransform } from '../frames.ts';
import { categoryEntry, categoryOfLabel } from '../kit/categories.ts';
import { proxyGeometry } from '../kit/proxy-geometry.ts';
import { UniqueIds } from '../safe-id.ts';
import { functional } from './functional.ts';
import { grid } from './grid.ts';
import type { LayoutPolicy, ListedObject, PolicyName } from './policy.ts';
import { scatter } from './scatter.ts';
import { sparse } from './sparse.ts';

/** The policies by name. */
export const LAYOUT_POLICIES: Readonly<Record<PolicyName, LayoutPolicy>> = { functional, grid, scatter, sparse };

/** What to furnish and how to name the result. */
export interface LayoutRequest {
  readonly room: Room;
  /** In prompt order; without a size the category's usual size, varied by up to 8% a label. */
  readonly objects: readonly { readonly label: string; readonly size?: readonly [number, number, number] }[];
  /**
   * Objects look alike under every policy (the look depends on seed, names and label only), so that policies differ in
   * nothing but the layout.
   */
  readonly random: Random;
  /** Name in the score table; the policy's name when left out. */
  readonly generator?: string;
  readonly prompt?: string;
  readonly surfaces?: SceneDraft['surfaces'];
}

/**
 * Furnishes a room with kit furniture by a synthetic policy. Floor, walls and list stay as given.
 *
 * @throws AuditError for an object without size that the kit does not know, or a size that is none
 *
 * @example
 * layOut('functional', { room, objects: [{ label: 'desk' }, { label: 'chair' }], random: new Random(7, 'study') });
 */
export function layOut(policy: PolicyName, request: LayoutRequest): SceneDraft {
  const { room, random, generator = policy, prompt = 'prompt', surfaces } = request;
  const list = listedObjects(request);
  const placed = LAYOUT_POLICIES[policy](list, room, random.derive('policy', policy));
  const objects = placed.map(
    ({ id, label, size, x, y, z, yaw, supportedBy }): DraftObject => ({
      id,
      label,
      asset: null,
      transform: yawTransform(yaw, [rounded(x), rounded(y), rounded(z)]),
      size,
      supportedBy,
      geometry: { kind: 'proxy', parts: proxyGeometry(label, size, random.derive('look', label)) },
    }),
  );
  return {
    id: `${generator}-${prompt}`,
    generator,
    prompt,
    rooms: [room],
    ...(surfaces === undefined ? {} : { surfaces }),
    objects,
    source: {
      format: `layout-policy:${policy}`,
      file: 'none',
      sha256: hashJson({
        policy,
        room,
        objects: list.map(({ label, size }) => [label, ...size]),
        seed: random.seed,
        names: [...random.names],
      }),
      notes: [
        `laid out by the synthetic policy "${policy}" with kit furniture, not by a generator`,
        `${objects.length} of ${list.length} listed objects placed`,
      ],
    },
  };
}

function listedObjects({ objects, random }: LayoutRequest): ListedObject[] {
  const counts = new Map<string, number>();
  const ids = new UniqueIds();
  return objects.map(({ label, size }) => {
    const category = categoryOfLabel(label);
    const entry = category === null ? null : categoryEntry(category);
    const count = counts.get(label) ?? 0;
    counts.set(label, count + 1);
    const { id } = ids.add(`${label}-${count}`, `object-${count}`);
    if (size !== undefined) return { id, label, entry, size };
    if (entry === null)
      throw new AuditError(`layout: unknown object ${quoted(label)} without a size; expected a size or a kit label`);
    const stream = random.derive('size', label);
    const [w, h, d] = entry.defaultSize.map((side) => rounded(side * stream.between(0.92, 1.08))) as [
      number,
      number,
      number,
    ];
    return { id, label, entry, size: [w, h, d] };
  });
}

/** To the tenth of a millimetre: scene files stay short and equal on every machine. */
function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4 + 0;
}
