import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isFailure } from '../../src/core/outcome.ts';
import { opaqueRgb, readImageFile } from '../../src/core/read-image.ts';

const folder = join(import.meta.dirname, '..', 'fixtures', 'images');
const reference = JSON.parse(readFileSync(join(folder, 'reference.json'), 'utf8')) as {
  cases: {
    file: string;
    background: [number, number, number] | null;
    failure?: string;
    width?: number;
    height?: number;
    pixels?: string;
  }[];
};

describe('picture files against Pillow and numpy', () => {
  test.each(reference.cases.map((item) => [item.file, item] as const))('%s', async (file, item) => {
    const decoded = await readImageFile(join(folder, file));
    const rgb = isFailure(decoded) ? decoded : opaqueRgb(decoded, item.background);
    if (item.failure !== undefined) {
      expect(isFailure(rgb)).toBe(true);
      if (isFailure(rgb)) expect(rgb.reason).toContain(item.failure);
      return;
    }
    if (isFailure(rgb)) throw new Error(rgb.reason);
    expect([rgb.width, rgb.height]).toEqual([item.width, item.height]);
    expect(createHash('sha256').update(rgb.data).digest('hex')).toBe(item.pixels);
  });

  test('what was changed is said', async () => {
    const notes = async (file: string) => {
      const decoded = await readImageFile(join(folder, file));
      return isFailure(decoded) ? decoded.reason : decoded.notes;
    };
    expect(await notes('exif-6.png')).toEqual(['EXIF rotation 6 applied']);
    expect(await notes('exif-1.png')).toEqual([]);
    expect(await notes('grey-16.png')).toEqual(['16 bits reduced to 8', 'grey made RGB']);
    expect(await notes('rgb-97x131.png')).toEqual([]);
  });

  test('a file that is not there is a failure, not an exception', async () => {
    expect(await readImageFile(join(folder, 'nowhere.png'))).toEqual({
      status: 'failed',
      reason: expect.stringContaining('cannot be read'),
    });
  });
});
