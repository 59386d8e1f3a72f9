import { quoted } from '../../core/errors.ts';
import { compareText } from '../../core/json.ts';
import type { Log } from '../../core/log.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { Asked } from './ask-host.ts';
import { judgeReasonOf } from './reasons.ts';

/** Model ids a provider gave for the one that was asked for. */
export interface ModelsSeen {
  readonly asked: string;
  readonly answered: Readonly<Record<string, number>>;
  /** More than one id: the provider changed the model while the run was going on. */
  readonly drifted: boolean;
}

export interface JudgeTallyReport {
  /** HTTP requests made, those asked again included. */
  readonly attempts: number;
  /** Trials that were answered (scored or not). */
  readonly answered: number;
  readonly scored: number;
  /** Failures by kind. */
  readonly failures: Readonly<Record<string, number>>;
  readonly models: readonly ModelsSeen[];
  /** Backend fingerprints and how often each was given. */
  readonly systemFingerprints: Readonly<Record<string, number>>;
}

/** Counts what a judge does, and warns at once when the provider's model id changes. */
export class JudgeTally {
  readonly #id: string;
  readonly #log: Log;
  readonly #models = new Map<string, Map<string, number>>();
  readonly #fingerprints = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  #attempts = 0;
  #answered = 0;
  #scored = 0;

  constructor(id: string, log: Log) {
    this.#id = id;
    this.#log = log;
  }

  /** Answers received so far. */
  get answered(): number {
    return this.#answered;
  }

  asked(model: string, { attempts, reading }: Asked): void {
    this.#attempts += attempts.length;
    if (reading === null) return;
    this.#answered += 1;
    if (reading.fingerprint !== null) count(this.#fingerprints, reading.fingerprint);
    if (reading.model === null) return;
    const seen = this.#models.get(model) ?? new Map<string, number>();
    this.#models.set(model, seen);
    if (seen.size > 0 && !seen.has(reading.model))
      this.#log.warn(
        `evaluators.${this.#id}: the provider now answers as ${quoted(reading.model)}, before as ${quoted([...seen.keys()][0])}; scores from both are in this run, and each record names its model`,
      );
    count(seen, reading.model);
  }

  outcome(outcome: Outcome): void {
    if (outcome.status === 'scored') this.#scored += 1;
    else count(this.#failures, judgeReasonOf(outcome.reason) ?? outcome.status);
  }

  report(): JudgeTallyReport {
    return {
      attempts: this.#attempts,
      answered: this.#answered,
      scored: this.#scored,
      failures: sorted(this.#failures),
      models: [...this.#models]
        .sort(([a], [b]) => compareText(a, b))
        .map(([asked, answered]) => ({ asked, answered: sorted(answered), drifted: answered.size > 1 })),
      systemFingerprints: sorted(this.#fingerprints),
    };
  }
}

/** Distinct keys kept; a provider that invents an id an answer must not fill the memory. */
const MAX_KEYS = 1000;

function count(counts: Map<string, number>, key: string): void {
  const name = counts.has(key) || counts.size < MAX_KEYS ? key : 'others';
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sorted(counts: Map<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a], [b]) => compareText(a, b)));
}
