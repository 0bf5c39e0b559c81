import type { Context } from "fresh";
import { findStreamStart, type Resumption } from "@/lib/chat/register/events/retrieve_events.ts";
import { type EventStream, openEventStream } from "@/lib/chat/register/events/stream.ts";
import { optional, text } from "@/lib/chat/organization/params/param.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";
import { realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { registerParams } from "@/lib/chat/register/register.ts";
import { accountSignal } from "@/lib/chat/organization/users/store.ts";
import { AppError, STATUS } from "@/lib/core/errors.ts";
import { isSameOrigin } from "@/lib/api/same_origin.ts";
import type { State } from "@/lib/services/services.ts";
import type { ChatEvent } from "@/lib/chat/organization/events/model.ts";
import { type AdminRequest, adminRequest } from "../admin_request.ts";
import { findDeclaredPage } from "../pages/declared_pages.ts";
import { isStillOpen } from "@/lib/pages/open_pages.ts";
import { answerWithEvents, type EventLine, HEARTBEAT, HEARTBEAT_EVERY, LONGEST_MS } from "./event_line.ts";

const streamParams = {
  /** Event types to send. */
  types: registerParams.event_types,
  /** Path of an admin page: events about anything it does not show are not sent. */
  page: optional(text()),
  /** For pages, which cannot set `Last-Event-ID` on a stream that they open. */
  last_event_id: optional(text()),
  /** Seconds since everything up to that event was on the page. */
  away: optional(text()),
};

/** Events that concern an admin page. */
interface ShownAt {
  /** Types of events that may concern the page. */
  readonly types: readonly string[];
  /** Whether an event concerns the page's content. */
  shows(event: ChatEvent): boolean;
}

/** Parameters of a stream. */
interface Asked {
  /** Path that the user must be able to open for as long as the stream lasts. */
  readonly page: string;
  /** Types of the events that are sent; null for all. */
  readonly types: readonly string[] | null;
  /** Null without a page. */
  readonly shown: ShownAt | null;
  readonly resumption: Resumption | null;
}

/**
 * Streams the events of a user's account as server-sent events, as long as they are signed in and may open the page that
 * it is for, or any page.
 */
export function streamAdminEvents(ctx: Context<State>): Promise<Response> {
  const request = adminRequest(ctx);
  requireOwnPage(request);
  const asked = readAsked(request);
  if (ctx.req.method === "HEAD") return Promise.resolve(answerWithEvents(ctx.req, () => {}));
  const { services: { events }, realm, user } = request;
  const { sessionId = null } = ctx.state;
  const gone = new AbortController();
  const wish = {
    types: asked.types,
    client: AbortSignal.any([ctx.req.signal, gone.signal]),
    maxDurationMs: LONGEST_MS,
  };
  const stream = openEventStream(events, { realm, user, sessionId }, wish);
  return Promise.resolve(answerWithEvents(ctx.req, (line) => {
    line.closed.addEventListener("abort", () => gone.abort());
    void new AdminStream(request, asked, stream, line).run();
  }));
}

/**
 * A page of another origin could not read the stream but would use up its capacity. Browsers that prove
 * nothing send no cookie from other sites either.
 */
function requireOwnPage({ ctx: { req }, chat, realm }: AdminRequest): void {
  const isPlain = !req.headers.has("sec-fetch-site") && !req.headers.has("origin");
  if (isPlain || isSameOrigin(req, new URL(realmUrl(chat, realm)).origin)) return;
  throw new AppError("BAD_REQUEST", "Only pages of this site can receive these events.");
}

function readAsked({ ctx: { req, url }, query, opens }: AdminRequest): Asked {
  const { types, page, last_event_id, away } = readParams(streamParams, new Map(query)).values;
  const shown = page === undefined ? null : findShownAt(page);
  if (page !== undefined && (shown === null || !opens(page))) {
    throw new AppError("BAD_REQUEST", "Page not found");
  }
  const last = req.headers.get("last-event-id") || last_event_id;
  const resumption = last ? { id: toId(last), awayMs: toMs(away) } : null;
  const sent = shown?.types.filter((type) => types === undefined || types.includes(type)) ?? types ?? null;
  return { page: page ?? url.pathname, types: sent, shown, resumption };
}

/** Returns the events that concern the page at a path; null for none. */
export function findShownAt(path: string): ShownAt | null {
  const { page, params } = findDeclaredPage(path) ?? {};
  const rules = page?.shows;
  if (rules === undefined) return null;
  const subject = Object.values({ ...params }).join();
  return { types: Object.keys(rules), shows: (event) => rules[event.type]?.(event, subject) ?? false };
}

function toId(text: string): number | null {
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
}

function toMs(seconds: string | undefined): number | null {
  return seconds !== undefined && /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : null;
}

/** One open stream. */
class AdminStream {
  /** Id of the last event sent; null before it is known. */
  #position: number | null = null;

  constructor(
    readonly request: AdminRequest,
    readonly asked: Asked,
    readonly stream: EventStream,
    readonly line: EventLine,
  ) {}

  /** Sends events until the stream ends; when the store cannot be read, the browser reconnects later. */
  async run(): Promise<void> {
    const { services: { store, status }, realm, user } = this.request;
    const end = () => this.line.close();
    const check = () => void this.#isStillAllowed().then((may) => may || end(), end);
    this.stream.signal.addEventListener("abort", end);
    if (this.stream.signal.aborted) end();
    using _account = store.signals.listen(accountSignal(realm.id, user.id), check);
    const heart = setInterval(() => this.#beat().catch(end), HEARTBEAT_EVERY * 1000);
    status.waiting++;
    try {
      await this.#send();
    } catch (error) {
      const isSignedOut = error instanceof AppError && STATUS[error.code] === 401;
      if (!isSignedOut) this.#report(error);
    } finally {
      status.waiting--;
      clearInterval(heart);
      this.stream[Symbol.dispose]();
      end();
    }
  }

  async #send(): Promise<void> {
    const { services: { events }, realm } = this.request;
    const { from, isStale } = await findStreamStart(events, realm.id, this.asked.resumption);
    if (isStale) this.line.send(`event: stale\nid: ${from}\ndata: {}\n\n`);
    for (let position = from; !this.line.closed.aborted;) {
      position = await this.#sendAfter(position);
      await this.line.room();
      await this.stream.wait(position);
    }
  }

  /** Sends the events after an id and returns the id reached. */
  async #sendAfter(id: number): Promise<number> {
    const { services: { events }, realm } = this.request;
    const news = await this.stream.read(id);
    const sent = news?.events.filter((event) => this.asked.shown?.shows(event) ?? true) ?? [];
    const isFirst = this.#position === null;
    const isQuiet = news !== null && sent.length === 0 && !news.hasAccessChange && !isFirst;
    // Checked last, so that nothing is sent to a user who lost access meanwhile.
    if (!isQuiet && !await this.#isStillAllowed()) {
      this.line.close();
      return id;
    }
    const head = news?.lastId ?? events.tail(realm.id).head;
    if (news === null) this.line.send(`event: stale\nid: ${head}\ndata: {}\n\n`);
    for (const event of sent) this.line.send(`id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`);
    this.#position = head;
    if (isFirst) this.#sendPosition();
    return head;
  }

  /** Reports to the page and to proxies that the stream is open and complete up to here. */
  #sendPosition(): void {
    const { hasRoom } = this.line;
    if (hasRoom && this.#position !== null) {
      this.line.send(`${HEARTBEAT}event: here\nid: ${this.#position}\ndata: {}\n\n`);
    }
  }

  async #beat(): Promise<void> {
    if (await this.#isStillAllowed()) this.#sendPosition();
    else this.line.close();
  }

  #isStillAllowed(): Promise<boolean> {
    return isStillOpen(this.request.ctx, this.asked.page);
  }

  #report(error: unknown): void {
    const { services: { log }, ctx } = this.request;
    log.event("warn", "event stream failed", { id: ctx.state.requestId, cause: String(error) });
  }
}
