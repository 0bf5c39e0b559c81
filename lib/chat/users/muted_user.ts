import type { Key } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";

/** People whom one account may have muted at a time. */
export const MAX_MUTED = 1000;

/** Somebody who is muted: his id, and when he was muted, in seconds since 1970 UTC. */
export type MutedUser = readonly [id: number, timestamp: number];
/** Somebody who was muted once: his id, and the last message that there was when that ended. */
export type ReadThrough = readonly [id: number, messageId: number];

/** Whom an account mutes and muted; pairs rather than objects, as each name would be stored with each of them. */
export interface MutedUsersRecord {
  /** In the order in which they were muted. */
  readonly muted: readonly MutedUser[];
  /** What they had sent until then stays read. The one who was let off last comes last. */
  readonly read_through: readonly ReadThrough[];
}

/** What is so while nobody was ever muted. */
export const NOBODY_MUTED: MutedUsersRecord = { muted: [], read_through: [] };

/** Where it lies in the store whom an account mutes. */
export function mutedUsersKey(realmId: number, userId: number): Key {
  return [realmId, "muted_users", userId];
}

/** Whom an account mutes and muted. */
export async function readMutedUsers(
  { reads }: Pick<ChatApp, "reads">,
  realmId: number,
  userId: number,
): Promise<MutedUsersRecord> {
  return await reads.read<MutedUsersRecord>(mutedUsersKey(realmId, userId)) ?? NOBODY_MUTED;
}

/** Whether a message counts as read because its sender is muted, or was when it came or later. */
export function isReadByMuting(
  { muted, read_through }: MutedUsersRecord,
  { id, sender_id }: { readonly id: number; readonly sender_id: number },
): boolean {
  return muted.some(([userId]) => userId === sender_id) ||
    read_through.some(([userId, messageId]) => userId === sender_id && id <= messageId);
}

/** The people whom an account mutes as clients are told of them; times in seconds since 1970 UTC. */
export function toMutedUsers({ muted }: MutedUsersRecord): { id: number; timestamp: number }[] {
  return muted.map(([id, timestamp]) => ({ id, timestamp }));
}
