/** Maximum duration of a stream in milliseconds; browsers then reconnect with their current session. */
export const LONGEST_MS = 15 * 60_000;
/** Seconds of silence after which a heartbeat is sent, so that proxies keep the connection. */
export const HEARTBEAT_EVERY = 15;
/** A heartbeat is a comment, which pages do not see. */
export const HEARTBEAT = ": still here\n";
const RETRY_MS = 3000;
/** Maximum number of unsent pieces for a browser that does not read. */
const MAX_UNSENT = 4;
const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  // Makes proxies that know this header pass pieces on at once.
  "x-accel-buffering": "no",
};

/** Creates a response of server-sent events; a response to HEAD has none. */
export function answerWithEvents({ method }: Request, send: (line: EventLine) => void): Response {
  if (method === "HEAD") return new Response(null, { headers: HEADERS });
  let line: EventLine | null = null;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      line = new EventLine(controller);
      line.send(`retry: ${RETRY_MS}\n\n`);
      send(line);
    },
    pull: () => line?.wake(),
    cancel: () => line?.leave(),
  }, new CountQueuingStrategy({ highWaterMark: MAX_UNSENT }));
  return new Response(body, { headers: HEADERS });
}

/** A connection to a browser for server-sent events. */
export class EventLine {
  readonly #controller: ReadableStreamDefaultController<Uint8Array>;
  readonly #encoder = new TextEncoder();
  readonly #closing = new AbortController();
  #room = Promise.withResolvers<void>();

  constructor(controller: ReadableStreamDefaultController<Uint8Array>) {
    this.#controller = controller;
  }

  /** Aborted when either side closes the connection. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /** Whether the browser reads what is sent; false while it does not, and once the connection is closed. */
  get hasRoom(): boolean {
    return !this.closed.aborted && (this.#controller.desiredSize ?? 0) > 0;
  }

  /** Sends whole lines; does nothing on a closed connection. */
  send(text: string): void {
    if (!this.closed.aborted) this.#controller.enqueue(this.#encoder.encode(text));
  }

  /** Settles when there is room, or the connection is closed. */
  room(): Promise<void> {
    return this.hasRoom || this.closed.aborted ? Promise.resolve() : this.#room.promise;
  }

  /** Wakes senders that wait for room. */
  wake(): void {
    this.#room.resolve();
    this.#room = Promise.withResolvers();
  }

  /** Closes the connection; may be called repeatedly. */
  close(): void {
    if (this.closed.aborted) return;
    this.leave();
    this.#controller.close();
  }

  /** Records that the browser closed the connection. */
  leave(): void {
    this.#closing.abort();
    this.wake();
  }
}
