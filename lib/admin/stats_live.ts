import type { Context } from "fresh";
import type { State } from "@/lib/http/services.ts";
import type { LiveFigures } from "@/lib/links/live_counts.ts";
import {
  answerWithEvents,
  type EventLine,
  HEARTBEAT,
  HEARTBEAT_EVERY,
  isStillAdmin,
  LONGEST_MS,
} from "./event_line.ts";

/** Seconds between two looks at whether the session still counts. */
const CHECK_EVERY = 3;

/** The live figures as server-sent events; ends with the session, at the latest after a quarter of an hour, and when the server stops. */
export function streamLiveFigures(ctx: Context<State>): Promise<Response> {
  return Promise.resolve(answerWithEvents(ctx.req, (line) => tellFigures(ctx, line)));
}

function tellFigures(ctx: Context<State>, line: EventLine): void {
  const { links, status, clock } = ctx.state.app;
  const started = clock.monotonic();
  let seconds = 0;
  let silence = 0;
  let said = "";
  // Each says all that there is to say: some are left out for a browser that does not read.
  const send = (text: string) => {
    if (!line.hasRoom) return;
    line.send(`${text}\n`);
    silence = 0;
  };
  const tell = (figures: LiveFigures | null) => {
    if (status.isStopping || clock.monotonic() - started > LONGEST_MS) return line.close();
    if (++seconds % CHECK_EVERY === 0) void mayLook(ctx).then((may) => may || line.close());
    const text = figures === null ? said : JSON.stringify(figures);
    if (text !== said) send(`data: ${text}\n`);
    else if (++silence >= HEARTBEAT_EVERY) send(HEARTBEAT);
    said = text;
  };
  line.closed.addEventListener("abort", links.live.watch(tell));
}

/** A store that cannot be read at the moment says nothing about the session. */
function mayLook(ctx: Context<State>): Promise<boolean> {
  return isStillAdmin(ctx).catch(() => true);
}
