import type { Clock } from "@/lib/core/clock.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";

/** Length from which a response is handed over in slices, and length of a slice, in bytes. */
const SLICE_BYTES = 64 * 1024;
/** Memory of a response whose pieces are read from the store while it is sent, in bytes, at most. */
const PIECES_BYTES = 768 * 1024;
/** Time in which a client must take a slice, in milliseconds. */
const STALLED_MS = 30_000;
/** Bytes of the responses that wait to be read with one set of credentials, unless all of them make progress. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Time without progress after which a response gives way to others of the same credentials, in milliseconds. */
const PATIENCE_MS = 2000;
/** Pause between two searches for stalled responses, in milliseconds. */
const CHECK_MS = 1000;

/** A response of which the client has not taken everything. */
interface UnreadResponse {
  readonly credentials: string;
  /** Bytes of memory that it holds. */
  readonly bytes: number;
  /** When the client took the latest slice. */
  takenAt: number;
  readonly end: () => void;
}

/**
 * Large responses that wait to be read. One is handed over in slices, between which other requests have their turn. An
 * response that makes no progress for half a minute is ended, sooner when others with its credentials need the memory.
 */
export class UnreadResponses {
  readonly #responses = new Set<UnreadResponse>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly clock: Pick<Clock, "monotonic">) {}

  /** Returns a body with the bytes in slices; they are shared by all requests. */
  slice(request: Request, bytes: Uint8Array): ReadableStream<Uint8Array> {
    return this.watch(request, ReadableStream.from(slices(bytes)));
  }

  /** Returns a body with the content, which holds so many bytes of memory. It is watched from its first slice on. */
  watch<Piece extends Uint8Array>(
    { headers }: Request,
    content: ReadableStream<Piece>,
    bytes = PIECES_BYTES,
  ): ReadableStream<Piece> {
    const pieces = content.values();
    const credentials = headers.get("authorization") ?? headers.get("cookie") ?? "";
    let response: UnreadResponse | null = null;
    const leave = () => {
      if (response !== null) this.#remove(response);
    };
    return new ReadableStream({
      pull: async (controller) => {
        if (response === null) {
          const end = () => {
            controller.error("An answer was not read and its connection is given up.");
            pieces.return?.().catch(() => {});
          };
          response = { credentials, bytes, takenAt: this.clock.monotonic(), end };
          this.#add(response);
        }
        response.takenAt = this.clock.monotonic();
        await yieldToEventLoop();
        try {
          const { done = false, value } = await pieces.next();
          if (!this.#responses.has(response)) return;
          if (!done) return controller.enqueue(value);
          leave();
          controller.close();
        } catch (error) {
          leave();
          throw error;
        }
      },
      async cancel() {
        leave();
        await pieces.return?.();
      },
    }, { highWaterMark: 0 });
  }

  #add(response: UnreadResponse): void {
    const others = this.#responses.values().filter(({ credentials }) => credentials === response.credentials);
    const waiting = [...others].sort((one, other) => one.takenAt - other.takenAt);
    let bytes = waiting.reduce((sum, each) => sum + each.bytes, response.bytes);
    for (const each of waiting) {
      if (bytes <= MAX_BYTES || response.takenAt - each.takenAt < PATIENCE_MS) break;
      bytes -= each.bytes;
      this.#end(each);
    }
    this.#responses.add(response);
    this.#timer ??= setInterval(() => this.#endStalled(), CHECK_MS);
  }

  #endStalled(): void {
    const since = this.clock.monotonic() - STALLED_MS;
    for (const response of this.#responses) if (response.takenAt <= since) this.#end(response);
  }

  #end(response: UnreadResponse): void {
    this.#remove(response);
    response.end();
  }

  #remove(response: UnreadResponse): void {
    this.#responses.delete(response);
    if (this.#responses.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** Returns whether the body of a response is so long that it is handed over in slices. */
export function isLong(body: unknown): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array && body.length > SLICE_BYTES;
}

/** Yields bytes in slices, without copying them. */
function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}
