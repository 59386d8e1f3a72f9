import sharp from 'sharp';
import { Random } from '../../src/core/random.ts';

/** Camera and light of one synthetic thumbnail, as the level ids of the reference audit. */
export interface SyntheticView {
  readonly resolution: string;
  readonly focal: string;
  readonly lighting: string;
  readonly background: string;
  readonly pitch: string;
  readonly yaw: string;
}

const LIGHT: Record<string, readonly [number, number, number]> = {
  city: [1, 1, 1],
  courtyard: [0.82, 0.84, 0.88],
  forest: [0.7, 0.8, 0.62],
  interior: [0.9, 0.8, 0.66],
  night: [0.28, 0.32, 0.46],
  studio: [1.08, 1.08, 1.08],
  sunrise: [0.95, 0.78, 0.66],
  sunset: [0.9, 0.66, 0.5],
};
const FURNITURE = ['#b6703f', '#4f7f9b', '#8d8f55', '#9a5f78', '#6d6a8f', '#c39b52', '#57907a'];

/** A small picture of a room of boxes, drawn without a renderer: enough to lay a report out with. */
export async function drawSyntheticRoom(name: string, view: SyntheticView, size = 192): Promise<Buffer> {
  const random = new Random(11, name);
  const pitch = (Number(view.pitch) * Math.PI) / 180;
  const yaw = (Number(view.yaw) * Math.PI) / 180;
  const light = LIGHT[view.lighting] ?? [1, 1, 1];
  const shade = (colour: string, factor: number) => {
    const parts = [1, 3, 5].map((at, channel) =>
      Math.max(
        0,
        Math.min(255, Math.round(Number.parseInt(colour.slice(at, at + 2), 16) * factor * (light[channel] ?? 1))),
      ),
    );
    return `rgb(${parts.join(',')})`;
  };
  const distance = 2.2 + Number(view.focal) / 12;
  const project = (x: number, y: number, z: number): [number, number, number] => {
    const turned = [x * Math.cos(yaw) - z * Math.sin(yaw), y, x * Math.sin(yaw) + z * Math.cos(yaw)] as const;
    const up = turned[1] * Math.cos(pitch) - turned[2] * Math.sin(pitch);
    const depth = turned[1] * Math.sin(pitch) + turned[2] * Math.cos(pitch);
    const scale = (size * 0.36 * distance) / Math.max(0.4, distance - depth);
    return [size / 2 + turned[0] * scale, size / 2 - up * scale, depth];
  };
  const polygons: { points: string; depth: number; fill: string }[] = [];
  const face = (corners: readonly (readonly [number, number, number])[], fill: string, bias = 0) => {
    const placed = corners.map((corner) => project(...corner));
    polygons.push({
      points: placed.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' '),
      depth: placed.reduce((sum, [, , depth]) => sum + depth, 0) / placed.length + bias,
      fill,
    });
  };
  face(
    [
      [-1, 0, -1],
      [1, 0, -1],
      [1, 0, 1],
      [-1, 0, 1],
    ],
    shade('#d9c7a8', 1),
    -10,
  );
  for (let item = 0; item < 6; item += 1) {
    const [w, h, d] = [random.between(0.15, 0.35), random.between(0.1, 0.5), random.between(0.15, 0.35)];
    const [x, z] = [random.between(-0.7, 0.7), random.between(-0.7, 0.7)];
    const colour = random.pick(FURNITURE);
    const [l, r, f, b] = [x - w, x + w, z + d, z - d];
    face(
      [
        [l, h, b],
        [r, h, b],
        [r, h, f],
        [l, h, f],
      ],
      shade(colour, 1.1),
      0.02,
    );
    face(
      [
        [l, 0, f],
        [r, 0, f],
        [r, h, f],
        [l, h, f],
      ],
      shade(colour, 0.8),
    );
    face(
      [
        [r, 0, f],
        [r, 0, b],
        [r, h, b],
        [r, h, f],
      ],
      shade(colour, 0.66),
    );
    face(
      [
        [l, 0, f],
        [l, 0, b],
        [l, h, b],
        [l, h, f],
      ],
      shade(colour, 0.7),
    );
    face(
      [
        [l, 0, b],
        [r, 0, b],
        [r, h, b],
        [l, h, b],
      ],
      shade(colour, 0.6),
    );
  }
  const grey = /^grey-(\d+)$/.exec(view.background);
  const background = grey
    ? `rgb(${grey[1]},${grey[1]},${grey[1]})`
    : view.background === 'floor'
      ? '#c9b48d'
      : view.background;
  const body = polygons
    .sort((a, b) => a.depth - b.depth)
    .map(
      ({ points, fill }) => `<polygon points="${points}" fill="${fill}" stroke="rgba(0,0,0,.25)" stroke-width=".5"/>`,
    )
    .join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="100%" height="100%" fill="${background}"/>${body}</svg>`;
  const blur = Math.max(16, Math.min(size, Math.round((size * Number(view.resolution)) / 512)));
  const small = await sharp(Buffer.from(svg)).resize(blur, blur).png().toBuffer();
  return sharp(small).resize(size, size, { kernel: 'nearest' }).jpeg({ quality: 82 }).toBuffer();
}
