import { AuditError } from '../core/errors.ts';

interface CountedGltf {
  readonly nodes?: readonly { readonly mesh?: number }[];
  readonly meshes?: readonly {
    readonly primitives?: readonly {
      readonly mode?: number;
      readonly indices?: number;
      readonly attributes?: { readonly POSITION?: number };
    }[];
  }[];
  readonly accessors?: readonly { readonly count?: number }[];
}

/**
 * Triangles that a GLB draws, a mesh counted once for each node that shows it. Only the header is read: compressed geometry
 * (Draco, meshopt) states its counts there too.
 *
 * @param where named in errors
 * @throws AuditError when the header cannot be read
 */
export function countTriangles(glb: Uint8Array, where: string): number {
  const { nodes = [], meshes = [], accessors = [] } = headerOf(glb, where);
  const counts = meshes.map(({ primitives = [] }) =>
    primitives.reduce((sum, { mode = 4, indices, attributes }) => {
      const count = accessors[indices ?? attributes?.POSITION ?? -1]?.count ?? 0;
      if (mode === 4) return sum + Math.floor(count / 3);
      return mode === 5 || mode === 6 ? sum + Math.max(0, count - 2) : sum;
    }, 0),
  );
  return nodes.reduce((sum, { mesh }) => sum + (mesh === undefined ? 0 : (counts[mesh] ?? 0)), 0);
}

function headerOf(glb: Uint8Array, where: string): CountedGltf {
  try {
    const length = new DataView(glb.buffer, glb.byteOffset, glb.byteLength).getUint32(12, true);
    return JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length))) as CountedGltf;
  } catch (error) {
    throw new AuditError(`${where}: invalid GLB header; expected a glTF 2.0 binary`, { cause: error });
  }
}
