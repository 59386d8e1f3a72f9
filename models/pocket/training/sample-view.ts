import { LIGHTINGS } from '../../../src/core/protocol.ts';
import type { Random } from '../../../src/core/random.ts';

/** How one training picture is taken. */
export interface TrainingView {
  readonly pitch: number;
  readonly yaw: number;
  readonly focal: number;
  readonly lighting: string;
  readonly background: string;
  readonly margin: number;
  /** Stops. */
  readonly exposure: number;
  /** Drawn at 96 px, or at 192 px and averaged down. */
  readonly resolution: 96 | 192;
}

/** The reference audit's default view. */
export const DEFAULT_VIEW: TrainingView = {
  pitch: 90,
  yaw: 0,
  focal: 50,
  lighting: 'city',
  background: 'grey-255',
  margin: 0.05,
  exposure: 0,
  resolution: 192,
};

const FOCALS = [16, 24, 35, 50, 85, 100, 200];

/** Mostly top-down, as audits are; the rest from every side and height. */
export function sampleView(random: Random): TrainingView {
  const draw = random.next();
  const [pitch, yaw] =
    draw < 0.42
      ? [90, 0]
      : draw < 0.5
        ? [90, random.integer(4) * 90]
        : draw < 0.66
          ? [45, random.integer(8) * 45]
          : draw < 0.78
            ? [random.pick([15, 30, 60, 75]), random.integer(8) * 45]
            : draw < 0.97
              ? [random.between(18, 88), random.between(0, 360)]
              : [random.between(0, 18), random.between(0, 360)];
  const shade = random.next();
  const background =
    shade < 0.45
      ? 'grey-255'
      : shade < 0.8
        ? `grey-${random.integer(256)}`
        : shade < 0.94
          ? random.pick(['red', 'green', 'blue'])
          : 'floor';
  return {
    pitch,
    yaw,
    focal: random.next() < 0.5 ? 50 : random.pick(FOCALS),
    lighting: random.next() < 0.45 ? 'city' : random.pick(LIGHTINGS),
    background,
    margin: random.next() < 0.5 ? 0.05 : random.between(0.02, 0.12),
    exposure: random.next() < 0.5 ? 0 : random.between(-0.7, 0.9),
    resolution: random.next() < 0.2 ? 192 : 96,
  };
}
