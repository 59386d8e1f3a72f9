import { compareText } from '../core/json.ts';
import { categoryOfLabel } from '../scenes/kit/categories.ts';
import { retrievalCatalogue } from '../scenes/kit/retrieval-catalogue.ts';
import type { SceneProbe } from './probe.ts';

/**
 * The asset of every object replaced by the lowest-ranked candidate of a retrieval over the kit's catalogue (published
 * probe): label, pose, size and count stay. Objects whose label the kit does not know, or without a volume, keep their
 * asset and are listed in `unreplaced`.
 */
export const worstObjects: SceneProbe = {
  name: 'worst-objects',
  kind: 'scene',
  control: false,
  expectation: 'lowers an alignment score: every object looks like something else',
  about: ['objects'],
  edit: async ({ scene }) => {
    const replaced: { id: string; category: string; variant: number }[] = [];
    const unreplaced: string[] = [];
    for (const { id, label, size } of [...scene.objects].sort((a, b) => compareText(a.id, b.id))) {
      const category = categoryOfLabel(label);
      const worst =
        category === null || !size.every((side) => side > 0) ? undefined : retrievalCatalogue(category).at(-1);
      if (worst === undefined) unreplaced.push(id);
      else replaced.push({ id, category: worst.category, variant: worst.look });
    }
    if (scene.objects.length === 0) return { status: 'skipped', reason: 'no objects' };
    if (replaced.length === 0) return { status: 'skipped', reason: 'no candidates: no label is a category of the kit' };
    return { replaced, ...(unreplaced.length === 0 ? {} : { unreplaced }) };
  },
};
