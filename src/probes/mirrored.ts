import { sceneBounds } from '../scenes/read-scene.ts';
import type { SceneProbe } from './probe.ts';

/** A control: the whole scene reflected left to right, in the plane through the middle of its frame. */
export const mirrored: SceneProbe = {
  name: 'mirrored',
  kind: 'scene',
  control: true,
  expectation: 'changes nothing of worth: the same room seen in a mirror',
  edit: async (frozen) => {
    if (frozen.scene.objects.length === 0) return { status: 'skipped', reason: 'no objects' };
    const { min, max } = sceneBounds(frozen);
    return { mirrored: (min[0] + max[0]) / 2 };
  },
};
