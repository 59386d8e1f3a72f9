import { canonicalJson } from '../core/json.ts';
import type { Configuration } from '../core/protocol.ts';
import type { Factor } from './factors.ts';

/** One configuration a sweep visits. */
export interface PlannedConfiguration {
  /** Empty for c0. */
  readonly factor: string;
  readonly level: string;
  /** The level of every factor. */
  readonly configuration: Configuration;
  /** Canonical text of `configuration`: equal for levels that are the same configuration (a level equal to the default). */
  readonly identity: string;
}

/**
 * The one-factor-at-a-time design: c0, then each level of each factor with every other factor at c0 (or at the
 * factor's declared base). Levels equal to the default are kept: they share c0's image and outcome.
 */
export function oneAtATime(c0: Configuration, factors: readonly Factor[]): PlannedConfiguration[] {
  const planned: PlannedConfiguration[] = [{ factor: '', level: '', configuration: c0, identity: canonicalJson(c0) }];
  for (const { factor, levels, at } of factors) {
    for (const level of levels) {
      const configuration = { ...c0, ...at, [factor]: level };
      planned.push({ factor, level, configuration, identity: canonicalJson(configuration) });
    }
  }
  return planned;
}
