/** Lets one piece of work after another use what only one can use: a page, a process. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a generator once every earlier one has ended, however it ended. */
  async *take<Item>(work: () => AsyncIterable<Item>): AsyncGenerator<Item> {
    const before = this.#last;
    let done: () => void = () => undefined;
    this.#last = new Promise<void>((resolve) => {
      done = resolve;
    });
    try {
      await before;
      yield* work();
    } finally {
      done();
    }
  }
}
