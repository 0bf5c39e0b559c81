import type { Context } from "fresh";
import type { State } from "@/lib/services/services.ts";
import { isStillOpen } from "@/lib/pages/open_pages.ts";
import {
  answerWithEvents,
  type EventLine,
  HEARTBEAT,
  HEARTBEAT_EVERY,
  LONGEST_MS,
} from "../events/event_line.ts";

const EVERY_MS = 1000;
/** Seconds between two checks of the session. */
const CHECK_EVERY = 3;

/**
 * Streams the live figures as server-sent events until the session ends or the server stops, for a quarter of
 * an hour at most.
 */
export function streamLiveFigures(ctx: Context<State>): Promise<Response> {
  return Promise.resolve(answerWithEvents(ctx.req, (line) => sendFigures(ctx, line)));
}

function sendFigures(ctx: Context<State>, line: EventLine): void {
  const { links, status, clock } = ctx.state.app;
  const started = clock.monotonic();
  let seconds = 0;
  let silence = 0;
  let lastText = "";
  // Each event is complete, so some are skipped for a browser that does not read.
  const send = (text: string) => {
    if (!line.hasRoom) return;
    line.send(`${text}\n`);
    silence = 0;
  };
  const report = async () => {
    if (status.isStopping || clock.monotonic() - started > LONGEST_MS) return line.close();
    if (++seconds % CHECK_EVERY === 0) void mayLook(ctx).then((may) => may || line.close());
    // A store that cannot be read at the moment has no new figures.
    const figures = await links.readFigures().catch(() => null);
    const text = figures === null ? lastText : JSON.stringify(figures);
    if (text !== lastText) send(`data: ${text}\n`);
    else if (++silence >= HEARTBEAT_EVERY) send(HEARTBEAT);
    lastText = text;
  };
  const timer = setInterval(() => void report(), EVERY_MS);
  line.closed.addEventListener("abort", () => clearInterval(timer));
  void report();
}

/** A store that cannot be read at the moment does not end the session. */
function mayLook(ctx: Context<State>): Promise<boolean> {
  return isStillOpen(ctx, ctx.url.pathname).catch(() => true);
}
