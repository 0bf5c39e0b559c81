interface Waiting {
  readonly isAlone: boolean;
  readonly start: () => void;
}

/** Work that runs together with its like, or alone: in the order of its arrival. */
export class Turns {
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #isAlone = false;

  /** Runs work that nothing else runs beside, or beside which all other work but such runs. */
  async run<T>(isAlone: boolean, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length > 0 || !this.#mayStart(isAlone)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push({ isAlone, start: resolve });
      await promise;
    } else {
      this.#start(isAlone);
    }
    try {
      return await work();
    } finally {
      this.#running--;
      this.#isAlone = false;
      this.#startNext();
    }
  }

  #mayStart(isAlone: boolean): boolean {
    return this.#running === 0 || !isAlone && !this.#isAlone;
  }

  #start(isAlone: boolean): void {
    this.#running++;
    this.#isAlone = isAlone;
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#mayStart(next.isAlone);) {
      this.#waiting.shift();
      this.#start(next.isAlone);
      next.start();
      next = this.#waiting[0];
    }
  }
}
