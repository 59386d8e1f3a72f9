import PQueue from 'p-queue';

export interface FlowOptions {
  /** Most requests in flight. */
  readonly concurrency: number;
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  /** Milliseconds in the "minute"; tests shorten it. */
  readonly minute?: number;
}

/**
 * When requests may start: at most `concurrency` at once (halved when the provider says 429, growing back by one for each
 * round of answers), at most so many a rolling minute, at most so many tokens a rolling minute, and none while the
 * provider asked to wait.
 */
export class RequestFlow {
  readonly #queue: PQueue;
  readonly #most: number;
  readonly #minute: number;
  readonly #tokensPerMinute: number | null;
  /** Starts of the last minute and their tokens. */
  readonly #window: { at: number; tokens: number }[] = [];
  #level: number;
  #lastCut = Number.NEGATIVE_INFINITY;
  #holdUntil = 0;
  #hold: NodeJS.Timeout | null = null;
  #slowed = 0;
  #lowest: number;

  constructor(options: FlowOptions) {
    this.#most = options.concurrency;
    this.#level = options.concurrency;
    this.#lowest = options.concurrency;
    this.#minute = options.minute ?? 60_000;
    this.#tokensPerMinute = options.tokensPerMinute ?? null;
    const perMinute = options.requestsPerMinute;
    // Fewer than one a minute: one in a longer interval. `strict` counts in a rolling window.
    this.#queue = new PQueue({
      concurrency: options.concurrency,
      ...(perMinute !== undefined && {
        intervalCap: Math.max(1, Math.floor(perMinute)),
        interval: perMinute < 1 ? this.#minute / perMinute : this.#minute,
        strict: true,
      }),
    });
  }

  /** How often the provider slowed us down, and the lowest concurrency that followed. */
  get slowed(): { readonly times: number; readonly lowest: number } {
    return { times: this.#slowed, lowest: this.#lowest };
  }

  /** Most requests in flight right now. */
  get concurrency(): number {
    return Math.max(1, Math.floor(this.#level));
  }

  /** Runs one request when it may start. `again`: it has waited before and goes first. */
  async run<T>(tokens: number, again: boolean, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    return this.#queue.add(
      async () => {
        await this.#tokenRoom(tokens, signal);
        return task();
      },
      { priority: again ? 1 : 0, signal },
    );
  }

  /** The provider answered 429: fewer requests at once, and none for `wait` milliseconds. */
  slowDown(wait: number): void {
    this.#slowed += 1;
    const now = performance.now();
    // Requests sent together fail together: one cut for all of them.
    if (now - this.#lastCut > 200) {
      this.#lastCut = now;
      this.#setLevel(Math.max(1, this.#level / 2));
      this.#lowest = Math.min(this.#lowest, this.concurrency);
    }
    this.#holdFor(now, wait);
  }

  /** The provider answered. */
  speedUp(): void {
    if (this.#level < this.#most) this.#setLevel(Math.min(this.#most, this.#level + 1 / this.#level));
  }

  close(): void {
    if (this.#hold !== null) clearTimeout(this.#hold);
    this.#hold = null;
    this.#queue.clear();
  }

  #setLevel(level: number): void {
    this.#level = level;
    this.#queue.concurrency = this.concurrency;
  }

  #holdFor(now: number, wait: number): void {
    const until = now + wait;
    if (until <= this.#holdUntil) return;
    this.#holdUntil = until;
    if (this.#hold !== null) clearTimeout(this.#hold);
    this.#queue.pause();
    this.#hold = setTimeout(() => {
      this.#hold = null;
      this.#queue.start();
    }, wait);
  }

  async #tokenRoom(tokens: number, signal: AbortSignal): Promise<void> {
    const limit = this.#tokensPerMinute;
    if (limit === null) return;
    while (true) {
      signal.throwIfAborted();
      const now = performance.now();
      while (this.#window[0] !== undefined && this.#window[0].at <= now - this.#minute) this.#window.shift();
      const used = this.#window.reduce((sum, start) => sum + start.tokens, 0);
      // A request larger than the limit goes alone.
      if (used === 0 || used + tokens <= limit) {
        this.#window.push({ at: now, tokens });
        return;
      }
      const oldest = this.#window[0] as { at: number };
      await pause(oldest.at + this.#minute - now + 1, signal);
    }
  }
}

/** Waits; rejects with the signal's reason when it is aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
