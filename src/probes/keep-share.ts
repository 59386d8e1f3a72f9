import { compareText } from '../core/json.ts';
import { ORPHAN_CHOICES, type OrphanChoice, removalEdit } from './placing/settle.ts';
import type { SceneProbe } from './probe.ts';

/**
 * A probe that keeps a random share of the objects, ceil(share x n), at least one. All shares draw from one stream, so what
 * a smaller share keeps a larger one keeps too: the doses differ in nothing else.
 */
export function keepShare(name: string, share: number, expectation: string): SceneProbe {
  return {
    name,
    kind: 'scene',
    control: false,
    expectation,
    about: ['objects', 'counts'],
    stream: 'keep-half',
    revision: 2,
    choices: { orphans: ORPHAN_CHOICES },
    edit: async ({ scene }, random, { choices }) => {
      const ids = scene.objects.map(({ id }) => id).sort(compareText);
      const kept = new Set(random.shuffle(ids).slice(0, Math.max(1, Math.ceil(ids.length * share))));
      if (kept.size === ids.length)
        return { status: 'skipped', reason: ids.length === 0 ? 'no objects' : 'too few objects: all would be kept' };
      const orphans = (choices?.['orphans'] ?? ORPHAN_CHOICES[0]) as OrphanChoice;
      return removalEdit(scene.objects, new Set(ids.filter((id) => !kept.has(id))), orphans);
    },
  };
}
