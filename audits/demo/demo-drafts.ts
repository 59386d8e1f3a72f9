import { z } from 'zod';
import { Random } from '../../src/core/random.ts';
import { idSchema } from '../../src/core/scene.ts';
import type { SceneDraft } from '../../src/scenes/draft.ts';
import { layOut } from '../../src/scenes/policies/lay-out.ts';
import { POLICY_NAMES } from '../../src/scenes/policies/policy.ts';
import { FLOOR_KINDS, floorMaterial, wallMaterial } from '../../src/scenes/surfaces.ts';
import { demoRoom } from './demo-room.ts';

const openingSchema = z.strictObject({ wall: z.number().int().min(0).max(3), at: z.number().min(0).max(1) });

/** `objects.json`: the room and the object list of every prompt, shared by all policies. */
export const objectListsSchema = z.strictObject({
  schema: z.literal('parallax/object-lists@1'),
  seed: z.number().int(),
  prompts: z.record(
    idSchema,
    z.strictObject({
      room: z.strictObject({
        type: z.string().min(1),
        width: z.number().positive(),
        depth: z.number().positive(),
        height: z.number().positive(),
        floor: z.tuple([z.enum(FLOOR_KINDS), z.number().int()]),
        wall: z.number().int(),
        door: openingSchema,
        window: openingSchema,
      }),
      objects: z.array(
        z.union([
          z.string().min(1),
          z.strictObject({ label: z.string().min(1), size: z.tuple([z.number(), z.number(), z.number()]) }),
        ]),
      ),
    }),
  ),
});

/** Drafts of every prompt under every policy, in the order policy, prompt. */
export async function demoDrafts(lists: unknown): Promise<SceneDraft[]> {
  const { seed, prompts } = objectListsSchema.parse(lists);
  const drafts: SceneDraft[] = [];
  for (const policy of POLICY_NAMES)
    for (const [prompt, { room, objects }] of Object.entries(prompts)) {
      const surfaces = { room: { floor: await floorMaterial(...room.floor), wall: wallMaterial(room.wall) } };
      drafts.push(
        layOut(policy, {
          room: demoRoom('room', room),
          objects: objects.map((object) => (typeof object === 'string' ? { label: object } : object)),
          random: new Random(seed, 'demo', prompt),
          prompt,
          surfaces,
        }),
      );
    }
  return drafts;
}
