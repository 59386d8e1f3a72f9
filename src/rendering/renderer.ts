import type { Rgba } from '../core/image.ts';
import type { Json } from '../core/json.ts';
import type { Failure } from '../core/outcome.ts';
import type { Fingerprint, View } from '../core/protocol.ts';
import type { FrozenScene } from '../core/scene.ts';

/** Renderer options that belong to the protocol (audit file, key `renderer`). */
export interface RendererSettings {
  readonly name: 'chromium' | 'blender' | 'files';
  /** Share of the half-frame kept free round the projected box. */
  readonly margin: number;
  /** Whether walls that are drawn also block light. */
  readonly wallsBlockLight: boolean;
  /** `own`: each map as bright as it is; `normalised`: every map scaled to the same upward irradiance. */
  readonly light: 'own' | 'normalised';
  /** Exposure in stops before the view transform. */
  readonly exposure: number;
  /** Dollhouse rule: a wall whose outward normal . direction-to-camera exceeds this is hidden. */
  readonly hideWallsAbove: number;
  /** Environment maps: CC0 photographs carried by a package, or an installed Blender's own. */
  readonly maps: 'package' | 'blender';
  /** chromium: how finely light is solved; `quick` costs a fifth of the time and is a little coarser. */
  readonly detail: 'full' | 'quick';
}

export const RENDERER_DEFAULTS: RendererSettings = {
  name: 'chromium',
  margin: 0.05,
  wallsBlockLight: true,
  light: 'own',
  exposure: 0,
  hideWallsAbove: 0.15,
  maps: 'package',
  detail: 'full',
};

/** Draws frozen scenes with straight alpha; backgrounds never reach a renderer. */
export interface Renderer {
  /** Everything that could change a pixel by intent: name, version, settings, map hashes, view transform. */
  readonly fingerprint: Fingerprint;
  /** Its pictures carry their background already: views then name one, and nothing is composited behind opaque pixels. */
  readonly includesBackground?: boolean;
  /** Machine facts: browser build, GL renderer, driver, package versions. In image keys, not in the card ID. */
  environment(): Promise<Json>;
  /** Loads the scene once, draws every view; yields in any order. A blank or transparent picture is a failure. */
  render(
    scene: FrozenScene,
    views: readonly View[],
    signal: AbortSignal,
  ): AsyncIterable<readonly [View, Rgba | Failure]>;
  close(): Promise<void>;
}
