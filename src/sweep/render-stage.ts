import type { OnProgress } from '../core/log.ts';
import { isFailure } from '../core/outcome.ts';
import type { View } from '../core/protocol.ts';
import { foregroundLuminance } from '../rendering/luminance.ts';
import type { Renderer } from '../rendering/renderer.ts';
import type { ImageReference, SceneReference } from './cells.ts';
import type { ImageFolder } from './image-folder.ts';
import type { Store, StoredRender } from './store.ts';

export interface RenderCounts {
  readonly rendered: number;
  readonly reused: number;
  readonly failed: number;
}

export interface RenderStageOptions {
  readonly store: Store;
  readonly images: ImageFolder;
  /** Started only when something is missing. */
  readonly renderer: () => Promise<Renderer>;
  readonly references: Iterable<ImageReference>;
  /** Draw recorded failures again. */
  readonly retry?: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
}

/**
 * Draws every distinct view that the store does not hold, scene by scene: each scene is loaded once and its pictures
 * are committed before the next scene, so that a kill loses at most one scene's work. A failed picture is recorded.
 */
export async function renderStage({
  store,
  images,
  renderer,
  references,
  retry,
  signal,
  onProgress,
}: RenderStageOptions): Promise<RenderCounts> {
  const wanted = new Map<SceneReference, Map<string, View>>();
  for (const { scene, renderKey, view } of references) {
    const views = wanted.get(scene) ?? new Map<string, View>();
    wanted.set(scene, views.set(renderKey, view));
  }
  const keys = [...wanted.values()].flatMap((views) => [...views.keys()]);
  const known = await store.renders(keys);
  const isKnown = (key: string) => {
    const render = known.get(key);
    return render !== undefined && (render.status === 'scored' ? images.has(key) : retry !== true);
  };
  const total = keys.filter((key) => !isKnown(key)).length;
  let rendered = 0;
  let failed = 0;
  const report = () => onProgress({ stage: 'render', done: rendered + failed, total, failed });
  if (total > 0) report();
  for (const [reference, views] of wanted) {
    const pending = [...views].filter(([key]) => !isKnown(key));
    if (pending.length === 0) continue;
    signal.throwIfAborted();
    const scene = await reference.load();
    const keyOf = new Map(pending.map(([key, view]) => [view, key]));
    const batch: StoredRender[] = [];
    const record = async (render: StoredRender) => {
      batch.push(render);
      if (render.status === 'scored') rendered += 1;
      else failed += 1;
      report();
      if (batch.length >= 16) await store.putRenders(batch.splice(0));
    };
    const started = performance.now();
    try {
      for await (const [view, picture] of (await renderer()).render(
        scene,
        pending.map(([, view]) => view),
        signal,
      )) {
        const key = keyOf.get(view);
        if (key === undefined) throw new Error('renderer answered a view that was not asked');
        keyOf.delete(view);
        const luminance = isFailure(picture) ? null : foregroundLuminance(picture);
        if (isFailure(picture))
          await record({ key, status: picture.status, reason: picture.reason, pixels: '', luminance: 0 });
        else if (luminance === null)
          await record({ key, status: 'failed', reason: 'a fully transparent picture', pixels: '', luminance: 0 });
        else
          await record({
            key,
            status: 'scored',
            reason: '',
            pixels: await images.write(key, picture),
            luminance,
          });
      }
      for (const key of signal.aborted ? [] : keyOf.values())
        await record({ key, status: 'failed', reason: 'the renderer gave no picture', pixels: '', luminance: 0 });
    } finally {
      await store.putRenders(batch.splice(0));
    }
    await store.putRate('render', pending.length, (performance.now() - started) / 1000);
  }
  signal.throwIfAborted();
  return { rendered, failed, reused: keys.length - total };
}
