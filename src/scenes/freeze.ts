import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AuditError } from '../core/errors.ts';
import { hashJson, sha256 } from '../core/hash.ts';
import { prettyJson } from '../core/json.ts';
import { type Scene, sceneSchema } from '../core/scene.ts';
import { writeWhole } from '../core/write-file.ts';
import { buildGlb } from './build-glb.ts';
import type { SceneDraft } from './draft.ts';
import { boxOfPositions, readGeometry } from './glb-geometry.ts';
import { schemaProblem } from './schema-problem.ts';
import { validateDraft } from './validate-draft.ts';

/** Scene hash: SHA-256 of the canonical JSON of everything but `hash` itself (`glb` is inside). */
export function sceneHash(scene: Omit<Scene, 'hash'> | Scene): string {
  const { hash: _, ...rest } = scene as Scene;
  return hashJson(rest);
}

/** What freezing would write, without writing it. */
export interface FrozenBytes {
  readonly scene: Scene;
  readonly glb: Uint8Array;
}

/**
 * Validates a draft and makes its scene.json (hashes filled in) and GLB bytes. The same draft gives the same bytes.
 *
 * @throws AuditError naming what is wrong with the draft
 */
export async function freezeInMemory(draft: SceneDraft): Promise<FrozenBytes> {
  checkDraft(draft);
  const glb = await buildGlb(draft);
  for (const { node, positions } of readGeometry(glb)) {
    const box = boxOfPositions(positions);
    if (box !== null && ![...box.min, ...box.max].every(Number.isFinite))
      throw new AuditError(`scene "${draft.id}": ${node}: geometry is not finite; expected finite positions`);
  }
  const withGlb = { ...openScene(draft), glb: sha256(glb) };
  return { scene: { ...withGlb, hash: hashJson(withGlb) }, glb };
}

/**
 * Checks everything about a draft that can be checked without building its geometry: the scene schema and what the schema
 * cannot say.
 *
 * @throws AuditError naming what is wrong with the draft
 */
export function checkDraft(draft: SceneDraft): void {
  validateDraft(draft);
  // With stand-in hashes: they are only known once the geometry is built.
  const open = { ...openScene(draft), glb: '0'.repeat(64), hash: '0'.repeat(64) };
  const checked = sceneSchema.safeParse(open);
  if (!checked.success) throw new AuditError(`scene "${draft.id}": ${schemaProblem(checked.error)}`);
}

/**
 * Writes a scene to `folder` as scene.glb and then scene.json, each under a temporary name first: a reader never sees
 * half a scene, and one without its scene.json is no scene.
 *
 * @returns the scene as written
 * @throws AuditError naming what is wrong with the draft (nothing is written then), or `ENVIRONMENT` when the folder cannot be written
 */
export async function freezeScene(draft: SceneDraft, folder: string): Promise<Scene> {
  const { scene, glb } = await freezeInMemory(draft);
  const [json, mesh] = [join(folder, 'scene.json'), join(folder, 'scene.glb')];
  const before = existsSync(mesh);
  try {
    writeWhole(mesh, glb);
    writeWhole(json, prettyJson(scene));
  } catch (error) {
    if (!before && !existsSync(json)) rmSync(mesh, { force: true });
    throw error;
  }
  return scene;
}

function openScene(draft: SceneDraft): Omit<Scene, 'glb' | 'hash'> {
  return {
    schema: 'parallax/scene@1',
    id: draft.id,
    generator: draft.generator,
    prompt: draft.prompt,
    rooms: [...draft.rooms],
    objects: draft.objects.map(({ id, label, asset, geometry, transform, size, supportedBy }) => ({
      id,
      label,
      asset,
      geometry: geometry.kind,
      transform: transform.map((value) => value + 0),
      size: [...size],
      supportedBy,
    })),
    frame: draft.frame ?? null,
    probe: draft.probe ?? null,
    source: draft.source,
  };
}
