import type { Image } from '../core/image.ts';
import type { Manifest } from '../core/manifest.ts';
import { isFailure } from '../core/outcome.ts';
import { composite } from '../rendering/composite.ts';
import type { Renderer } from '../rendering/renderer.ts';
import type { ImageReference } from './cells.ts';
import type { ImageFolder } from './image-folder.ts';
import type { Instrument } from './instruments.ts';
import type { Store } from './store.ts';

interface Measured {
  readonly maxPixel: number;
  readonly meanPixel: number;
  /** Largest score difference by evaluator id. */
  readonly scores: Readonly<Record<string, number>>;
}

export interface NoiseFloorOptions {
  readonly store: Store;
  readonly images: ImageFolder;
  readonly renderer: () => Promise<Renderer>;
  readonly instruments: readonly Instrument[];
  /** c0 pictures of a few scenes, each with its c0 caption. */
  readonly samples: readonly { readonly image: ImageReference; readonly caption: string }[];
  readonly signal: AbortSignal;
}

/**
 * The noise floor: c0 rendered a second time and scored again. Differences of 8-bit straight-alpha channel values (0..255)
 * and of scores; measured once a scene and remembered in the store. Null when nothing could be compared.
 */
export async function noiseFloor(options: NoiseFloorOptions): Promise<Manifest['noiseFloor']> {
  const measured: Measured[] = [];
  for (const sample of options.samples) {
    const key = `noise ${sample.image.renderKey} ${options.instruments.map(({ instrument }) => instrument).join(' ')}`;
    const known = await options.store.meta(key);
    const fresh = known === null ? await measure(sample, options) : (JSON.parse(known) as Measured | null);
    if (known === null) await options.store.setMeta(key, JSON.stringify(fresh));
    if (fresh !== null) measured.push(fresh);
  }
  if (measured.length === 0) return null;
  const ids = [...new Set(measured.flatMap(({ scores }) => Object.keys(scores)))].sort();
  return {
    scenes: measured.length,
    maxPixel: Math.max(...measured.map(({ maxPixel }) => maxPixel)),
    meanPixel: measured.reduce((sum, { meanPixel }) => sum + meanPixel, 0) / measured.length,
    scores: ids.map((evaluator) => ({
      evaluator,
      maxDifference: Math.max(...measured.flatMap(({ scores }) => scores[evaluator] ?? [])),
    })),
  };
}

async function measure(
  { image, caption }: NoiseFloorOptions['samples'][number],
  { store, images, renderer, instruments, signal }: NoiseFloorOptions,
): Promise<Measured | null> {
  const render = (await store.renders([image.renderKey])).get(image.renderKey);
  if (render === undefined || render.status !== 'scored' || image.background === 'floor') return null;
  const first = await images.read(image.renderKey, render.pixels);
  let again: typeof first | null = null;
  for await (const [, picture] of (await renderer()).render(await image.scene.load(), [image.view], signal))
    if (!isFailure(picture)) again = picture;
  if (again === null || again.data.length !== first.data.length) return null;
  let maxPixel = 0;
  let sum = 0;
  for (let index = 0; index < first.data.length; index += 1) {
    const difference = Math.abs((first.data[index] as number) - (again.data[index] as number));
    maxPixel = Math.max(maxPixel, difference);
    sum += difference;
  }
  const scores: Record<string, number> = {};
  for (const { id, evaluator } of instruments) {
    // A second request to a judge is its repeatability, not the renderer's noise; tables made elsewhere are not asked.
    if (evaluator.kind !== 'dual-encoder') continue;
    const values: number[] = [];
    for (const picture of [first, again]) {
      const opaque: Image = { ...picture, key: image.key, data: composite(picture, image.background, null) };
      const [vector] = await evaluator.embedImages([opaque], signal);
      const [words] = await evaluator.embedCaptions([caption], signal);
      if (vector !== undefined && words !== undefined && !isFailure(vector) && !isFailure(words))
        values.push(evaluator.combine(vector, words));
    }
    if (values.length === 2) scores[id] = Math.abs((values[0] as number) - (values[1] as number));
  }
  return { maxPixel, meanPixel: sum / first.data.length, scores };
}
