import { toEntry } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import {
  EMPTY_STATUS,
  isEmptyStatus,
  statusKeys,
  type StatusRecord,
  toUserStatus,
  type UserStatus,
} from "./model.ts";

/** Reads a user's status; an account without a status has an empty object. */
export async function readStatus({ reads }: ChatApp, realmId: number, userId: number): Promise<UserStatus> {
  const status = await reads.read<StatusRecord>(statusKeys.status(realmId, userId));
  return status === null ? {} : toUserStatus(status);
}

/** Lists all statuses of an organization by user id, those of deactivated users included. */
export async function listStatuses(
  { store }: ChatApp,
  realmId: number,
): Promise<ReadonlyMap<number, UserStatus>> {
  const statuses = new Map<number, UserStatus>();
  const listing = store.kv.list({ prefix: [...statusKeys.statuses(realmId)] }, { batchSize: 500 });
  for await (const entry of listing) {
    const { key, value } = toEntry<StatusRecord>(entry);
    statuses.set(Number(key.at(-1)), toUserStatus(value));
  }
  return statuses;
}

/** Applies changes to a user's stored status; an empty status is deleted. */
export async function changeStatus(
  tx: Tx,
  { realmId, userId }: { realmId: number; userId: number },
  changes: Partial<StatusRecord>,
): Promise<void> {
  const key = statusKeys.status(realmId, userId);
  const status: StatusRecord = { ...await tx.get<StatusRecord>(key) ?? EMPTY_STATUS, ...changes };
  if (isEmptyStatus(status)) tx.delete(key);
  else tx.set(key, status);
}
