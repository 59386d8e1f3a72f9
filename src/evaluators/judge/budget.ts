import { AuditError } from '../../core/errors.ts';
import { costOf, type ModelPrice, type Prices, SHIPPED_PRICES } from './prices.ts';

/** Limits of a run; those left out do not limit. Shared by all judges of a run. */
export interface BudgetLimits {
  /** US dollars. */
  readonly maxCost?: number;
  /** HTTP requests, those asked again included. */
  readonly maxRequests?: number;
  /** Input and output tokens together. */
  readonly maxTokens?: number;
  /** Lets models without a price be asked; their cost is then unknown and `maxCost` cannot be used. */
  readonly allowUnpriced?: boolean;
  readonly prices?: Prices;
}

/** Tokens, split as they are priced. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** What has been spent so far. */
export interface Spending {
  readonly requests: number;
  readonly input: number;
  readonly output: number;
  /** US dollars of what providers reported. */
  readonly cost: number;
  /** Requests whose tokens were not reported (a time-out, a lost connection, no usage in the answer). */
  readonly unreported: number;
  /** US dollars those may have cost at most; counts against the limit. */
  readonly costUnreported: number;
  /** Requests to models without a price. */
  readonly unpriced: number;
  /** Why no further request is made; null while there is money left. */
  readonly stopped: string | null;
}

/** Room set aside for one request in flight. */
export interface Reservation {
  /** Gives the room back. `unknown`: tokens may have been used but were not reported; `nothing`: none were. */
  settle(usage: Tokens | 'unknown' | 'nothing'): void;
}

/**
 * Keeps requests in flight from overrunning the limits: each sets aside the most it can cost, and gives back what it did
 * not use. A request that does not fit waits for those in flight; when none is in flight, the budget is exhausted for good.
 */
export class JudgeBudget {
  readonly prices: Prices;
  readonly allowUnpriced: boolean;
  readonly #limits: BudgetLimits;
  #requests = 0;
  #input = 0;
  #output = 0;
  #cost = 0;
  #unreported = 0;
  #tokensUnreported = 0;
  #costUnreported = 0;
  #unpriced = 0;
  #reservedTokens = 0;
  #reservedCost = 0;
  #inFlight = 0;
  #stopped: string | null = null;
  #waiting: (() => void)[] = [];

  /** @throws AuditError for a limit that is not a positive number, or a cost limit together with `allowUnpriced`. */
  constructor(limits: BudgetLimits = {}) {
    for (const name of ['maxCost', 'maxRequests', 'maxTokens'] as const) {
      const value = limits[name];
      if (value !== undefined && !(value > 0 && Number.isFinite(value)))
        throw new AuditError(`budget: invalid ${name} "${value}"; expected a positive number`, { code: 'USAGE' });
    }
    if (limits.allowUnpriced === true && limits.maxCost !== undefined)
      throw new AuditError('budget: --max-cost cannot be kept with --allow-unpriced; expected only one of them', {
        code: 'USAGE',
      });
    this.#limits = limits;
    this.prices = limits.prices ?? SHIPPED_PRICES;
    this.allowUnpriced = limits.allowUnpriced ?? false;
  }

  spending(): Spending {
    return {
      requests: this.#requests,
      input: this.#input,
      output: this.#output,
      cost: this.#cost,
      unreported: this.#unreported,
      costUnreported: this.#costUnreported,
      unpriced: this.#unpriced,
      stopped: this.#stopped,
    };
  }

  /** Why no further request is made; null while there is room. */
  get stopped(): string | null {
    return this.#stopped;
  }

  /**
   * Sets room aside for one HTTP request that takes at most `most` tokens.
   * @returns null when the budget is exhausted (`stopped` says why).
   */
  async reserve(most: Tokens, price: ModelPrice | null, signal: AbortSignal): Promise<Reservation | null> {
    const cost = price === null ? 0 : costOf(price, most);
    const tokens = most.input + most.output;
    while (true) {
      signal.throwIfAborted();
      if (this.#stopped !== null) return null;
      const problem = this.#problem(tokens, cost);
      if (problem === null) break;
      if (this.#inFlight === 0) {
        this.#stopped = problem;
        this.#wake();
        return null;
      }
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    this.#requests += 1;
    this.#inFlight += 1;
    this.#reservedTokens += tokens;
    this.#reservedCost += cost;
    if (price === null) this.#unpriced += 1;
    let open = true;
    return {
      settle: (usage) => {
        if (!open) return;
        open = false;
        this.#inFlight -= 1;
        this.#reservedTokens -= tokens;
        this.#reservedCost -= cost;
        if (usage === 'unknown') {
          this.#unreported += 1;
          this.#tokensUnreported += tokens;
          this.#costUnreported += cost;
        } else if (usage !== 'nothing') {
          this.#input += usage.input;
          this.#output += usage.output;
          this.#cost += price === null ? 0 : costOf(price, usage);
        }
        this.#wake();
      },
    };
  }

  #problem(tokens: number, cost: number): string | null {
    const { maxCost, maxRequests, maxTokens } = this.#limits;
    if (maxRequests !== undefined && this.#requests + 1 > maxRequests)
      return `the limit of ${maxRequests} requests is reached`;
    const usedTokens = this.#input + this.#output + this.#tokensUnreported + this.#reservedTokens;
    if (maxTokens !== undefined && usedTokens + tokens > maxTokens)
      return `the limit of ${maxTokens} tokens leaves no room for a request of up to ${tokens} (used ${usedTokens})`;
    const usedCost = this.#cost + this.#costUnreported + this.#reservedCost;
    // Sums of many small prices are inexact in their last digits.
    if (maxCost !== undefined && usedCost + cost > maxCost + 1e-9)
      return `the limit of $${maxCost} leaves no room for a request of up to $${cost.toFixed(6)} (used $${usedCost.toFixed(6)})`;
    return null;
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
