import { referenceLevels } from '../scripts/gallery-factors.ts';
import type { Rgba } from '../src/core/image.ts';
import { type Failure, isFailure } from '../src/core/outcome.ts';
import type { RenderConfiguration, View } from '../src/core/protocol.ts';
import type { FrozenScene } from '../src/core/scene.ts';
import { composite } from '../src/rendering/composite.ts';
import { readFloorTexture } from '../src/rendering/floor-texture.ts';
import { encodePng } from '../src/rendering/png.ts';
import type { Renderer } from '../src/rendering/renderer.ts';

/** c0 of the reference audit. */
export const C0: View = { resolution: 512, focal: 50, lighting: 'city', pitch: 90, yaw: 0 };

function viewOf({ background: _, ...view }: RenderConfiguration): View {
  return view;
}

/** The distinct images of the reference audit's render factors, and the distinct renders that they are composited from. */
export function referenceSet(): { readonly images: readonly RenderConfiguration[]; readonly views: readonly View[] } {
  const all = [{ ...C0, background: 'grey-255' }, ...referenceLevels().map(({ configuration }) => configuration)];
  const images = [...new Map(all.map((image) => [JSON.stringify(sorted(image)), image])).values()];
  const views = [...new Map(images.map((image) => [JSON.stringify(sorted(viewOf(image))), viewOf(image)])).values()];
  return { images, views };
}

function sorted<Value extends object>(value: Value): [string, unknown][] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Draws views; failures are errors here. */
export async function drawAll(
  renderer: Renderer,
  scene: FrozenScene,
  views: readonly View[],
  each: (view: View, picture: Rgba) => Promise<void> = async () => undefined,
): Promise<void> {
  const work: Promise<void>[] = [];
  for await (const [view, picture] of renderer.render(scene, views, new AbortController().signal))
    work.push(each(view, required(picture)));
  await Promise.all(work);
}

function required(picture: Rgba | Failure): Rgba {
  if (isFailure(picture)) throw new Error(picture.reason);
  return picture;
}

/** What a sweep does for a scene: every render drawn and encoded as PNG, every image composited. @returns the number of images */
export async function drawReferenceImages(renderer: Renderer, scene: FrozenScene): Promise<number> {
  const { images, views } = referenceSet();
  const floor = await readFloorTexture(scene);
  let made = 0;
  await drawAll(renderer, scene, views, async (view, picture) => {
    const key = JSON.stringify(sorted(view));
    await encodePng(picture);
    for (const image of images.filter((candidate) => JSON.stringify(sorted(viewOf(candidate))) === key)) {
      composite(picture, image.background, floor);
      made += 1;
    }
  });
  return made;
}
