import { z } from 'zod';
import { estimateSchema } from './estimate.ts';
import { count, id, pair, place, share } from './estimate-fields.ts';
import { ledgerSchema } from './outcome.ts';

/** What became of the planned outcomes of one configuration, over generators, prompts and repeats; factor `probe` for probes. */
export const configurationLedgerSchema = ledgerSchema.extend({ factor: z.string(), level: z.string() });
export type ConfigurationLedger = z.infer<typeof configurationLedgerSchema>;

/** What a sweep has settled about winners and envelopes, finished or not: findings of existence, which nothing later can undo. */
export const settledSchema = z.strictObject({
  /** Shared configurations in which every generator has a score for every prompt, of those planned. */
  visited: count,
  planned: count,
  /** Asked to the end, but with outcomes that are no scores: they settle nothing. */
  withFailures: count,
  /** Templates of the grammar that the design left out: what never happens stays open for them. */
  unsampled: count,
  winners: z.array(z.strictObject({ generator: id, at: place })),
  winnerChanges: z.boolean(),
  notStrict: z.array(z.strictObject({ pair, above: place, below: place })),
  openPairs: count,
  statements: z.array(z.string()),
});

/** Estimates for all templates of a grammar from a probability sample of them. */
export const sampledTemplatesSchema = z.strictObject({
  asked: count,
  drawn: count,
  of: count,
  /** Share of the template factor's requests that was not made. */
  saved: share,
  /** Scenes with a score at every drawn template, of all. */
  scenes: z.strictObject({ complete: count, planned: count }),
  /** Mean score over all templates; the interval is that of drawing templates, for these prompts. */
  generators: z.array(z.strictObject({ generator: id, mean: estimateSchema })),
  /** Mean over scenes of the variance over all templates, and the same over the between-generator variance at c0. */
  variance: estimateSchema,
  rho: estimateSchema,
  /** Sentences: what is estimated, and what can no longer be said. */
  estimated: z.array(z.string()),
  lost: z.array(z.string()),
});

/** What a pairwise judge answered, and how far the order of the two pictures decided it. */
export const pairwiseSchema = z.strictObject({
  /** Pairs asked about (each in both orders), every configuration, probe and repeat. */
  ledger: ledgerSchema,
  /** Share of scored pairs with the same preference in both orders. */
  consistent: estimateSchema,
  /** Share of answers that prefer the picture shown first, ties half; 0.5 without position bias. */
  firstShown: estimateSchema,
  /** c0: mean preference for the first generator of each pair. */
  preferences: z.array(z.strictObject({ pair, preference: estimateSchema })),
  /** c0: Bradley-Terry worths, which sum to 1, or why there are none. */
  worths: z.union([
    z.strictObject({ list: z.array(z.strictObject({ generator: id, worth: z.number() })) }),
    z.strictObject({ list: z.null(), undefinedBecause: z.string() }),
  ]),
});

/** Of evaluators that are asked one question at a time for money: hosted judges, and any whose templates are sampled. */
export const judgingSchema = z.strictObject({
  configurations: z.array(configurationLedgerSchema),
  settled: settledSchema,
  sample: sampledTemplatesSchema.nullable(),
  pairwise: pairwiseSchema.nullable(),
});
export type Judging = z.infer<typeof judgingSchema>;
export type SampledTemplates = z.infer<typeof sampledTemplatesSchema>;
export type PairwiseEstimates = z.infer<typeof pairwiseSchema>;
