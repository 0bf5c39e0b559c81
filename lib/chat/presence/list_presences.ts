import { listValues } from "@/lib/kv/list_values.ts";
import type { ChatApp } from "../app.ts";
import { canAccessAllUsers } from "../permissions/model/membership.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import { isBot, toApiEmail, type UserRecord } from "../users/model.ts";
import { listUsers, readUser } from "../users/store.ts";
import {
  HISTORY_DAYS,
  isRecent,
  presenceKeys,
  type PresenceQuery,
  type PresenceRecord,
  type PresenceViewer,
  toPresence,
  toSlimPresence,
  type UserPresence,
} from "./model.ts";

/** Maximum number of accounts that are read one by one; more are read with one listing. */
const MAX_SINGLE_READS = 100;

/** Lists presence by email address or user id, with the update id from which the client can continue. */
export async function listPresences(app: ChatApp, viewer: PresenceViewer, query: PresenceQuery) {
  // The head is read first, so that reports stored during the listing are sent again rather than missed.
  const head = await app.reads.read<number>(presenceKeys.head) ?? -1;
  const presences: Record<string, ReturnType<typeof toPresence> | ReturnType<typeof toSlimPresence>> = {};
  for (const presence of await readPresences(app, viewer, query)) {
    if (query.isSlim) presences[presence.user.id] = toSlimPresence(presence);
    else presences[toApiEmail(app, viewer.realm, presence.user)] = toPresence(presence);
  }
  return {
    presences,
    server_timestamp: app.clock.now() / 1000,
    presence_last_update_id: head,
  };
}

async function readPresences(
  app: ChatApp,
  viewer: PresenceViewer,
  query: PresenceQuery,
): Promise<Iterable<UserPresence>> {
  const { realm } = viewer;
  const { days = HISTORY_DAYS, after = -1 } = query;
  if (realm.settings.presence_disabled || days === 0) return [];
  const isLimited = await isLimitedToSelf(app, viewer);
  const records = isLimited ? await readOwn(app, viewer, after) : await readRecords(app, realm.id, after);
  const now = app.clock.now();
  // A client that asks for changes already has older presence, so its age does not matter.
  const selected = after > 0 ? records : records.filter((record) => isRecent(record, now, days));
  return joinUsers(selected, await readUsers(app, viewer, selected));
}

function readRecords(app: ChatApp, realmId: number, after: number): Promise<PresenceRecord[]> {
  return after > 0
    ? listChanged(app, realmId, after)
    : listValues<PresenceRecord>(app.store.kv, presenceKeys.presences(realmId));
}

/**
 * Returns whether the viewer can access only themselves and bots, and the configuration applies this to
 * presence.
 */
async function isLimitedToSelf(app: ChatApp, { realm, user }: PresenceViewer): Promise<boolean> {
  if (!app.config.canAccessAllUsersGroupLimitsPresence) return false;
  return !canAccessAllUsers(await peekPermissionContext(app, realm), user);
}

async function readOwn(
  app: ChatApp,
  { realm, user }: PresenceViewer,
  after: number,
): Promise<PresenceRecord[]> {
  const record = await app.reads.read<PresenceRecord>(presenceKeys.presence(realm.id, user.id));
  return record !== null && record.update_id > after ? [record] : [];
}

async function listChanged(app: ChatApp, realmId: number, after: number): Promise<PresenceRecord[]> {
  const userIds = await listValues<number>(app.store.kv, presenceKeys.updates(realmId), { from: after + 1 });
  if (userIds.length > MAX_SINGLE_READS) {
    const records = await listValues<PresenceRecord>(app.store.kv, presenceKeys.presences(realmId));
    return records.filter(({ update_id }) => update_id > after);
  }
  // A user who reports during the listing is listed twice.
  const reads = [...new Set(userIds)].map((id) =>
    app.reads.read<PresenceRecord>(presenceKeys.presence(realmId, id))
  );
  return (await Promise.all(reads)).filter((record) => record !== null);
}

async function readUsers(
  app: ChatApp,
  { realm, users }: PresenceViewer,
  records: readonly PresenceRecord[],
): Promise<readonly UserRecord[]> {
  if (records.length > MAX_SINGLE_READS) {
    return await (users === undefined ? listUsers(app, realm.id) : users());
  }
  const read = await Promise.all(records.map(({ user_id }) => readUser(app, realm.id, user_id)));
  return read.filter((user) => user !== null);
}

/** Yields the presence of active human users. */
function* joinUsers(
  records: readonly PresenceRecord[],
  users: readonly UserRecord[],
): Generator<UserPresence> {
  const usersById = new Map(users.map((user) => [user.id, user]));
  for (const times of records) {
    const user = usersById.get(times.user_id);
    if (user?.is_active && !isBot(user)) yield { user, times };
  }
}
