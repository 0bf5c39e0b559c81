import type { Key } from "@/lib/kv/key.ts";
import { containsAlertWord } from "@/lib/chat/alert_words/model.ts";
import { readAlertWords } from "@/lib/chat/alert_words/store.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import { isMember } from "@/lib/chat/permissions/model/membership.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { messageKeys, type MessageRecord, type Viewer, type VisibleMessage } from "../model.ts";
import type { MessageFlag } from "./model.ts";
import { isMarkedRead } from "../read/store.ts";

/** A message and the viewer whose flags are read. */
export interface FlagsOwner {
  readonly visible: VisibleMessage;
  readonly user: Viewer;
}

/** Reads the flags of a message for its viewer. Messages that were not sent to the viewer count as read. */
export async function readMessageFlags(
  app: ChatApp,
  permissions: PermissionContext,
  { visible, user }: FlagsOwner,
): Promise<MessageFlag[]> {
  if (user === null) return ["read"];
  const { message, isReceived } = visible;
  const { id: realmId } = permissions.realm;
  const readMark = (key: Key) => app.reads.read<true>([...key, message.id]);
  const [isRead, starred, collapsed, alertWords] = await Promise.all([
    !isReceived || isMarkedRead(app, realmId, { message, userId: user.id }),
    readMark(messageKeys.starred(realmId, user.id)),
    readMark(messageKeys.collapsed(realmId, user.id)),
    isReceived ? readAlertWords(app, realmId, user.id) : [],
  ]);
  const flags: [MessageFlag, boolean][] = [
    ["read", isRead],
    ["starred", starred !== null],
    ["collapsed", collapsed !== null],
    ["mentioned", isReceived && isMentioned(permissions, message, user)],
    ["stream_wildcard_mentioned", isReceived && message.mentions.is_stream_wildcard],
    ["topic_wildcard_mentioned", isReceived && message.mentions.is_topic_wildcard],
    ["has_alert_word", containsAlertWord(alertWords, message)],
    ["historical", !isReceived],
  ];
  return flags.filter(([, holds]) => holds).map(([flag]) => flag);
}

function isMentioned(permissions: PermissionContext, { mentions }: MessageRecord, user: UserRecord): boolean {
  return mentions.user_ids.includes(user.id) ||
    mentions.group_ids.some((group) => isMember(permissions, group, user));
}
