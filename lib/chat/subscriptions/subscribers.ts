import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { hasMetadataAccess, invalidChannel, readVisitor } from "../channels/access.ts";
import { listSubscribers } from "../channels/audience.ts";
import { channelKeys, type SubscriptionRecord } from "../channels/channel.ts";
import { peekPermissionContext, type PermissionContext } from "../permissions/group_world.ts";
import { mayInRealm } from "../permissions/membership.ts";
import { insufficientPermission } from "../permissions/insufficient.ts";
import type { Caller } from "../users/caller.ts";
import { readUser } from "../users/store.ts";
import { isBot, type UserRecord } from "../users/user.ts";
import { readActiveIds } from "./list.ts";

/**
 * The ids of the active accounts that are subscribed to a channel in use that the caller may know of, ascending.
 * @throws AppError BAD_REQUEST.
 */
export async function listChannelMembers(
  app: ChatApp,
  { realm, actingUser }: Caller,
  channelId: number,
): Promise<readonly number[]> {
  await requireKnownChannel(app, await peekPermissionContext(app, realm), { channelId, actingUser });
  const active = await readActiveIds(app, realm.id);
  return (await listSubscribers(app, realm.id, channelId)).filter((id) => active.has(id));
}

/**
 * Whether an active account that the caller may know of is subscribed to a channel in use that he may know of.
 * @throws AppError BAD_REQUEST.
 */
export async function isSubscribed(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { userId, channelId }: { userId: number; channelId: number },
): Promise<boolean> {
  const permissions = await peekPermissionContext(app, realm);
  const user = await readUser(app, realm.id, userId);
  if (user === null) throw new AppError("BAD_REQUEST", "No such user");
  const isKnown = user.id === actingUser.id || isBot(user) ||
    mayInRealm(permissions, "can_access_all_users_group", actingUser);
  if (!isKnown) throw insufficientPermission();
  if (!user.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
  await requireKnownChannel(app, permissions, { channelId, actingUser });
  const key = channelKeys.subscription(realm.id, userId, channelId);
  return (await app.reads.read<SubscriptionRecord>(key))?.is_active === true;
}

async function requireKnownChannel(
  app: ChatApp,
  permissions: PermissionContext,
  { channelId, actingUser }: { channelId: number; actingUser: UserRecord },
): Promise<void> {
  const reads = { get: <T>(key: Key) => app.reads.read<T>(key) };
  const visitor = await readVisitor(reads, { realmId: permissions.realm.id, channelId, user: actingUser });
  if (visitor === null || visitor.channel.is_archived || !hasMetadataAccess(permissions, visitor)) {
    throw invalidChannel();
  }
}
