/** Maximum length of a name or topic in a mention or link, in UTF-16 units; keeps matching linear. */
const MAX_NAME = 250;
const MENTION = `(_?)(?:\\*\\*([^*\\n]{1,${MAX_NAME}})\\*\\*|\\*([^*\\n]{1,${MAX_NAME}})\\*)`;
const CHANNEL = `\\*\\*([^*>\\n]{1,${MAX_NAME}})(?:(>)([^*\\n]{0,${MAX_NAME}}?)(?:@(\\d{1,15}))?)?\\*\\*`;
const EMOJI = "([A-Za-z0-9_+.-]{1,100}):";

const MENTION_AT_START = new RegExp(`^@${MENTION}`);
const CHANNEL_AT_START = new RegExp(`^#${CHANNEL}`);
const EMOJI_AT_START = new RegExp(`^:${EMOJI}`);
/** Length that no match of the patterns above exceeds. */
const WINDOW = 2 * MAX_NAME + 40;

/** Names that mention all members of the channel. */
const STREAM_WILDCARDS: readonly string[] = ["all", "everyone", "channel", "stream"];
/** Name that mentions all participants of the topic. */
const TOPIC_WILDCARD = "topic";

export type MentionTarget =
  | { readonly kind: "user"; readonly name: string; readonly id: number | null }
  | { readonly kind: "group"; readonly name: string }
  | { readonly kind: "stream" | "topic"; readonly name: string };

interface Mention {
  readonly length: number;
  readonly isSilent: boolean;
  readonly target: MentionTarget;
}

/** A parsed link to a channel, a topic or a message. */
interface ChannelLink {
  readonly length: number;
  readonly channel: string;
  /** Null for the channel itself; empty for general chat. */
  readonly topic: string | null;
  readonly messageId: string | null;
}

/** Normalizes text for the parser: well-formed, lines ended by `\n`, without U+0000. */
export function normalizeContent(content: string): string {
  return content.toWellFormed().replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd");
}

export function parseMention(text: string, at: number): Mention | null {
  if (at > 0 && /[\p{L}\p{N}_]/u.test(text.slice(Math.max(0, at - 1), at))) return null;
  const match = MENTION_AT_START.exec(text.slice(at, at + WINDOW));
  if (match === null) return null;
  const [whole, underscore, user, group] = match;
  return {
    length: whole.length,
    isSilent: underscore === "_",
    target: user === undefined ? { kind: "group", name: group ?? "" } : parseMentionTarget(user),
  };
}

function parseMentionTarget(text: string): MentionTarget {
  if (STREAM_WILDCARDS.includes(text)) return { kind: "stream", name: text };
  if (text === TOPIC_WILDCARD) return { kind: "topic", name: text };
  const match = /^([^|]*)\|(\d{1,15})$/.exec(text);
  return match === null
    ? { kind: "user", name: text, id: null }
    : { kind: "user", name: match[1] ?? "", id: Number(match[2]) };
}

export function parseChannelLink(text: string, at: number): ChannelLink | null {
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

/** Parses the name between the colons at `at`; null when there is none. */
export function parseEmojiName(text: string, at: number): string | null {
  return EMOJI_AT_START.exec(text.slice(at, at + 110))?.[1] ?? null;
}
