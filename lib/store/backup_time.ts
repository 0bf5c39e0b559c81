import type { Kv } from "./kv.ts";
import { type Key, readRecord } from "./key.ts";

const BACKUP_TIME: Key = ["backup_made"];

/** Reads the time of the store's last backup, in milliseconds since 1970 UTC; null before the first. */
export function readBackupTime(kv: Kv): Promise<number | null> {
  return readRecord<number>(kv, BACKUP_TIME);
}

/** Records in the store that it was backed up at a time, in milliseconds since 1970 UTC. */
export async function recordBackupTime(kv: Kv, time: number): Promise<void> {
  await kv.set(BACKUP_TIME, time);
}
