import { expect, test } from 'vitest';
import { AuditError } from '../../src/core/errors.ts';
import { backgroundColour, composite } from '../../src/rendering/composite.ts';

const picture = {
  width: 3,
  height: 1,
  data: Uint8Array.of(200, 100, 50, 255, 200, 100, 50, 0, 200, 100, 50, 51),
};

test('straight alpha over a plain background, rounded to nearest', () => {
  expect([...composite(picture, 'grey-255', null)]).toEqual([200, 100, 50, 255, 255, 255, 244, 224, 214]);
  expect([...composite(picture, 'grey-0', null)]).toEqual([200, 100, 50, 0, 0, 0, 40, 20, 10]);
  expect([...composite(picture, 'red', null)]).toEqual([200, 100, 50, 255, 0, 0, 244, 20, 10]);
});

test('the floor texture is tiled over the whole image from its top left corner', () => {
  const floor = { width: 2, height: 2, data: Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) };
  const clear = { width: 3, height: 3, data: new Uint8Array(36) };
  expect([...composite(clear, 'floor', floor)]).toEqual([
    1, 2, 3, 4, 5, 6, 1, 2, 3, 7, 8, 9, 10, 11, 12, 7, 8, 9, 1, 2, 3, 4, 5, 6, 1, 2, 3,
  ]);
});

test('levels of the reference audit are colours; anything else is refused', () => {
  expect([0, 65, 128, 186, 204, 255].map((grey) => backgroundColour(`grey-${grey}`))).toEqual(
    [0, 65, 128, 186, 204, 255].map((grey) => [grey, grey, grey]),
  );
  expect(['red', 'green', 'blue', 'floor'].map(backgroundColour)).toEqual([
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    null,
  ]);
  for (const bad of ['grey-256', 'grey-01', 'grey--1', 'white', 'grey-1.5', '__proto__', 'toString'])
    expect(() => backgroundColour(bad)).toThrow(AuditError);
  expect(() => composite(picture, 'floor', null)).toThrow('needs a room with a floor texture');
});
