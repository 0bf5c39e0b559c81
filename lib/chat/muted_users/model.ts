import type { Key } from "@/lib/store/key.ts";
import type { Caller } from "../users/model.ts";

/** Maximum number of users that one account can mute at a time. */
export const MAX_MUTED_USERS = 1000;

/** A muted user: id, and time of muting in seconds since 1970 UTC. */
export type MutedUser = readonly [id: number, timestamp: number];
/** A formerly muted user: id, and id of the latest message at the time of unmuting. */
export type ReadThrough = readonly [id: number, messageId: number];

/**
 * The users an account has muted; pairs instead of objects, whose member names would be stored with each
 * user.
 */
export interface MutedUsersRecord {
  /** In the order of muting. */
  readonly muted: readonly MutedUser[];
  /** Formerly muted users, whose messages up to the given one stay read; the user unmuted last is last. */
  readonly read_through: readonly ReadThrough[];
}

/** Default value when the user has muted no one. */
export const NO_MUTED_USERS: MutedUsersRecord = { muted: [], read_through: [] };

/** Returns the key of the users an account has muted. */
export function mutedUsersKey(realmId: number, userId: number): Key {
  return [realmId, "muted_users", userId];
}

/** Returns the name of the in-process lock for changes of the caller's muted users. */
export function mutedUsersLock({ realm, actingUser }: Caller): string {
  return `muted users ${realm.id} ${actingUser.id}`;
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
