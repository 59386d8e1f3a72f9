import { expect, test } from 'vitest';
import { closeSurface } from '../../../src/rendering/light/closed-surface.ts';

// A tetrahedron wound outward, each face with its own vertices, as exporters write flat shading.
const corners = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const;
const faces = [
  [0, 2, 1],
  [0, 1, 3],
  [0, 3, 2],
  [1, 2, 3],
] as const;

function tetrahedron(used: readonly (readonly [number, number, number])[] = faces) {
  const position = Float32Array.from(used.flatMap((face) => face.flatMap((corner) => [...corners[corner]!])));
  const normal = new Float32Array(position.length).fill(0.25);
  return { index: Uint32Array.from({ length: 3 * used.length }, (_, i) => i), position, normal };
}

test('a closed surface is recognised though its faces share no vertices', () => {
  const { index, position, normal } = tetrahedron();
  const before = index.slice();
  expect(closeSurface(index, position, normal)).toBe(true);
  expect(index).toEqual(before);
  expect(normal[0]).toBe(0.25);
});

test('a missing face or one wound the other way makes it open', () => {
  const missing = tetrahedron(faces.slice(1));
  expect(closeSurface(missing.index, missing.position, missing.normal)).toBe(false);
  const turned = tetrahedron([[0, 1, 2], ...faces.slice(1)]);
  expect(closeSurface(turned.index, turned.position, turned.normal)).toBe(false);
});

test('a shell found inside out is turned, its normals too', () => {
  const { index, position, normal } = tetrahedron(faces.map(([a, b, c]) => [a, c, b]));
  expect(closeSurface(index, position, normal)).toBe(true);
  expect([...index.subarray(0, 3)]).toEqual([0, 2, 1]);
  expect(normal[0]).toBe(-0.25);
});
