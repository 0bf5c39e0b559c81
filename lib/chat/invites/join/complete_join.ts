import type { ChatApp } from "@/lib/chat/app.ts";
import { readPermissionContext } from "@/lib/chat/permissions/store.ts";
import { getUser } from "@/lib/chat/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { type Key, readRecord } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { inviteKeys, type PendingJoinRecord } from "../model.ts";
import { joinOfferedChannels, markDefaultChannels, MAX_CHANNELS_PER_COMMIT } from "./join_channels.ts";
import { joinOfferedGroups, MAX_GROUPS_PER_COMMIT } from "./join_groups.ts";
import { sendWelcomeNotices } from "./send_welcome_notices.ts";

/** Time that the server which created an account has to complete the join before others may. */
const HEAD_START_MS = 60 * 1000;

/** Writes what a new user has yet to join after this commit, and returns its key. */
export function writePendingJoin(tx: Tx, now: number, record: PendingJoinRecord): Key {
  const key = inviteKeys.joining(now + HEAD_START_MS, record.realm_id, record.user_id);
  tx.set(key, record);
  return key;
}

/**
 * Adds a new user to the remaining groups and channels in several commits, each of which also removes them
 * from the pending join, then sends the welcome notices. After an interruption, only the notices may be sent
 * twice.
 */
export async function completeJoin(app: ChatApp, key: Key): Promise<void> {
  while (await joinNext(app, key, { isSkipped: false }).catch((error) => skipNext(app, key, error)));
  const record = await readRecord<PendingJoinRecord>(app.store.kv, key);
  if (record === null) return;
  await sendWelcomeNotices(app, record);
  await transact(app.store, (tx) => Promise.resolve(tx.delete(key)));
}

/**
 * Skips groups or channels that cannot be joined: the account exists, so the user must not be kept out. Those
 * that the store failed are joined later.
 */
function skipNext(app: ChatApp, key: Key, error: unknown): Promise<boolean> {
  if (!(error instanceof AppError) || error.code === "UNAVAILABLE") throw error;
  return joinNext(app, key, { isSkipped: true });
}

/** Joins or skips the next groups or channels; returns whether there were any. */
async function joinNext(
  app: ChatApp,
  key: Key,
  { isSkipped }: { isSkipped: boolean },
): Promise<boolean> {
  const current = await readRecord<PendingJoinRecord>(app.store.kv, key);
  if (current === null) return false;
  return await transact(app.store, async (tx) => {
    const record = await tx.get<PendingJoinRecord>(key);
    if (record === null || record.group_ids.length + record.channel_ids.length === 0) return false;
    if (!isSkipped) await joinFirst(app, tx, record);
    tx.set(key, withoutFirst(record));
    return true;
  });
}

/** Joins as many groups, or else channels, as one commit has room for. */
async function joinFirst(app: ChatApp, tx: Tx, record: PendingJoinRecord): Promise<void> {
  const { realm_id, user_id, inviter_id, group_ids, channel_ids } = record;
  const permissions = await readPermissionContext(app, tx, realm_id);
  const newcomer = {
    user: await getUser(tx, realm_id, user_id),
    inviter: await getUser(tx, realm_id, inviter_id),
  };
  if (!newcomer.user.is_active) return;
  if (group_ids.length > 0) {
    const groupIds = group_ids.slice(0, MAX_GROUPS_PER_COMMIT);
    return joinOfferedGroups(tx, permissions, { newcomer, groupIds });
  }
  const channels = await markDefaultChannels(tx, realm_id, channel_ids.slice(0, MAX_CHANNELS_PER_COMMIT));
  await joinOfferedChannels(app, tx, { permissions, newcomer, channels });
}

function withoutFirst(record: PendingJoinRecord): PendingJoinRecord {
  const { group_ids, channel_ids } = record;
  return group_ids.length > 0
    ? { ...record, group_ids: group_ids.slice(MAX_GROUPS_PER_COMMIT) }
    : { ...record, channel_ids: channel_ids.slice(MAX_CHANNELS_PER_COMMIT) };
}
