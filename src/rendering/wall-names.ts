import { AuditError } from '../core/errors.ts';

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;

/** Blender cuts names at 63 bytes: wall nodes get short ones. */
export interface RenamedWalls {
  readonly glb: Uint8Array;
  /** New name of each wall node. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Renames the nodes `wall:<room>:<wall>` of a GLB to `parallaxwall0`, `parallaxwall1`, … in node order; nothing else changes.
 *
 * @throws AuditError when the bytes are no binary glTF.
 */
export function renameWalls(glb: Uint8Array): RenamedWalls {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  if (glb.length < 20 || view.getUint32(0, true) !== MAGIC || view.getUint32(16, true) !== JSON_CHUNK)
    throw new AuditError('scene.glb: not a binary glTF; expected a GLB of version 2');
  const length = view.getUint32(12, true);
  if (20 + length > glb.length) throw new AuditError('scene.glb: cut short; expected a whole GLB');
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length))) as { nodes?: { name?: string }[] };
  const names = new Map<string, string>();
  for (const node of json.nodes ?? [])
    if (node.name?.startsWith('wall:')) {
      const short = names.get(node.name) ?? `parallaxwall${names.size}`;
      names.set(node.name, short);
      node.name = short;
    }
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = Math.ceil(text.length / 4) * 4;
  const rest = glb.subarray(20 + length);
  const out = new Uint8Array(20 + padded + rest.length).fill(0x20, 20, 20 + padded);
  out.set(glb.subarray(0, 20));
  const header = new DataView(out.buffer);
  header.setUint32(8, out.length, true);
  header.setUint32(12, padded, true);
  out.set(text, 20);
  out.set(rest, 20 + padded);
  return { glb: out, names };
}
