import type { Context } from "fresh";
import { isAdmin } from "@/lib/chat/users/user.ts";
import { readSignedIn } from "@/lib/http/page_session.ts";
import type { State } from "@/lib/http/services.ts";

/** Browsers come back by themselves after this, with whatever session they have then. */
export const LONGEST_MS = 15 * 60_000;
/** Seconds of silence after which a sign of life is sent, so that nothing on the way takes the line for dead. */
export const HEARTBEAT_EVERY = 15;
/** What that sign is: a remark, which no page is told of. */
export const HEARTBEAT = ": still here\n";
/** Pieces that may lie ready for a browser that does not read. */
const MAX_UNSENT = 4;
const RETRY_MS = 3000;
const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  // Proxies that know it hand on what comes at once, instead of in large pieces.
  "x-accel-buffering": "no",
};

/** A line to a browser, on which server-sent events are told. */
export interface EventLine {
  /** Whether the browser takes what is sent; false while it does not read, and once the line is closed. */
  readonly hasRoom: boolean;
  /** Aborted when the line is closed, by either side. */
  readonly closed: AbortSignal;
  /** Sends text, which is whole lines; nothing where the line is closed. */
  send(text: string): void;
  /** Settles when there is room, or the line is closed. */
  room(): Promise<void>;
  /** Ends the line; it may have ended before. */
  close(): void;
}

/** An answer of server-sent events, which `tell` sends on its line; one to HEAD has none. */
export function answerWithEvents({ method }: Request, tell: (line: EventLine) => void): Response {
  if (method === "HEAD") return new Response(null, { headers: HEADERS });
  let line: Line | null = null;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      line = new Line(controller);
      line.send(`retry: ${RETRY_MS}\n\n`);
      tell(line);
    },
    pull: () => line?.wake(),
    cancel: () => line?.leave(),
  }, new CountQueuingStrategy({ highWaterMark: MAX_UNSENT }));
  return new Response(body, { headers: HEADERS });
}

class Line implements EventLine {
  readonly #controller: ReadableStreamDefaultController<Uint8Array>;
  readonly #encoder = new TextEncoder();
  readonly #closing = new AbortController();
  #room = Promise.withResolvers<void>();

  constructor(controller: ReadableStreamDefaultController<Uint8Array>) {
    this.#controller = controller;
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  get hasRoom(): boolean {
    return !this.closed.aborted && (this.#controller.desiredSize ?? 0) > 0;
  }

  send(text: string): void {
    if (!this.closed.aborted) this.#controller.enqueue(this.#encoder.encode(text));
  }

  room(): Promise<void> {
    if (this.hasRoom || this.closed.aborted) return Promise.resolve();
    return this.#room.promise;
  }

  /** Lets those go on who wait for room. */
  wake(): void {
    this.#room.resolve();
    this.#room = Promise.withResolvers();
  }

  close(): void {
    if (this.closed.aborted) return;
    this.leave();
    this.#controller.close();
  }

  /** Notes that the browser is gone, which ended the line. */
  leave(): void {
    this.#closing.abort();
    this.wake();
  }
}

/** Whether the request's session still is an administrator's. */
export async function isStillAdmin(ctx: Context<State>): Promise<boolean> {
  const signedIn = await readSignedIn(ctx);
  return signedIn !== null && isAdmin(signedIn.session.user);
}
