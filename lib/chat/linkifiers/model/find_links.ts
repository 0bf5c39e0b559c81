import type { LinkMatch } from "@/lib/chat/rendering/context.ts";
import { toSafeHref } from "@/lib/chat/rendering/urls.ts";
import type { LinkifierFields } from "./linkifier.ts";
import { type CompiledPattern, compilePattern, readGroups } from "./pattern.ts";
import { expandUriTemplate, parseUriTemplate, type UriTemplate } from "./uri_template.ts";

/** A compiled linkifier. */
export interface CompiledLinkifier {
  readonly pattern: CompiledPattern;
  readonly template: UriTemplate;
}

/** A link that a linkifier makes, with the values of its named groups. */
export interface FoundLink extends LinkMatch {
  readonly groups: ReadonlyMap<string, string>;
}

/** A link made by one of several linkifiers. */
export interface IndexedLink extends FoundLink {
  /** Index of the linkifier that makes it. */
  readonly linkifierIndex: number;
}

/** Maximum number of links that linkifiers make in one message. */
export const MAX_LINKS = 1000;
/** Maximum length of a URL that a linkifier makes, in UTF-16 units. */
const MAX_URL = 4000;
/** Maximum length of all URLs of one message together, in UTF-16 units. */
const MAX_URLS = 100_000;
/**
 * Work on one message: characters searched times the cost of the pattern; some hundredths of a second at
 * worst.
 */
const MAX_WORK = 4_000_000;
/** Characters that starting a search counts as. */
const SEARCH_CHARACTERS = 20;

/** Compiles a linkifier; returns null if it is invalid. */
export function compileLinkifier({ pattern, url_template }: LinkifierFields): CompiledLinkifier | null {
  const compiled = compilePattern(pattern);
  const template = parseUriTemplate(url_template);
  return "problem" in compiled || template === null ? null : { pattern: compiled, template };
}

/**
 * Creates a function that finds the http, https and mailto links in the texts of one message; earlier
 * linkifiers override later ones. Text beyond the budget stays text: the same for the same texts on any
 * machine.
 */
export function createLinkify(
  linkifiers: readonly CompiledLinkifier[],
  budget: LinkifierBudget = createLinkifierBudget(),
): (text: string) => readonly IndexedLink[] {
  return (text) => {
    if (isSpent(budget)) return [];
    const isLinked = new Uint8Array(text.length);
    return linkifiers.flatMap((linkifier, linkifierIndex) =>
      findLinks(linkifier, text, { budget, isLinked }).map((link) => ({ ...link, linkifierIndex }))
    );
  };
}

/** Remaining budget of one message; once `work` is negative, no more links are found. */
export interface LinkifierBudget {
  work: number;
  links: number;
  urls: number;
}

function isSpent({ work, links }: LinkifierBudget): boolean {
  return work < 0 || links <= 0;
}

/** Creates the budget of one message, or of `times` messages. */
export function createLinkifierBudget(times = 1): LinkifierBudget {
  return { work: times * MAX_WORK, links: times * MAX_LINKS, urls: times * MAX_URLS };
}

/** Finds the links that one linkifier alone makes in a text. */
export function findLinkifierLinks(
  linkifier: CompiledLinkifier,
  text: string,
  budget: LinkifierBudget = createLinkifierBudget(),
): FoundLink[] {
  return findLinks(linkifier, text, { budget, isLinked: new Uint8Array(text.length) });
}

/** Finds links and marks their characters with 1 in `isLinked`, one byte per UTF-16 unit. */
function findLinks(
  { pattern, template }: CompiledLinkifier,
  text: string,
  { budget, isLinked }: { budget: LinkifierBudget; isLinked: Uint8Array },
): FoundLink[] {
  const found: FoundLink[] = [];
  if (isSpent(budget) || !text.includes(pattern.prefix)) return found;
  const matcher = pattern.bounded.matcher(text);
  for (let at = 0; at < text.length && budget.links > 0;) {
    budget.work -= (text.length - at + SEARCH_CHARACTERS) * pattern.cost;
    if (budget.work < 0 || !matcher.find(at)) break;
    const start = matcher.start(1);
    const end = matcher.end(1);
    const lastLinked = isLinked.subarray(start, end).lastIndexOf(1);
    // An empty match makes no link; the search continues one character after it.
    at = lastLinked < 0 ? Math.max(end, start + 1) : start + lastLinked + 1;
    if (lastLinked >= 0 || end <= start) continue;
    const groups = readGroups(pattern, matcher);
    const url = toSafeUrl(expandUriTemplate(template, groups));
    if (url === null || url.length > budget.urls) continue;
    isLinked.fill(1, start, end);
    budget.links--;
    budget.urls -= url.length;
    found.push({ start, end, url, groups });
  }
  return found;
}

/**
 * Returns the URL in its canonical form; null for one with another scheme or with credentials, which mislead
 * readers.
 */
function toSafeUrl(url: string): string | null {
  if (url.length > MAX_URL || !/^(?:https?:\/\/|mailto:)/i.test(url)) return null;
  const { username = "", password = "" } = URL.parse(url) ?? {};
  return username === "" && password === "" ? toSafeHref(url) : null;
}
