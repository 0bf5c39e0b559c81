import { AppError } from "@/lib/core/errors.ts";
import { codePointLength } from "@/lib/core/text.ts";
import type { ChatApp } from "../app.ts";
import { peekPermissionContext } from "../permissions/group_world.ts";
import { readNamedUsers } from "../permissions/named_users.ts";
import type { Caller } from "../users/caller.ts";
import { type ChannelVisitor, hasMetadataAccess, invalidChannel, readVisitor } from "./access.ts";
import { channelKeys, MAX_CHANNEL_NAME } from "./channel.ts";
import { readSubscriberCount } from "./subscriber_count.ts";
import { type ChannelView, toChannel } from "./view.ts";

/**
 * A channel, archived or not, as the API shows it to somebody who may know of it.
 * @throws AppError BAD_REQUEST.
 */
export async function getChannel(
  app: ChatApp,
  caller: Caller,
  channelId: number,
): Promise<ChannelView> {
  const { realm } = caller;
  const known = await findKnown(app, caller, channelId);
  if (known === null) throw invalidChannel();
  const { channel } = known;
  const permissions = await peekPermissionContext(app, realm);
  return toChannel(permissions, channel, {
    isActive: await readNamedUsers(app, realm.id, [channel]),
    subscriberCount: await readSubscriberCount(app, realm.id, channelId),
  });
}

/**
 * The id of the channel with a name in any case, archived or not, for somebody who may know of it.
 * @throws AppError BAD_REQUEST.
 */
export async function getChannelId(app: ChatApp, caller: Caller, name: string): Promise<number> {
  const refusal = new AppError("BAD_REQUEST", `Invalid channel name '${name}'`);
  if (codePointLength(name.trim()) > MAX_CHANNEL_NAME) throw refusal;
  const id = await app.reads.read<number>(channelKeys.byName(caller.realm.id, name));
  const known = id === null ? null : await findKnown(app, caller, id);
  if (known === null) throw refusal;
  return known.channel.id;
}

async function findKnown(
  app: ChatApp,
  { realm, actingUser }: Caller,
  channelId: number,
): Promise<ChannelVisitor | null> {
  const permissions = await peekPermissionContext(app, realm);
  const reads = { get: app.reads.read };
  const visitor = await readVisitor(reads, { realmId: realm.id, channelId, user: actingUser });
  return visitor !== null && hasMetadataAccess(permissions, visitor) ? visitor : null;
}
