/** Pieces of a file between the parser, whose buffer is reused, and the one reader that consumes them. */
export class FilePieces implements AsyncIterable<Uint8Array> {
  readonly #pieces: Uint8Array[] = [];
  #isConsumed = true;
  #isClosed = false;
  #end: { readonly error: Error | null } | null = null;
  #added = Promise.withResolvers<void>();
  #consumed = Promise.withResolvers<void>();

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#isConsumed = false;
    this.#added.resolve();
  }

  /** Ends the file, with an error if bytes are missing. */
  end(error: Error | null): void {
    this.#end = { error };
    this.#added.resolve();
  }

  /** Counts all pieces as consumed, because the reader will not ask for more. */
  close(): void {
    this.#isClosed = true;
    this.#consumed.resolve();
  }

  /** Waits until the reader no longer needs the bytes of any piece. */
  async consumed(): Promise<void> {
    if (this.#isConsumed || this.#isClosed) return;
    this.#consumed = Promise.withResolvers();
    await this.#consumed.promise;
  }

  /**
   * Yields the pieces; asking for the next one consumes the one before.
   * @throws Error that the file ended with.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        for (let piece = this.#pieces.shift(); piece !== undefined; piece = this.#pieces.shift()) yield piece;
        if (this.#end?.error) throw this.#end.error;
        if (this.#end !== null) return;
        this.#isConsumed = true;
        this.#consumed.resolve();
        this.#added = Promise.withResolvers();
        await this.#added.promise;
      }
    } finally {
      this.close();
    }
  }
}

/**
 * Lets one piece of a body pass through the streams of a library at a time, because each piece is read into the same
 * buffer. The streams must pass pieces on whole and without copying them later.
 */
export class PieceTurns {
  #isClosed = false;
  #consumed = Promise.withResolvers<void>();

  /** Yields each piece after the one before was consumed. */
  async *inTurn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      // Streams swallow pieces without bytes.
      if (piece.length === 0) continue;
      this.#consumed = Promise.withResolvers();
      if (!this.#isClosed) {
        yield piece;
        await this.#consumed.promise;
      }
      if (this.#isClosed) return;
    }
  }

  /** Yields the pieces as they arrive; asking for the next one consumes the one before. */
  async *consume(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      yield piece;
      this.#consumed.resolve();
    }
  }

  /** Ends the pieces, because nothing consumes more of them. */
  close(): void {
    this.#isClosed = true;
    this.#consumed.resolve();
  }
}
