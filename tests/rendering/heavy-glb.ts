import { makeGlb } from '../scenes/make-glb.ts';

/**
 * A bumpy ball of radius 0.5 with about so many triangles. `smooth`: shared vertices and normals; `faceted`: every
 * triangle has its own vertices and normal; `soup`: its own vertices and no normals.
 */
export function heavyGlb(triangles: number, kind: 'smooth' | 'faceted' | 'soup'): Promise<Uint8Array> {
  const columns = Math.round(Math.sqrt(triangles));
  const rows = Math.round(triangles / columns / 2);
  const positions = new Float32Array(3 * (columns + 1) * (rows + 1));
  const normals = new Float32Array(positions.length);
  for (let row = 0, at = 0; row <= rows; row += 1)
    for (let column = 0; column <= columns; column += 1, at += 3) {
      const polar = (Math.PI * row) / rows;
      const azimuth = (2 * Math.PI * (column % columns)) / columns;
      const direction = [
        Math.sin(polar) * Math.cos(azimuth),
        Math.cos(polar),
        Math.sin(polar) * Math.sin(azimuth),
      ] as const;
      const radius = 0.5 * (1 + 0.02 * Math.sin(20 * polar) * Math.sin(24 * azimuth));
      for (const axis of [0, 1, 2] as const) {
        positions[at + axis] = radius * direction[axis];
        normals[at + axis] = direction[axis];
      }
    }
  const indices = new Uint32Array(6 * columns * rows);
  for (let row = 0, at = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1, at += 6) {
      const corner = row * (columns + 1) + column;
      const below = corner + columns + 1;
      indices.set([corner, corner + 1, below, corner + 1, below + 1, below], at);
    }
  return makeGlb((document) => {
    const vec3 = (array: Float32Array) => document.createAccessor().setType('VEC3').setArray(array);
    const primitive = document
      .createPrimitive()
      .setMaterial(document.createMaterial('clay').setBaseColorFactor([0.6, 0.2, 0.1, 1]).setRoughnessFactor(0.8));
    if (kind === 'smooth')
      primitive
        .setAttribute('POSITION', vec3(positions))
        .setAttribute('NORMAL', vec3(normals))
        .setIndices(document.createAccessor().setArray(indices));
    else {
      const own = new Float32Array(3 * indices.length);
      const flat = new Float32Array(3 * indices.length);
      for (let index = 0; index < indices.length; index += 1)
        for (let axis = 0; axis < 3; axis += 1) {
          own[3 * index + axis] = positions[3 * indices[index]! + axis]!;
          flat[3 * index + axis] = normals[3 * indices[index - (index % 3)]! + axis]!;
        }
      primitive.setAttribute('POSITION', vec3(own));
      if (kind === 'faceted') primitive.setAttribute('NORMAL', vec3(flat));
    }
    return [document.createNode('ball').setMesh(document.createMesh('ball').addPrimitive(primitive))];
  });
}
