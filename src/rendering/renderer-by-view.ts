import type { Rgba } from '../core/image.ts';
import type { Json } from '../core/json.ts';
import type { Failure } from '../core/outcome.ts';
import { RENDERER_LEVELS, type RendererLevel, type View } from '../core/protocol.ts';
import type { FrozenScene } from '../core/scene.ts';
import type { Renderer } from './renderer.ts';

/**
 * The renderer as a factor: each view is drawn by the renderer it names. The fingerprint holds both, so a picture's key depends on
 * all that may draw in the audit.
 *
 * @throws Error when a view names no renderer.
 */
export function rendererByView(renderers: Readonly<Record<RendererLevel, Renderer>>): Renderer {
  const each = RENDERER_LEVELS.map((level) => [level, renderers[level]] as const);
  return {
    fingerprint: {
      name: 'by-view',
      renderers: Object.fromEntries(each.map(([level, { fingerprint }]) => [level, fingerprint])),
    },
    async environment(): Promise<Json> {
      const found: Record<string, Json> = {};
      for (const [level, renderer] of each) found[level] = await renderer.environment();
      return found;
    },
    async *render(
      scene: FrozenScene,
      views: readonly View[],
      signal: AbortSignal,
    ): AsyncGenerator<readonly [View, Rgba | Failure]> {
      const lost = views.find(({ renderer }) => renderer === undefined);
      if (lost !== undefined) throw new Error(`a view names no renderer: ${JSON.stringify(lost)}`);
      for (const [level, renderer] of each) {
        const own = views.filter((view) => view.renderer === level);
        if (own.length > 0) yield* renderer.render(scene, own, signal);
      }
    },
    async close(): Promise<void> {
      // Both, whatever the first does.
      const closed = await Promise.allSettled(each.map(([, renderer]) => renderer.close()));
      for (const result of closed) if (result.status === 'rejected') throw result.reason;
    },
  };
}
