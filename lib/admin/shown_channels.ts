import type { ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { listVisibleChannels } from "@/lib/chat/channels/store.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import type { AdminRequest } from "./admin_request.ts";

/** Lists the active channels visible to the administrator, by name. */
export async function listShownChannels(
  { chat, realm, user }: AdminRequest,
): Promise<readonly ChannelRecord[]> {
  const permissions = permissionsOf(await chat.readOrganization(realm.id), chat.clock);
  const known = await listVisibleChannels(chat, permissions, user);
  return known.map(({ channel }) => channel).filter((channel) => !channel.is_archived);
}
