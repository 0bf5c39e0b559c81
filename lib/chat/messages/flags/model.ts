/** Flags of a message, per user. */
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
/** One of the message flags. */
export type MessageFlag = typeof MESSAGE_FLAGS[number];

/** Flags that users set; the others are derived from the message. */
export const EDITABLE_FLAGS = ["read", "starred", "collapsed"] as const satisfies readonly MessageFlag[];
/** One of the editable flags. */
export type EditableFlag = typeof EDITABLE_FLAGS[number];

/** Flags of messages that mention the user, by name, group or wildcard. */
export const MENTION_FLAGS: readonly MessageFlag[] = [
  "mentioned",
  "stream_wildcard_mentioned",
  "topic_wildcard_mentioned",
];

/** Operations on a flag. */
export const FLAG_OPERATIONS = ["add", "remove"] as const;

/** A flag to add or remove. */
export interface FlagChange {
  readonly flag: EditableFlag;
  readonly op: typeof FLAG_OPERATIONS[number];
}

/** Returns whether a change marks messages as unread. */
export function isUnreading({ flag, op }: FlagChange): boolean {
  return flag === "read" && op === "remove";
}
