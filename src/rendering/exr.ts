import { FloatType } from 'three';
import { EXRLoader } from 'three/examples/jsm/loaders/EXRLoader.js';
import { AuditError, messageOf } from '../core/errors.ts';

/** Scene-linear pixels as an EXR holds them: `channels` floats a pixel, row 0 is the BOTTOM. */
export interface LinearImage {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Float32Array;
}

/** Decodes an OpenEXR file. @throws AuditError naming `file` when it cannot be read. */
export function readExr(bytes: Uint8Array, file: string): LinearImage {
  try {
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    const parsed = new EXRLoader().setDataType(FloatType).parse(buffer);
    const data = parsed.data as Float32Array;
    const { width = 0, height = 0 } = parsed;
    if (width * height === 0) throw new Error('the image has no pixels');
    return { width, height, channels: data.length / (width * height), data };
  } catch (error) {
    throw new AuditError(`${file}: cannot be decoded: ${messageOf(error)}; expected an OpenEXR file`, { cause: error });
  }
}

/** An uncompressed 32-bit OpenEXR of three channels: what Blender reads our cleaned maps from. Row 0 of `data` is the bottom. */
export function writeExr({ width, height, data }: Pick<LinearImage, 'width' | 'height' | 'data'>): Uint8Array {
  const parts: Uint8Array[] = [];
  const text = (value: string) => new TextEncoder().encode(`${value}\0`);
  const ints = (...values: number[]) => new Uint8Array(Int32Array.from(values).buffer);
  const attribute = (name: string, type: string, value: Uint8Array) =>
    parts.push(text(name), text(type), ints(value.length), value);
  parts.push(ints(20000630, 2));
  // Channels in alphabetical order, 32-bit float, sampled at every pixel.
  const channel = (name: string) => Buffer.concat([text(name), ints(2, 0, 1, 1)]);
  attribute('channels', 'chlist', Buffer.concat([channel('B'), channel('G'), channel('R'), Uint8Array.of(0)]));
  attribute('compression', 'compression', Uint8Array.of(0));
  attribute('dataWindow', 'box2i', ints(0, 0, width - 1, height - 1));
  attribute('displayWindow', 'box2i', ints(0, 0, width - 1, height - 1));
  attribute('lineOrder', 'lineOrder', Uint8Array.of(0));
  attribute('pixelAspectRatio', 'float', new Uint8Array(Float32Array.of(1).buffer));
  attribute('screenWindowCenter', 'v2f', new Uint8Array(Float32Array.of(0, 0).buffer));
  attribute('screenWindowWidth', 'float', new Uint8Array(Float32Array.of(1).buffer));
  parts.push(Uint8Array.of(0));
  const header = Buffer.concat(parts);
  const line = 8 + 12 * width;
  const out = new Uint8Array(header.length + 8 * height + line * height);
  out.set(header);
  const view = new DataView(out.buffer);
  for (let row = 0; row < height; row += 1) {
    const start = header.length + 8 * height + line * row;
    view.setBigUint64(header.length + 8 * row, BigInt(start), true);
    view.setInt32(start, row, true);
    view.setInt32(start + 4, 12 * width, true);
    const source = height - 1 - row;
    for (let channel = 0; channel < 3; channel += 1)
      for (let column = 0; column < width; column += 1)
        view.setFloat32(
          start + 8 + 4 * (channel * width + column),
          data[3 * (source * width + column) + 2 - channel]!,
          true,
        );
  }
  return out;
}
