import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashJson } from '../src/core/hash.ts';
import type { Rgba } from '../src/core/image.ts';
import { type Failure, isFailure } from '../src/core/outcome.ts';
import type { View } from '../src/core/protocol.ts';
import type { FrozenScene } from '../src/core/scene.ts';
import { decodePng, encodePng } from '../src/rendering/png.ts';
import type { Renderer } from '../src/rendering/renderer.ts';

/**
 * Draws views of a scene, in the order asked; a picture once drawn is kept in `folder` under the renderer's fingerprint, the
 * scene's hash and the view, because a path tracer takes seconds for each. Failures are not kept. `folder` null keeps nothing.
 */
export async function keptPictures(
  renderer: Renderer,
  scene: FrozenScene,
  views: readonly View[],
  folder: string | null,
): Promise<(Rgba | Failure)[]> {
  const fileOf = (view: View): string | null =>
    folder === null
      ? null
      : join(folder, `${hashJson([renderer.fingerprint, scene.scene.hash, view]).slice(0, 32)}.png`);
  if (folder !== null) mkdirSync(folder, { recursive: true });
  const found = new Map<View, Rgba | Failure>();
  for (const view of views) {
    const file = fileOf(view);
    if (file !== null && existsSync(file)) found.set(view, await decodePng(readFileSync(file)));
  }
  const missing = views.filter((view) => !found.has(view));
  if (missing.length > 0)
    for await (const [view, picture] of renderer.render(scene, missing, new AbortController().signal)) {
      found.set(view, picture);
      const file = fileOf(view);
      if (file === null || isFailure(picture)) continue;
      // Renamed when whole: a run that is stopped leaves no half picture behind.
      writeFileSync(`${file}.part`, await encodePng(picture));
      renameSync(`${file}.part`, file);
    }
  return views.map((view) => found.get(view) ?? { status: 'failed', reason: 'the renderer gave no picture' });
}
