import type { StateInline } from "markdown-it";
import { customEmojiMarkup, emojiMarkup } from "./emoji_markup.ts";
import { lookupEmoji } from "./emoji.ts";
import { element, escapeMarkup, startTag } from "./markup.ts";
import { renderingOf } from "./rendering.ts";
import { readChannelLink, readEmojiName } from "./syntax.ts";
import { narrowHref } from "./url.ts";
import { readTime } from "./time.ts";

/** The type of tokens whose content is markup of our own. */
export const MARKUP = "chat_markup";

/** Puts markup in place of the next `length` units of the text; a silent run only moves on. */
export function putMarkup(state: StateInline, length: number, markup: string): void {
  state.push(MARKUP, "", 0).content = markup;
  state.pos += length;
}

/** `#**channel**`, `#**channel>topic**` and `#**channel>topic@12**`. */
export function channelRule(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== "#" || state.linkLevel > 0) return false;
  const link = readChannelLink(state.src, state.pos);
  if (link === null || state.pos + link.length > state.posMax) return false;
  const { context } = renderingOf(state.env);
  const channel = context.findChannel(link.channel);
  if (channel === null) return false;
  if (silent) return move(state, link.length);
  const { topic, messageId } = link;
  const kind = topic === null ? "stream" : messageId === null ? "stream-topic" : "message-link";
  const start = startTag("a", {
    class: kind,
    "data-stream-id": channel.id,
    href: narrowHref(channel, topic, messageId),
  });
  const shown = topic === "" ? `<em>${escapeMarkup(context.emptyTopicName ?? "general chat")}</em>` : null;
  const inside = [
    escapeMarkup(`#${channel.name}`),
    ...(topic === null ? [] : [" &gt; ", shown ?? escapeMarkup(topic)]),
    ...(messageId === null ? [] : [" @ 💬"]),
  ];
  putMarkup(state, link.length, `${start}${inside.join("")}</a>`);
  return true;
}

/** `:name:` of a custom or a standard emoji. */
export function emojiRule(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== ":") return false;
  const name = readEmojiName(state.src, state.pos);
  if (name === null || state.pos + name.length + 2 > state.posMax) return false;
  const { context } = renderingOf(state.env);
  const custom = context.findEmoji(name);
  const standard = lookupEmoji(name);
  const markup = custom !== null
    ? customEmojiMarkup(name, custom, context.realmUrl)
    : standard === null
    ? null
    : emojiMarkup({ ...standard, name });
  if (markup === null) return false;
  if (silent) return move(state, name.length + 2);
  putMarkup(state, name.length + 2, markup);
  return true;
}

/** `<time:2026-11-21T10:00:00Z>`. */
export function timeRule(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith("<time:", state.pos)) return false;
  const match = /^<time:([^<>\n]{1,100})>/.exec(state.src.slice(state.pos, state.pos + 110));
  if (match === null || state.pos + match[0].length > state.posMax) return false;
  const [whole, text = ""] = match;
  if (silent) return move(state, whole.length);
  const datetime = readTime(text);
  const markup = datetime === null
    ? element("span", { class: "timestamp-error" }, `Invalid time format: ${text}`)
    : element("time", { datetime }, text);
  putMarkup(state, whole.length, markup);
  return true;
}

/** `$$source$$` on one line. */
export function mathRule(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith("$$", state.pos)) return false;
  let start = state.pos;
  while (state.src[start] === "$") start++;
  const opening = start - state.pos;
  const end = state.src.indexOf("$$", start);
  const source = end < 0 || end + 2 > state.posMax || state.src[end + 2] === "$"
    ? ""
    : state.src.slice(start, end);
  if (opening > 2 || source.trim() === "" || source.includes("\n")) {
    if (!silent) state.pending += state.src.slice(state.pos, start);
    return move(state, opening);
  }
  if (silent) return move(state, end + 2 - state.pos);
  putMarkup(state, end + 2 - state.pos, element("code", { class: "math" }, source));
  return true;
}

/** Goes on by `length` units; always true. */
export function move(state: StateInline, length: number): true {
  state.pos += length;
  return true;
}
