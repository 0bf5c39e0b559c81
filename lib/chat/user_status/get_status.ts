import { AppError } from "@/lib/core/errors.ts";
import { toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { canAccessUser } from "../permissions/can_access_user.ts";
import { peekPermissionContext } from "../permissions/group_world.ts";
import type { Caller } from "../users/caller.ts";
import { readUser } from "../users/store.ts";
import {
  requireInUse,
  requirePerson,
  type ShownStatus,
  statusKeys,
  type StatusRecord,
  toShownStatus,
} from "../users/status.ts";

/**
 * What somebody says of himself, if the caller may know of him.
 * @throws AppError BAD_REQUEST.
 */
export async function getStatus(
  app: ChatApp,
  { realm, actingUser }: Caller,
  userId: number,
): Promise<ShownStatus> {
  const user = requirePerson(await readUser(app, realm.id, userId));
  if (!canAccessUser(await peekPermissionContext(app, realm), actingUser, user)) {
    throw new AppError("BAD_REQUEST", "Insufficient permission");
  }
  requireInUse(user);
  const status = await app.reads.read<StatusRecord>(statusKeys.status(realm.id, userId));
  return status === null ? {} : toShownStatus(status);
}

/** Every status of an organization by the account's id, also of accounts that are out of use. */
export async function listStatuses(
  { store }: ChatApp,
  realmId: number,
): Promise<ReadonlyMap<number, ShownStatus>> {
  const statuses = new Map<number, ShownStatus>();
  const listing = store.kv.list({ prefix: [...statusKeys.statuses(realmId)] }, { batchSize: 500 });
  for await (const entry of listing) {
    const { key, value } = toEntry<StatusRecord>(entry);
    statuses.set(Number(key.at(-1)), toShownStatus(value));
  }
  return statuses;
}
