import { listIds } from "@/lib/store/reads.ts";
import { AppError } from "@/lib/core/errors.ts";
import { IntervalSet } from "@/lib/core/interval_set.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../organization/app.ts";
import { readMessageHead } from "../channels/subscriptions/store.ts";
import { sendEvent } from "../organization/events/send_events.ts";
import { mutedUsersKey, type MutedUsersRecord, NO_MUTED_USERS, toMutedUsers } from "../people/muted_users.ts";
import { canAccessUser } from "../organization/permissions/model/membership.ts";
import { permissionsOf } from "../organization/permissions/store.ts";
import { type Caller, noSuchUser } from "../organization/users/model.ts";
import { getActingUser, getUser } from "../organization/users/store.ts";
import { parseIdSet, updateIdSet } from "./store.ts";
import { messageKeys } from "./model.ts";

/** Maximum number of users that one account can mute at a time. */
const MAX_MUTED_USERS = 1000;
/** Maximum number of formerly muted users whose earlier messages stay read; the oldest are dropped. */
const MAX_FORMERLY_MUTED = 1000;
/** Number of the muted user's latest messages that are searched for messages marked as unread. */
const MAX_SCANNED_MESSAGES = 10_000;

/**
 * Mutes a user for the caller: all their past and future messages count as read, without a write per message.
 * @throws AppError BAD_REQUEST for the caller, an unknown, inaccessible or already muted user, and too many
 * muted users.
 */
export async function muteUser(app: ChatApp, caller: Caller, userId: number): Promise<void> {
  const { realm, actingUser } = caller;
  await changeMutedUsers(app, { caller, userId }, async (tx, { muted, read_through }) => {
    if (muted.some(([id]) => id === userId)) throw new AppError("BAD_REQUEST", "User already muted");
    if (muted.length >= MAX_MUTED_USERS) {
      throw new AppError("BAD_REQUEST", `You can mute ${MAX_MUTED_USERS} people at most.`);
    }
    const timestamp = Math.floor(app.clock.now() / 1000);
    const record = {
      muted: [...muted, [userId, timestamp] as const],
      read_through: read_through.filter(([id]) => id !== userId),
    };
    putMutedUsers(app, tx, { caller, record });
    await clearUnreadMarks(app, tx, { caller, senderId: userId });
    // The messages, which can be many, are listed when the event is delivered.
    const up_to = await readMessageHead(tx);
    sendEvent(tx, { realmId: realm.id, now: app.clock.now() }, {
      event: { type: "update_message_flags", op: "add", flag: "read", up_to, sender_id: userId },
      audience: [actingUser.id],
    });
  });
}

/** Removes the sender's messages from those that the caller has marked as unread. */
async function clearUnreadMarks(
  { store }: ChatApp,
  tx: Tx,
  { caller: { realm, actingUser }, senderId }: { caller: Caller; senderId: number },
): Promise<void> {
  const key = messageKeys.unread(realm.id, actingUser.id);
  const unread = parseIdSet(await tx.get<Uint8Array>(key));
  if (unread.first === undefined || unread.last === undefined) return;
  const sent = messageKeys.sentBy(realm.id, senderId);
  const range = { start: [...sent, unread.first], end: [...sent, unread.last + 1] };
  const options = { reverse: true, limit: MAX_SCANNED_MESSAGES, batchSize: 500 };
  const ids = (await listIds({ store }, range, options)).filter((id) => unread.has(id));
  await updateIdSet(tx, key, (set) => set.subtract(IntervalSet.from(ids)));
}

/**
 * Unmutes a user for the caller: their earlier messages stay read, new ones are unread.
 * @throws AppError BAD_REQUEST for the caller, an unknown or inaccessible user, and a user who is not muted.
 */
export async function unmuteUser(app: ChatApp, caller: Caller, userId: number): Promise<void> {
  const { realm, actingUser } = caller;
  await changeMutedUsers(app, { caller, userId }, async (tx, { muted, read_through }) => {
    if (!muted.some(([id]) => id === userId)) throw new AppError("BAD_REQUEST", "User is not muted");
    // Messages up to `readAll` are read anyway.
    const readAll = await tx.peek<number>(messageKeys.readAll(realm.id, actingUser.id)) ?? 0;
    const remaining = read_through.filter(([, messageId]) => messageId > readAll);
    const record: MutedUsersRecord = {
      muted: muted.filter(([id]) => id !== userId),
      read_through: [...remaining, [userId, await readMessageHead(tx)] as const].slice(-MAX_FORMERLY_MUTED),
    };
    putMutedUsers(app, tx, { caller, record });
  });
}

/**
 * Changes the caller's muted users, if the caller can mute or unmute the given user, who may be deactivated.
 * @throws AppError BAD_REQUEST for the caller, and alike for an unknown user and one whom the caller cannot access.
 */
async function changeMutedUsers(
  app: ChatApp,
  { caller: { realm, actingUser }, userId }: { caller: Caller; userId: number },
  change: (tx: Tx, before: MutedUsersRecord) => Promise<void>,
): Promise<void> {
  const key = mutedUsersKey(realm.id, actingUser.id);
  await transact(app.store, async (tx) => {
    if (userId === actingUser.id) throw new AppError("BAD_REQUEST", "Cannot mute self");
    const target = await getUser(tx, realm.id, userId);
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const actor = await getActingUser(tx, realm.id, actingUser);
    if (!canAccessUser(permissions, actor, target)) throw noSuchUser();
    await change(tx, await tx.get<MutedUsersRecord>(key) ?? NO_MUTED_USERS);
  }, `muted users ${realm.id} ${actingUser.id}`);
}

/** Writes the caller's muted users, with the event. */
function putMutedUsers(
  { clock }: ChatApp,
  tx: Tx,
  { caller: { realm, actingUser }, record }: { caller: Caller; record: MutedUsersRecord },
): void {
  tx.set(mutedUsersKey(realm.id, actingUser.id), record);
  sendEvent(tx, { realmId: realm.id, now: clock.now() }, {
    event: { type: "muted_users", muted_users: toMutedUsers(record) },
    audience: [actingUser.id],
  });
}
