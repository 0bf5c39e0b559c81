import type { Clock } from "@/lib/core/clock.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";

/** Length from which an answer is handed over in slices, and length of a slice, in bytes. */
const SLICE_BYTES = 64 * 1024;
/** Memory of an answer whose pieces are read from the store while it is sent, in bytes, at most. */
const PIECES_BYTES = 768 * 1024;
/** Time in which a client must take a slice, in milliseconds. */
const STALLED_MS = 30_000;
/** Bytes of the answers that wait to be read with one set of credentials, unless all of them make progress. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Time without progress after which an answer gives way to others of the same credentials, in milliseconds. */
const PATIENCE_MS = 2000;
/** Pause between two searches for stalled answers, in milliseconds. */
const CHECK_MS = 1000;

/** An answer of which the client has not taken everything. */
interface UnreadAnswer {
  readonly credentials: string;
  /** Bytes of memory that it holds. */
  readonly bytes: number;
  /** When the client took the latest slice. */
  takenAt: number;
  readonly end: () => void;
}

/**
 * Large answers that wait to be read. One is handed over in slices, between which other requests have their turn. An
 * answer that makes no progress for half a minute is ended, sooner when others with its credentials need the memory.
 */
export class UnreadAnswers {
  readonly #answers = new Set<UnreadAnswer>();
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
    let answer: UnreadAnswer | null = null;
    const leave = () => {
      if (answer !== null) this.#remove(answer);
    };
    return new ReadableStream({
      pull: async (controller) => {
        if (answer === null) {
          const end = () => {
            controller.error("An answer was not read and its connection is given up.");
            pieces.return?.().catch(() => {});
          };
          answer = { credentials, bytes, takenAt: this.clock.monotonic(), end };
          this.#add(answer);
        }
        answer.takenAt = this.clock.monotonic();
        await yieldToEventLoop();
        try {
          const { done = false, value } = await pieces.next();
          if (!this.#answers.has(answer)) return;
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

  #add(answer: UnreadAnswer): void {
    const others = this.#answers.values().filter(({ credentials }) => credentials === answer.credentials);
    const waiting = [...others].sort((one, other) => one.takenAt - other.takenAt);
    let bytes = waiting.reduce((sum, each) => sum + each.bytes, answer.bytes);
    for (const each of waiting) {
      if (bytes <= MAX_BYTES || answer.takenAt - each.takenAt < PATIENCE_MS) break;
      bytes -= each.bytes;
      this.#end(each);
    }
    this.#answers.add(answer);
    this.#timer ??= setInterval(() => this.#endStalled(), CHECK_MS);
  }

  #endStalled(): void {
    const since = this.clock.monotonic() - STALLED_MS;
    for (const answer of this.#answers) if (answer.takenAt <= since) this.#end(answer);
  }

  #end(answer: UnreadAnswer): void {
    this.#remove(answer);
    answer.end();
  }

  #remove(answer: UnreadAnswer): void {
    this.#answers.delete(answer);
    if (this.#answers.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** Returns whether the body of an answer is so long that it is handed over in slices. */
export function isLong(body: unknown): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array && body.length > SLICE_BYTES;
}

/** Yields bytes in slices, without copying them. */
function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}
