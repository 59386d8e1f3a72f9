import { keepShare } from './keep-share.ts';

/** Keeps a quarter of the objects, all of them kept by `keep-half` too. */
export const keep25 = keepShare(
  'keep-25',
  0.25,
  'lowers an alignment score, more than keep-half: three quarters of the objects are gone',
);
