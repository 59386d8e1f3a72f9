import type { JudgeSpec } from '../../core/evaluator-spec.ts';
import { compareText, type Json } from '../../core/json.ts';
import { composeRequests, requestsPerTrial } from './compose-request.ts';
import { mostTokens } from './most-tokens.ts';
import { costOf, type ModelPrice, type Prices, priceOf, SHIPPED_PRICES } from './prices.ts';
import { readRubric } from './read-rubric.ts';
import { type RubricContent, readsCaption } from './rubric.ts';
import { settingsOf } from './settings.ts';

/** Bytes a token in ordinary English; the upper estimate uses 3. */
const USUAL_BYTES = 4;
/** Tokens a verdict usually takes: one sentence a text field, a name and a number for the others. */
const USUAL_TEXT = 40;
const USUAL_FIELD = 8;

/** What a judge is expected to use, before it is asked anything. */
export interface JudgeCost {
  readonly evaluator: string;
  readonly model: string;
  /** HTTP requests without any asked again. */
  readonly requests: number;
  /** Tokens as answers usually take them, and at most (every answer as long as maxTokens). */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly inputTokensMost: number;
  readonly outputTokensMost: number;
  /** US dollars; null when the model has no price. */
  readonly price: number | null;
  readonly priceMost: number | null;
  /** Date of the price row; null when there is none. */
  readonly priceAsOf: string | null;
  /** Least minutes a requests-per-minute or tokens-per-minute limit allows; null without one. */
  readonly minutesAtLeast: number | null;
}

export interface JudgeLoad {
  /** Trials to ask (distinct, repeats counted). */
  readonly trials: number;
  /** Captions that will be asked with, or a sample of them: their mean length is used. Unused when the judge reads none. */
  readonly captions: readonly string[];
  /** Pixels of the square pictures and how many trials have each size; all at 512 px when left out. */
  readonly sizes?: readonly { readonly pixels: number; readonly trials: number }[];
  /** Pictures a trial (several for rubrics that read several views). */
  readonly images?: number;
  /** Swept parameters, when the estimate is for one level of a factor. */
  readonly parameters?: Json;
}

/**
 * Estimates requests, tokens and price of a judge for `plan`. Text tokens are estimated from bytes, picture tokens by the
 * provider's own rule (in the price file).
 *
 * @throws AuditError for a rubric or parameter that cannot be.
 */
export function estimateJudgeCost(
  spec: JudgeSpec,
  load: JudgeLoad,
  context: { readonly folder: string; readonly prices?: Prices },
): JudgeCost {
  const settings = settingsOf(spec, load.parameters ?? {});
  const rubric = readRubric(settings.rubric, context.folder);
  const price = priceOf(spec, settings.model, context.prices ?? SHIPPED_PRICES);
  const images = load.images ?? (rubric.images === 'one' ? 1 : 2);
  const perTrial = requestsPerTrial(rubric);
  const sizes = load.sizes ?? [{ pixels: 512, trials: load.trials }];
  const known = sizes.reduce((sum, { trials }) => sum + trials, 0);
  const total = { usual: { input: 0, output: 0 }, most: { input: 0, output: 0 } };
  const bytes = meanBytes(load.captions);
  for (const { pixels, trials } of sizes) {
    // Sizes tell the proportions; the number of trials is `load.trials`.
    const share = known === 0 ? 0 : (trials / known) * load.trials * perTrial;
    const one = tokensOfOne(rubric, { settings, price, images, bytes, pixels });
    total.usual.input += share * one.usual.input;
    total.usual.output += share * one.usual.output;
    total.most.input += share * one.most.input;
    total.most.output += share * one.most.output;
  }
  const requests = load.trials * perTrial;
  const round = ({ input, output }: { input: number; output: number }) => ({
    input: Math.round(input),
    output: Math.round(output),
  });
  const [usual, most] = [round(total.usual), round(total.most)];
  return {
    evaluator: spec.id,
    model: settings.model,
    requests,
    inputTokens: usual.input,
    outputTokens: usual.output,
    inputTokensMost: most.input,
    outputTokensMost: most.output,
    price: price === null ? null : costOf(price, usual),
    priceMost: price === null ? null : costOf(price, most),
    priceAsOf: price?.asOf ?? null,
    minutesAtLeast: minutes(spec, requests, most.input + most.output),
  };
}

