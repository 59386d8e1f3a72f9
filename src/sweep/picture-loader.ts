import type { Image } from '../core/image.ts';
import type { Failure } from '../core/outcome.ts';
import { composite, type FloorTexture } from '../rendering/composite.ts';
import { readFloorTexture } from '../rendering/floor-texture.ts';
import type { ImageReference, SceneReference } from './cells.ts';
import type { ImageFolder } from './image-folder.ts';
import type { Store, StoredRender } from './store.ts';

/** Turns image references into the opaque pictures evaluators see: stored render, checked, put on its background. */
export class PictureLoader {
  readonly #images: ImageFolder;
  readonly #renders: ReadonlyMap<string, StoredRender>;
  readonly #floors = new Map<SceneReference, Promise<FloorTexture | null>>();

  private constructor(images: ImageFolder, renders: ReadonlyMap<string, StoredRender>) {
    this.#images = images;
    this.#renders = renders;
  }

  static async over(store: Store, images: ImageFolder, references: Iterable<ImageReference>): Promise<PictureLoader> {
    const keys = new Set<string>();
    for (const { renderKey } of references) keys.add(renderKey);
    return new PictureLoader(images, await store.renders([...keys]));
  }

  /** Why a picture cannot be had, or null when it can. */
  failure({ renderKey }: ImageReference): Failure | null {
    const render = this.#renders.get(renderKey);
    if (render === undefined) return { status: 'skipped', reason: 'not rendered yet' };
    if (render.status === 'scored') return null;
    return { status: render.status, reason: `render: ${render.reason}` };
  }

  /** The first reason why one of several pictures cannot be had; null when all can. */
  failureOf(references: readonly ImageReference[]): Failure | null {
    for (const reference of references) {
      const failure = this.failure(reference);
      if (failure !== null) return failure;
    }
    return null;
  }

  render({ renderKey }: ImageReference): StoredRender | undefined {
    return this.#renders.get(renderKey);
  }

  async load(reference: ImageReference): Promise<Image | Failure> {
    const failure = this.failure(reference);
    if (failure !== null) return failure;
    const render = this.#renders.get(reference.renderKey) as StoredRender;
    const picture = await this.#images.read(reference.renderKey, render.pixels);
    const floor = reference.background === 'floor' ? await this.#floor(reference.scene) : null;
    if (reference.background === 'floor' && floor === null)
      return { status: 'failed', reason: 'background: the scene has no floor texture' };
    const data = composite(picture, reference.background, floor);
    return { key: reference.key, width: picture.width, height: picture.height, data };
  }

  #floor(scene: SceneReference): Promise<FloorTexture | null> {
    let floor = this.#floors.get(scene);
    if (floor === undefined) {
      floor = scene.load().then((frozen) => readFloorTexture(frozen));
      this.#floors.set(scene, floor);
    }
    return floor;
  }
}
