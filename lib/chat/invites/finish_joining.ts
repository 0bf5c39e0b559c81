import { AppError } from "@/lib/core/errors.ts";
import { type Key, readRecord } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { groupQueue, readPermissionContext } from "../permissions/group_world.ts";
import { getUser } from "../users/store.ts";
import { inviteKeys } from "./invite.ts";
import { joinChannels, MAX_CHANNELS_AT_ONCE, withDefaults } from "./join_channels.ts";
import { joinGroups, MAX_GROUPS_AT_ONCE } from "./join_groups.ts";
import { welcome } from "./welcome.ts";

/** What an account that an invitation made is still to be given. */
export interface JoiningRecord {
  readonly realm_id: number;
  readonly user_id: number;
  readonly inviter_id: number;
  readonly offer_id: number;
  readonly group_ids: readonly number[];
  readonly channel_ids: readonly number[];
}

/** How long whoever made an account has before others may finish it. */
const OWN_MS = 60 * 1000;

/** Notes what a new account is to be given after this commit, and gives the key of the note. */
export function writeJoining(tx: Tx, now: number, record: JoiningRecord): Key {
  const key = inviteKeys.joining(now + OWN_MS, record.realm_id, record.user_id);
  tx.set(key, record);
  return key;
}

/**
 * Gives an account the rest of its groups and channels, some in each commit, which takes them off the note too; then
 * welcomes it and tells the inviter. Cut off and begun again, each is given once; only a welcome may then come twice.
 */
export async function finishJoining(app: ChatApp, key: Key): Promise<void> {
  while (await joinSome(app, key, { isPassedOver: false }).catch((error) => passOver(app, key, error)));
  const record = await readRecord<JoiningRecord>(app.store.kv, key);
  if (record === null) return;
  await welcome(app, record);
  await transact(app.store, (tx) => Promise.resolve(tx.delete(key)));
}

/** The account is there by now: what cannot be joined does not keep its user out. */
function passOver(app: ChatApp, key: Key, error: unknown): Promise<boolean> {
  if (!(error instanceof AppError)) throw error;
  return joinSome(app, key, { isPassedOver: true });
}

/** Whether there was anything left to join. */
async function joinSome(
  app: ChatApp,
  key: Key,
  { isPassedOver }: { isPassedOver: boolean },
): Promise<boolean> {
  const known = await readRecord<JoiningRecord>(app.store.kv, key);
  if (known === null) return false;
  return await transact(app.store, async (tx) => {
    const record = await tx.get<JoiningRecord>(key);
    if (record === null || record.group_ids.length + record.channel_ids.length === 0) return false;
    if (!isPassedOver) await joinNext(app, tx, record);
    tx.set(key, without(record));
    return true;
  }, groupQueue(known.realm_id));
}

async function joinNext(app: ChatApp, tx: Tx, record: JoiningRecord): Promise<void> {
  const { realm_id, user_id, inviter_id, group_ids, channel_ids } = record;
  const permissions = await readPermissionContext(app, tx, realm_id);
  const newcomer = {
    user: await getUser(tx, realm_id, user_id),
    inviter: await getUser(tx, realm_id, inviter_id),
  };
  if (!newcomer.user.is_active) return;
  if (group_ids.length > 0) {
    return await joinGroups(tx, permissions, { newcomer, groupIds: group_ids.slice(0, MAX_GROUPS_AT_ONCE) });
  }
  const channels = await withDefaults(tx, realm_id, channel_ids.slice(0, MAX_CHANNELS_AT_ONCE));
  await joinChannels(app, tx, { permissions, newcomer, channels });
}

function without(record: JoiningRecord): JoiningRecord {
  const { group_ids, channel_ids } = record;
  return group_ids.length > 0
    ? { ...record, group_ids: group_ids.slice(MAX_GROUPS_AT_ONCE) }
    : { ...record, channel_ids: channel_ids.slice(MAX_CHANNELS_AT_ONCE) };
}