/**
 * Costs of one judge under several settings, added up: every model is named, a price is unknown when any is, its date the
 * oldest.
 */
export function sumJudgeCosts(costs: readonly JudgeCost[]): JudgeCost {
  const [first] = costs;
  if (first === undefined) throw new RangeError('sumJudgeCosts: nothing to add; expected at least one cost');
  const sum = (pick: (cost: JudgeCost) => number) => costs.reduce((total, cost) => total + pick(cost), 0);
  const known = (pick: (cost: JudgeCost) => number | null): number | null => {
    const asked = costs.filter(({ requests }) => requests > 0);
    const values = (asked.length === 0 ? costs : asked).map(pick);
    return values.includes(null) ? null : values.reduce<number>((total, value) => total + (value ?? 0), 0);
  };
  const dates = costs.flatMap(({ priceAsOf }) => priceAsOf ?? []).sort(compareText);
  return {
    evaluator: first.evaluator,
    model: [...new Set(costs.map(({ model }) => model))].join(', '),
    requests: sum(({ requests }) => requests),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    inputTokensMost: sum(({ inputTokensMost }) => inputTokensMost),
    outputTokensMost: sum(({ outputTokensMost }) => outputTokensMost),
    price: known(({ price }) => price),
    priceMost: known(({ priceMost }) => priceMost),
    priceAsOf: dates[0] ?? null,
    // The limits are the evaluator's, so the minutes of its settings add up.
    minutesAtLeast: first.minutesAtLeast === null ? null : sum(({ minutesAtLeast }) => minutesAtLeast ?? 0),
  };
}

function tokensOfOne(
  rubric: RubricContent,
  of: {
    readonly settings: ReturnType<typeof settingsOf>;
    readonly price: ModelPrice | null;
    readonly images: number;
    readonly bytes: number;
    readonly pixels: number;
  },
) {
  const { settings, price, images, bytes, pixels } = of;
  const caption = readsCaption(rubric) ? 'x'.repeat(Math.round(bytes)) : undefined;
  const [request] = composeRequests(rubric, settings, new Array<string>(images).fill(''), caption);
  if (request === undefined) throw new Error('a trial without a request');
  const most = mostTokens(request, price, pixels, pixels);
  const text = Buffer.byteLength(request.system) + Buffer.byteLength(request.text);
  const pictures = most.input - mostTokens({ ...request, images: [] }, price, pixels, pixels).input;
  const verdict = rubric.freeText
    ? 3 * USUAL_TEXT
    : rubric.mode === 'logprob'
      ? 1
      : rubric.fields.reduce((sum, { type }) => sum + (type === 'text' ? USUAL_TEXT : USUAL_FIELD), USUAL_FIELD);
  return {
    most,
    usual: {
      input: Math.ceil(text / USUAL_BYTES) + pictures,
      output: Math.min(settings.maxTokens, verdict),
    },
  };
}

function meanBytes(captions: readonly string[]): number {
  if (captions.length === 0) return 0;
  return captions.reduce((sum, caption) => sum + Buffer.byteLength(caption), 0) / captions.length;
}

function minutes(spec: JudgeSpec, requests: number, tokens: number): number | null {
  const limits = [
    spec.requestsPerMinute === undefined ? 0 : requests / spec.requestsPerMinute,
    spec.tokensPerMinute === undefined ? 0 : tokens / spec.tokensPerMinute,
  ];
  const longest = Math.max(...limits);
  return longest === 0 ? null : longest;
}
