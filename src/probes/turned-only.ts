import { drawSpin } from './placing/draws.ts';
import { rearrange } from './placing/rearrange.ts';
import { type SceneProbe, skippedUnlessMoved } from './probe.ts';

/**
 * Half of scrambling: every object turned where it stands, with what it carries; none relocated. What hangs on a wall stays
 * as it is: it cannot face the wall.
 */
export const turnedOnly: SceneProbe = {
  name: 'turned-only',
  kind: 'scene',
  control: false,
  expectation: 'lowers the score of an evaluator that reads which way things face: every object is turned on its spot',
  about: ['relations'],
  edit: async ({ scene }, random) =>
    skippedUnlessMoved(
      scene,
      rearrange(scene, random, drawSpin, { supported: 'move', held: ({ mounting }) => mounting === 'wall' }),
    ),
};
