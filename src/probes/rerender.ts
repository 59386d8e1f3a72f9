import type { SceneProbe } from './probe.ts';

/**
 * A control: the same scene frozen, drawn and scored once more. With a deterministic renderer and evaluator every pair is an
 * exact tie; anything else is their noise, and what any probe scores by chance.
 */
export const rerender: SceneProbe = {
  name: 'rerender',
  kind: 'scene',
  control: true,
  expectation: 'changes nothing: the same scene drawn and scored again',
  edit: async () => ({}),
};
