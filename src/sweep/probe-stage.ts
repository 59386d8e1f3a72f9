import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Prompt } from '../captions/prompts.ts';
import { AuditError } from '../core/errors.ts';
import type { OnProgress } from '../core/log.ts';
import { type Failure, isFailure } from '../core/outcome.ts';
import { Random } from '../core/random.ts';
import { findProbe } from '../probes/find-probe.ts';
import { freezeProbe } from '../probes/freeze-probe.ts';
import { type Plan, type PlannedProbe, probeApplies } from '../protocol/plan.ts';
import { readScene } from '../scenes/read-scene.ts';
import type { CellScene, SceneOfCell, SceneReference } from './cells.ts';
import { type IndexedScene, loadScene, type SceneIndex } from './scene-index.ts';

export interface ProbeStageOptions {
  readonly plan: Plan;
  readonly scenes: SceneIndex;
  /** Folder that keeps probe scenes, one a (scene hash, probe, seed, repeat). */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
}

/**
 * The scene behind every cell: originals by (generator, prompt), and each declared probe of each scene, made once from
 * the named stream (seed, probe, scene hash, repeat) and frozen beside the store.
 */
export async function probeStage(options: ProbeStageOptions): Promise<SceneOfCell> {
  const { plan, scenes } = options;
  const originals = new Map<IndexedScene, SceneReference>();
  for (const indexed of scenes.scenes)
    originals.set(indexed, { hash: indexed.scene.hash, load: () => loadScene(indexed) });
  const prompts = new Map(plan.prompts.map((prompt) => [prompt.id, prompt]));
  const field = { prompts: [...prompts.keys()] };
  const made = new Map<string, CellScene | Failure>();
  const applies = (planned: PlannedProbe, { scene }: IndexedScene) =>
    probeApplies(planned, prompts.get(scene.prompt) ?? {});
  const total = plan.probes.reduce(
    (sum, planned) => sum + planned.repeats * scenes.scenes.filter((indexed) => applies(planned, indexed)).length,
    0,
  );
  let done = 0;
  for (const planned of plan.probes) {
    const { name, repeats, choices } = planned;
    const probe = findProbe(name, plan.audit.shown);
    const stream = probe.kind === 'scene' ? (probe.stream ?? name) : name;
    const variant = [
      `${name}.${probe.revision ?? 1}`,
      ...Object.keys(choices)
        .sort()
        .map((key) => choices[key]),
    ].join('-');
    for (const indexed of scenes.scenes) {
      if (!applies(planned, indexed)) continue;
      const { scene } = indexed;
      for (let repeat = 0; repeat < repeats; repeat += 1) {
        options.signal.throwIfAborted();
        const random = new Random(plan.audit.content.seed, 'probe', stream, scene.hash, repeat);
        const key = probeKey(scene.generator, scene.prompt, name, repeat);
        const original = originals.get(indexed) as SceneReference;
        if (probe.kind === 'caption') {
          const chosen = probe.choose(scene.prompt, random, field);
          made.set(key, isFailure(chosen) ? chosen : { scene: original, captionOf: prompts.get(chosen) as Prompt });
        } else {
          const folder = join(
            options.folder,
            scene.hash.slice(0, 16),
            `${variant}-${plan.audit.content.seed}-${repeat}`,
          );
          const reference = (await known(folder)) ?? (await make(folder));
          made.set(key, isFailure(reference) ? reference : { scene: reference, captionOf: null });
        }
        done += 1;
        options.onProgress({ stage: 'probe', done, total, failed: 0 });

        async function make(target: string): Promise<SceneReference | Failure> {
          if (probe.kind !== 'scene') throw new Error('unreachable');
          const scene = await original.load();
          try {
            const edit = await probe.edit(scene, random, { ...field, choices });
            if (isFailure(edit)) return edit;
            const frozen = await freezeProbe(scene, probe, edit, { seed: plan.audit.content.seed, repeat }, target);
            return { hash: frozen.hash, load: () => readScene(target) };
          } catch (error) {
            // one odd scene costs its own outcome, not the run
            if (error instanceof AuditError) return { status: 'failed', reason: error.message };
            throw error;
          }
        }
      }
    }
  }
  return (generator, prompt, probe) => {
    const indexed = scenes.get(generator, prompt);
    const original = indexed === null ? undefined : originals.get(indexed);
    if (original === undefined)
      return { status: 'failed', reason: `no scene of generator ${generator} for prompt ${prompt}` };
    if (probe === null) return { scene: original, captionOf: null };
    return (
      made.get(probeKey(generator, prompt, probe.name, probe.repeat)) ?? {
        status: 'skipped',
        reason: 'the probe was not made',
      }
    );
  };
}

/** A probe made earlier, if it is whole. */
async function known(folder: string): Promise<SceneReference | null> {
  if (!existsSync(join(folder, 'scene.json'))) return null;
  try {
    const { scene } = await readScene(folder);
    return { hash: scene.hash, load: () => readScene(folder) };
  } catch (error) {
    if (error instanceof AuditError) return null;
    throw error;
  }
}

function probeKey(generator: string, prompt: string, name: string, repeat: number): string {
  return `${generator}\u0000${prompt}\u0000${name}\u0000${repeat}`;
}
