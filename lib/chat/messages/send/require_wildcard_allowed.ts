import type { ChatApp } from "@/lib/chat/app.ts";
import type { ChannelRecord } from "@/lib/chat/channels/model/channel.ts";
import { readSubscriberCount } from "@/lib/chat/channels/subscriptions/store.ts";
import { hasRealmPermission, type PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Mentions } from "../model.ts";

/** Number of subscribers up to which anyone can mention all of them. */
const MAX_FREELY_MENTIONED = 15;

/**
 * Requires that a user can mention all subscribers of a channel, if a message does.
 * @throws AppError STREAM_WILDCARD_MENTION_NOT_ALLOWED.
 */
export async function requireWildcardAllowed(
  app: ChatApp,
  permissions: PermissionContext,
  { channel, user, mentions }: {
    channel: Pick<ChannelRecord, "id">;
    user: UserRecord;
    mentions: Pick<Mentions, "is_stream_wildcard">;
  },
): Promise<void> {
  if (!mentions.is_stream_wildcard || user.is_system_bot === true) return;
  if (hasRealmPermission(permissions, "can_mention_many_users_group", user)) return;
  const count = await readSubscriberCount(app, permissions.realm.id, channel.id);
  if (count <= MAX_FREELY_MENTIONED) return;
  throw new AppError(
    "STREAM_WILDCARD_MENTION_NOT_ALLOWED",
    "You do not have permission to use channel wildcard mentions in this channel.",
    { field: "content" },
  );
}
