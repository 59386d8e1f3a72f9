import { compareText } from '../core/json.ts';
import { ORPHAN_CHOICES, type OrphanChoice, removalEdit } from './placing/settle.ts';
import type { SceneProbe } from './probe.ts';

/** Keeps only the object of the largest box volume; ties go by id (published probe). */
export const biggestOnly: SceneProbe = {
  name: 'biggest-only',
  kind: 'scene',
  control: false,
  expectation: 'lowers an alignment score: a single object is left',
  about: ['objects', 'counts'],
  revision: 2,
  choices: { orphans: ORPHAN_CHOICES },
  edit: async ({ scene }, _random, { choices }) => {
    if (scene.objects.length < 2)
      return { status: 'skipped', reason: scene.objects.length === 0 ? 'no objects' : 'fewer than two objects' };
    const volume = ([width, height, depth]: readonly [number, number, number]) => width * height * depth;
    const [biggest] = [...scene.objects].sort((a, b) => volume(b.size) - volume(a.size) || compareText(a.id, b.id));
    const removed = scene.objects.map(({ id }) => id).filter((id) => id !== biggest?.id);
    return removalEdit(scene.objects, new Set(removed), (choices?.['orphans'] ?? ORPHAN_CHOICES[0]) as OrphanChoice);
  },
};
