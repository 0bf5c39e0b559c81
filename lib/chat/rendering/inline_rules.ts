import type { StateInline } from "markdown-it";
import { escapeHtml } from "@/lib/core/html.ts";
import { renderCustomEmoji, renderEmoji } from "./render_emoji.ts";
import { findEmojiByName } from "./emoji.ts";
import { renderElement, renderStartTag } from "./markup.ts";
import { getRenderState } from "./render_state.ts";
import { parseChannelLink, parseEmojiName } from "./syntax.ts";
import { formatNarrowHref } from "./urls.ts";
import { parseTime } from "./parse_time.ts";

/** Type of tokens that contain generated HTML. */
export const MARKUP_TOKEN = "chat_markup";

/**
 * Pushes HTML that replaces the next `length` units of the text. Returns false, and pushes nothing, once the
 * message has no room for more.
 */
export function pushMarkup(state: StateInline, length: number, markup: string): boolean {
  if (!getRenderState(state.env).takeMarkup(markup)) return false;
  state.push(MARKUP_TOKEN, "", 0).content = markup;
  state.pos += length;
  return true;
}

/** Parses `#**channel**`, `#**channel>topic**` and `#**channel>topic@12**`. */
export function channelRule(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== "#" || state.linkLevel > 0) return false;
  const link = parseChannelLink(state.src, state.pos);
  if (link === null || state.pos + link.length > state.posMax) return false;
  const { context } = getRenderState(state.env);
  const channel = context.findChannel(link.channel);
  if (channel === null) return false;
  if (silent) return advance(state, link.length);
  const { topic, messageId } = link;
  const kind = topic === null ? "stream" : messageId === null ? "stream-topic" : "message-link";
  const start = renderStartTag("a", {
    class: kind,
    "data-stream-id": channel.id,
    href: formatNarrowHref(channel, topic, messageId),
  });
  const shown = topic === "" ? `<em>${escapeHtml(context.emptyTopicName ?? "general chat")}</em>` : null;
  const inside = [
    escapeHtml(`#${channel.name}`),
    ...(topic === null ? [] : [" &gt; ", shown ?? escapeHtml(topic)]),
    ...(messageId === null ? [] : [" @ 💬"]),
  ];
  return pushMarkup(state, link.length, `${start}${inside.join("")}</a>`);
}

/** Parses `:name:` of a custom or standard emoji. */
export function emojiRule(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== ":") return false;
  const name = parseEmojiName(state.src, state.pos);
  if (name === null || state.pos + name.length + 2 > state.posMax) return false;
  const { context } = getRenderState(state.env);
  const custom = context.findEmoji(name);
  const standard = findEmojiByName(name);
  const markup = custom !== null
    ? renderCustomEmoji(name, custom, context.realmUrl)
    : standard === null
    ? null
    : renderEmoji({ ...standard, name });
  if (markup === null) return false;
  if (silent) return advance(state, name.length + 2);
  return pushMarkup(state, name.length + 2, markup);
}

/** Parses `<time:2026-11-21T10:00:00Z>`. */
export function timeRule(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith("<time:", state.pos)) return false;
  const match = /^<time:([^<>\n]{1,100})>/.exec(state.src.slice(state.pos, state.pos + 110));
  if (match === null || state.pos + match[0].length > state.posMax) return false;
  const [whole, text = ""] = match;
  if (silent) return advance(state, whole.length);
  const datetime = parseTime(text);
  const markup = datetime === null
    ? renderElement("span", { class: "timestamp-error" }, `Invalid time format: ${text}`)
    : renderElement("time", { datetime }, text);
  return pushMarkup(state, whole.length, markup);
}

/** Advances by `length` units; always returns true. */
export function advance(state: StateInline, length: number): true {
  state.pos += length;
  return true;
}
