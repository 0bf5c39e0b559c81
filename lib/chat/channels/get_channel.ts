import { AppError } from "@/lib/core/errors.ts";
import { codePointLength } from "@/lib/core/text.ts";
import type { ChatApp } from "../app.ts";
import { peekPermissionContext, readActiveNamedUsers } from "../permissions/store.ts";
import type { Caller } from "../users/model.ts";
import { type ChannelViewer, hasMetadataAccess, invalidChannel } from "./model/access.ts";
import { readChannelViewer } from "./store.ts";
import { channelKeys, MAX_CHANNEL_NAME } from "./model/channel.ts";
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
  const error = new AppError("BAD_REQUEST", `Invalid channel name '${name}'`);
  if (codePointLength(name.trim()) > MAX_CHANNEL_NAME) throw error;
  const id = await app.reads.read<number>(channelKeys.byName(caller.realm.id, name));
  const viewer = id === null ? null : await findVisibleChannel(app, caller, id);
  if (viewer === null) throw error;
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
