import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { hasMetadataAccess, invalidChannel } from "../model/access.ts";
import { readChannelViewer } from "../store.ts";
import { listSubscriberIds } from "./store.ts";
import { channelKeys } from "../model/channel.ts";
import type { SubscriptionRecord } from "./model.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { findAccessibleUser } from "@/lib/chat/users/list_users.ts";
import { type Caller, noSuchUser, type UserRecord } from "@/lib/chat/users/model.ts";
import { listActiveUserIds } from "./list_subscriptions.ts";

/**
 * Lists the ids of a channel's active subscribers, ascending.
 * @throws AppError BAD_REQUEST if the channel is archived or the caller has no metadata access to it.
 */
export async function listChannelSubscribers(
  app: ChatApp,
  { realm, actingUser }: Caller,
  channelId: number,
): Promise<readonly number[]> {
  await requireVisibleChannel(app, await peekPermissionContext(app, realm), { channelId, actingUser });
  const active = await listActiveUserIds(app, realm.id);
  return (await listSubscriberIds(app, realm.id, channelId)).filter((id) => active.has(id));
}

/**
 * Returns whether an active user is subscribed to a channel.
 * @throws AppError BAD_REQUEST if the caller has no access to the user or the channel.
 */
export async function isUserSubscribed(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { userId, channelId }: { userId: number; channelId: number },
): Promise<boolean> {
  const permissions = await peekPermissionContext(app, realm);
  const user = await findAccessibleUser(app, { realm, actingUser }, userId);
  if (user === null) throw noSuchUser();
  if (!user.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
  await requireVisibleChannel(app, permissions, { channelId, actingUser });
  const key = channelKeys.subscription(realm.id, userId, channelId);
  return (await app.reads.read<SubscriptionRecord>(key))?.is_active === true;
}

async function requireVisibleChannel(
  app: ChatApp,
  permissions: PermissionContext,
  { channelId, actingUser }: { channelId: number; actingUser: UserRecord },
): Promise<void> {
  const reads = { get: <T>(key: Key) => app.reads.read<T>(key) };
  const viewer = await readChannelViewer(reads, {
    realmId: permissions.realm.id,
    channelId,
    user: actingUser,
  });
  if (viewer === null || viewer.channel.is_archived || !hasMetadataAccess(permissions, viewer)) {
    throw invalidChannel();
  }
}
