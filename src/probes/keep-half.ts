import { keepShare } from './keep-share.ts';

/** Keeps a random half of the objects, ceil(n/2), at least one (published probe). */
export const keepHalf = keepShare(
  'keep-half',
  0.5,
  'lowers an alignment score: half of the objects the prompt asks for are gone',
);
