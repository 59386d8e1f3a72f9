import { drawAnywhere } from './placing/draws.ts';
import { SUPPORTED_CHOICES, type SupportedChoice } from './placing/groups.ts';
import { rearrange } from './placing/rearrange.ts';
import { type SceneProbe, skippedUnlessMoved } from './probe.ts';

/**
 * Every object relocated inside its room and turned (published probe): set, sizes and heights stay. Carried objects move with
 * their supporter or, with `supported: fall`, drop to the floor and move by themselves; what hangs on a wall slides along
 * walls clear of doors and windows; rugs lie under things; nothing that moved collides.
 */
export const scrambled: SceneProbe = {
  name: 'scrambled',
  kind: 'scene',
  control: false,
  expectation: 'lowers an alignment score: the same objects stand in no order',
  about: ['relations'],
  choices: { supported: SUPPORTED_CHOICES },
  edit: async ({ scene }, random, { choices }) =>
    skippedUnlessMoved(
      scene,
      rearrange(scene, random, drawAnywhere, { supported: (choices?.['supported'] ?? 'move') as SupportedChoice }),
    ),
};
