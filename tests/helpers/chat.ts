import { sortBy } from "es-toolkit/array/sortBy";
import { deriveApiKey } from "@/lib/chat/people/auth/api_keys.ts";
import { eventKeys, type StoredEvent } from "@/lib/chat/organization/events/model.ts";
import { createRealm } from "@/lib/chat/people/users/create_realm.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { addUser } from "@/lib/chat/people/users/create_user.ts";
import type { BotType, Role, UserRecord } from "@/lib/chat/organization/users/model.ts";
import { toEntry } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { areStoresRemote, startTestApp, type TestApp, type TestAppOptions } from "./app.ts";
import { listRows, openCopy, type StoredRow } from "./copied_store.ts";

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
  const { app, cast } = await startWithCast(options);
  const { chat } = app.services;
  const { realm } = cast;
  const toPerson = (user: UserRecord, of = realm): TestUser => ({
    id: user.id,
    email: user.delivery_email,
    apiKey: deriveApiKey(chat, of.id, user),
    realm: of,
  });
  const people = {
    owner: toPerson(cast.owner),
    admin: toPerson(cast.admin),
    moderator: toPerson(cast.moderator),
    member: toPerson(cast.member),
    guest: toPerson(cast.guest),
    bot: toPerson(cast.bot),
    outsider: toPerson(cast.outsider, cast.other),
  };
  const returned = new Set(cast.eventKeys);
  const events = async () => {
    const newEvents: StoredEvent[] = [];
    for (const { key, value } of await listEvents(app, realm.id)) {
      if (!returned.has(key)) newEvents.push(value);
      returned.add(key);
    }
    return newEvents;
  };
  const add = async (name: string, role: Role = 400, bot?: BotType) => {
    const passwordHash = bot === undefined ? await chat.passwords.hash(PASSWORD) : null;
    return toPerson(await addToCast(app, realm, { name, role, passwordHash, bot }));
  };
  return { ...app, ...people, realm, events, add, call: (...call) => callApi(app, ...call) };
}

/** Records of the cast, whose rows are copied into the store of each test. */
interface Cast {
  readonly realm: RealmRecord;
  readonly owner: UserRecord;
  readonly admin: UserRecord;
  readonly moderator: UserRecord;
  readonly member: UserRecord;
  readonly guest: UserRecord;
  readonly bot: UserRecord;
  readonly other: RealmRecord;
  readonly outsider: UserRecord;
  /** Keys of the events that the creation of the cast sent. */
  readonly eventKeys: readonly string[];
}

/** A cast and the rows of a store that has it. */
interface StoredCast {
  readonly cast: Cast;
  readonly rows: readonly StoredRow[];
}

/** The cast in a store, created once for each test process: copying its rows takes a tenth of the time. */
let storedCast: Promise<StoredCast> | undefined;

/** Starts a server with the cast: in a copy of a store that has it, or where a test brings its own store, created there. */
async function startWithCast(options: TestAppOptions): Promise<{ app: TestApp; cast: Cast }> {
  const { env, store } = options;
  // Events of the cast contain addresses below BASE_URL.
  const isOrdinary = env?.["KV_URL"] === undefined && env?.["BASE_URL"] === undefined;
  if (!isOrdinary || store !== undefined || areStoresRemote()) {
    const app = await startTestApp(options);
    return { app, cast: await createCast(app) };
  }
  const { cast, rows } = await (storedCast ??= storeCast());
  return { app: await startTestApp({ ...options, store: await openCopy(rows) }), cast };
}

async function storeCast(): Promise<StoredCast> {
  await using app = await startTestApp();
  const cast = await createCast(app);
  return { cast, rows: await listRows(app.services.store) };
}

async function createCast(app: TestApp): Promise<Cast> {
  const { chat } = app.services;
  const { realm, owner } = await createRealm(chat, newRealm("Gardeners", "", "owner@example.com"));
  const other = await createRealm(chat, newRealm("Others", "other", "outsider@example.com"));
  const passwordHash = await chat.passwords.hash(PASSWORD);
  const add = (name: string, role: Role) => addToCast(app, realm, { name, role, passwordHash });
  const member = await add("member", 400);
  return {
    realm,
    owner,
    admin: await add("admin", 200),
    moderator: await add("moderator", 300),
    member,
    guest: await add("guest", 600),
    bot: await addToCast(app, realm, {
      name: "bot",
      role: 400,
      passwordHash: null,
      bot: 1,
      ownerId: member.id,
    }),
    other: other.realm,
    outsider: other.owner,
    eventKeys: (await listEvents(app, realm.id)).map(({ key }) => key),
  };
}

/** A user to add to the cast's organization. */
interface CastUser {
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string | null;
  readonly bot?: BotType | undefined;
  readonly ownerId?: number;
}

async function addToCast(
  { services: { chat } }: TestApp,
  realm: RealmRecord,
  added: CastUser,
): Promise<UserRecord> {
  const { name, role, passwordHash, bot, ownerId = null } = added;
  const fullName = name[0]?.toUpperCase() + name.slice(1);
  const user = { deliveryEmail: `${name}@example.com`, fullName, role, passwordHash };
  const input = bot === undefined ? user : { ...user, bot: { type: bot, ownerId } };
  const work = (tx: Tx) => addUser({ app: chat, tx, realm }, input);
  return await transact(chat.store, work);
}

/** Lists the events of an organization in the order of their commits, each with its key as a text. */
async function listEvents(
  { services }: TestApp,
  realmId: number,
): Promise<{ key: string; value: StoredEvent }[]> {
  const listing = services.store.kv.list({ prefix: [...eventKeys.events(realmId)] });
  const entries = await Array.fromAsync(listing, (entry) => toEntry<StoredEvent>(entry));
  return sortBy(entries, ["versionstamp"]).map(({ key, value }) => ({ key: key.join(" "), value }));
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

/** Calls an endpoint, as `TestChat.call` does, of a server that may be another one on the store. */
export async function callApi(
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
