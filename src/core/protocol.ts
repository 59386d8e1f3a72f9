import type { Json } from './json.ts';

/** Factors that change the picture, in canonical order. */
export const RENDER_FACTORS = ['resolution', 'focal', 'lighting', 'background', 'pitch', 'yaw'] as const;
/** The renderer itself as a factor: in c0 and in configurations only of an audit that declares it. */
export const RENDERER_FACTOR = 'renderer';
export const RENDERER_LEVELS = ['chromium', 'blender'] as const;
export type RendererLevel = (typeof RENDERER_LEVELS)[number];
/** Factors that change the caption. */
export const CAPTION_FACTORS = ['template', 'paraphrase'] as const;
export type RenderFactor = (typeof RENDER_FACTORS)[number];
export type CaptionFactor = (typeof CAPTION_FACTORS)[number];

/** The eight environment maps of the published study. */
export const LIGHTINGS = ['city', 'courtyard', 'forest', 'interior', 'night', 'studio', 'sunrise', 'sunset'] as const;
export type Lighting = (typeof LIGHTINGS)[number];

/** One camera and light: what a renderer is asked for. Backgrounds are composited afterwards. */
export interface View {
  /** Pixels of the square image. */
  readonly resolution: number;
  /** Focal length, mm, on a 36 mm sensor. */
  readonly focal: number;
  readonly lighting: string;
  /** Degrees above the horizon; 90 is top-down. */
  readonly pitch: number;
  /** Degrees about +Y; 0 looks along -Z (camera on the +Z side). */
  readonly yaw: number;
  /** Only for a renderer whose pictures carry their background already (`files`). */
  readonly background?: string;
  /** Only where the renderer is a factor: which one draws. */
  readonly renderer?: RendererLevel;
}

/** A view plus its background: one picture an evaluator sees. */
export interface RenderConfiguration extends Omit<View, 'background'> {
  /** `grey-<0..255>`, `red`, `green`, `blue`, `floor`. */
  readonly background: string;
}

/** A level for every factor, as strings (as they stand in tables). */
export type Configuration = Readonly<Record<string, string>>;

/** How a score is scaled, always named. */
export interface Scale {
  readonly name: string;
  readonly min: number | null;
  readonly max: number | null;
}

/** Anything that could change a number, canonical JSON. */
export type Fingerprint = Json;

export const EVALUATOR_ROLES = ['alignment', 'quality', 'symbolic'] as const;
export type EvaluatorRole = (typeof EVALUATOR_ROLES)[number];
