import type { Box, Camera } from '../framing.ts';

/** What Node asks of the page; every field is plain JSON. */
export interface LoadRequest {
  /** Where the GLB is, relative to the page. */
  readonly url: string;
  readonly detail: 'full' | 'quick';
}

export interface LoadAnswer {
  /** Box of everything in the file, hidden or not, metres. */
  readonly box: Box;
  /** Names of the wall nodes. */
  readonly walls: readonly string[];
  readonly triangles: number;
  readonly notes: readonly string[];
}

/** One picture. */
export interface Picture {
  readonly id: string;
  readonly resolution: number;
  readonly camera: Camera;
  readonly lighting: string;
  /** Names of wall nodes that are not drawn. */
  readonly hidden: readonly string[];
}

export interface DrawRequest {
  readonly pictures: readonly Picture[];
  readonly wallsBlockLight: boolean;
  /** Multiplies linear colour before the view transform. */
  readonly exposure: number;
  /** Pixels stay in the page: for measuring what drawing alone costs. */
  readonly discard?: boolean;
}

/** What stands before the float arrays of a light file: sky, sharp reflection, rough reflections, of these lengths. */
export interface LightHeader {
  readonly sun: {
    readonly direction: readonly [number, number, number];
    readonly irradiance: readonly [number, number, number];
    readonly radius: number;
  } | null;
  readonly lengths: readonly number[];
}

/** The page's interface, `window.parallax`. */
export interface RendererPage {
  info(): Promise<{ readonly glRenderer: string; readonly glVersion: string; readonly maxSamples: number }>;
  load(request: LoadRequest): Promise<LoadAnswer>;
  /** Posts each picture's pixels to `pixels/<id>`; resolves with milliseconds spent drawing. */
  draw(request: DrawRequest): Promise<{ readonly drawing: number; readonly lighting: number }>;
  unload(): Promise<void>;
}
