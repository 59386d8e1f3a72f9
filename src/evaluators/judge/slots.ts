/**
 * A counting lock, first come first served: at most `count` holders. A judge holds one from before a question is sent until
 * its outcome has been taken over (committed), so that no more answers than that can be lost, and paid for again, when
 * the process is killed.
 */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Waits for a free slot. */
  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Frees a slot; whoever has waited longest gets it. */
  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
