import { keepShare } from './keep-share.ts';

/** Keeps three quarters of the objects, those of `keep-half` among them. */
export const keep75 = keepShare(
  'keep-75',
  0.75,
  'lowers an alignment score, less than keep-half: a quarter of the objects are gone',
);
