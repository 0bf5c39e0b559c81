import type { ChatApp } from "../app.ts";
import { canAccessAllUsers } from "../permissions/model/membership.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import { isBot, toApiEmail, toPlaceholderEmail, type UserRecord } from "../users/model.ts";
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
import { listChangedPresence, listPresenceRecords, MAX_SINGLE_READS, readPresenceHead } from "./store.ts";

/**
 * Lists presence by email address or user id, with the update id from which the client can continue. Users whom the viewer
 * cannot access are left out or have a placeholder as their address, depending on the configuration.
 */
export async function listPresences(app: ChatApp, viewer: PresenceViewer, query: PresenceQuery) {
  const seesAll = canAccessAllUsers(await peekPermissionContext(app, viewer.realm), viewer.user);
  // The head is read first, so that reports stored during the listing are sent again rather than missed.
  const head = await readPresenceHead(app);
  const presences: Record<string, ReturnType<typeof toPresence> | ReturnType<typeof toSlimPresence>> = {};
  const isLimited = !seesAll && app.config.canAccessAllUsersGroupLimitsPresence;
  for (const presence of await readPresences(app, viewer, { ...query, head, isLimited })) {
    const { user } = presence;
    if (query.isSlim) presences[user.id] = toSlimPresence(presence);
    else {
      const toEmail = seesAll || user.id === viewer.user.id ? toApiEmail : toPlaceholderEmail;
      presences[toEmail(app, viewer.realm, user)] = toPresence(presence);
    }
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
  { head, isLimited, days = HISTORY_DAYS, after = -1 }: PresenceQuery & {
    readonly head: number;
    readonly isLimited: boolean;
  },
): Promise<Iterable<UserPresence>> {
  const { realm } = viewer;
  if (realm.settings.presence_disabled || days === 0) return [];
  const records = isLimited
    ? await readOwn(app, viewer, after)
    : await readRecords(app, realm.id, { head, after });
  const now = app.clock.now();
  // A client that asks for changes already has older presence, so its age does not matter.
  const selected = after > 0 ? records : records.filter((record) => isRecent(record, now, days));
  return joinUsers(selected, await readUsers(app, viewer, selected));
}

async function readRecords(
  app: ChatApp,
  realmId: number,
  { head, after }: { readonly head: number; readonly after: number },
): Promise<readonly PresenceRecord[]> {
  if (after <= 0) return await listPresenceRecords(app, realmId, head);
  const changed = await listChangedPresence(app, realmId, after);
  if (changed !== null) return changed;
  return (await listPresenceRecords(app, realmId, head)).filter(({ update_id }) => update_id > after);
}

async function readOwn(
  app: ChatApp,
  { realm, user }: PresenceViewer,
  after: number,
): Promise<PresenceRecord[]> {
  const record = await app.reads.read<PresenceRecord>(presenceKeys.presence(realm.id, user.id));
  return record !== null && record.update_id > after ? [record] : [];
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
