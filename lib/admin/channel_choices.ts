import type { ChannelRecord } from "@/lib/chat/channels/channel.ts";
import { listKnownChannels } from "@/lib/chat/channels/list.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/group_world.ts";
import type { AdminRequest } from "./admin_request.ts";

/** The channels in use that the administrator may know of, by name. */
export async function listShownChannels(
  { chat, realm, user }: AdminRequest,
): Promise<readonly ChannelRecord[]> {
  const permissions = await peekPermissionContext(chat, realm);
  const known = await listKnownChannels(chat, permissions, user);
  return known.map(({ channel }) => channel).filter((channel) => !channel.is_archived);
}
