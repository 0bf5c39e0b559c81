import { AppError } from "@/lib/core/errors.ts";
import { described, intList, text } from "../params/param.ts";

/** What a message is to one person. */
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
/** One of them. */
export type MessageFlag = typeof MESSAGE_FLAGS[number];

/** Those that people set themselves; the others follow from the message. */
export const EDITABLE_FLAGS = ["read", "starred", "collapsed"] as const satisfies readonly MessageFlag[];
/** One of them. */
export type EditableFlag = typeof EDITABLE_FLAGS[number];

/** Those that tell a person of being mentioned, alone or with everybody. */
export const MENTION_FLAGS: readonly MessageFlag[] = [
  "mentioned",
  "stream_wildcard_mentioned",
  "topic_wildcard_mentioned",
];

const OPERATIONS = ["add", "remove"] as const;

/** A flag that a person sets or takes away. */
export interface FlagChange {
  readonly flag: EditableFlag;
  readonly op: typeof OPERATIONS[number];
}

/** The parts of a change of a flag; `readFlagChange` checks them, for their refusals have sentences of their own. */
export const flagChangeParams = {
  op: described(text(), "`add` or `remove`."),
  flag: described(text(), `The flag: ${EDITABLE_FLAGS.map((flag) => `\`${flag}\``).join(", ")}.`),
};

/** Parameters of a change of a flag of single messages. */
export const changeFlagsParams = {
  messages: described(intList(), "The messages, by their ids."),
  ...flagChangeParams,
};

/**
 * A change of a flag, checked.
 * @throws AppError BAD_REQUEST for what is no flag, a flag that people do not set, and what is neither add nor remove.
 */
export function readFlagChange({ flag, op }: { flag: string; op: string }): FlagChange {
  if (!isOneOf(MESSAGE_FLAGS, flag)) throw new AppError("BAD_REQUEST", `Invalid flag: '${flag}'`);
  if (!isOneOf(EDITABLE_FLAGS, flag)) throw new AppError("BAD_REQUEST", `Flag not editable: '${flag}'`);
  if (!isOneOf(OPERATIONS, op)) {
    throw new AppError("BAD_REQUEST", `Invalid message flag operation: '${op}'`);
  }
  return { flag, op };
}

function isOneOf<T extends string>(values: readonly T[], value: string): value is T {
  return values.some((each) => each === value);
}
