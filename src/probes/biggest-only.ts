import { compareText } from '../core/json.ts';
import type { SceneProbe } from './probe.ts';

/** Keeps only the object of the largest box volume; ties go by id (published probe). */
export const biggestOnly: SceneProbe = {
  name: 'biggest-only',
  kind: 'scene',
  control: false,
  expectation: 'lowers an alignment score: a single object is left',
  edit: async ({ scene }) => {
    if (scene.objects.length < 2) return { status: 'skipped', reason: 'fewer than two objects' };
    const volume = ([width, height, depth]: readonly [number, number, number]) => width * height * depth;
    const [biggest] = [...scene.objects].sort((a, b) => volume(b.size) - volume(a.size) || compareText(a.id, b.id));
    return {
      removed: scene.objects
        .map(({ id }) => id)
        .filter((id) => id !== biggest?.id)
        .sort(),
    };
  },
};
