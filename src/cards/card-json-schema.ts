import { z } from 'zod';
import { cardSchema } from '../core/card.ts';

/** The published JSON Schema (draft 2020-12) of `card.json`, made from the definition the program itself validates with. */
export function cardJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(cardSchema, { io: 'output', target: 'draft-2020-12', reused: 'ref' }),
    $id: 'https://www.npmjs.com/package/parallax-audit/cards/schema/card.schema.json',
    title: 'Evaluator Configuration Card, parallax/card@1',
  };
}
