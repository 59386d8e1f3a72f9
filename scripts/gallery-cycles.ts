import { keptPictures } from '../bench/kept-pictures.ts';
import type { Rgba } from '../src/core/image.ts';
import { isFailure } from '../src/core/outcome.ts';
import { LIGHTINGS, type View } from '../src/core/protocol.ts';
import type { FrozenScene } from '../src/core/scene.ts';
import { composite } from '../src/rendering/composite.ts';
import type { Tile } from '../src/rendering/contact-sheet.ts';
import { foregroundLuminance } from '../src/rendering/luminance.ts';
import { pictureDifference } from '../src/rendering/picture-difference.ts';
import type { Renderer } from '../src/rendering/renderer.ts';

/** One view drawn by both renderers. */
export interface ComparedView {
  readonly room: string;
  readonly lighting: string;
  readonly pitch: number;
  /** Mean absolute difference, 0..255, blurred as `pictureDifference` says. */
  readonly difference: number;
  /** Mean signed difference of the pictures, 0..255: below 0 where Chromium is darker. */
  readonly bias: number;
  /** Mean foreground luminance, linear. */
  readonly chromium: number;
  readonly cycles: number;
}

/** Every map at pitch 45 (from a corner) and top-down, in both renderers. Cycles' pictures are kept in `folder`. */
export async function compareWithCycles(
  chromium: Renderer,
  cycles: Renderer,
  scene: FrozenScene,
  room: string,
  resolution: number,
  folder: string,
): Promise<{ readonly views: readonly ComparedView[]; readonly tiles: readonly Tile[] }> {
  const asked = LIGHTINGS.flatMap((lighting): View[] => [
    { resolution, focal: 50, lighting, pitch: 45, yaw: 30 },
    { resolution, focal: 50, lighting, pitch: 90, yaw: 0 },
  ]);
  const ours = await keptPictures(chromium, scene, asked, null);
  const theirs = await keptPictures(cycles, scene, asked, folder);
  const views: ComparedView[] = [];
  const tiles: Tile[] = [];
  for (const [index, { lighting, pitch }] of asked.entries()) {
    const [mine, reference] = [ours[index] as (typeof ours)[number], theirs[index] as (typeof theirs)[number]];
    const name = `${lighting} ${pitch}`;
    if (isFailure(mine) || isFailure(reference)) {
      for (const picture of [reference, mine])
        tiles.push({ label: name, picture: isFailure(picture) ? picture : opaque(picture) });
      continue;
    }
    const difference = await pictureDifference(mine, reference);
    const signed = subtract(mine, reference);
    views.push({
      room,
      lighting,
      pitch,
      difference,
      bias: signed.bias,
      chromium: foregroundLuminance(mine) ?? 0,
      cycles: foregroundLuminance(reference) ?? 0,
    });
    tiles.push({ label: `${name}: Cycles`, picture: opaque(reference) });
    tiles.push({ label: `Chromium, differs by ${difference.toFixed(1)} of 255`, picture: opaque(mine) });
    tiles.push({ label: 'Chromium - Cycles, 4 times', picture: signed.picture });
  }
  return { views, tiles };
}

function opaque(picture: Rgba): Rgba {
  return { ...picture, data: composite(picture, 'grey-186', null) };
}

function subtract(a: Rgba, b: Rgba): { readonly picture: Rgba; readonly bias: number } {
  const [first, second] = [opaque(a).data, opaque(b).data];
  const data = new Uint8Array(first.length);
  let sum = 0;
  for (let index = 0; index < data.length; index += 1) {
    const difference = (first[index] as number) - (second[index] as number);
    sum += difference;
    data[index] = Math.min(Math.max(128 + 4 * difference, 0), 255);
  }
  return { picture: { width: a.width, height: a.height, data }, bias: sum / data.length };
}

/** Maps from darkest to brightest: mean foreground luminance over rooms at one pitch, in each renderer. */
export function brightnessOrder(
  views: readonly ComparedView[],
  pitch: number,
): { chromium: string[]; cycles: string[] } {
  const order = (by: 'chromium' | 'cycles') => {
    const mean = (lighting: string) => {
      const found = views.filter((view) => view.lighting === lighting && view.pitch === pitch);
      return found.reduce((sum, view) => sum + view[by], 0) / Math.max(found.length, 1);
    };
    return [...LIGHTINGS].sort((a, b) => mean(a) - mean(b));
  };
  return { chromium: order('chromium'), cycles: order('cycles') };
}
