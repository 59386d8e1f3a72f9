import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Random } from '../../src/core/random.ts';
import { RESAMPLE_CODES, type Resample, type Rgb, resize } from '../../src/evaluators/resize.ts';

function noise(width: number, height: number, seed: number): Rgb {
  const random = new Random(seed, 'resize');
  return { width, height, data: Uint8Array.from({ length: width * height * 3 }, () => random.integer(256)) };
}

/** Source width and height, target width and height. */
const SIZES = [
  [37, 53, 24, 31],
  [53, 37, 96, 96],
  [128, 96, 57, 96],
  [1, 9, 5, 5],
  [64, 64, 64, 17],
  [301, 200, 33, 22],
] as const;

const PYTHON = `
import sys, hashlib, json
from PIL import Image
for line in sys.stdin:
    c = json.loads(line)
    image = Image.frombytes('RGB', (c['w'], c['h']), bytes.fromhex(c['data'])).resize((c['W'], c['H']), resample=c['code'])
    print(hashlib.sha256(image.tobytes()).hexdigest())
`;

function pillow(): boolean {
  try {
    execFileSync('/usr/bin/python3', ['-c', 'import PIL'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('resize', () => {
  // The committed tensors of preprocess.test.ts hold without Python; this asks the installed Pillow about pure noise.
  test.skipIf(!pillow())('equals the installed Pillow bit for bit, with every filter', () => {
    const cases = SIZES.flatMap(([w, h, W, H], seed) =>
      Object.entries(RESAMPLE_CODES).map(([name, code]) => ({ w, h, W, H, code, name: name as Resample, seed })),
    );
    const input = cases
      .map((item) =>
        JSON.stringify({ ...item, data: Buffer.from(noise(item.w, item.h, item.seed).data).toString('hex') }),
      )
      .join('\n');
    const expected = execFileSync('/usr/bin/python3', ['-c', PYTHON], { input: `${input}\n`, maxBuffer: 1 << 24 })
      .toString()
      .trim()
      .split('\n');
    const found = cases.map(({ w, h, W, H, name, seed }) =>
      createHash('sha256')
        .update(resize(noise(w, h, seed), W, H, name).data)
        .digest('hex'),
    );
    expect(found).toEqual(expected);
  });

  test('equal size is the same picture, untouched', () => {
    const picture = noise(40, 30, 1);
    expect(resize(picture, 40, 30, 'bicubic')).toEqual(picture);
    expect(resize(picture, 40, 30, 'lanczos').data).toBe(picture.data);
  });

  test('a constant picture stays constant', () => {
    const grey = { width: 50, height: 41, data: new Uint8Array(50 * 41 * 3).fill(93) };
    for (const name of Object.keys(RESAMPLE_CODES) as Resample[])
      expect(new Set(resize(grey, 17, 60, name).data)).toEqual(new Set([93]));
  });

  test('shrinking is antialiased: one-pixel stripes become grey, not a pattern', () => {
    const stripes: Rgb = {
      width: 64,
      height: 64,
      data: Uint8Array.from({ length: 64 * 64 * 3 }, (_, at) => (Math.floor(at / 3) % 2 === 0 ? 0 : 255)),
    };
    const inner = resize(stripes, 8, 8, 'bicubic').data;
    expect(Math.max(...inner) - Math.min(...inner)).toBeLessThanOrEqual(12);
    expect(new Set(resize(stripes, 8, 8, 'nearest').data).size).toBe(1);
  });

  test('refuses sizes and data that do not fit', () => {
    expect(() => resize(noise(4, 4, 1), 0, 4, 'bicubic')).toThrow('invalid size "0"');
    expect(() => resize({ width: 4, height: 4, data: new Uint8Array(64) }, 2, 2, 'bicubic')).toThrow(
      'invalid data length "64"; expected 48',
    );
  });
});
