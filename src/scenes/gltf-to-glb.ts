import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { GLTF, JSONDocument } from '@gltf-transform/core';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { checkGltf } from './check-gltf.ts';
import { gltfIO, writeGlb } from './gltf-io.ts';

/** Largest file a .gltf may bring along, bytes. */
const RESOURCE_LIMIT = 512 * 2 ** 20;

/**
 * A .gltf with its buffers and textures as one GLB. Files it names must lie inside `root`.
 *
 * @throws AuditError when a named file is missing, leads out of the root, or the glTF is damaged
 */
export async function gltfToGlb(path: string, root: string): Promise<Uint8Array> {
  try {
    const json = JSON.parse(await readFile(path, 'utf8')) as GLTF.IGLTF;
    checkGltf(json, path);
    const resources: JSONDocument['resources'] = {};
    for (const { uri } of [...(json.buffers ?? []), ...(json.images ?? [])])
      if (uri !== undefined && !uri.startsWith('data:')) resources[uri] = await resourceOf(uri, path, root);
    const io = await gltfIO();
    return await writeGlb(await io.readJSON({ json, resources }));
  } catch (error) {
    if (error instanceof AuditError) throw error;
    throw new AuditError(
      `${path}: invalid glTF (${messageOf(error, 160)}); expected glTF 2.0 with its files beside it`,
      {
        cause: error,
      },
    );
  }
}

async function resourceOf(uri: string, path: string, root: string): Promise<Uint8Array<ArrayBuffer>> {
  const fail = (why: string): never => {
    throw new AuditError(`${path}: ${why} ${quoted(uri)}; expected a file beside the glTF`, { code: 'MISSING_FILE' });
  };
  if (/^[a-z][a-z0-9+.-]*:/i.test(uri)) fail('unsupported address');
  const real = await realpath(join(dirname(path), decodeURIComponent(uri))).catch(() => fail('missing file'));
  if (!real.startsWith(root + sep)) fail('file outside its folder');
  if ((await stat(real)).size > RESOURCE_LIMIT) fail('too large a file');
  return new Uint8Array(await readFile(real));
}
