import type { ChatApp } from "@/lib/chat/app.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { getAccessibleUser } from "@/lib/chat/users/list_users.ts";
import type { Caller } from "@/lib/chat/users/model.ts";
import { listVisibleChannels } from "../store.ts";
import { listSubscribedChannelIds } from "./store.ts";

/**
 * Lists the ids of the active channels that a user is subscribed to and to which the caller has metadata access,
 * ascending; those of private channels of others stay hidden.
 * @param name Id or email address of the user.
 * @throws AppError BAD_REQUEST for a user whom the caller cannot access.
 */
export async function listUserChannels(
  app: ChatApp,
  caller: Caller,
  name: string,
): Promise<readonly number[]> {
  const user = await getAccessibleUser(app, caller, name);
  const permissions = await peekPermissionContext(app, caller.realm);
  const [subscribed, visible] = await Promise.all([
    listSubscribedChannelIds(app, caller.realm.id, user.id),
    listVisibleChannels(app, permissions, caller.actingUser),
  ]);
  return visible.filter(({ channel }) => !channel.is_archived && subscribed.has(channel.id))
    .map(({ channel }) => channel.id).sort((one, other) => one - other);
}
