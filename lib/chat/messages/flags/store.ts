import { createRowsReader, type RowsReader } from "@/lib/kv/rows_reader.ts";
import { containsAlertWord } from "@/lib/chat/alert_words/model.ts";
import { readAlertWords } from "@/lib/chat/alert_words/store.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import { isMember } from "@/lib/chat/permissions/model/membership.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { messageKeys, type MessageRecord, type Viewer, type VisibleMessage } from "../model.ts";
import type { MessageFlag } from "./model.ts";
import { createReadMarksReader } from "../read/store/read_marks.ts";

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
): Promise<readonly MessageFlag[]> {
  const readRows = createRowsReader(app.store, app.reads);
  const [flags = []] = await createFlagsReader(app, permissions, { user, readRows })([visible]);
  return flags;
}

/** Returns the flags of each message, as `readMessageFlags` does. */
export type FlagsReader = (messages: readonly VisibleMessage[]) => Promise<(readonly MessageFlag[])[]>;

/** Creates a reader of a viewer's flags that reads what many messages share once. */
export function createFlagsReader(
  app: ChatApp,
  permissions: PermissionContext,
  { user, readRows }: { user: Viewer; readRows: RowsReader },
): FlagsReader {
  if (user === null) return (messages) => Promise.resolve(messages.map(() => ["read"]));
  const owner = { realmId: permissions.realm.id, userId: user.id };
  const readMarks = createReadMarksReader(app, owner);
  return async (messages) => {
    const ids = messages.map(({ message }) => message.id);
    const received = messages.filter(({ isReceived }) => isReceived).map(({ message }) => message);
    const [marks, starred, collapsed, alertWords] = await Promise.all([
      received.length === 0 ? [] : readMarks(received),
      readRows<true>(messageKeys.starred(owner.realmId, user.id), ids),
      readRows<true>(messageKeys.collapsed(owner.realmId, user.id), ids),
      received.length === 0 ? [] : readAlertWords(app, owner.realmId, user.id),
    ]);
    let next = 0;
    return messages.map(({ message, isReceived }) => {
      const flags: MessageFlag[] = [];
      if (!isReceived || marks[next++] === true) flags.push("read");
      if (starred.has(message.id)) flags.push("starred");
      if (collapsed.has(message.id)) flags.push("collapsed");
      if (!isReceived) return [...flags, "historical"];
      const { is_stream_wildcard, is_topic_wildcard } = message.mentions;
      if (isMentioned(permissions, message, user)) flags.push("mentioned");
      if (is_stream_wildcard) flags.push("stream_wildcard_mentioned");
      if (is_topic_wildcard) flags.push("topic_wildcard_mentioned");
      if (containsAlertWord(alertWords, message)) flags.push("has_alert_word");
      return flags;
    });
  };
}

function isMentioned(permissions: PermissionContext, { mentions }: MessageRecord, user: UserRecord): boolean {
  return mentions.user_ids.includes(user.id) ||
    mentions.group_ids.some((group) => isMember(permissions, group, user));
}
