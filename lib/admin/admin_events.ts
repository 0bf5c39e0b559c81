import type { Context } from "fresh";
import { findStart, type Resumption } from "@/lib/chat/event_queues/position.ts";
import { type EventStream, openStream } from "@/lib/chat/event_queues/stream.ts";
import { optional, text } from "@/lib/chat/params/param.ts";
import { readParams } from "@/lib/chat/params/read.ts";
import { realmUrl } from "@/lib/chat/realm/realm.ts";
import { registerParams } from "@/lib/chat/register/params.ts";
import { accountSignal } from "@/lib/chat/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { isSameOrigin } from "@/lib/http/same_origin.ts";
import type { State } from "@/lib/http/services.ts";
import { type AdminRequest, adminRequest } from "./admin_request.ts";
import {
  answerWithEvents,
  type EventLine,
  HEARTBEAT,
  HEARTBEAT_EVERY,
  isStillAdmin,
  LONGEST_MS,
} from "./event_line.ts";
import { findShownAt, type ShownAt } from "./page_events.ts";

const streamParams = {
  /** The types that are told. */
  types: registerParams.event_types,
  /** The path of an admin page: what it does not show is not told. */
  page: optional(text()),
  /** For pages, which cannot set `Last-Event-ID` on a line that they open. */
  last_event_id: optional(text()),
  /** How many seconds ago everything up to that event was there. */
  away: optional(text()),
};

/** What a stream was asked for. */
interface Asked {
  readonly types: readonly string[] | null;
  readonly shown: ShownAt | null;
  readonly resumption: Resumption | null;
}

/** The events that an administrator is told, as server-sent events, for as long as he is signed in and one. */
export function streamAdminEvents(ctx: Context<State>): Promise<Response> {
  const request = adminRequest(ctx);
  requireOwnPage(request);
  const asked = readAsked(request);
  if (ctx.req.method === "HEAD") return Promise.resolve(answerWithEvents(ctx.req, () => {}));
  const { services: { events }, realm, user } = request;
  const gone = new AbortController();
  const wish = {
    types: typesOf(asked),
    client: AbortSignal.any([ctx.req.signal, gone.signal]),
    longestMs: LONGEST_MS,
  };
  const stream = openStream(events, { realm, user }, wish);
  return Promise.resolve(answerWithEvents(ctx.req, (line) => {
    line.closed.addEventListener("abort", () => gone.abort());
    void new Telling(request, { asked, stream, line }).run();
  }));
}

/**
 * A page of another origin could not read the stream, but would take places from those who can. Where a browser proves
 * nothing there is no page of another site either: those send no cookie.
 */
function requireOwnPage({ ctx: { req }, chat, realm }: AdminRequest): void {
  const isPlain = !req.headers.has("sec-fetch-site") && !req.headers.has("origin");
  if (isPlain || isSameOrigin(req, new URL(realmUrl(chat, realm)).origin)) return;
  throw new AppError("BAD_REQUEST", "These events are told to the pages of this site.");
}

function readAsked({ ctx: { req }, query }: AdminRequest): Asked {
  const { types, page, last_event_id, away } = readParams(streamParams, new Map(query)).values;
  const shown = page === undefined ? null : findShownAt(page);
  if (page !== undefined && shown === null) throw new AppError("BAD_REQUEST", "No such page");
  const last = req.headers.get("last-event-id") || last_event_id;
  return { types: types ?? null, shown, resumption: last ? { id: toId(last), awayMs: toMs(away) } : null };
}

function toId(text: string): number | null {
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
}

function toMs(seconds: string | undefined): number | null {
  return seconds !== undefined && /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : null;
}

function typesOf({ types, shown }: Asked): readonly string[] | null {
  if (shown === null) return types;
  return types === null ? shown.types : shown.types.filter((type) => types.includes(type));
}

/** One stream on its way. */
class Telling {
  readonly #request: AdminRequest;
  readonly #asked: Asked;
  readonly #stream: EventStream;
  readonly #line: EventLine;
  /** Everything up to the event with this id was told; null before that is known. */
  #position: number | null = null;

  constructor(
    request: AdminRequest,
    { asked, stream, line }: { asked: Asked; stream: EventStream; line: EventLine },
  ) {
    this.#request = request;
    this.#asked = asked;
    this.#stream = stream;
    this.#line = line;
  }

  /** Tells until the stream has to end; where the store cannot be read the browser comes back later. */
  async run(): Promise<void> {
    const { services: { store, status }, realm, user } = this.#request;
    const end = () => this.#line.close();
    const check = () => void this.#mayTell().then((may) => may || end(), end);
    this.#stream.signal.addEventListener("abort", end);
    if (this.#stream.signal.aborted) end();
    using _account = store.bell.listen(accountSignal(realm.id, user.id), check);
    const heart = setInterval(() => this.#beat().catch(end), HEARTBEAT_EVERY * 1000);
    status.waiting++;
    try {
      await this.#tell();
    } catch (error) {
      this.#report(error);
    } finally {
      status.waiting--;
      clearInterval(heart);
      this.#stream[Symbol.dispose]();
      end();
    }
  }

  async #tell(): Promise<void> {
    const { services: { events }, realm } = this.#request;
    const { from, isStale } = await findStart(events, realm.id, this.#asked.resumption);
    if (isStale) this.#line.send(`event: stale\nid: ${from}\ndata: {}\n\n`);
    for (let position = from; !this.#line.closed.aborted;) {
      position = await this.#tellAfter(position);
      await this.#line.room();
      await this.#stream.wait(position);
    }
  }

  /** Tells what there is after an event, and gives up to where that was. */
  async #tellAfter(id: number): Promise<number> {
    const { services: { events }, realm } = this.#request;
    const news = await this.#stream.read(id);
    const told = news?.events.filter((event) => this.#asked.shown?.shows(event) ?? true) ?? [];
    const isFirst = this.#position === null;
    const isQuiet = news !== null && told.length === 0 && !news.isAccessTouched && !isFirst;
    // Asked last, so that nothing is told that was read for one who may not know it any more.
    if (!isQuiet && !await this.#mayTell()) {
      this.#line.close();
      return id;
    }
    const head = news?.to ?? events.tail(realm.id).head;
    if (news === null) this.#line.send(`event: stale\nid: ${head}\ndata: {}\n\n`);
    for (const event of told) this.#line.send(`id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`);
    this.#position = head;
    if (isFirst) this.#sayHere();
    return head;
  }

  /** Tells the page, and all on the way, that the line stands and nothing is missing up to here. */
  #sayHere(): void {
    const { hasRoom } = this.#line;
    if (hasRoom && this.#position !== null) {
      this.#line.send(`${HEARTBEAT}event: here\nid: ${this.#position}\ndata: {}\n\n`);
    }
  }

  async #beat(): Promise<void> {
    if (await this.#mayTell()) this.#sayHere();
    else this.#line.close();
  }

  #mayTell(): Promise<boolean> {
    return isStillAdmin(this.#request.ctx);
  }

  #report(error: unknown): void {
    const { services: { log }, ctx } = this.#request;
    log.event("warn", "a stream of events ended", { id: ctx.state.requestId, cause: String(error) });
  }
}
