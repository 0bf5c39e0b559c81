import type { Key } from "@/lib/kv/key.ts";

/** When somebody was last there; times in milliseconds since 1970 UTC. */
export interface PresenceRecord {
  readonly user_id: number;
  /** When he last did something; null where he only ever was connected. */
  readonly last_active: number | null;
  /** When a client of his last reported; never before `last_active`. */
  readonly last_connected: number;
  /** Larger than that of all reports that were stored before. */
  readonly update_id: number;
}

/** Where presence lies in the store. */
export const presenceKeys = {
  presences: (realmId: number): Key => [realmId, "presence"],
  presence: (realmId: number, userId: number): Key => [realmId, "presence", userId],
  /** The ids of those who reported, in the order of their last stored reports. */
  updates: (realmId: number): Key => [realmId, "presence_update"],
  update: (realmId: number, updateId: number): Key => [realmId, "presence_update", updateId],
  /** The number of the last stored report of all organizations. */
  head: ["seq", "presence"],
} as const;
