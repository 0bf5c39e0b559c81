import type { Context } from "fresh";
import { isAdmin } from "@/lib/chat/users/user.ts";
import { readSignedIn } from "@/lib/http/page_session.ts";
import type { State } from "@/lib/http/services.ts";
import type { LiveFigures } from "@/lib/links/live_counts.ts";

/** Browsers come back by themselves after this, with whatever session they have then. */
const LONGEST_MS = 15 * 60_000;
/** Seconds between two looks at whether the session still counts. */
const CHECK_EVERY = 3;
/** Seconds of silence after which a sign of life is sent, so that nothing on the way takes the line for dead. */
const HEARTBEAT_EVERY = 15;
/** Unsent pieces of a browser that does not read; more are left out, as each says all that there is to say. */
const MAX_UNSENT = 4;
const RETRY_MS = 3000;

/** The live figures as server-sent events; ends with the session, at the latest after a quarter of an hour, and when the server stops. */
export function streamLiveFigures(ctx: Context<State>): Promise<Response> {
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store, no-transform" };
  if (ctx.req.method === "HEAD") return Promise.resolve(new Response(null, { headers }));
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (end = tellFigures(ctx, controller)),
    cancel: () => end(),
  }, new CountQueuingStrategy({ highWaterMark: MAX_UNSENT }));
  return Promise.resolve(new Response(body, { headers }));
}

function tellFigures(ctx: Context<State>, line: ReadableStreamDefaultController<Uint8Array>): () => void {
  const { links, status, clock } = ctx.state.app;
  const encoder = new TextEncoder();
  const started = clock.monotonic();
  let seconds = 0;
  let silence = 0;
  let said = "";
  const send = (text: string) => {
    if ((line.desiredSize ?? 0) <= 0) return;
    line.enqueue(encoder.encode(text));
    silence = 0;
  };
  const close = () => {
    leave();
    // The browser may have gone meanwhile.
    if (line.desiredSize !== null) line.close();
  };
  const tell = (figures: LiveFigures | null) => {
    if (status.isStopping || clock.monotonic() - started > LONGEST_MS) return close();
    if (++seconds % CHECK_EVERY === 0) void mayLook(ctx).then((may) => may || close());
    const text = figures === null ? said : JSON.stringify(figures);
    if (text !== said) send(`data: ${text}\n\n`);
    else if (++silence >= HEARTBEAT_EVERY) send(": still here\n\n");
    said = text;
  };
  send(`retry: ${RETRY_MS}\n\n`);
  const leave = links.live.watch(tell);
  return leave;
}

/** A store that cannot be read at the moment says nothing about the session. */
async function mayLook(ctx: Context<State>): Promise<boolean> {
  try {
    const signedIn = await readSignedIn(ctx);
    return signedIn !== null && isAdmin(signedIn.session.user);
  } catch {
    return true;
  }
}
