import type { Document, Primitive } from '@gltf-transform/core';
import { compactPrimitive, weldPrimitive } from '@gltf-transform/functions';
import { MeshoptSimplifier } from 'meshoptimizer';
import { quoted } from '../core/errors.ts';
import { countTriangles } from './count-triangles.ts';
import type { DraftObject } from './draft.ts';
import { readGlb, writeGlb } from './gltf-io.ts';
import { plainDocument } from './plain-document.ts';

/** Triangles that the mesh objects of a scene may have together: about one for every two pixels of the largest picture. */
export const SCENE_TRIANGLES = 500_000;

/** A scene's objects, the heaviest ones with fewer triangles, and what was done. */
export interface LightenedObjects {
  readonly objects: readonly DraftObject[];
  readonly notes: readonly string[];
}

/**
 * Thins out the heaviest meshes of a scene so that all mesh objects together have at most `limit` triangles: every mesh
 * above a common number comes down to it, the others stay as they are. Edges collapse where they change the surface
 * least (quadric error, meshoptimizer); each thinned object is noted with the largest distance its surface moved.
 *
 * @throws AuditError naming the object whose GLB cannot be read
 */
export async function lightenMeshes(
  objects: readonly DraftObject[],
  limit: number = SCENE_TRIANGLES,
): Promise<LightenedObjects> {
  const counts = objects.map(({ id, geometry }) =>
    geometry.kind === 'mesh' ? countTriangles(geometry.glb, `object ${id}`) : 0,
  );
  const cap = commonCap(counts, limit);
  const made = new Map<Uint8Array, Promise<Thinned>>();
  const notes: string[] = [];
  const lightened: DraftObject[] = [];
  for (const [index, object] of objects.entries()) {
    const { geometry } = object;
    const count = counts[index] as number;
    if (geometry.kind !== 'mesh' || count <= cap) {
      lightened.push(object);
      continue;
    }
    const known = made.get(geometry.glb) ?? thin(geometry.glb, cap / count, `object ${object.id}`);
    made.set(geometry.glb, known);
    const { glb, triangles, error } = await known;
    lightened.push({ ...object, geometry: { kind: 'mesh', glb } });
    notes.push(
      `object ${quoted(object.id)}: ${count} triangles thinned to ${triangles}; its surface moved by at most ${(100 * error).toPrecision(2)}% of its size`,
    );
  }
  return { objects: lightened, notes };
}

/** The number c with sum(min(count, c)) = limit; infinite when the counts fit as they are. */
function commonCap(counts: readonly number[], limit: number): number {
  const rising = [...counts].sort((a, b) => a - b);
  let left = limit;
  for (const [index, count] of rising.entries()) {
    const share = left / (rising.length - index);
    if (count > share) return Math.floor(share);
    left -= count;
  }
  return Number.POSITIVE_INFINITY;
}

interface Thinned {
  readonly glb: Uint8Array;
  readonly triangles: number;
  /** Largest distance between the surfaces, as a share of the mesh's largest side. */
  readonly error: number;
}

async function thin(glb: Uint8Array, ratio: number, where: string): Promise<Thinned> {
  await MeshoptSimplifier.ready;
  const document: Document = await readGlb(glb, where);
  await plainDocument(document, where);
  let error = 0;
  for (const mesh of document.getRoot().listMeshes())
    for (const primitive of mesh.listPrimitives()) error = Math.max(error, thinPrimitive(primitive, ratio));
  const bytes = await writeGlb(document);
  return { glb: bytes, triangles: countTriangles(bytes, where), error };
}

/** Results this much above the target are tried again with a coarser method. */
const TOLERANCE = 1.2;

/** Thins one primitive in place. @returns the largest relative distance its surface moved */
function thinPrimitive(primitive: Primitive, ratio: number): number {
  weldPrimitive(primitive);
  const indices = Uint32Array.from(primitive.getIndices()?.getArray() ?? []);
  const positions = Float32Array.from(primitive.getAttribute('POSITION')?.getArray() ?? []);
  const target = Math.max(3, 3 * Math.floor((indices.length / 3) * ratio));
  if (indices.length <= target) return 0;
  let [thinned, error] = MeshoptSimplifier.simplify(indices, positions, 3, target, 1);
  // Faceted or heavily seamed meshes: collapse across seams as well, then by clustering alone.
  if (thinned.length > TOLERANCE * target)
    [thinned, error] = MeshoptSimplifier.simplify(indices, positions, 3, target, 1, ['Permissive']);
  if (thinned.length > TOLERANCE * target)
    [thinned, error] = MeshoptSimplifier.simplifySloppy(indices, positions, 3, null, target, 1);
  const kept = primitive.getIndices()?.clone().setArray(thinned) ?? null;
  primitive.setIndices(kept);
  compactPrimitive(primitive);
  return error;
}
