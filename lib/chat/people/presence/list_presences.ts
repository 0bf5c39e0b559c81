import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { canAccessAllUsers } from "@/lib/chat/organization/permissions/model/membership.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";

import {
  type Caller,
  isBot,
  noSuchUser,
  toApiEmail,
  toPlaceholderEmail,
} from "@/lib/chat/organization/users/model.ts";
import { getAccessibleUser, readUsers } from "@/lib/chat/organization/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { listValues } from "@/lib/store/reads.ts";
import type { Tx } from "@/lib/store/tx.ts";
import {
  HISTORY_DAYS,
  isRecent,
  presenceKeys,
  type PresenceQuery,
  type PresenceRecord,
  toPresence,
  toSinglePresence,
  toSlimPresence,
  type UserPresence,
} from "./model.ts";

/** Maximum number of users whose records are read one by one; more are read with one listing. */
const MAX_SINGLE_READS = 100;
/** Size of a record in the cache, in UTF-16 units. */
const RECORD_SIZE = 40;

/** The presence of an organization with all reports up to the update id `head`. */
interface PresenceList {
  readonly size: number;
  readonly head: number;
  /** By user id, in ascending order. */
  readonly byUser: ReadonlyMap<number, PresenceRecord>;
}

/** Writes a user's presence in place of the former record. */
export function putPresence(
  tx: Tx,
  realmId: number,
  { before, record }: { before: PresenceRecord | null; record: PresenceRecord },
): void {
  tx.set(presenceKeys.presence(realmId, record.user_id), record);
  if (before !== null) tx.delete(presenceKeys.update(realmId, before.update_id));
  tx.set(presenceKeys.update(realmId, record.update_id), record.user_id);
}

/**
 * Returns the presence of every user of an organization who ever reported any, sorted by user id, with all
 * reports up to the update id `head`. It stays in memory, where only reports since the last call are added:
 * every report takes an id greater than all before in the commit that stores it.
 */
async function listPresenceRecords(
  app: ChatApp,
  realmId: number,
  head: number,
): Promise<readonly PresenceRecord[]> {
  const list = await app.cache.get<PresenceList>(
    `presence ${realmId}`,
    [head],
    (previous) => loadPresence(app, { realmId, head }, previous),
  );
  return [...list.byUser.values()];
}

async function loadPresence(
  app: ChatApp,
  { realmId, head }: { readonly realmId: number; readonly head: number },
  previous: PresenceList | undefined,
): Promise<PresenceList> {
  // A store that was restored has fewer reports than before.
  const changed = previous === undefined || previous.head > head
    ? null
    : await listChangedPresence(app, realmId, previous.head);
  if (previous === undefined || changed === null) {
    const records = await listValues<PresenceRecord>(app.store.kv, presenceKeys.presences(realmId));
    return toPresenceList(head, new Map(records.map((record) => [record.user_id, record])));
  }
  if (changed.length === 0) return { ...previous, head };
  const byUser = new Map(previous.byUser);
  for (const record of changed) byUser.set(record.user_id, record);
  const isSorted = byUser.size === previous.byUser.size;
  return toPresenceList(head, isSorted ? byUser : new Map([...byUser].sort(([one], [other]) => one - other)));
}

function toPresenceList(head: number, byUser: PresenceList["byUser"]): PresenceList {
  return { head, byUser, size: RECORD_SIZE * (byUser.size + 1) };
}

/** Lists presence reported after an update id; null when more than are read one by one have reported. */
async function listChangedPresence(
  app: ChatApp,
  realmId: number,
  after: number,
): Promise<PresenceRecord[] | null> {
  const listed = await listValues<number>(app.store.kv, presenceKeys.updates(realmId), { from: after + 1 });
  if (listed.length > MAX_SINGLE_READS) return null;
  // A user who reports during the listing is listed twice.
  const reads = [...new Set(listed)].map((id) =>
    app.reads.read<PresenceRecord>(presenceKeys.presence(realmId, id))
  );
  return (await Promise.all(reads)).filter((record) => record !== null);
}

/**
 * Lists presence by email address or user id, with the update id from which the client can continue. Users whom the viewer
 * cannot access are left out or have a placeholder as their address, depending on the configuration.
 */
export async function listPresences(app: ChatApp, caller: Caller, query: PresenceQuery) {
  const { realm, actingUser } = caller;
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const seesAll = canAccessAllUsers(permissions, actingUser);
  // The head is read first, so that reports stored during the listing are sent again rather than missed.
  const head = await app.reads.read<number>(presenceKeys.head) ?? -1;
  const presences: Record<string, ReturnType<typeof toPresence> | ReturnType<typeof toSlimPresence>> = {};
  const isLimited = !seesAll && app.config.canAccessAllUsersGroupLimitsPresence;
  for (const presence of await readPresences(app, caller, { ...query, head, isLimited })) {
    const { user } = presence;
    if (query.isSlim) presences[user.id] = toSlimPresence(presence);
    else {
      const toEmail = seesAll || user.id === actingUser.id ? toApiEmail : toPlaceholderEmail;
      presences[toEmail(app, realm, user)] = toPresence(presence);
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
  { realm, actingUser: user }: Caller,
  { head, isLimited, days = HISTORY_DAYS, after = -1 }: PresenceQuery & {
    readonly head: number;
    readonly isLimited: boolean;
  },
): Promise<readonly UserPresence[]> {
  if (realm.settings.presence_disabled || days === 0) return [];
  const own = isLimited
    ? await app.reads.read<PresenceRecord>(presenceKeys.presence(realm.id, user.id))
    : null;
  const records = isLimited
    ? [own].filter((record) => record !== null).filter(({ update_id }) => update_id > after)
    : await readRecords(app, realm.id, { head, after });
  const now = app.clock.now();
  // A client that asks for changes already has older presence, so its age does not matter.
  const selected = after > 0 ? records : records.filter((record) => isRecent(record, now, days));
  const users = await readUsers(app, realm.id, selected.map(({ user_id }) => user_id));
  return selected.flatMap((times) => {
    const found = users.get(times.user_id);
    return found?.is_active && !isBot(found) ? [{ user: found, times }] : [];
  });
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

/** @throws AppError BAD_REQUEST for an unknown or inaccessible user, a bot, and a user without presence. */
export async function getPresence(app: ChatApp, caller: Caller, idOrEmail: string) {
  const user = await getAccessibleUser(app, caller, idOrEmail);
  if (!user.is_active) throw noSuchUser();
  if (isBot(user)) throw new AppError("BAD_REQUEST", "Presence is not supported for bot users.");
  const times = caller.realm.settings.presence_disabled
    ? null
    : await app.reads.read<PresenceRecord>(presenceKeys.presence(caller.realm.id, user.id));
  if (times === null) {
    const shownName = /^\d+$/.test(idOrEmail) ? idOrEmail : toApiEmail(app, caller.realm, user);
    throw new AppError("BAD_REQUEST", `No presence data for ${shownName}`);
  }
  return { presence: toSinglePresence({ user, times }, app.clock.now()) };
}
