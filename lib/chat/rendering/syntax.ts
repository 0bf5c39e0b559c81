/** Longest name or topic that a mention or link looks at, in UTF-16 units; it keeps the search linear. */
const MAX_NAME = 250;
const MENTION = `(_?)(?:\\*\\*([^*\\n]{1,${MAX_NAME}})\\*\\*|\\*([^*\\n]{1,${MAX_NAME}})\\*)`;
const CHANNEL = `\\*\\*([^*>\\n]{1,${MAX_NAME}})(?:(>)([^*\\n]{0,${MAX_NAME}}?)(?:@(\\d{1,15}))?)?\\*\\*`;
const EMOJI = "([A-Za-z0-9_+-]{1,100}):";

const MENTION_AT_START = new RegExp(`^@${MENTION}`);
const CHANNEL_AT_START = new RegExp(`^#${CHANNEL}`);
const EMOJI_AT_START = new RegExp(`^:${EMOJI}`);
/** Longer than whatever the patterns above can match. */
const WINDOW = 2 * MAX_NAME + 40;

/** The names that mention everyone in the channel. */
const STREAM_WILDCARDS: readonly string[] = ["all", "everyone", "channel", "stream"];
/** The name that mentions everyone in the topic. */
const TOPIC_WILDCARD = "topic";

/** Who a mention names. */
export type MentionTarget =
  | { readonly kind: "user"; readonly name: string; readonly id: number | null }
  | { readonly kind: "group"; readonly name: string }
  | { readonly kind: "stream" | "topic"; readonly name: string };

/** A mention as written. */
export interface Mention {
  readonly length: number;
  readonly isSilent: boolean;
  readonly target: MentionTarget;
}

/** A link to a channel, a topic or a message as written. */
export interface ChannelLink {
  readonly length: number;
  readonly channel: string;
  /** Null where the whole channel is meant; the empty topic is a topic. */
  readonly topic: string | null;
  readonly messageId: string | null;
}

/** The text as the parser sees it: well-formed, lines ended by `\n`, without U+0000. */
export function normalizeContent(content: string): string {
  return content.toWellFormed().replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd");
}

/** The mention that starts at `at`, or null. */
export function readMention(text: string, at: number): Mention | null {
  if (at > 0 && /[\p{L}\p{N}_]/u.test(text.slice(Math.max(0, at - 1), at))) return null;
  const match = MENTION_AT_START.exec(text.slice(at, at + WINDOW));
  if (match === null) return null;
  const [whole, underscore, person, group] = match;
  return {
    length: whole.length,
    isSilent: underscore === "_",
    target: person === undefined ? { kind: "group", name: group ?? "" } : targetOf(person),
  };
}

function targetOf(text: string): MentionTarget {
  if (STREAM_WILDCARDS.includes(text)) return { kind: "stream", name: text };
  if (text === TOPIC_WILDCARD) return { kind: "topic", name: text };
  const match = /^([^|]*)\|(\d{1,15})$/.exec(text);
  return match === null
    ? { kind: "user", name: text, id: null }
    : { kind: "user", name: match[1] ?? "", id: Number(match[2]) };
}

/** The link to a channel that starts at `at`, or null. */
export function readChannelLink(text: string, at: number): ChannelLink | null {
  const match = CHANNEL_AT_START.exec(text.slice(at, at + WINDOW));
  if (match === null) return null;
  const [whole, channel, separator, topic, messageId] = match;
  return {
    length: whole.length,
    channel: channel ?? "",
    topic: separator === undefined ? null : topic ?? "",
    messageId: messageId ?? null,
  };
}

/** The name between the colons that start at `at`, or null. */
export function readEmojiName(text: string, at: number): string | null {
  return EMOJI_AT_START.exec(text.slice(at, at + 110))?.[1] ?? null;
}
