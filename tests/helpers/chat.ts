import { deriveApiKey } from "@/lib/chat/auth/model.ts";
import { eventKeys, type StoredEvent } from "@/lib/chat/events/model.ts";
import { createRealm } from "@/lib/chat/organizations/create_realm.ts";
import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import { addUser } from "@/lib/chat/permissions/add_user.ts";
import type { BotType, Role, UserRecord } from "@/lib/chat/users/model.ts";
import { accountsLock } from "@/lib/chat/users/store.ts";
import { toEntry } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "./app.ts";

/** A response of the chat API. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body. */
  // deno-lint-ignore no-explicit-any
  readonly body: Record<string, any>;
}

/** A user with credentials for the API. */
export interface TestUser {
  readonly id: number;
  /** The delivery address. */
  readonly email: string;
  readonly apiKey: string;
  readonly realm: RealmRecord;
}

/** Request parameters: texts are sent unchanged, everything else as JSON. */
export type TestParams = Readonly<Record<string, unknown>>;

/** A test server with an organization that has a user of each role and a bot, and a second organization. */
export interface TestChat extends TestApp {
  readonly realm: RealmRecord;
  readonly owner: TestUser;
  readonly admin: TestUser;
  readonly moderator: TestUser;
  readonly member: TestUser;
  readonly guest: TestUser;
  /** A generic bot owned by the member. */
  readonly bot: TestUser;
  /** The owner of the other organization, at the subdomain "other". */
  readonly outsider: TestUser;
  /** Calls `METHOD /path` below /api/v1; a null caller sends no credentials. */
  call(caller: TestUser | null, endpoint: string, params?: TestParams): Promise<ApiResponse>;
  /** Adds a user to the organization. */
  add(name: string, role?: Role, bot?: BotType): Promise<TestUser>;
  /** Returns the events of the organization since the last call. */
  events(): Promise<StoredEvent[]>;
}

const OTHER_HOST = "other.localhost:8000";
/** Password of every user in the cast. */
export const PASSWORD = "a quiet garden wall";

/** Starts a server with two organizations and their users, without events. */
export async function startChat(options: TestAppOptions = {}): Promise<TestChat> {
  const app = await startTestApp(options);
  const { chat } = app.services;
  const main = await createRealm(chat, newRealm("Gardeners", "", "owner@example.com"));
  const other = await createRealm(chat, newRealm("Others", "other", "outsider@example.com"));
  const { realm } = main;
  const toPerson = (user: UserRecord, of: RealmRecord): TestUser => ({
    id: user.id,
    email: user.delivery_email,
    apiKey: deriveApiKey(chat, of.id, user),
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
    const input = bot === undefined ? user : { ...user, bot: { type: bot, ownerId } };
    const work = (tx: Tx) => addUser(chat, tx, { realm, user: input });
    return toPerson(await transact(chat.store, work, accountsLock(realm.id)), realm);
  };
  const member = await add("member");
  const people = {
    owner: toPerson(main.owner, realm),
    admin: await add("admin", 200),
    moderator: await add("moderator", 300),
    member,
    guest: await add("guest", 600),
    bot: await add("bot", 400, 1, member.id),
    outsider: toPerson(other.owner, other.realm),
  };
  const returned = new Set<string>();
  const events = async () => {
    const newEvents: StoredEvent[] = [];
    for await (const entry of app.services.store.kv.list({ prefix: [...eventKeys.events(realm.id)] })) {
      const { key, value } = toEntry<StoredEvent>(entry);
      if (!returned.has(key.join(" "))) newEvents.push(value);
      returned.add(key.join(" "));
    }
    return newEvents;
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
  caller: TestUser | null,
  endpoint: string,
  params: TestParams = {},
): Promise<ApiResponse> {
  const [method = "GET", path = "/"] = endpoint.split(" ");
  const form = new URLSearchParams(
    Object.entries(params).map((
      [name, value],
    ) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
  const hasBody = method !== "GET";
  const init: RequestInit = {
    method,
    headers: caller === null ? {} : { authorization: basic(caller.email, caller.apiKey) },
  };
  const query = hasBody || form.size === 0 ? "" : `${path.includes("?") ? "&" : "?"}${form}`;
  const host = caller?.realm.subdomain === "other" ? OTHER_HOST : undefined;
  const response = await app.request(
    `/api/v1${path}${query}`,
    hasBody ? { ...init, body: form } : init,
    host,
  );
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Returns the Authorization header for Basic credentials. */
export function basic(name: string, password: string): string {
  return `Basic ${new TextEncoder().encode(`${name}:${password}`).toBase64()}`;
}
