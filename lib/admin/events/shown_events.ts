import type { ChatEvent } from "@/lib/chat/organization/events/model.ts";
import { permissionRules } from "@/lib/chat/organization/permissions/model/registry.ts";

/** Whether an event concerns a page; `subject` is the id in the page's path, or empty. */
export type Rule = (event: ChatEvent, subject: string) => boolean;
/** Events that concern a page, by their types. */
export type ShownEvents = Readonly<Record<string, Rule>>;

/** Pages of accounts show no profile data, avatars, time zones and the like. */
const SHOWN_OF_PERSON = ["full_name", "delivery_email", "email", "role", "is_active", "bot_owner_id"];
const REALM_PERMISSIONS = new Set(permissionRules("realm").map(({ setting }) => setting));

export const always: Rule = () => true;
/** Events that name their subject concern the page of that subject. */
export const ofSubject: Rule = (event, subject) => idsIn(event).includes(subject);
export const both = (...rules: readonly Rule[]): Rule => (event, subject) =>
  rules.every((rule) => rule(event, subject));

export const ofAccount: Rule = ({ op, person }) =>
  op !== "update" || (isRecord(person) && SHOWN_OF_PERSON.some((name) => name in person));
/** Personal settings of a subscriber concern no one else. */
export const ofMembership: Rule = ({ op }) => op !== "update";
export const ofPlace: Rule = ({ op, property }) =>
  op !== "update" || property === "folder_id" || property === "is_archived";
const namesUser: Rule = ({ user_ids }, subject) =>
  Array.isArray(user_ids) && user_ids.map(String).includes(subject);
export const inOrganization = (isPermission: boolean): Rule => ({ data }) =>
  isRecord(data) && Object.keys(data).some((name) => REALM_PERMISSIONS.has(name) === isPermission);

export const ACCOUNT: ShownEvents = {
  realm_user: both(ofSubject, ofAccount),
  realm_bot: ofSubject,
  user_group: namesUser,
  subscription: namesUser,
};
export const CHANNEL: ShownEvents = {
  stream: ofSubject,
  subscription: both(ofSubject, ofMembership),
  default_streams: always,
  channel_folder: always,
};
/** Any group may lead to a permission. */
export const EXPLAINED_USER: ShownEvents = {
  realm_user: both(ofSubject, ofAccount),
  realm: inOrganization(true),
  stream: always,
  user_group: always,
};
export const EXPLAINED_CHANNEL: ShownEvents = {
  stream: ofSubject,
  subscription: both(ofSubject, ofMembership),
  realm: inOrganization(true),
  user_group: always,
};
export const INVITES: ShownEvents = { invites_changed: always };
export const LINKIFIERS: ShownEvents = { realm_linkifiers: always };
export const FIELDS: ShownEvents = { custom_profile_fields: always };
export const EMOJI: ShownEvents = { realm_emoji: always };
const AUDITED = [
  "channel_folder",
  "custom_profile_fields",
  "default_streams",
  "invites_changed",
  "realm",
  "realm_bot",
  "realm_domains",
  "realm_emoji",
  "realm_linkifiers",
  "realm_playgrounds",
  "stream",
  "user_group",
];

export const AUDIT: ShownEvents = {
  ...Object.fromEntries(AUDITED.map((type) => [type, always])),
  realm_user: ofAccount,
  subscription: ofMembership,
};

/** Members of events, and of the objects in them, that hold the ids of their subjects. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  channel_folder: ["channel_folder_id", "channel_folder.id"],
  realm_bot: ["bot.user_id"],
  realm_domains: ["domain", "realm_domain.domain"],
  realm_user: ["person.user_id"],
  stream: ["stream_id", "stream_ids", "streams.stream_id"],
  subscription: ["stream_id", "stream_ids", "subscriptions.stream_id"],
  user_group: ["group_id", "group.id"],
};

/** Returns the ids of an event's subjects as text; empty when it names none. */
function idsIn(event: ChatEvent): readonly string[] {
  const names = NAMES[event.type] ?? [];
  return names.flatMap((name) => valuesAt(event, name.split("."))).map(String);
}

function valuesAt(value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((one) => valuesAt(one, name === undefined ? [] : [name, ...rest]));
  }
  if (name === undefined) return value === undefined ? [] : [value];
  return isRecord(value) ? valuesAt(value[name], rest) : [];
}

/** Whether a value is an object with named members. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Maximum duration of a stream in milliseconds; browsers then reconnect with their current session. */
export const LONGEST_MS = 15 * 60_000;
/** Seconds of silence after which a heartbeat is sent, so that proxies keep the connection. */
export const HEARTBEAT_EVERY = 15;
/** A heartbeat is a comment, which pages do not see. */
export const HEARTBEAT = ": still here\n";
/** Maximum number of unsent pieces for a browser that does not read. */
const MAX_UNSENT = 4;
const RETRY_MS = 3000;
const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  // Makes proxies that know this header pass pieces on at once.
  "x-accel-buffering": "no",
};

/** A connection to a browser for server-sent events. */
export interface EventLine {
  /** Whether the browser reads what is sent; false while it does not, and once the connection is closed. */
  readonly hasRoom: boolean;
  /** Aborted when either side closes the connection. */
  readonly closed: AbortSignal;
  /** Sends whole lines; does nothing on a closed connection. */
  send(text: string): void;
  /** Settles when there is room, or the connection is closed. */
  room(): Promise<void>;
  /** Closes the connection; may be called repeatedly. */
  close(): void;
}

/** Creates a response of server-sent events; a response to HEAD has none. */
export function answerWithEvents({ method }: Request, send: (line: EventLine) => void): Response {
  if (method === "HEAD") return new Response(null, { headers: HEADERS });
  let line: Line | null = null;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      line = new Line(controller);
      line.send(`retry: ${RETRY_MS}\n\n`);
      send(line);
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

  /** Wakes senders that wait for room. */
  wake(): void {
    this.#room.resolve();
    this.#room = Promise.withResolvers();
  }

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
