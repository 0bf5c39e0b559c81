import type { ChannelRecord } from "@/lib/chat/channels/model/channel.ts";
import { listVisibleChannels } from "@/lib/chat/channels/store.ts";
import { permissionsOf } from "@/lib/chat/permissions/store.ts";
import type { AdminRequest } from "./admin_request.ts";

/** Lists the channels visible to the administrator, by name; usually active ones only. */
export async function listShownChannels(
  { chat, realm, user }: AdminRequest,
  { includeArchived = false } = {},
): Promise<readonly ChannelRecord[]> {
  const permissions = permissionsOf(await chat.readOrganization(realm.id), chat.clock);
  const known = await listVisibleChannels(chat, permissions, user);
  return known.map(({ channel }) => channel).filter((channel) => includeArchived || !channel.is_archived);
}
