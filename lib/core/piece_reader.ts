/** Reads a stream of bytes piece by piece, where possible into memory of its caller. */
export interface PieceReader {
  /** Whether pieces are read into the memory that is given. */
  readonly isInPlace: boolean;
  /**
   * Reads the next bytes, at least one; an empty piece is the end. In place, a piece is in the buffer of `toView`,
   * which moves to it: the view has no bytes any more.
   */
  readonly read: (toView: () => Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>;
  readonly cancel: (reason?: unknown) => Promise<void>;
}

/**
 * Opens a reader of a body. Bodies that arrive from the network are read in place; those that arrived together with
 * their headers, or were made within the process, are not streams of bytes and have memory of their own.
 */
export function openPieceReader(body: ReadableStream<Uint8Array<ArrayBuffer>>): PieceReader {
  const reader = openByobReader(body);
  return reader === null ? readPlainly(body.getReader()) : readInPlace(reader);
}

function openByobReader(body: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return null;
  }
}

function readInPlace(reader: ReadableStreamBYOBReader): PieceReader {
  return {
    isInPlace: true,
    async read(toView) {
      const { value } = await reader.read(toView());
      return value ?? new Uint8Array(0);
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

function readPlainly(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>): PieceReader {
  return {
    isInPlace: false,
    async read() {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return new Uint8Array(0);
        if (value.length > 0) return value;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  };
}
