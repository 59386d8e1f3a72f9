import { expect, test } from 'vitest';
import { AuditError } from '../../src/core/errors.ts';
import { LIGHTINGS } from '../../src/core/protocol.ts';
import { blenderMapFolder, decodeExr, describeMap, readMap } from '../../src/rendering/environment-maps.ts';

test('every lighting level has a map of its own, by name or by a named stand-in, with its hash', async () => {
  const maps = await Promise.all(LIGHTINGS.map((lighting) => describeMap(lighting, 'package')));
  expect(new Set(maps.map(({ sha256 }) => sha256)).size).toBe(LIGHTINGS.length);
  expect(maps.filter(({ standIn }) => standIn).map(({ lighting, file }) => [lighting, file])).toEqual([
    ['courtyard', '@pmndrs/assets/hdri/venice.exr'],
    ['interior', '@pmndrs/assets/hdri/lobby.exr'],
  ]);
  expect(maps.every(({ sha256, source }) => /^[0-9a-f]{64}$/.test(sha256) && source === 'package')).toBe(true);
});

test('maps decode to finite, non-negative radiance', async () => {
  for (const lighting of LIGHTINGS) {
    const { width, height, data } = await readMap(lighting, 'package');
    expect(data.length).toBe(3 * width * height);
    expect(width).toBe(2 * height);
    expect(data.every((value) => Number.isFinite(value) && value >= 0)).toBe(true);
    expect(Math.max(...data.subarray(0, 1000))).toBeGreaterThan(0);
  }
});

test('an unknown lighting and a broken file are named', async () => {
  await expect(describeMap('noon', 'package')).rejects.toThrow('lighting: unknown level "noon"');
  await expect(readMap('__proto__', 'package')).rejects.toThrow(AuditError);
  expect(() => decodeExr(Uint8Array.of(1, 2, 3), 'broken.exr')).toThrow('broken.exr: cannot be decoded');
});

test.skipIf(blenderMapFolder() === null)(
  "an installed Blender's maps are other photographs than the package's",
  async () => {
    const own = await describeMap('city', 'blender');
    expect(own.standIn).toBe(false);
    expect(own.sha256).not.toBe((await describeMap('city', 'package')).sha256);
  },
);
