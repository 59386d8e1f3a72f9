import { BufferAttribute, BufferGeometry, type Mesh, Vector3 } from 'three';
import { closeSurface } from '../light/closed-surface.ts';
import type { Sides } from './batch.ts';
import type { AnyMaterial, Surface } from './surface.ts';

/** Meshes, or parts of meshes, that one draw call holds. */
export interface Bucket {
  readonly wall: string | null;
  readonly surface: Surface;
  /** Part of the mesh's index (or of its vertices) that has the material. */
  readonly meshes: { mesh: Mesh; material: AnyMaterial; from: number; count: number }[];
}

/** Colour factors above this are a mistake in the file. */
const COLOUR_LIMIT = 1e4;

/** Copies a bucket's meshes into geometries in scene space (position, normal, uv, tint, surface): closed pieces apart from open ones. */
export function mergeBucket(bucket: Bucket, notes: Set<string>): { sides: Sides; geometry: BufferGeometry }[] {
  let vertices = 0;
  let indices = 0;
  for (const { mesh, count } of bucket.meshes) {
    vertices += withNormals(mesh, notes).getAttribute('position').count;
    indices += count;
  }
  const position = new Float32Array(3 * vertices);
  const normal = new Float32Array(3 * vertices);
  const uv = new Float32Array(2 * vertices);
  const tint = new Float32Array(3 * vertices);
  const surface = new Float32Array(4 * vertices);
  const index = new Uint32Array(indices);
  // Closed pieces from the front of the index, open ones from its back.
  let closedEnd = 0;
  let openStart = indices;
  let firstVertex = 0;
  const point = new Vector3();
  for (const { mesh, material, from, count } of bucket.meshes) {
    const geometry = withNormals(mesh, notes);
    const positions = geometry.getAttribute('position');
    const normals = geometry.getAttribute('normal');
    const map = material.map ?? material.normalMap ?? material.roughnessMap ?? material.emissiveMap ?? null;
    const channel = map?.channel ?? 0;
    const uvs = geometry.getAttribute(channel === 0 ? 'uv' : `uv${channel}`);
    const colours = material.vertexColors ? geometry.getAttribute('color') : undefined;
    const unlit = material.type === 'MeshBasicMaterial';
    map?.updateMatrix();
    const turn = map?.matrix.elements;
    const normalMatrix = mesh.matrixWorld.clone().invert().transpose();
    const metalness = unlit ? 0 : material.metalness;
    const roughness = unlit ? 1 : material.roughness;
    // Glass: a transmitting surface lets through what is behind it; without ray tracing that is opacity.
    const opacity = material.opacity * (1 - 0.85 * Math.min(material.transmission ?? 0, 1));
    for (let vertex = 0; vertex < positions.count; vertex += 1) {
      const at = firstVertex + vertex;
      point.fromBufferAttribute(positions, vertex).applyMatrix4(mesh.matrixWorld);
      point.toArray(position, 3 * at);
      point.fromBufferAttribute(normals, vertex).transformDirection(normalMatrix);
      point.toArray(normal, 3 * at);
      if (uvs !== undefined) {
        const [u, v] = [uvs.getX(vertex), uvs.getY(vertex)];
        uv[2 * at] = turn === undefined ? u : turn[0]! * u + turn[3]! * v + turn[6]!;
        uv[2 * at + 1] = turn === undefined ? v : turn[1]! * u + turn[4]! * v + turn[7]!;
      }
      const paint =
        colours === undefined ? undefined : [colours.getX(vertex), colours.getY(vertex), colours.getZ(vertex)];
      tint[3 * at] = Math.min(material.color.r * (paint?.[0] ?? 1), COLOUR_LIMIT);
      tint[3 * at + 1] = Math.min(material.color.g * (paint?.[1] ?? 1), COLOUR_LIMIT);
      tint[3 * at + 2] = Math.min(material.color.b * (paint?.[2] ?? 1), COLOUR_LIMIT);
      surface[4 * at] = roughness;
      surface[4 * at + 1] = metalness;
      surface[4 * at + 2] = unlit ? 1 : 0;
      surface[4 * at + 3] = opacity * (colours !== undefined && colours.itemSize === 4 ? colours.getW(vertex) : 1);
    }
    const indexed = geometry.index;
    const piece = new Uint32Array(count);
    for (let i = 0; i < count; i += 1) {
      const vertex = indexed === null ? from + i : indexed.getX(from + i);
      if (vertex >= positions.count) throw new Error('a triangle names a vertex that is not there');
      piece[i] = firstVertex + vertex;
    }
    windLikeNormals(piece, position, normal);
    const hollow = bucket.surface.blended || bucket.surface.alphaTest > 0;
    if (!hollow && closeSurface(piece, position, normal)) {
      index.set(piece, closedEnd);
      closedEnd += count;
    } else {
      openStart -= count;
      index.set(piece, openStart);
    }
    firstVertex += positions.count;
  }
  const attributes = {
    position: new BufferAttribute(position, 3),
    normal: new BufferAttribute(normal, 3),
    uv: new BufferAttribute(uv, 2),
    tint: new BufferAttribute(tint, 3),
    surface: new BufferAttribute(surface, 4),
  };
  const parts: { sides: Sides; geometry: BufferGeometry }[] = [];
  for (const [sides, part] of [
    ['front', index.subarray(0, closedEnd)],
    ['both', index.subarray(openStart)],
  ] as const) {
    if (part.length < 3) continue;
    const geometry = new BufferGeometry();
    for (const [name, attribute] of Object.entries(attributes)) geometry.setAttribute(name, attribute);
    geometry.setIndex(new BufferAttribute(part.slice(), 1));
    parts.push({ sides, geometry });
  }
  return parts;
}

/** The mesh's geometry; without normals in the file every triangle gets its own, as glTF demands. */
function withNormals(mesh: Mesh, notes: Set<string>): BufferGeometry {
  if (mesh.geometry.getAttribute('normal') === undefined) {
    notes.add('a mesh without normals is drawn faceted');
    const whole = mesh.geometry;
    if (whole.index !== null) {
      // Triangle i of the index becomes triangle i of the vertices: parts keep their place.
      mesh.geometry = whole.toNonIndexed();
      whole.dispose();
    }
    mesh.geometry.computeVertexNormals();
  }
  return mesh.geometry;
}

/** Turns triangles whose winding contradicts their normals (mirrored nodes, careless files): shading asks the winding which side is seen. */
function windLikeNormals(index: Uint32Array, position: Float32Array, normal: Float32Array): void {
  for (let i = 0; i + 2 < index.length; i += 3) {
    const a = 3 * index[i]!;
    const b = 3 * index[i + 1]!;
    const c = 3 * index[i + 2]!;
    const ux = position[b]! - position[a]!;
    const uy = position[b + 1]! - position[a + 1]!;
    const uz = position[b + 2]! - position[a + 2]!;
    const vx = position[c]! - position[a]!;
    const vy = position[c + 1]! - position[a + 1]!;
    const vz = position[c + 2]! - position[a + 2]!;
    const facing =
      (uy * vz - uz * vy) * (normal[a]! + normal[b]! + normal[c]!) +
      (uz * vx - ux * vz) * (normal[a + 1]! + normal[b + 1]! + normal[c + 1]!) +
      (ux * vy - uy * vx) * (normal[a + 2]! + normal[b + 2]! + normal[c + 2]!);
    if (facing >= 0) continue;
    const second = index[i + 1]!;
    index[i + 1] = index[i + 2]!;
    index[i + 2] = second;
  }
}
