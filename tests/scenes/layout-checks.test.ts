import { expect, test } from 'vitest';
import { yawTransform } from '../../src/scenes/frames.ts';
import { outsideRooms, overlappingPairs } from '../../src/scenes/layout-checks.ts';
import { polygonRoom, rectangularRoom } from '../../src/scenes/room-shell.ts';

type Size = readonly [number, number, number];
const box = (id: string, place: Size, size: Size = [1, 1, 1], yaw = 0, supportedBy: string | null = null) => ({
  id,
  transform: yawTransform(yaw, place),
  size,
  supportedBy,
});

test('boxes overlap when they sink over a centimetre into each other in every direction', () => {
  expect(overlappingPairs([box('a', [0, 0, 0]), box('b', [0.995, 0, 0]), box('c', [1.98, 0, 0])])).toEqual([
    ['b', 'c'],
  ]);
  expect(overlappingPairs([box('a', [0, 0, 0]), box('b', [0, 0.5, 0])])).toEqual([['a', 'b']]);
  expect(overlappingPairs([box('a', [0, 0, 0]), box('b', [0, 1, 0])])).toEqual([]);
});

test('turned boxes are compared as they stand, not by their upright boxes', () => {
  const turned = box('b', [1.15, 0, 1.15], [1, 1, 1], Math.PI / 4);
  // The upright boxes overlap; the boxes themselves do not.
  expect(
    overlappingPairs([box('a', [0, 0, 0]), { ...turned, transform: yawTransform(Math.PI / 4, [0.9, 0, 0.9]) }]),
  ).toEqual([]);
  expect(
    overlappingPairs([box('a', [0, 0, 0]), { ...turned, transform: yawTransform(Math.PI / 4, [0.8, 0, 0.8]) }]),
  ).toEqual([['a', 'b']]);
});

test('supports and rugs do not count', () => {
  expect(overlappingPairs([box('table', [0, 0, 0]), box('cup', [0, 0.9, 0], [0.1, 0.2, 0.1], 0, 'table')])).toEqual([]);
  expect(overlappingPairs([box('rug', [0, 0, 0], [2, 0.02, 2]), box('chair', [0, 0, 0])])).toEqual([]);
});

test('an object is outside when a corner sticks out of every room by over 5 cm', () => {
  const room = rectangularRoom({ id: 'r', type: '', width: 4, depth: 4, height: 2 });
  const at = (x: number) => outsideRooms([box('a', [x, 0, 0])], [room]);
  expect([at(1.5), at(1.54), at(1.56), at(9)]).toEqual([[], [], ['a'], ['a']]);
  const next = polygonRoom({
    id: 's',
    type: '',
    floor: [
      [2, -2],
      [4, -2],
      [4, 2],
      [2, 2],
    ],
    height: 2,
  });
  expect(outsideRooms([box('a', [2, 0, 0])], [room, next])).toEqual([]);
  expect(outsideRooms([box('a', [99, 0, 0])], [])).toEqual([]);
});
