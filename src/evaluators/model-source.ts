import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { fileURLToPath } from 'node:url';
import { AuditError, isAbort, messageOf, quoted } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { COMMON_FILES, DTYPE_SUFFIX, type Dtype } from './model-files.ts';

/** What names a checkpoint in an audit file. */
export interface ModelReference {
  readonly model: string;
  readonly revision?: string | undefined;
  readonly dtype: Dtype;
}

const HUB_ID = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  );
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isFile(),
    () => false,
  );
}

/** Name of the checkpoint that comes with this package. */
export const EMBEDDED_MODEL = 'pocket';

/** Folder of the embedded checkpoint; src/ and dist/ lie equally deep below the package. */
export function embeddedModelFolder(): string {
  return fileURLToPath(new URL('../../models/pocket', import.meta.url));
}

/** Folder of downloaded checkpoints: `PARALLAX_MODELS`, else `~/.cache/parallax/models`. Laid out `<owner>/<name>/<revision>`. */
export function modelsFolder(): string {
  return process.env['PARALLAX_MODELS'] ?? join(homedir(), '.cache', 'parallax', 'models');
}

/**
 * The local folder of a checkpoint. A path that exists is used as it is; `pocket` is the embedded one; a hub id is looked up in the models folder (as
 * `<owner>/<name>/<revision>`, or `<owner>/<name>` when copied there by hand) and otherwise downloaded into it, once.
 *
 * @throws AuditError when there is no such folder and the id cannot be downloaded.
 */
export async function resolveModel(
  reference: ModelReference,
  context: { readonly folder: string; readonly log: Log; readonly signal?: AbortSignal },
): Promise<{ folder: string; shown: string }> {
  const { model } = reference;
  const local = isAbsolute(model) ? model : resolve(context.folder, model);
  if (await isFolder(local)) return { folder: local, shown: model };
  if (model === EMBEDDED_MODEL) return { folder: embeddedModelFolder(), shown: model };
  if (!HUB_ID.test(model) || model.includes('..'))
    throw new AuditError(
      `${model}: missing model folder ${quoted(local)}; expected a folder in Hugging Face layout, or a hub id such as "Xenova/clip-vit-base-patch32"`,
      { code: 'MISSING_FILE' },
    );
  const revision = reference.revision ?? 'main';
  if (!/^[\w][\w.-]*$/.test(revision) || revision.includes('..'))
    throw new AuditError(`${model}: invalid revision ${quoted(revision)}; expected a commit, tag or branch name`);
  const pinned = join(modelsFolder(), model, revision);
  if (await isFolder(pinned)) {
    await download(reference, revision, pinned, context);
    return { folder: pinned, shown: model };
  }
  const byHand = join(modelsFolder(), model);
  if (reference.revision === undefined && (await isFolder(join(byHand, 'onnx'))))
    return { folder: byHand, shown: model };
  await download(reference, revision, pinned, context);
  return { folder: pinned, shown: model };
}

/** Fetches what is not there yet; a graph is either two towers or one, so a missing tower is not an error by itself. */
async function download(
  reference: ModelReference,
  revision: string,
  target: string,
  context: { readonly log: Log; readonly signal?: AbortSignal },
): Promise<void> {
  // Written once all there is has come: from then on the checkpoint opens without a network.
  const complete = join(target, `.complete-${reference.dtype}`);
  if (await isFile(complete)) return;
  const suffix = DTYPE_SUFFIX[reference.dtype];
  const get = (name: string): Promise<boolean> => fetchFile(reference.model, revision, name, target, context);
  for (const name of COMMON_FILES) await get(name);
  const towers = [`onnx/text_model${suffix}.onnx`, `onnx/vision_model${suffix}.onnx`];
  const graphs: string[] = [];
  for (const name of towers) if (await get(name)) graphs.push(name);
  if (graphs.length < towers.length && (await get(`onnx/model${suffix}.onnx`))) graphs.push(`onnx/model${suffix}.onnx`);
  for (const name of graphs)
    for (let part = 0; part < 100; part += 1)
      if (!(await get(part === 0 ? `${name}_data` : `${name}_data_${part}`))) break;
  if (graphs.length > 0) await writeFile(complete, '');
}

/** True when the file is there afterwards; false when the hub does not have it. */
async function fetchFile(
  model: string,
  revision: string,
  name: string,
  target: string,
  context: { readonly log: Log; readonly signal?: AbortSignal },
): Promise<boolean> {
  const path = join(target, name);
  if (await isFile(path)) return true;
  const host = process.env['HF_ENDPOINT'] ?? 'https://huggingface.co';
  const url = `${host.replace(/\/$/, '')}/${model}/resolve/${encodeURIComponent(revision)}/${name}`;
  const token = process.env['HF_TOKEN'];
  const partial = `${path}.${process.pid}.partial`;
  try {
    const response = await fetch(url, {
      ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
      ...(context.signal === undefined ? {} : { signal: context.signal }),
    });
    if (response.status === 404) {
      await response.body?.cancel();
      return false;
    }
    if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status}`);
    context.log.info(`downloading ${model}@${revision} ${name}`);
    await mkdir(dirname(path), { recursive: true });
    await pipeline(Readable.fromWeb(response.body as ReadableStream<Uint8Array>), createWriteStream(partial));
    await rename(partial, path);
    return true;
  } catch (error) {
    await rm(partial, { force: true });
    if (isAbort(error)) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new AuditError(
      `${model}: cannot download "${name}" at revision "${revision}" (${messageOf(cause, 120)}); expected a reachable hub, or the checkpoint copied to ${join(modelsFolder(), model)}`,
      { code: 'ENVIRONMENT', cause: error },
    );
  }
}
