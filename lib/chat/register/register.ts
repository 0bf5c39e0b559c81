import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { peekPermissionContext } from "../permissions/group_world.ts";
import { readRealmBySubdomain, type RealmRecord } from "../realm/realm.ts";
import { SERVICE } from "../server_settings/service.ts";
import { listUsers, readUser } from "../users/store.ts";
import { isGuest, type UserRecord } from "../users/user.ts";
import type { Registration, SentRegistration } from "./params.ts";
import { type OpenCall, readParts, type RegisterCall } from "./part.ts";
import { OPEN_PARTS } from "./open_parts.ts";
import { PARTS } from "./parts.ts";
import { addQueue, capabilitiesOf } from "./queue.ts";

/** Seconds for which a client best waits for events. */
const LONG_POLL_SECONDS = 90;

/** Who registers. */
interface Client {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
}

/**
 * Makes a queue for what happens from now on, and gives its id together with everything that the client wants to know of
 * what is so now. What changes meanwhile may be in both.
 * @throws AppError BAD_REQUEST for a guest who asks for all public channels.
 */
export async function register(
  app: ChatApp,
  { realm, user }: Client,
  sent: SentRegistration,
): Promise<object> {
  if (sent.all_public_streams && isGuest(user)) {
    throw new AppError("BAD_REQUEST", "User not authorized for this query");
  }
  const registration = { ...sent, client_gravatar: sent.client_gravatar ?? true };
  const queueId = await addQueue(app, { realmId: realm.id, userId: user.id }, registration);
  const call = await toCall(app, { realm, user }, registration);
  return toAnswer(queueId, await readParts(PARTS, call, typesOf(sent)));
}

/**
 * What a spectator is told of what is so now. He has no queue: what happens is told to accounts alone.
 * @throws AppError BAD_REQUEST for what would tell of accounts.
 */
export async function registerSpectator(
  app: ChatApp,
  realm: RealmRecord,
  sent: SentRegistration,
): Promise<object> {
  if (sent.client_gravatar === true) throw notForSpectators("client_gravatar");
  if (sent.include_subscribers !== false) throw notForSpectators("include_subscribers");
  const capabilities = capabilitiesOf({ ...sent, client_gravatar: false });
  const call: OpenCall = { app, realm, permissions: await peekPermissionContext(app, realm), capabilities };
  return toAnswer(null, await readParts(OPEN_PARTS, call, typesOf(sent)));
}

function notForSpectators(name: string): AppError {
  return new AppError("BAD_REQUEST", `Invalid '${name}' parameter for anonymous request`);
}

function typesOf({ fetch_event_types, event_types }: SentRegistration): readonly string[] | undefined {
  return fetch_event_types ?? event_types;
}

function toAnswer(queueId: string | null, state: object): object {
  return {
    queue_id: queueId,
    last_event_id: -1,
    event_queue_longpoll_timeout_seconds: LONG_POLL_SECONDS,
    ...SERVICE,
    ...state,
  };
}

/** Reads anew what the request was let in with, as a change since then is in no queue. */
async function toCall(app: ChatApp, client: Client, sent: Registration): Promise<RegisterCall> {
  const [readRealm, readOwn] = await Promise.all([
    readRealmBySubdomain(app, client.realm.subdomain),
    readUser(app, client.realm.id, client.user.id),
  ]);
  const realm = readRealm ?? client.realm;
  const user = readOwn ?? client.user;
  let users: Promise<readonly UserRecord[]> | undefined;
  return {
    app,
    realm,
    user,
    permissions: await peekPermissionContext(app, realm),
    capabilities: capabilitiesOf(sent),
    drawsAvatars: sent.client_gravatar,
    presence: { isSlim: sent.slim_presence, days: sent.presence_history_limit_days },
    subscribers: sent.include_subscribers,
    users: () => users ??= listUsers(app, realm.id),
  };
}
