import { expect, test } from 'vitest';
import { Random } from '../../src/core/random.ts';
import { decodePng, encodePng } from '../../src/rendering/png.ts';

function noise(width: number, height: number) {
  const random = new Random(1, 'png');
  return { width, height, data: Uint8Array.from({ length: 4 * width * height }, () => random.integer(256)) };
}

test('pixels come back exactly, colour under alpha 0 included', async () => {
  const picture = noise(37, 23);
  for (let pixel = 0; pixel < 200; pixel += 1) picture.data[4 * pixel + 3] = 0;
  expect(await decodePng(await encodePng(picture))).toEqual(picture);
});

test('opaque pictures are stored with three channels and read back opaque', async () => {
  const { data } = noise(5, 4);
  const rgb = data.slice(0, 60);
  const back = await decodePng(await encodePng({ width: 5, height: 4, data: rgb }));
  expect([...back.data].filter((_, index) => index % 4 !== 3)).toEqual([...rgb]);
  expect([...back.data].filter((_, index) => index % 4 === 3)).toEqual(new Array(20).fill(255));
});

test('no chunk tells a reader to change the values', async () => {
  const bytes = await encodePng(noise(8, 8));
  const names: string[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at < bytes.length; at += 12 + view.getUint32(at))
    names.push(String.fromCharCode(...bytes.subarray(at + 4, at + 8)));
  expect(names.filter((name) => ['gAMA', 'iCCP', 'cHRM', 'eXIf', 'sRGB', 'tEXt', 'zTXt'].includes(name))).toEqual([]);
});
