/** Straight-alpha sRGB pixels, 8 bits, top row first; `data.length = 4 * width * height`. */
export interface Rgba {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Opaque sRGB pixels, 8 bits, top row first; `data.length = 3 * width * height`. What an evaluator sees. */
export interface Image {
  /** Image key: the content key of (scene, renderer, render configuration). */
  readonly key: string;
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}
