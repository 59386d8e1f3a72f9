import type { SceneProbe } from './probe.ts';

/** Keeps a random half of the objects, ceil(n/2), at least one (published probe). */
export const keepHalf: SceneProbe = {
  name: 'keep-half',
  kind: 'scene',
  control: false,
  expectation: 'lowers an alignment score: half of the objects the prompt asks for are gone',
  edit: async ({ scene }, random) => {
    if (scene.objects.length < 2) return { status: 'skipped', reason: 'fewer than two objects' };
    const ids = scene.objects.map(({ id }) => id).sort();
    const kept = new Set(random.shuffle(ids).slice(0, Math.ceil(ids.length / 2)));
    return { removed: ids.filter((id) => !kept.has(id)) };
  },
};
