import { expect, test } from 'vitest';
import {
  type Box,
  cameraBasis,
  corners,
  frameBox,
  hidesWall,
  project,
  type Vector,
} from '../../src/rendering/framing.ts';

const FOCALS = [16, 24, 35, 50, 85, 100, 200];
const PITCHES = [0, 15, 30, 45, 60, 75, 90];
const YAWS = [0, 45, 90, 135, 180, 225, 270, 315];
const BOXES: Box[] = [1, 4, 12, 50].flatMap((side) => [
  { min: [-side / 2, -0.05, -side / 2], max: [side / 2, 2.6, side / 2] },
  { min: [3, -0.05, -7], max: [3 + side, 0.4 * side, -7 + side / 3] },
]);

function spread(box: Box, focal: number, pitch: number, yaw: number, margin: number) {
  const camera = frameBox(box, { focal, pitch, yaw }, margin);
  const points = corners(box).map((corner) => project(camera, corner));
  return {
    camera,
    left: Math.min(...points.map(({ x }) => x)),
    right: Math.max(...points.map(({ x }) => x)),
    bottom: Math.min(...points.map(({ y }) => y)),
    top: Math.max(...points.map(({ y }) => y)),
    nearest: Math.min(...points.map(({ depth }) => depth)),
    farthest: Math.max(...points.map(({ depth }) => depth)),
  };
}

test('the projected box touches the frame less its margin, at every focal length, pitch and yaw, from 1 to 50 m', () => {
  for (const box of BOXES)
    for (const focal of FOCALS)
      for (const pitch of PITCHES)
        for (const yaw of YAWS) {
          const { left, right, bottom, top } = spread(box, focal, pitch, yaw, 0.05);
          expect(left + right).toBeCloseTo(0, 9);
          expect(bottom + top).toBeCloseTo(0, 9);
          expect(Math.max(right, top)).toBeCloseTo(0.95, 9);
        }
});

test('nothing is clipped: near and far enclose the box and stay close to it', () => {
  for (const box of BOXES)
    for (const focal of FOCALS)
      for (const pitch of PITCHES) {
        const { camera, nearest, farthest } = spread(box, focal, pitch, 30, 0);
        expect(nearest).toBeGreaterThan(0);
        expect(camera.near).toBeLessThan(nearest);
        expect(camera.near).toBeGreaterThan(0);
        expect(camera.far).toBeGreaterThan(farthest);
        expect(camera.far).toBeLessThan(1.2 * farthest + 1);
      }
});

test('camera axes are orthonormal and exact at right angles; straight down, up still follows yaw', () => {
  expect(cameraBasis(90, 0)).toEqual({ right: [1, 0, -0], up: [-0, 0, -1], back: [0, 1, 0] });
  expect(cameraBasis(0, 90).back).toEqual([1, 0, 0]);
  const dot = (a: Vector, b: Vector) => a.reduce((sum, value, index) => sum + value * b[index]!, 0);
  for (const pitch of PITCHES)
    for (const yaw of YAWS) {
      const { right, up, back } = cameraBasis(pitch, yaw);
      expect([dot(right, right), dot(up, up), dot(back, back)].every((value) => Math.abs(value - 1) < 1e-12)).toBe(
        true,
      );
      expect([dot(right, up), dot(up, back), dot(back, right)].every((value) => Math.abs(value) < 1e-12)).toBe(true);
    }
});

test('walls that face the camera are hidden; straight down all show', () => {
  const walls: Record<string, [number, number]> = { front: [0, 1], right: [1, 0], back: [0, -1], left: [-1, 0] };
  const hidden = (pitch: number, yaw: number) =>
    Object.entries(walls)
      .filter(([, normal]) => hidesWall({ normal }, { pitch, yaw }, 0.15))
      .map(([name]) => name);
  expect(hidden(0, 0)).toEqual(['front']);
  expect(hidden(45, 0)).toEqual(['front']);
  expect(hidden(45, 45)).toEqual(['front', 'right']);
  expect(hidden(45, 270)).toEqual(['left']);
  expect(hidden(75, 0)).toEqual(['front']);
  expect(hidden(90, 0)).toEqual([]);
  expect(hidden(90, 45)).toEqual([]);
});
