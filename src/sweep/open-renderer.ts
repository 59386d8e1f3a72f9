import { AuditError, quoted } from '../core/errors.ts';
import { hashJson } from '../core/hash.ts';
import type { Json } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import { RENDERER_FACTOR } from '../core/protocol.ts';
import { type Plan, renderConfiguration } from '../protocol/plan.ts';
import { createBlenderRenderer } from '../rendering/blender.ts';
import { chromiumIdentity, createChromiumRenderer } from '../rendering/chromium.ts';
import { createFilesRenderer } from '../rendering/files.ts';
import type { Renderer } from '../rendering/renderer.ts';
import { rendererByView } from '../rendering/renderer-by-view.ts';
import type { Store } from './store.ts';

/** The audit's renderer; Chromium or Blender is started when the first picture is asked, not before. */
export async function openRenderer(plan: Plan, log: Log, name = plan.audit.content.renderer.name): Promise<Renderer> {
  const { audit } = plan;
  const { table, folder, pattern, samples, name: _, ...settings } = audit.content.renderer;
  const timeout = audit.content.renderTimeout;
  if (name === 'files') {
    const levels = plan.configurations.map(({ factor, level, configuration }) => ({
      factor,
      level,
      configuration: renderConfiguration(configuration),
    }));
    return await createFilesRenderer({ table, folder, pattern }, audit.folder, levels, audit.shown);
  }
  const blender = () => createBlenderRenderer({ ...settings, name: 'blender', samples, timeout }, log);
  const chromium = () => createChromiumRenderer({ ...settings, name: 'chromium', timeout }, log);
  if (plan.factors.some(({ factor }) => factor === RENDERER_FACTOR)) {
    if (name !== audit.content.renderer.name)
      throw new AuditError(
        `${audit.shown}: factors.renderer: cannot be swept under --renderer ${quoted(name)}; expected no --renderer`,
      );
    return rendererByView({ chromium: await chromium(), blender: await blender() });
  }
  return name === 'blender' ? await blender() : await chromium();
}

/**
 * The renderer's environment (browser build, GL renderer, driver). Asking a browser takes seconds, so the answer is
 * remembered in the store for as long as the same program with the same arguments is used.
 */
export async function rendererEnvironment(renderer: Renderer, name: string, store: Store): Promise<Json> {
  if (name !== 'chromium') return await renderer.environment();
  const key = `environment ${hashJson({ fingerprint: renderer.fingerprint, identity: await chromiumIdentity() })}`;
  const known = await store.meta(key);
  if (known !== null) return JSON.parse(known) as Json;
  const environment = await renderer.environment();
  await store.setMeta(key, JSON.stringify(environment));
  return environment;
}
