import type { Key } from "@/lib/store/key.ts";
import type { ChatApp } from "../organization/app.ts";

/**
 * The users an account has muted; pairs instead of objects, whose member names would be stored with each
 * user.
 */
export interface MutedUsersRecord {
  /** Ids and times of muting in seconds since 1970 UTC, in the order of muting. */
  readonly muted: readonly (readonly [id: number, timestamp: number])[];
  /** Ids of formerly muted users, and of the messages up to which theirs stay read; the user unmuted last is last. */
  readonly read_through: readonly (readonly [id: number, messageId: number])[];
}

export const NO_MUTED_USERS: MutedUsersRecord = { muted: [], read_through: [] };

export function mutedUsersKey(realmId: number, userId: number): Key {
  return [realmId, "muted_users", userId];
}

/**
 * Returns whether a message counts as read because its sender is muted, or was muted after the message was
 * sent.
 */
export function isReadByMuting(
  { muted, read_through }: MutedUsersRecord,
  { id, sender_id }: { readonly id: number; readonly sender_id: number },
): boolean {
  return muted.some(([userId]) => userId === sender_id) ||
    read_through.some(([userId, messageId]) => userId === sender_id && id <= messageId);
}

/** Returns the muted users as clients receive them; times in seconds since 1970 UTC. */
export function toMutedUsers({ muted }: MutedUsersRecord): { id: number; timestamp: number }[] {
  return muted.map(([id, timestamp]) => ({ id, timestamp }));
}

export async function readMutedUsers(
  { reads }: Pick<ChatApp, "reads">,
  realmId: number,
  userId: number,
): Promise<MutedUsersRecord> {
  return await reads.read<MutedUsersRecord>(mutedUsersKey(realmId, userId)) ?? NO_MUTED_USERS;
}
