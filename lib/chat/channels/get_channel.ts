import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { peekPermissionContext, readActiveNamedUsers } from "../permissions/store.ts";
import type { Caller } from "../users/model.ts";
import { type ChannelViewer, hasMetadataAccess, invalidChannel } from "./model/access.ts";
import { readChannelId, readChannelViewer } from "./store.ts";
import { readSubscriberCount } from "./subscriptions/store.ts";
import { type ChannelView, toChannel } from "./api/view.ts";

/**
 * Returns a channel, archived or not, as the API returns it.
 * @throws AppError BAD_REQUEST without metadata access.
 */
export async function getChannel(
  app: ChatApp,
  caller: Caller,
  channelId: number,
): Promise<ChannelView> {
  const { realm } = caller;
  const viewer = await findVisibleChannel(app, caller, channelId);
  if (viewer === null) throw invalidChannel();
  const { channel } = viewer;
  const permissions = await peekPermissionContext(app, realm);
  return toChannel(permissions, channel, {
    isActive: await readActiveNamedUsers(app, realm.id, [channel]),
    subscriberCount: await readSubscriberCount(app, realm.id, channelId),
  });
}

/**
 * Returns the id of the channel with a name, archived or not; letter case does not matter.
 * @throws AppError BAD_REQUEST without metadata access.
 */
export async function getChannelId(app: ChatApp, caller: Caller, name: string): Promise<number> {
  const id = await readChannelId({ get: app.reads.read }, caller.realm.id, name);
  const viewer = id === null ? null : await findVisibleChannel(app, caller, id);
  if (viewer === null) throw new AppError("BAD_REQUEST", `Invalid channel name '${name}'`);
  return viewer.channel.id;
}

async function findVisibleChannel(
  app: ChatApp,
  { realm, actingUser }: Caller,
  channelId: number,
): Promise<ChannelViewer | null> {
  const permissions = await peekPermissionContext(app, realm);
  const reads = { get: app.reads.read };
  const viewer = await readChannelViewer(reads, { realmId: realm.id, channelId, user: actingUser });
  return viewer !== null && hasMetadataAccess(permissions, viewer) ? viewer : null;
}
