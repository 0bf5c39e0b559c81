import type { StateInline } from "markdown-it";
import { escapeHtml } from "@/lib/core/text.ts";
import { findEmojiByName, renderCustomEmoji, renderEmoji } from "./emoji.ts";
import { renderElement, renderStartTag } from "./html.ts";
import { getRenderState, type RenderState } from "./render_state.ts";
import { type MentionTarget, parseChannelLink, parseEmojiName, parseMention } from "./syntax.ts";
import { formatNarrowHref, parseUrl, toSafeHref } from "./urls.ts";
import { parseUtc } from "@/lib/core/clock.ts";

/** Type of tokens that contain generated HTML. */
export const MARKUP_TOKEN = "chat_markup";

/**
 * Pushes HTML that replaces the next `length` units of the text. Returns false, and pushes nothing, once the
 * message has no room for more.
 */
function pushMarkup(state: StateInline, length: number, markup: string): boolean {
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
function advance(state: StateInline, length: number): true {
  state.pos += length;
  return true;
}

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d{1,9})?)?)? ?(Z|[+-]\d\d:?\d\d)?$/;

/** Parses a time to ISO 8601 in UTC, to the second; null when invalid. Without a zone, UTC is assumed. */
function parseTime(text: string): string | null {
  const seconds = /^\d{1,11}$/.test(text) ? Number(text) : parseIsoSeconds(text);
  if (seconds === null || !Number.isFinite(seconds)) return null;
  const iso = new Date(seconds * 1000).toISOString();
  return /^\d{4}-/.test(iso) ? iso.replace(/\.\d+Z$/, "Z") : null;
}

function parseIsoSeconds(text: string): number | null {
  const match = ISO.exec(text);
  if (match === null) return null;
  const [, date, clock = "00:00", second = "00", zone = "Z"] = match;
  if (Number.isNaN(parseUtc(`${date}T${clock}:${second}`))) return null;
  const offset = zone.replace(/^(.\d\d)(\d\d)$/, "$1:$2");
  return Math.floor(Date.parse(`${date}T${clock}:${second}${offset}`) / 1000);
}

/** Parses `[label](address "title")`; brackets are matched once per text, and links do not nest. */
export function linkRule(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== "[" || state.linkLevel > 0) return false;
  const rendering = getRenderState(state.env);
  const labelStart = state.pos + 1;
  const labelEnd = rendering.matchBrackets(state.src).get(state.pos) ?? -1;
  const max = state.posMax;
  if (labelEnd <= labelStart || labelEnd >= max || state.src[labelEnd + 1] !== "(") return false;
  const target = parseLinkTarget(state, labelEnd + 2);
  const href = target === null ? null : toSafeHref(target.address);
  if (target === null || href === null) return false;
  if (silent) return advance(state, target.end - state.pos);
  rendering.recordLink(href);
  state.pos = labelStart;
  state.posMax = labelEnd;
  const open = state.push("link_open", "a", 1);
  open.attrs = [["href", href]];
  if (target.title !== "") open.attrs.push(["title", target.title]);
  state.linkLevel++;
  state.md.inline.tokenize(state);
  state.linkLevel--;
  state.push("link_close", "a", -1);
  state.pos = target.end;
  state.posMax = max;
  return true;
}

/** Returns the contents of the parentheses of a link, and their end. */
function parseLinkTarget(state: StateInline, start: number) {
  const { src, posMax, md } = state;
  const address = md.helpers.parseLinkDestination(src, skipBlanks(state, start), posMax);
  if (!address.ok) return null;
  const afterAddress = skipBlanks(state, address.pos);
  const title = md.helpers.parseLinkTitle(src, afterAddress, posMax);
  const hasTitle = title.ok && afterAddress > address.pos;
  const end = hasTitle ? skipBlanks(state, title.pos) : afterAddress;
  if (end >= posMax || src[end] !== ")") return null;
  return { address: address.str, title: hasTitle ? title.str : "", end: end + 1 };
}

function skipBlanks({ src, posMax }: StateInline, start: number): number {
  let pos = start;
  while (pos < posMax && /[ \t\n]/.test(src.charAt(pos))) pos++;
  return pos;
}

/**
 * Parses bare URLs: at the colon of `https://…` or `mailto:…`, the scheme is removed from the pending text.
 */
