import type { StateInline } from "markdown-it";
import { renderingOf } from "./rendering.ts";
import { move } from "./inline_rules.ts";
import { readUrl } from "./read_url.ts";
import { safeHref } from "./url.ts";

/** `[label](address "title")`; brackets are matched once a text, and a link holds no link. */
export function linkRule(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== "[" || state.linkLevel > 0) return false;
  const rendering = renderingOf(state.env);
  const labelStart = state.pos + 1;
  const labelEnd = rendering.bracketsOf(state.src).get(state.pos) ?? -1;
  const max = state.posMax;
  if (labelEnd <= labelStart || labelEnd >= max || state.src[labelEnd + 1] !== "(") return false;
  const target = readTarget(state, labelEnd + 2);
  const href = target === null ? null : safeHref(target.address);
  if (target === null || href === null) return false;
  if (silent) return move(state, target.end - state.pos);
  rendering.noteLink(href);
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

/** What stands between the round brackets, and where they end. */
interface Target {
  readonly address: string;
  readonly title: string;
  readonly end: number;
}

function readTarget(state: StateInline, start: number): Target | null {
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

/** Addresses written out: at the colon of `https://…` and `mailto:…` the scheme is already text, and is taken back. */
export function addressRule(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== ":" || state.linkLevel > 0) return false;
  const scheme = /(?:^|[^\p{L}\p{N}_])(https?|mailto)$/iu.exec(
    state.src.slice(Math.max(0, state.pos - 8), state.pos),
  )?.[1];
  if (scheme === undefined) return false;
  const start = state.pos - scheme.length;
  const found = readUrl(state.src.slice(0, state.posMax), start);
  if (found === null) return false;
  const href = safeHref(found);
  if (silent) return move(state, found.length - scheme.length);
  if (href === null) state.pending += found.slice(scheme.length);
  else {
    state.pending = state.pending.slice(0, -scheme.length);
    putLink(state, href, found);
  }
  // What is no address in spite of its scheme is passed over whole: looking into it again would take quadratic time.
  return move(state, found.length - scheme.length);
}

/** `<https://…>` and `<mailto:…>`. */
export function angledRule(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== "<" || state.linkLevel > 0) return false;
  const match = /^<((?:https?:\/\/|mailto:)[^<>\s]+)>/i.exec(state.src.slice(state.pos, state.posMax));
  const address = match?.[1];
  const href = address === undefined ? null : safeHref(address);
  if (address === undefined || href === null) return false;
  if (!silent) putLink(state, href, address);
  return move(state, address.length + 2);
}

function putLink(state: StateInline, href: string, text: string): void {
  renderingOf(state.env).noteLink(href);
  state.push("link_open", "a", 1).attrs = [["href", href]];
  state.push("text", "", 0).content = text;
  state.push("link_close", "a", -1);
}
