import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { peekPermissionContext, readActiveNamedUsers } from "../permissions/store.ts";
import type { Caller } from "../users/model.ts";
import { hasMetadataAccess, invalidChannel } from "./model/access.ts";
import { findVisibleChannel, readChannelViewer } from "./store.ts";
import { readSubscriberCount } from "./subscriptions/store.ts";
import { type ChannelView, toChannel } from "./api/view.ts";

/**
 * Returns a channel, archived or not, as the API returns it.
 * @throws AppError BAD_REQUEST without metadata access.
 */
export async function getChannel(
  app: ChatApp,
  { realm, actingUser: user }: Caller,
  channelId: number,
): Promise<ChannelView> {
  const permissions = await peekPermissionContext(app, realm);
  const viewer = await readChannelViewer({ get: app.reads.read }, { realmId: realm.id, channelId, user });
  if (viewer === null || !hasMetadataAccess(permissions, viewer)) throw invalidChannel();
  const { channel } = viewer;
  return toChannel(permissions, channel, {
    isActive: await readActiveNamedUsers(app, realm.id, [channel]),
    subscriberCount: await readSubscriberCount(app, realm.id, channelId),
  });
}

/**
 * Returns the id of the channel with a name, archived or not; letter case does not matter.
 * @throws AppError BAD_REQUEST without metadata access.
 */
export async function getChannelId(
  app: ChatApp,
  { realm, actingUser: user }: Caller,
  name: string,
): Promise<number> {
  const permissions = await peekPermissionContext(app, realm);
  const viewer = await findVisibleChannel({ get: app.reads.read }, permissions, { name, user });
  if (viewer === null) throw new AppError("BAD_REQUEST", `Invalid channel name '${name}'`);
  return viewer.channel.id;
}
