import type { Opening, Room } from '../../src/core/scene.ts';
import { rectangularRoom } from '../../src/scenes/room-shell.ts';
import type { FloorKind } from '../../src/scenes/surfaces.ts';

/** An opening's wall (0 back, 1 right, 2 front, 3 left) and its middle as a share of the wall's length. */
export interface DemoOpening {
  readonly wall: number;
  readonly at: number;
}

/** The room of one prompt in objects.json, metres. */
export interface DemoRoom {
  readonly type: string;
  readonly width: number;
  readonly depth: number;
  readonly height: number;
  readonly floor: readonly [FloorKind, number];
  readonly wall: number;
  readonly door: DemoOpening;
  readonly window: DemoOpening;
}

/** The room with a door of 0.9 x 2.05 m and a window of 1.3 x 1.2 m. */
export function demoRoom(id: string, { type, width, depth, height, door, window }: DemoRoom): Room {
  const openings: Record<number, Opening[]> = {};
  const cut = (kind: 'door' | 'window', { wall, at }: DemoOpening, wide: number, bottom: number, top: number) => {
    const middle = at * (wall % 2 === 0 ? width : depth);
    const opening: Opening = { type: kind, from: middle - wide / 2, to: middle + wide / 2, bottom, top };
    openings[wall] = [...(openings[wall] ?? []), opening];
  };
  cut('door', door, 0.9, 0, 2.05);
  cut('window', window, 1.3, 0.95, 2.15);
  return rectangularRoom({ id, type, width, depth, height, openings });
}
