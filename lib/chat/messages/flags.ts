import { createRowsReader, type RowsReader } from "./rows_reader.ts";
import { type AlertWord, containsAlertWord, readAlertWords } from "@/lib/chat/people/alert_words.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { isReadByMuting, readMutedUsers } from "@/lib/chat/people/muted_users.ts";
import { isMember, type PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { messageKeys, type MessageRecord, type Viewer, type VisibleMessage } from "./model.ts";
import { createReadMarksReader, type MarksOwner } from "./read_marks.ts";
import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import { described, intList, text } from "../organization/params/param.ts";

export const MESSAGE_FLAGS = [
  "read",
  "starred",
  "collapsed",
  "mentioned",
  "stream_wildcard_mentioned",
  "topic_wildcard_mentioned",
  "has_alert_word",
  "historical",
] as const;
export type MessageFlag = typeof MESSAGE_FLAGS[number];

/** Flags that users set; the others are derived from the message. */
export const EDITABLE_FLAGS = ["read", "starred", "collapsed"] as const satisfies readonly MessageFlag[];
type EditableFlag = typeof EDITABLE_FLAGS[number];

/** Flags of messages that mention the user, by name, group or wildcard. */
export const MENTION_FLAGS: readonly MessageFlag[] = [
  "mentioned",
  "stream_wildcard_mentioned",
  "topic_wildcard_mentioned",
];

const FLAG_OPERATIONS = ["add", "remove"] as const;

export interface FlagChange {
  readonly flag: EditableFlag;
  readonly op: typeof FLAG_OPERATIONS[number];
}

export function isUnreading({ flag, op }: FlagChange): boolean {
  return flag === "read" && op === "remove";
}

/** Reads the flags of a message for its viewer. Messages that were not sent to the viewer count as read. */
export async function readMessageFlags(
  app: ChatApp,
  permissions: PermissionContext,
  { visible, user }: { visible: VisibleMessage; user: Viewer },
): Promise<readonly MessageFlag[]> {
  const readRows = createRowsReader(app.store, app.reads);
  const [flags = []] = await createFlagsReader(app, permissions, { user, readRows })([visible]);
  return flags;
}

type FlagsReader = (messages: readonly VisibleMessage[]) => Promise<(readonly MessageFlag[])[]>;

/**
 * Creates a reader of a viewer's flags that reads what many messages share once; `areNew` says that the viewer has
 * changed no flag since the messages were sent.
 */
export function createFlagsReader(
  app: ChatApp,
  permissions: PermissionContext,
  { user, readRows, areNew = false }: { user: Viewer; readRows: RowsReader; areNew?: boolean | undefined },
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
  const isMentioned = message.mentions.user_ids.includes(user.id) ||
    message.mentions.group_ids.some((group) => isMember(permissions, group, user));
  if (isMentioned) flags.push("mentioned");
  if (is_stream_wildcard) flags.push("stream_wildcard_mentioned");
  if (is_topic_wildcard) flags.push("topic_wildcard_mentioned");
  if (containsAlertWord(alertWords, message)) flags.push("has_alert_word");
  return flags;
}

/** Parameters of a flag change; `parseFlagChange` validates them with its own error messages. */
export const flagChangeParams = {
  op: described(text(), "`add` or `remove`."),
  flag: described(text(), `The flag: ${EDITABLE_FLAGS.map((flag) => `\`${flag}\``).join(", ")}.`),
};

export const changeFlagsParams = {
  messages: described(intList(), "Message ids."),
  ...flagChangeParams,
};

/** @throws AppError BAD_REQUEST for an unknown flag, a flag that is not editable, and an unknown operation. */
export function parseFlagChange({ flag, op }: { flag: string; op: string }): FlagChange {
  if (!isOneOf(MESSAGE_FLAGS, flag)) throw new AppError("BAD_REQUEST", `Invalid flag: '${flag}'`);
  if (!isOneOf(EDITABLE_FLAGS, flag)) throw new AppError("BAD_REQUEST", `Flag not editable: '${flag}'`);
  if (!isOneOf(FLAG_OPERATIONS, op)) {
    throw new AppError("BAD_REQUEST", `Invalid message flag operation: '${op}'`);
  }
  return { flag, op };
}

function isOneOf<T extends string>(values: readonly T[], value: string): value is T {
  return values.some((each) => each === value);
}

/** Field with the channels whose messages stay read. */
export const ignoredChannelsShape = {
  ignored_because_not_subscribed_channels: z.array(z.int()).optional().meta({
    description:
      "Ids of the channels whose messages stay read because the caller is not subscribed to them; " +
      "only where messages are marked as unread.",
  }),
};

/** Returns the channels whose messages stay read, for a change that marks messages as unread. */
export function toIgnoredChannels(
  change: FlagChange,
  ids: readonly number[],
): { ignored_because_not_subscribed_channels?: readonly number[] } {
  return isUnreading(change) ? { ignored_because_not_subscribed_channels: ids } : {};
}

export const changedFlagsSchema = z.object({ messages: z.array(z.int()), ...ignoredChannelsShape });
