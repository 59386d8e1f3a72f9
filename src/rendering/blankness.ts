import type { Rgba } from '../core/image.ts';

/** Why a picture must not be scored: nothing in it, or one flat colour all over; null when it shows something. */
export function blankness({ data }: Rgba): string | null {
  let opaque = false;
  let varied = false;
  for (let index = 0; index < data.length; index += 4) {
    if (data[index + 3] !== 0) opaque = true;
    if (
      data[index] !== data[0] ||
      data[index + 1] !== data[1] ||
      data[index + 2] !== data[2] ||
      data[index + 3] !== data[3]
    )
      varied = true;
    if (opaque && varied) return null;
  }
  if (!opaque) return 'blank picture: every pixel is transparent';
  return 'blank picture: every pixel has the same colour';
}
