/**
 * Pieces of bytes on their way to one reader, whose memory its writer uses again: the reader has to be finished with a
 * piece when it asks for the next one.
 */
export class LentPieces implements AsyncIterable<Uint8Array> {
  readonly #pieces: Uint8Array[] = [];
  #isLent = false;
  #isClosed = false;
  #end: { readonly error: Error | null } | null = null;
  #arrived = Promise.withResolvers<void>();
  #returned = Promise.withResolvers<void>();

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#isLent = true;
    this.#arrived.resolve();
  }

  /** Ends the pieces, with an error if some are missing; the first end counts. */
  end(error: Error | null): void {
    this.#end ??= { error };
    this.#arrived.resolve();
  }

  /** Takes all pieces back from a reader that will not ask for more. */
  close(): void {
    this.#isClosed = true;
    this.#returned.resolve();
  }

  /** Settles when the reader is finished with all pieces, or asks for none any more. */
  async returned(): Promise<void> {
    if (!this.#isLent || this.#isClosed) return;
    this.#returned = Promise.withResolvers();
    await this.#returned.promise;
  }

  /** @throws Error that the pieces ended with. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const piece = this.#pieces.shift();
        if (piece !== undefined) {
          yield piece;
          continue;
        }
        if (this.#end?.error) throw this.#end.error;
        if (this.#end !== null) return;
        this.#isLent = false;
        this.#returned.resolve();
        this.#arrived = Promise.withResolvers();
        await this.#arrived.promise;
      }
    } finally {
      this.close();
    }
  }
}
