import { drawPlace } from './placing/draws.ts';
import { SUPPORTED_CHOICES, type SupportedChoice } from './placing/groups.ts';
import { rearrange } from './placing/rearrange.ts';
import { type SceneProbe, skippedUnlessMoved } from './probe.ts';

/** Half of scrambling: every object relocated inside its room, none turned; what hangs on a wall slides along that wall. */
export const movedOnly: SceneProbe = {
  name: 'moved-only',
  kind: 'scene',
  control: false,
  expectation:
    'lowers the score of an evaluator that reads where things stand: the same objects stand elsewhere, none is turned',
  about: ['relations'],
  choices: { supported: SUPPORTED_CHOICES },
  edit: async ({ scene }, random, { choices }) =>
    skippedUnlessMoved(
      scene,
      rearrange(scene, random, drawPlace, { supported: (choices?.['supported'] ?? 'move') as SupportedChoice }),
    ),
};
