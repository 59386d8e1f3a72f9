import { Document, Buffer as GlbBuffer, Logger, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import draco3d from 'draco3dgltf';
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer';
import { AuditError, messageOf } from '../core/errors.ts';
import { checkGltf } from './check-gltf.ts';

let shared: Promise<NodeIO> | undefined;

/** Reader and writer with every extension and decoder registered; made once. */
export function gltfIO(): Promise<NodeIO> {
  shared ??= create();
  return shared;
}

async function create(): Promise<NodeIO> {
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
  return new NodeIO()
    .setLogger(SILENT)
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({
      'draco3d.decoder': await draco3d.createDecoderModule(),
      'draco3d.encoder': await draco3d.createEncoderModule(),
      'meshopt.decoder': MeshoptDecoder,
      'meshopt.encoder': MeshoptEncoder,
    });
}

const SILENT = new Logger(Logger.Verbosity.SILENT);

/** An empty document that logs nothing (library code never prints). */
export function emptyDocument(): Document {
  return new Document().setLogger(SILENT);
}

const GLB_MAGIC = 0x46546c67;

/**
 * Reads the bytes of a self-contained GLB (Draco, meshopt and quantised geometry included).
 *
 * @param where named in errors
 * @throws AuditError when the bytes are not a GLB, are cut short, or refer to files beside it
 */
export async function readGlb(bytes: Uint8Array, where: string): Promise<Document> {
  checkContainer(bytes, where);
  checkGltf(jsonChunk(bytes, where), where);
  try {
    const io = await gltfIO();
    return (await io.readBinary(bytes)).setLogger(SILENT);
  } catch (error) {
    throw new AuditError(
      `${where}: invalid GLB "${messageOf(error, 160)}"; expected a self-contained glTF 2.0 binary`,
      {
        cause: error,
      },
    );
  }
}

/** Bytes of a document as one GLB: a single buffer, so equal documents give equal bytes. */
export async function writeGlb(document: Document): Promise<Uint8Array> {
  const root = document.getRoot();
  const buffer = root.listBuffers()[0] ?? document.createBuffer();
  for (const accessor of root.listAccessors()) accessor.setBuffer(buffer).setSparse(false);
  for (const other of root.listBuffers()) if (other !== buffer && other instanceof GlbBuffer) other.dispose();
  root.getAsset().generator = 'parallax';
  const io = await gltfIO();
  return io.writeBinary(document);
}

/** The JSON of a GLB, its first chunk. */
function jsonChunk(bytes: Uint8Array, where: string): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = new TextDecoder().decode(bytes.subarray(20, 20 + view.getUint32(12, true)));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AuditError(
      `${where}: invalid GLB "${messageOf(error, 160)}"; expected a self-contained glTF 2.0 binary`,
      { cause: error },
    );
  }
}

function checkContainer(bytes: Uint8Array, where: string): void {
  const fail = (what: string): never => {
    throw new AuditError(`${where}: invalid GLB "${what}"; expected a complete glTF 2.0 binary (.glb)`);
  };
  if (bytes.byteLength < 20) fail(`${bytes.byteLength} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== GLB_MAGIC) fail('no glTF signature');
  if (view.getUint32(4, true) !== 2) fail(`version ${view.getUint32(4, true)}`);
  if (view.getUint32(8, true) > bytes.byteLength)
    fail(`cut short at ${bytes.byteLength} of ${view.getUint32(8, true)} bytes`);
}
