import type { ChatApp } from "@/lib/chat/app.ts";
import { toAppOfRequest } from "@/lib/chat/app_of_request.ts";
import { SERVICE_VERSION } from "@/lib/chat/organizations/api.ts";
import { readRealmBySubdomain, type RealmRecord } from "@/lib/chat/organizations/model.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { isNarrowOperator } from "@/lib/chat/messages/narrow/parse_narrow.ts";
import { isGuest, type UserRecord } from "@/lib/chat/users/model.ts";
import { readUser, readUserList } from "@/lib/chat/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { lazily } from "@/lib/core/lazily.ts";
import { toValue } from "@/lib/store/key.ts";
import { afterCommit } from "@/lib/store/after_commit.ts";
import { transact } from "@/lib/store/transact.ts";
import type { EventHub } from "../delivery/hub.ts";
import { getQueue, removeQueue } from "../queues/access_queue.ts";
import { createQueue } from "../queues/create_queue.ts";
import { listKnownCapabilities } from "../queues/model.ts";
import type { QueueRegistration, RegisterParams } from "./registration.ts";
import { isRequested, readParts, type SpectatorContext, type StateContext } from "./model.ts";
import { SPECTATOR_PARTS, STATE_PARTS } from "./parts.ts";
import { readCurrentState } from "./read_current_state.ts";

/** Seconds for which a client should wait for events. */
const LONG_POLL_SECONDS = 90;

/** The account that registers a client. */
interface Registrant {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
}

/**
 * Creates a queue for future events and returns its id with the requested parts of the current state, and the
 * last event that the state contains.
 * @throws AppError BAD_REQUEST for a guest who requests all public channels, and for an unknown narrow operator.
 */
export async function register(
  hub: EventHub,
  { realm, user }: Registrant,
  params: RegisterParams,
): Promise<object> {
  if (params.all_public_streams && isGuest(user)) {
    throw new AppError("BAD_REQUEST", "User not authorized for this query");
  }
  requireNarrowOperators(params.narrow);
  const { app } = hub;
  const registration = { ...params, client_gravatar: params.client_gravatar ?? true };
  const owner = { realmId: realm.id, userId: user.id };
  const queueId = await createQueue(app, owner, registration);
  const types = listRequestedTypes(params);
  try {
    const { fields, lastEventId } = await readCurrentState(hub, {
      owner: { realm, user },
      queue: await getQueue(app, { realm, user }, queueId),
      parts: STATE_PARTS.filter((part) => isRequested(part, types)),
      readContext: () => readContext(app, { realm, user }, registration),
    });
    return toResponse({ queueId, lastEventId }, fields);
  } catch (error) {
    // No client learns the id of the queue.
    await afterCommit(() =>
      transact(app.store, (tx) => Promise.resolve(removeQueue(tx, { ...owner, id: queueId })))
    );
    throw error;
  }
}

/**
 * Returns the parts of the current state that are public. Spectators have no queue: only accounts receive
 * events.
 * @throws AppError BAD_REQUEST for parameters that reveal accounts.
 */
export async function registerSpectator(
  app: ChatApp,
  realm: RealmRecord,
  params: RegisterParams,
): Promise<object> {
  if (params.client_gravatar === true) throw notForSpectators("client_gravatar");
  if (params.include_subscribers !== false) throw notForSpectators("include_subscribers");
  const capabilities = listKnownCapabilities(params.client_capabilities);
  const permissions = await peekPermissionContext(app, realm);
  const context: SpectatorContext = { app, realm, permissions, capabilities };
  const none = { queueId: null, lastEventId: null };
  return toResponse(none, await readParts(SPECTATOR_PARTS, context, listRequestedTypes(params)));
}

function requireNarrowOperators(narrow: RegisterParams["narrow"]): void {
  const operators = narrow.map((term) => Array.isArray(term) ? term[0] ?? "" : term.operator);
  const unknown = operators.find((operator) => !isNarrowOperator(operator));
  if (unknown !== undefined) throw new AppError("BAD_REQUEST", `Operator ${unknown} not supported.`);
}

function notForSpectators(name: string): AppError {
  return new AppError("BAD_REQUEST", `Invalid '${name}' parameter for anonymous request`);
}

function listRequestedTypes(params: RegisterParams): readonly string[] | undefined {
  return params.fetch_event_types ?? params.event_types;
}

function toResponse(
  { queueId, lastEventId }: { queueId: string | null; lastEventId: number | null },
  state: object,
): object {
  return {
    queue_id: queueId,
    last_event_id: lastEventId ?? -1,
    event_queue_longpoll_timeout_seconds: LONG_POLL_SECONDS,
    ...SERVICE_VERSION,
    ...state,
  };
}

/** Rereads the account and the organization: a change since the request was authorized is in no queue. */
async function readContext(
  currentApp: ChatApp,
  registrant: Registrant,
  registration: QueueRegistration,
): Promise<StateContext> {
  // Read after the queue was created, so that no change is missed.
  await currentApp.readOrganization(registrant.realm.id);
  const app = toAppOfRequest(currentApp, registrant.realm.id);
  const [currentRealm, currentUser] = await Promise.all([
    readRealmBySubdomain(app, registrant.realm.subdomain),
    readUser(app, registrant.realm.id, registrant.user.id),
  ]);
  const realm = currentRealm ?? registrant.realm;
  const user = currentUser ?? registrant.user;
  const userList = lazily(() => readUserList(app, realm.id));
  const shared = new Map<unknown, Promise<unknown>>();
  const context: StateContext = {
    app,
    realm,
    user,
    permissions: await peekPermissionContext(app, realm),
    capabilities: listKnownCapabilities(registration.client_capabilities),
    drawsAvatars: registration.client_gravatar,
    presence: { isSlim: registration.slim_presence, days: registration.presence_history_limit_days },
    subscribers: registration.include_subscribers,
    userList,
    users: async () => (await userList()).users,
    share: <T>(read: (context: StateContext) => Promise<T>) => {
      const reading = shared.get(read) ?? read(context);
      shared.set(read, reading);
      return toValue<Promise<T>>(reading);
    },
  };
  return context;
}
