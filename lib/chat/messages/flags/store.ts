import { createRowsReader, type RowsReader } from "../read/store/rows_reader.ts";
import { type AlertWord, containsAlertWord, readAlertWords } from "@/lib/chat/alert_words.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { isReadByMuting, readMutedUsers } from "@/lib/chat/muted_users.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import { isMember } from "@/lib/chat/permissions/model/membership.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { messageKeys, type MessageRecord, type Viewer, type VisibleMessage } from "../model.ts";
import type { MessageFlag } from "./model.ts";
import { createReadMarksReader } from "../read/store/read_marks.ts";
import type { MarksOwner } from "../read/store/thread_sets.ts";

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

/** The viewer whose flags are read, and what is known of them. */
export interface FlagsReading {
  readonly user: Viewer;
  readonly readRows: RowsReader;
  /** Whether the viewer has changed no flag since the messages were sent; false, the default, if unknown. */
  readonly areNew?: boolean | undefined;
}

/** Creates a reader of a viewer's flags that reads what many messages share once. */
export function createFlagsReader(
  app: ChatApp,
  permissions: PermissionContext,
  { user, readRows, areNew = false }: FlagsReading,
): FlagsReader {
  if (user === null) return (messages) => Promise.resolve(messages.map(() => ["read"]));
  const owner = { realmId: permissions.realm.id, userId: user.id };
  const readOwn = areNew ? createNewFlagsReader(app, owner) : createOwnFlagsReader(app, owner, readRows);
  return async (messages) => {
    const areReceived = messages.some(({ isReceived }) => isReceived);
    const [own, alertWords] = await Promise.all([
      readOwn(messages),
      areReceived ? readAlertWords(app, owner.realmId, user.id) : [],
    ]);
    return messages.map((visible, at) => [
      ...own[at] ?? [],
      ...visible.isReceived
        ? listContentFlags(permissions, { message: visible.message, user, alertWords })
        : ["historical" as const],
    ]);
  };
}

/** Creates a reader of the flags that a user has set, or has by muting a sender. */
function createOwnFlagsReader(app: ChatApp, owner: MarksOwner, readRows: RowsReader): FlagsReader {
  const { realmId, userId } = owner;
  const readMarks = createReadMarksReader(app, owner);
  return async (messages) => {
    const ids = messages.map(({ message }) => message.id);
    const received = messages.filter(({ isReceived }) => isReceived).map(({ message }) => message);
    const [marks, starred, collapsed] = await Promise.all([
      received.length === 0 ? [] : readMarks(received),
      readRows<true>(messageKeys.starred(realmId, userId), ids),
      readRows<true>(messageKeys.collapsed(realmId, userId), ids),
    ]);
    let next = 0;
    return messages.map(({ message, isReceived }) => {
      const flags: MessageFlag[] = [];
      if (!isReceived || marks[next++] === true) flags.push("read");
      if (starred.has(message.id)) flags.push("starred");
      if (collapsed.has(message.id)) flags.push("collapsed");
      return flags;
    });
  };
}

/** Creates a reader of the same flags of messages that are new. */
function createNewFlagsReader(app: ChatApp, { realmId, userId }: MarksOwner): FlagsReader {
  return async (messages) => {
    const muted = await readMutedUsers(app, realmId, userId);
    return messages.map(({ message, isReceived }) => {
      const isRead = !isReceived || message.sender_id === userId || isReadByMuting(muted, message);
      return isRead ? ["read"] : [];
    });
  };
}

/** Lists the flags that a received message has for what it contains. */
function listContentFlags(
  permissions: PermissionContext,
  { message, user, alertWords }: {
    message: MessageRecord;
    user: UserRecord;
    alertWords: readonly AlertWord[];
  },
): readonly MessageFlag[] {
  const { is_stream_wildcard, is_topic_wildcard } = message.mentions;
  const flags: MessageFlag[] = [];
  if (isMentioned(permissions, message, user)) flags.push("mentioned");
  if (is_stream_wildcard) flags.push("stream_wildcard_mentioned");
  if (is_topic_wildcard) flags.push("topic_wildcard_mentioned");
  if (containsAlertWord(alertWords, message)) flags.push("has_alert_word");
  return flags;
}

function isMentioned(permissions: PermissionContext, { mentions }: MessageRecord, user: UserRecord): boolean {
  return mentions.user_ids.includes(user.id) ||
    mentions.group_ids.some((group) => isMember(permissions, group, user));
}
