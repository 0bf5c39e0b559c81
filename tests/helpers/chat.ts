import { accountQueue } from "@/lib/chat/accounts/account_queue.ts";
import { createRealm } from "@/lib/chat/organizations/create.ts";
import type { StoredEvent } from "@/lib/chat/events/emit.ts";
import { eventKeys } from "@/lib/chat/events/emit.ts";
import type { RealmRecord } from "@/lib/chat/realm/realm.ts";
import { addUser } from "@/lib/chat/permissions/add_user.ts";
import { apiKeyOf } from "@/lib/chat/users/api_key.ts";
import type { BotType, Role, UserRecord } from "@/lib/chat/users/user.ts";
import { toEntry } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "./app.ts";

/** An answer of the chat API. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The whole body. */
  // deno-lint-ignore no-explicit-any
  readonly body: Record<string, any>;
}

/** Somebody who calls the API. */
export interface Person {
  readonly id: number;
  /** The real address. */
  readonly email: string;
  readonly apiKey: string;
  readonly realm: RealmRecord;
}

/** Parameters as a test writes them: texts go as they are, everything else as JSON. */
export type Sent = Readonly<Record<string, unknown>>;

/** An organization with one of each role and a bot, and another organization beside it. */
export interface TestChat extends TestApp {
  readonly realm: RealmRecord;
  readonly owner: Person;
  readonly admin: Person;
  readonly moderator: Person;
  readonly member: Person;
  readonly guest: Person;
  /** A generic bot of the member's. */
  readonly bot: Person;
  /** The owner of the other organization, at the subdomain "other". */
  readonly outsider: Person;
  /** Calls `METHOD /path` below /api/v1; null calls without credentials. */
  call(who: Person | null, endpoint: string, params?: Sent): Promise<Answer>;
  /** Adds a person to the organization. */
  add(name: string, role?: Role, bot?: BotType): Promise<Person>;
  /** Every event of the organization since this was last called. */
  events(): Promise<StoredEvent[]>;
}

const OTHER_HOST = "other.localhost:8000";
/** The password of everybody in the cast. */
export const PASSWORD = "a quiet garden wall";

/** Starts a server with two organizations and their people, and no events yet. */
export async function startChat(options: TestAppOptions = {}): Promise<TestChat> {
  const app = await startTestApp(options);
  const { chat } = app.services;
  const made = await createRealm(chat, newRealm("Gardeners", "", "owner@example.com"));
  const other = await createRealm(chat, newRealm("Others", "other", "outsider@example.com"));
  const { realm } = made;
  const toPerson = (user: UserRecord, of: RealmRecord): Person => ({
    id: user.id,
    email: user.delivery_email,
    apiKey: apiKeyOf(chat, of.id, user),
    realm: of,
  });
  const passwordHash = await chat.passwords.hash(PASSWORD);
  const add = async (name: string, role: Role = 400, bot?: BotType, ownerId: number | null = null) => {
    const fullName = name[0]?.toUpperCase() + name.slice(1);
    const user = {
      deliveryEmail: `${name}@example.com`,
      fullName,
      role,
      passwordHash: bot ? null : passwordHash,
    };
    const whole = bot === undefined ? user : { ...user, bot: { type: bot, ownerId } };
    const work = (tx: Tx) => addUser(chat, tx, { realm, user: whole });
    return toPerson(await transact(chat.store, work, accountQueue(realm.id)), realm);
  };
  const member = await add("member");
  const people = {
    owner: toPerson(made.owner, realm),
    admin: await add("admin", 200),
    moderator: await add("moderator", 300),
    member,
    guest: await add("guest", 600),
    bot: await add("bot", 400, 1, member.id),
    outsider: toPerson(other.owner, other.realm),
  };
  const seen = new Set<string>();
  const events = async () => {
    const fresh: StoredEvent[] = [];
    for await (const entry of app.services.store.kv.list({ prefix: [...eventKeys.events(realm.id)] })) {
      const { key, value } = toEntry<StoredEvent>(entry);
      if (!seen.has(key.join(" "))) fresh.push(value);
      seen.add(key.join(" "));
    }
    return fresh;
  };
  await events();
  return { ...app, ...people, realm, events, add, call: (...call) => callApi(app, ...call) };
}

function newRealm(name: string, subdomain: string, ownerEmail: string) {
  return {
    name,
    subdomain,
    ownerEmail,
    ownerName: name === "Others" ? "Outsider" : "Owner",
    ownerPassword: PASSWORD,
  };
}

async function callApi(
  app: TestApp,
  who: Person | null,
  endpoint: string,
  params: Sent = {},
): Promise<Answer> {
  const [method = "GET", path = "/"] = endpoint.split(" ");
  const form = new URLSearchParams(
    Object.entries(params).map((
      [name, value],
    ) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
  const hasBody = method !== "GET";
  const init: RequestInit = {
    method,
    headers: who === null ? {} : { authorization: basic(who.email, who.apiKey) },
  };
  const query = hasBody || form.size === 0 ? "" : `${path.includes("?") ? "&" : "?"}${form}`;
  const host = who?.realm.subdomain === "other" ? OTHER_HOST : undefined;
  const response = await app.request(
    `/api/v1${path}${query}`,
    hasBody ? { ...init, body: form } : init,
    host,
  );
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** The Authorization header of Basic credentials. */
export function basic(name: string, password: string): string {
  return `Basic ${new TextEncoder().encode(`${name}:${password}`).toBase64()}`;
}
