import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AuditError, quoted } from '../../core/errors.ts';
import type { OnProgress } from '../../core/log.ts';
import { Random } from '../../core/random.ts';
import type { FrozenScene } from '../../core/scene.ts';
import { freezeScene } from '../freeze.ts';
import { findScenes, readScene } from '../read-scene.ts';
import { describeObjects, rewriteObjects } from './describe-objects.ts';
import { layOut } from './lay-out.ts';
import { POLICY_NAMES, type PolicyName } from './policy.ts';

/** What `parallax field` asks for. */
export interface FieldRequest {
  /** Folder searched for frozen scenes of one generator (scene.json). */
  readonly scenes: string;
  /** Folder that receives prompts.csv, paraphrases.csv and scenes/<generator>/<prompt>/. */
  readonly out: string;
  readonly seed: number;
  readonly policies?: readonly PolicyName[];
  /** Use only the first scenes, in order of their prompt ids; null: all. */
  readonly limit?: number | null;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
}

/** What became of every scene. */
export interface FieldSummary {
  readonly prompts: readonly { readonly id: string; readonly text: string }[];
  /** The scenes' own generator first, then the policies. */
  readonly generators: readonly string[];
  /** Scenes that cannot be laid out again, and why. */
  readonly skipped: readonly { readonly scene: string; readonly reason: string }[];
}

/**
 * Makes a field of generators round existing scenes: every scene becomes a prompt written from its object list, and each
 * policy lays out the same objects, at the same sizes, in the same room with kit furniture. The scenes themselves are
 * copied unchanged, so that they take part under their own generator.
 *
 * Scenes with no room, several rooms, no object, or an object without a size are skipped with the reason.
 *
 * @throws AuditError when there is no scene, scenes of several generators, two scenes of one prompt, a generator named as
 * a policy, or none that can be used
 */
export async function fieldFromScenes(request: FieldRequest): Promise<FieldSummary> {
  const { seed, policies = POLICY_NAMES, limit = null, onProgress, signal } = request;
  const frozen = await readAll(request.scenes, policies);
  const skipped = frozen.flatMap(({ scene }) => {
    const reason = whyNotUsable(scene);
    return reason === null ? [] : [{ scene: scene.id, reason }];
  });
  const usable = frozen.filter(({ scene }) => whyNotUsable(scene) === null).slice(0, limit ?? frozen.length);
  const first = usable[0];
  if (first === undefined)
    throw new AuditError(
      `${request.scenes}: none of ${frozen.length} scenes can be laid out again (${skipped[0]?.reason}); expected scenes with one room and objects`,
    );
  const generator = first.scene.generator;
  const out = resolve(request.out);
  const prompts: { id: string; text: string }[] = [];
  const paraphrases: string[][] = [];
  for (const [index, { scene, folder }] of usable.entries()) {
    signal?.throwIfAborted();
    const room = scene.rooms[0] as (typeof scene.rooms)[number];
    const labels = scene.objects.map(({ label }) => label);
    prompts.push({ id: scene.prompt, text: describeObjects(room.type, labels) });
    for (const [level, text] of rewriteObjects(room.type, labels)) paraphrases.push([scene.prompt, level, text]);
    await copyScene(folder, join(out, 'scenes', generator, scene.prompt));
    for (const policy of policies) {
      const draft = layOut(policy, {
        room,
        objects: scene.objects.map(({ label, size }) => ({ label, size })),
        random: new Random(seed, 'field', scene.prompt),
        prompt: scene.prompt,
      });
      await freezeScene(draft, join(out, 'scenes', policy, scene.prompt));
    }
    onProgress?.({ stage: 'field', done: index + 1, total: usable.length, failed: skipped.length });
  }
  const source = `object lists of ${generator}`;
  await writeFile(
    join(out, 'prompts.csv'),
    csvText([['id', 'text', 'source'], ...prompts.map(({ id, text }) => [id, text, source])]),
  );
  await writeFile(join(out, 'paraphrases.csv'), csvText([['prompt', 'level', 'text'], ...paraphrases]));
  return { prompts, generators: [generator, ...policies], skipped };
}

async function readAll(folder: string, policies: readonly PolicyName[]): Promise<FrozenScene[]> {
  const folders = await findScenes(folder);
  if (folders.length === 0)
    throw new AuditError(`${folder}: no scene found; expected frozen scenes (scene.json)`, { code: 'MISSING_FILE' });
  const frozen: FrozenScene[] = [];
  for (const path of folders) frozen.push(await readScene(path));
  frozen.sort((a, b) => (a.scene.prompt < b.scene.prompt ? -1 : a.scene.prompt > b.scene.prompt ? 1 : 0));
  const generators = [...new Set(frozen.map(({ scene }) => scene.generator))].sort();
  if (generators.length > 1)
    throw new AuditError(`${folder}: scenes of ${generators.length} generators (${quoted(generators)}); expected one`);
  if ((policies as readonly string[]).includes(generators[0] as string))
    throw new AuditError(
      `${folder}: generator ${quoted(generators[0])} has the name of a policy; expected another name`,
    );
  for (const [index, { scene }] of frozen.entries())
    if (scene.prompt === frozen[index - 1]?.scene.prompt)
      throw new AuditError(`${folder}: two scenes of prompt ${quoted(scene.prompt)}; expected one a prompt`);
  return frozen;
}

function whyNotUsable({ rooms, objects }: FrozenScene['scene']): string | null {
  if (rooms.length !== 1) return rooms.length === 0 ? 'it has no room' : `it has ${rooms.length} rooms`;
  if (objects.length === 0) return 'it has no object';
  const flat = objects.find(({ size }) => size.some((side) => side <= 0));
  return flat === undefined ? null : `object ${quoted(flat.id)} has no extent`;
}

async function copyScene(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  // the geometry first: a folder without its scene.json is no scene
  for (const file of ['scene.glb', 'scene.json']) await copyFile(join(from, file), join(to, file));
}

/** CSV of texts that were read from files: quoted where RFC 4180 asks for it. */
function csvText(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `${rows.map((row) => row.map(cell).join(',')).join('\n')}\n`;
}
