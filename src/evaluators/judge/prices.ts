import { z } from 'zod';
import { AuditError, quoted } from '../../core/errors.ts';
import type { JudgeSpec } from '../../core/evaluator-spec.ts';
import { readYamlFile } from '../../core/yaml-file.ts';
import shipped from './prices.json' with { type: 'json' };
import { baseUrlOf, isLoopback } from './settings.ts';

const amount = z.number().min(0).max(100_000);
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'expected a date such as 2026-11-30');

/** How a provider counts the tokens of a picture. */
export const imageTokensSchema = z.discriminatedUnion('rule', [
  /** The same for every picture. */
  z.strictObject({ rule: z.literal('fixed'), tokens: amount }),
  /** OpenAI tiles: `base` (all of it at detail low) plus `tile` for each 512 px tile after fitting 2048 and 768. */
  z.strictObject({ rule: z.literal('tiles'), base: amount, tile: amount }),
  /** Patches of 32 px, at most `most`, times `multiplier`. */
  z.strictObject({ rule: z.literal('patches'), multiplier: amount, most: amount }),
  /** Area over `pixelsPerToken`, at most `most`. */
  z.strictObject({ rule: z.literal('area'), pixelsPerToken: z.number().positive(), most: amount }),
  /** `tokens` up to 384 px a side; above, for each crop of floor(shorter side / 1.5) px (256 to 768). */
  z.strictObject({ rule: z.literal('crops'), tokens: amount }),
]);
export type ImageTokens = z.infer<typeof imageTokensSchema>;

export const modelPriceSchema = z.strictObject({
  /** Host name requests go to, or `loopback`. A model name alone has no price: resellers differ. */
  host: z.string().min(1),
  models: z.array(z.string().min(1)).min(1),
  /** US dollars per million input tokens. */
  input: amount,
  /** US dollars per million output tokens, reasoning included. */
  output: amount,
  image: imageTokensSchema,
  asOf: date,
  source: z.string(),
});
export type ModelPrice = z.infer<typeof modelPriceSchema>;

/** A dated price file (`parallax/prices@1`, YAML or JSON). */
export const pricesSchema = z.strictObject({
  schema: z.literal('parallax/prices@1'),
  asOf: date,
  note: z.string().default(''),
  models: z.array(modelPriceSchema),
});
export type Prices = z.infer<typeof pricesSchema>;

/** The price file that comes with the program. */
export const SHIPPED_PRICES: Prices = pricesSchema.parse(shipped);

/**
 * Reads a price file of the user's; its rows come before the shipped ones, so one row overrides one model.
 * @throws AuditError with line and column.
 */
export function readPrices(path: string, shown = path): Prices {
  const own = readYamlFile(path, pricesSchema, shown);
  return { ...own, models: [...own.models, ...SHIPPED_PRICES.models] };
}

/** Price of a judge's model at the host it is asked at; null when the file has none. */
export function priceOf(spec: JudgeSpec, model = spec.model, prices: Prices = SHIPPED_PRICES): ModelPrice | null {
  const url = baseUrlOf(spec);
  const host = isLoopback(url) ? 'loopback' : new URL(url).hostname;
  return prices.models.find((price) => price.host === host && price.models.includes(model)) ?? null;
}

/**
 * Price of a judge's model, or an error: a run whose cost is not known does not start by itself.
 * @throws AuditError (BUDGET)
 */
export function requirePrice(spec: JudgeSpec, model = spec.model, prices: Prices = SHIPPED_PRICES): ModelPrice {
  const price = priceOf(spec, model, prices);
  if (price !== null) return price;
  throw new AuditError(
    `evaluators.${spec.id}: no price for model ${quoted(model)} at ${quoted(new URL(baseUrlOf(spec)).host)} in the price file of ${prices.asOf}; expected a row for it`,
    { code: 'BUDGET', hint: 'Add a row in a file of your own (--prices FILE), or run with --allow-unpriced.' },
  );
}

/** US dollars for some tokens. */
export function costOf(price: ModelPrice, tokens: { readonly input: number; readonly output: number }): number {
  return (tokens.input * price.input + tokens.output * price.output) / 1e6;
}

/** Tokens of one picture of the given size, rounded up. */
export function imageTokens(rule: ImageTokens, width: number, height: number, detail: JudgeSpec['detail']): number {
  switch (rule.rule) {
    case 'fixed':
      return rule.tokens;
    case 'tiles': {
      if (detail === 'low') return rule.base;
      const fit = Math.min(1, 2048 / Math.max(width, height));
      const shrink = Math.min(1, 768 / (Math.min(width, height) * fit)) * fit;
      const tiles = Math.ceil((width * shrink) / 512) * Math.ceil((height * shrink) / 512);
      return rule.base + rule.tile * tiles;
    }
    case 'patches':
      return Math.ceil(Math.min(rule.most, Math.ceil(width / 32) * Math.ceil(height / 32)) * rule.multiplier);
    case 'area':
      return Math.min(rule.most, Math.ceil((width * height) / rule.pixelsPerToken));
    case 'crops': {
      if (Math.max(width, height) <= 384) return rule.tokens;
      const unit = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)));
      return rule.tokens * Math.ceil(width / unit) * Math.ceil(height / unit);
    }
  }
}
