import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { GroupWorld } from "../permissions/group_world.ts";
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
  world: GroupWorld,
  { channelId, actingUser }: { channelId: number; actingUser: UserRecord },
): Promise<ChannelVisitor> {
  const user = await getUser(tx, world.realm.id, actingUser.id);
  const visitor = await readVisitor(tx, { realmId: world.realm.id, channelId, user });
  if (visitor === null) throw invalidChannel();
  if (mayAdminister(world, visitor)) return visitor;
  if (!hasContentAccess(world, visitor)) throw invalidChannel();
  throw new AppError("BAD_REQUEST", "You do not have permission to administer this channel.");
}
