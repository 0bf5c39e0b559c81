import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { getUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import {
  type ChannelVisitor,
  hasContentAccess,
  invalidChannel,
  mayAdminister,
  readVisitor,
} from "./access.ts";

/** The line in which changes of an organization's channels wait for each other within this process. */
export function channelQueue(realmId: number): string {
  return `channels ${realmId}`;
}

/**
 * A channel, archived or not, for somebody who may change it, as the transaction sees both.
 * @throws AppError BAD_REQUEST; who may not even read the channel is not told that it exists.
 */
export async function accessToAdminister(
  tx: Tx,
  permissions: PermissionContext,
  { channelId, actingUser }: { channelId: number; actingUser: UserRecord },
): Promise<ChannelVisitor> {
  const user = await getUser(tx, permissions.realm.id, actingUser.id);
  const visitor = await readVisitor(tx, { realmId: permissions.realm.id, channelId, user });
  if (visitor === null) throw invalidChannel();
  if (mayAdminister(permissions, visitor)) return visitor;
  if (!hasContentAccess(permissions, visitor)) throw invalidChannel();
  throw new AppError("BAD_REQUEST", "You do not have permission to administer this channel.");
}
