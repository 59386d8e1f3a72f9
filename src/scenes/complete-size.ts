import type { PartialSize } from './layout.ts';
import { usualSize } from './usual-sizes.ts';

/** Edge of the box for a labelled thing nobody knows the size of, metres. */
export const STRANGER_EDGE = 0.3;
/** How far a usual size is scaled to agree with the sides that are known. */
const SCALE_LIMITS = { least: 0.6, most: 1.7 } as const;

/** A size without gaps, and what had to be assumed for it. */
export interface CompletedSize {
  readonly size: readonly [number, number, number];
  readonly remark: string | null;
}

/**
 * Fills the sides a file does not tell from the usual size of things with that label (the kit's, or a table of small
 * household things), scaled to agree with the sides that are known. A labelled thing nobody knows gets a small box.
 *
 * @param label "object" where there is none
 * @returns null when there is neither a side nor a label and no stand-in is allowed
 */
export function completeSize(known: PartialSize | null, label: string, allowUnknown: boolean): CompletedSize | null {
  const told = known?.filter((side) => side !== null) ?? [];
  if (known !== null && told.length === 3) return { size: known as [number, number, number], remark: null };
  const usual = usualSize(label);
  if (usual === null) {
    if (told.length === 0 && label === 'object' && !allowUnknown) return null;
    const edge = told.length === 0 ? STRANGER_EDGE : told.reduce((sum, side) => sum + side, 0) / told.length;
    const size = [0, 1, 2].map((axis) => known?.[axis] ?? edge) as [number, number, number];
    return {
      size,
      remark: `size unknown, and usual size too: ${told.length === 0 ? `a ${STRANGER_EDGE} m box stands in` : 'the known sides stand in for the others'}`,
    };
  }
  if (told.length === 0 || known === null)
    return { size: usual, remark: `size unknown: the usual size of such things stands in` };
  const ratios = known.flatMap((side, axis) => (side === null ? [] : [side / (usual[axis] as number)]));
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  const scale = Math.min(SCALE_LIMITS.most, Math.max(SCALE_LIMITS.least, mean));
  const size = known.map((side, axis) => side ?? (usual[axis] as number) * scale) as [number, number, number];
  return { size, remark: `${3 - told.length} of 3 sides unknown: taken from the usual size of such things` };
}
