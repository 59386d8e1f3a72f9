import { z } from 'zod';

/** An identifier: generator, level, template, evaluator. */
export const id = z.string();
/** A count, 0 or more. */
export const count = z.number().int().nonnegative();
/** A share, 0 to 1. */
export const share = z.number().min(0).max(1);
/** [smallest, largest]. */
export const span = z.tuple([z.number(), z.number()]);
/** [smallest, largest]; null in place of a limit that is undefined or infinite. */
export const openSpan = z.tuple([z.number().nullable(), z.number().nullable()]);
/** Two identifiers, of generators or of levels. */
export const pair = z.tuple([id, id]);
/** One level of one factor; both empty at c0. */
export const place = z.strictObject({ factor: z.string(), level: z.string() });
