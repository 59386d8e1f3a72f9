import { resolve } from 'node:path';
import type { Command } from 'commander';
import { JudgeBudget } from '../evaluators/judge/budget.ts';
import { readPrices } from '../evaluators/judge/prices.ts';
import type { LoadOptions } from '../sweep/load-audit.ts';
import { DEFAULT_STORE } from './context.ts';
import { list, numberBetween, oneOf, wholeNumber } from './options.ts';

/** Flags shared by the commands that do work on an audit. */
export interface RunFlags {
  readonly evaluator?: string[];
  readonly scenes?: string;
  readonly limitScenes?: number;
  readonly limitPrompts?: number;
  readonly renderer?: 'chromium' | 'blender' | 'files';
  readonly probes?: string[];
  readonly repeats?: number;
  readonly store?: string;
  readonly maxCost?: number;
  readonly maxRequests?: number;
  readonly maxTokens?: number;
  readonly allowUnpriced?: boolean;
  readonly prices?: string;
}

export function addRunOptions(command: Command): Command {
  return command
    .option('--evaluator <ids>', 'only these evaluators (comma-separated); also runs optional ones', list)
    .option('--scenes <folder>', "frozen scenes to use instead of the audit's")
    .option('--limit-scenes <n>', 'only the scenes of the first N prompts; results are a draft', wholeNumber(1))
    .option('--limit-prompts <n>', 'only the first N prompts; results are a draft', wholeNumber(1))
    .option(
      '--renderer <name>',
      "chromium, blender or files, instead of the audit's",
      oneOf('chromium', 'blender', 'files'),
    )
    .option('--probes <names>', "these probes (comma-separated, or all) instead of the audit's", list)
    .option('--repeats <k>', 'ask every evaluator and probe k times', wholeNumber(1))
    .option(
      '--max-cost <dollars>',
      'stop hosted judges before they cost more; what is answered is kept',
      numberBetween(0.000001, 1e9),
    )
    .option('--max-requests <n>', 'stop hosted judges after n requests', wholeNumber(1))
    .option('--max-tokens <n>', 'stop hosted judges after n tokens', wholeNumber(1))
    .option('--allow-unpriced', 'ask judges whose price is unknown')
    .option('--prices <file>', 'price file instead of the shipped one');
}

export function loadOptionsOf(flags: RunFlags): LoadOptions {
  return {
    ...(flags.scenes === undefined ? {} : { scenes: resolve(flags.scenes) }),
    ...(flags.limitScenes === undefined ? {} : { limitScenes: flags.limitScenes }),
    ...(flags.limitPrompts === undefined ? {} : { limitPrompts: flags.limitPrompts }),
    ...(flags.probes === undefined ? {} : { probes: flags.probes }),
    ...(flags.repeats === undefined ? {} : { repeats: flags.repeats }),
  };
}

/** The store file of a command: its own flag, the program's, or the default. */
export function storeOf(command: Command, flags: RunFlags): string {
  const inherited = command.optsWithGlobals<{ store?: string }>().store;
  return resolve(flags.store ?? inherited ?? DEFAULT_STORE);
}

/** The budget that hosted judges of a run share. */
export function budgetOf({ maxCost, maxRequests, maxTokens, allowUnpriced, prices }: RunFlags): JudgeBudget {
  return new JudgeBudget({
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(maxRequests === undefined ? {} : { maxRequests }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(allowUnpriced === undefined ? {} : { allowUnpriced }),
    ...(prices === undefined ? {} : { prices: readPrices(prices) }),
  });
}
