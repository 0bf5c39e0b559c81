import type { StateInline } from "markdown-it";
import { getRenderState } from "./render_state.ts";
import { advance } from "./inline_rules.ts";
import { parseUrl } from "./urls.ts";
import { toSafeHref } from "./urls.ts";

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

/** Contents of the parentheses of a link, and their end. */
interface LinkTarget {
  readonly address: string;
  readonly title: string;
  readonly end: number;
}

function parseLinkTarget(state: StateInline, start: number): LinkTarget | null {
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
