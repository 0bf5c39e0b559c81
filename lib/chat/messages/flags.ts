import type { Key } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { isMember } from "../permissions/membership.ts";
import type { UserRecord } from "../users/user.ts";
import type { SeenMessage, Viewer } from "./access.ts";
import { messageKeys, type MessageRecord } from "./message.ts";
import type { MessageFlag } from "./message_flags.ts";
import { isMarkedRead } from "./read_state.ts";

/** The flags of a message for its viewer. What was never sent to him is history, which nobody has to read. */
export async function readFlags(
  app: ChatApp,
  permissions: PermissionContext,
  { seen, user }: { seen: SeenMessage; user: Viewer },
): Promise<MessageFlag[]> {
  if (user === null) return ["read"];
  const { message, isReceived } = seen;
  const { id: realmId } = permissions.realm;
  const has = async (key: Key) => await app.reads.read<true>([...key, message.id]) !== null;
  const [isRead, isStarred, isCollapsed] = await Promise.all([
    !isReceived || isMarkedRead(app, realmId, { message, userId: user.id }),
    has(messageKeys.starred(realmId, user.id)),
    has(messageKeys.collapsed(realmId, user.id)),
  ]);
  const flags: [MessageFlag, boolean][] = [
    ["read", isRead],
    ["starred", isStarred],
    ["collapsed", isCollapsed],
    ["mentioned", isReceived && isMentioned(permissions, message, user)],
    ["stream_wildcard_mentioned", isReceived && message.mentions.is_stream_wildcard],
    ["topic_wildcard_mentioned", isReceived && message.mentions.is_topic_wildcard],
    ["historical", !isReceived],
  ];
  return flags.filter(([, holds]) => holds).map(([flag]) => flag);
}

function isMentioned(permissions: PermissionContext, { mentions }: MessageRecord, user: UserRecord): boolean {
  return mentions.user_ids.includes(user.id) ||
    mentions.group_ids.some((group) => isMember(permissions, group, user));
}
