import { z } from 'zod';

/** Ids name folders and table cells: no path parts, no control characters, no spreadsheet formulas. */
export const idSchema = z
  .string()
  .min(1)
  .max(128)
  .regex(
    /^[^=+\-@\s/\\][^/\\\p{Cc}\u202a-\u202e\u2066-\u2069]*$/u,
    'expected an id without "/", "\\" or control characters that does not start with = + - @',
  )
  .refine((id) => id !== '.' && id !== '..' && !id.startsWith('..'), 'expected an id, not a path')
  .refine(isPlainId, 'expected an id of whole characters, none that JavaScript objects carry (such as "constructor")');

/** False for half a surrogate pair (it has no UTF-8 form) and for names every JavaScript object has, `__proto__` among them. */
export function isPlainId(id: string): boolean {
  return !/\p{Surrogate}/u.test(id) && !(id in Object.prototype);
}

const finite = z.number();
/** [x, z] on the floor plan, metres. */
export const pointSchema = z.tuple([finite, finite]);

/** A hole in a wall: `from`..`to` metres along the wall from its start, `bottom`..`top` metres above the floor. */
export const openingSchema = z.strictObject({
  type: z.enum(['door', 'window', 'opening']),
  from: finite,
  to: finite,
  bottom: finite,
  top: finite,
});

/** A wall stands on the segment start -> end; `normal` is its OUTWARD unit normal in x/z. */
export const wallSchema = z.strictObject({
  id: z.string().min(1).max(200),
  start: pointSchema,
  end: pointSchema,
  normal: pointSchema,
  height: finite.positive(),
  openings: z.array(openingSchema).max(200),
});

export const roomSchema = z.strictObject({
  id: z.string().min(1).max(200),
  type: z.string().max(200),
  /** Floor outline in x/z, metres: a simple polygon, not closed (the first point is not repeated), either winding. */
  floor: z.array(pointSchema).min(3).max(2000),
  wallHeight: finite.positive(),
  walls: z.array(wallSchema).max(2000),
});

/**
 * 4x4, column-major (translation at 12..14): object space -> scene space, metres, RIGID (a rotation and a translation:
 * importers fold scale into the geometry and `size`). Object space: the object's box is centred on x = z = 0 and stands
 * on y = 0; its front is +Z.
 */
export const matrixSchema = z.array(finite).length(16);

export const sceneObjectSchema = z.strictObject({
  id: idSchema,
  label: z.string().max(200),
  asset: z.strictObject({ source: z.string().max(200), id: z.string().max(500) }).nullable(),
  /** `mesh`: geometry came with the scene or its asset; `proxy`: kit furniture of the label and size. */
  geometry: z.enum(['mesh', 'proxy']),
  transform: matrixSchema,
  /** Local width (x), height (y), depth (z) in metres, before `transform`. */
  size: z.tuple([finite.nonnegative(), finite.nonnegative(), finite.nonnegative()]),
  supportedBy: idSchema.nullable(),
});

/** schema `parallax/scene@1`: everything about a frozen scene except its geometry, which is `scene.glb` beside it. */
export const sceneSchema = z.strictObject({
  schema: z.literal('parallax/scene@1'),
  id: idSchema,
  generator: idSchema,
  prompt: idSchema,
  /** One room, several rooms, or none (a single mesh). */
  rooms: z.array(roomSchema).max(500),
  objects: z.array(sceneObjectSchema).max(20_000),
  /** Probes derive from another scene and keep its camera: the box to frame, if not the scene's own. */
  frame: z.strictObject({ min: z.tuple([finite, finite, finite]), max: z.tuple([finite, finite, finite]) }).nullable(),
  /** For a probe: which, of which scene, with which seed, and the edit as data (what moved where). */
  probe: z
    .strictObject({
      name: z.string(),
      of: z.string(),
      seed: z.number().int(),
      repeat: z.number().int(),
      expectation: z.string(),
      edit: z.json(),
    })
    .nullable(),
  source: z.strictObject({
    format: z.string(),
    file: z.string(),
    sha256: z.string(),
    notes: z.array(z.string()),
  }),
  /** SHA-256 of scene.glb's bytes. */
  glb: z.string().regex(/^[0-9a-f]{64}$/),
  /** Scene hash: SHA-256 of the canonical JSON of everything but this field (it contains `glb`). */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});

export type Point = z.infer<typeof pointSchema>;
export type Opening = z.infer<typeof openingSchema>;
export type Wall = z.infer<typeof wallSchema>;
export type Room = z.infer<typeof roomSchema>;
export type SceneObject = z.infer<typeof sceneObjectSchema>;
export type Scene = z.infer<typeof sceneSchema>;

/** A scene read back from its folder with its hash checked. Geometry: glTF nodes named `object:<id>`, `floor:<room>`, `wall:<room>:<wall>`. */
export interface FrozenScene {
  readonly scene: Scene;
  /** Absolute folder that holds scene.json and scene.glb. */
  readonly folder: string;
  readonly glb: Uint8Array;
}
