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