export function addressRule(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== ":" || state.linkLevel > 0) return false;
  const scheme = /(?:^|[^\p{L}\p{N}_])(https?|mailto)$/iu.exec(
    state.src.slice(Math.max(0, state.pos - 8), state.pos),
  )?.[1];
  if (scheme === undefined) return false;
  const start = state.pos - scheme.length;
  const found = parseUrl(state.src.slice(0, state.posMax), start);
  if (found === null) return false;
  const href = toSafeHref(found);
  if (silent) return advance(state, found.length - scheme.length);
  if (href === null) state.pending += found.slice(scheme.length);
  else {
    state.pending = state.pending.slice(0, -scheme.length);
    pushLink(state, href, found);
  }
  // An invalid URL is skipped as a whole: parsing it again would take quadratic time.
  return advance(state, found.length - scheme.length);
}

/** Parses `<https://…>` and `<mailto:…>`. */
export function angledRule(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== "<" || state.linkLevel > 0) return false;
  const match = /^<((?:https?:\/\/|mailto:)[^<>\s]+)>/i.exec(state.src.slice(state.pos, state.posMax));
  const address = match?.[1];
  const href = address === undefined ? null : toSafeHref(address);
  if (address === undefined || href === null) return false;
  if (!silent) pushLink(state, href, address);
  return advance(state, address.length + 2);
}

function pushLink(state: StateInline, href: string, text: string): void {
  getRenderState(state.env).recordLink(href);
  state.push("link_open", "a", 1).attrs = [["href", href]];
  state.push("text", "", 0).content = text;
  state.push("link_close", "a", -1);
}

/** Parses `$$source$$` on one line. */
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
    return advance(state, opening);
  }
  const length = end + 2 - state.pos;
  if (silent) return advance(state, length);
  const rendered = getRenderState(state.env).renderMath(source, { isBlock: false });
  if (rendered === undefined) {
    return pushMarkup(state, length, renderElement("code", { class: "math" }, source));
  }
  if (rendered === null) {
    return pushMarkup(state, length, renderElement("span", { class: "tex-error" }, `$$${source}$$`));
  }
  // Formulas have limits of their own, so that they leave room for mentions.
  state.push(MARKUP_TOKEN, "", 0).content = rendered;
  return advance(state, length);
}

/** Renders the content of a fence as formulas: one for each paragraph. */
export function renderMathBlocks(rendering: RenderState, content: string): string {
  const formulas = content.split(/\n\s*\n/).map((source) => source.trim()).filter((source) => source !== "");
  return formulas.map((source) => `${renderBlock(rendering, source)}\n`).join("");
}

function renderBlock(rendering: RenderState, source: string): string {
  const rendered = rendering.renderMath(source, { isBlock: true });
  if (rendered === undefined) return `<pre>${renderElement("code", { class: "math" }, `${source}\n`)}</pre>`;
  return `<p>${rendered ?? renderElement("span", { class: "tex-error" }, source)}</p>`;
}

/** Parses mentions of users, groups and wildcards; mentions in quotes are silent. */
export function mentionRule(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== "@") return false;
  const mention = parseMention(state.src, state.pos);
  if (mention === null || state.pos + mention.length > state.posMax) return false;
  const rendering = getRenderState(state.env);
  const view = resolveMention(rendering, mention.target);
  if (view === null) return false;
  if (silent) return advance(state, mention.length);
  const isSilent = mention.isSilent || rendering.isQuoted;
  const { classes, attributes, name } = view;
  const shownAttributes = { class: isSilent ? `${classes} silent` : classes, ...attributes };
  const markup = renderElement("span", shownAttributes, isSilent ? name : `@${name}`);
  if (!pushMarkup(state, mention.length, markup)) return false;
  if (!isSilent) view.record();
  return true;
}

/** Appearance of a mention, and the recording of it unless it is silent. */
interface MentionView {
  readonly classes: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly name: string;
  readonly record: () => void;
}

function resolveMention(rendering: RenderState, target: MentionTarget): MentionView | null {
  switch (target.kind) {
    case "stream":
      return {
        classes: "user-mention channel-wildcard-mention",
        attributes: { "data-user-id": "*" },
        name: target.name,
        record: () => void (rendering.mentionsStream = true),
      };
    case "topic":
      return {
        classes: "topic-mention",
        attributes: {},
        name: target.name,
        record: () => void (rendering.mentionsTopic = true),
      };
    case "group": {
      const group = rendering.context.findGroup(target.name);
      return group && {
        classes: "user-group-mention",
        attributes: { "data-user-group-id": group.id },
        name: group.name,
        record: () => void rendering.groups.add(group.id),
      };
    }
    case "user": {
      const user = rendering.context.findUser(target.name, target.id);
      return user && {
        classes: "user-mention",
        attributes: { "data-user-id": user.id },
        name: user.full_name,
        record: () => void rendering.users.add(user.id),
      };
    }
  }
}
