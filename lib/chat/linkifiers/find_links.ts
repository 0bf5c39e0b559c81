import type { LinkMatch } from "../rendering/context.ts";
import { safeHref } from "../rendering/url.ts";
import type { LinkifierFields } from "./linkifier.ts";
import { type CompiledPattern, compilePattern, readGroups } from "./pattern.ts";
import { expandUriTemplate, parseUriTemplate, type UriTemplate } from "./uri_template.ts";

/** A linkifier that is ready to search with. */
export interface CompiledLinkifier {
  readonly pattern: CompiledPattern;
  readonly template: UriTemplate;
}

/** A place that a linkifier makes a link of, and what its named groups hold there. */
export interface FoundLink extends LinkMatch {
  readonly groups: ReadonlyMap<string, string>;
}

/** A link among those of several linkifiers. */
export interface OwnedLink extends FoundLink {
  /** The place of the linkifier that makes it, from 0. */
  readonly by: number;
}

/** Links that linkifiers make in one message at most. */
export const MAX_LINKS = 1000;
/** The longest address that a linkifier makes, in UTF-16 units. */
const MAX_URL = 4000;
/** All addresses of one message together, in UTF-16 units. */
const MAX_URLS = 100_000;
/** The work on one message: characters searched, times the cost of the pattern that searches them; some hundredths of a second at the worst. */
const MAX_WORK = 6_000_000;

/** A linkifier made ready, or null for one that is not good. */
export function compileLinkifier({ pattern, url_template }: LinkifierFields): CompiledLinkifier | null {
  const compiled = compilePattern(pattern);
  const template = parseUriTemplate(url_template);
  return "problem" in compiled || template === null ? null : { pattern: compiled, template };
}

/**
 * What linkifiers make of the texts of one message, an earlier one before a later one; addresses lead elsewhere by http,
 * https or mailto. When the message's share of work, links or addresses is used up, the rest stays text: the same
 * for the same texts, on any machine.
 */
export function createLinkify(
  linkifiers: readonly CompiledLinkifier[],
  share: LinkifierBudget = createLinkifierBudget(),
): (text: string) => readonly OwnedLink[] {
  return (text) => {
    const owned = new Uint8Array(text.length);
    return linkifiers.flatMap((linkifier, by) =>
      findLinks(linkifier, text, { share, owned }).map((link) => ({ ...link, by }))
    );
  };
}

/** What is left to one message, or to whatever else shares it; nothing is found once `work` is below zero. */
export interface LinkifierBudget {
  work: number;
  links: number;
  urls: number;
}

/** What one message may use; `times` as much for what stands for several. */
export function createLinkifierBudget(times = 1): LinkifierBudget {
  return { work: times * MAX_WORK, links: times * MAX_LINKS, urls: times * MAX_URLS };
}

/** The links that one linkifier alone makes in a text. */
export function findLinksOf(
  linkifier: CompiledLinkifier,
  text: string,
  share: LinkifierBudget = createLinkifierBudget(),
): FoundLink[] {
  return findLinks(linkifier, text, { share, owned: new Uint8Array(text.length) });
}

function findLinks(
  { pattern, template }: CompiledLinkifier,
  text: string,
  { share, owned }: { share: LinkifierBudget; owned: Uint8Array },
): FoundLink[] {
  const found: FoundLink[] = [];
  if (!text.includes(pattern.prefix)) return found;
  const matcher = pattern.bounded.matcher(text);
  for (let at = 0; at < text.length && share.links > 0;) {
    share.work -= (text.length - at) * pattern.cost;
    if (share.work < 0 || !matcher.find(at)) break;
    const start = matcher.start(1);
    const end = matcher.end(1);
    const taken = owned.subarray(start, end).lastIndexOf(1);
    // What is empty never links; the search goes on behind what was looked at.
    at = taken < 0 ? Math.max(end, start + 1) : start + taken + 1;
    if (taken >= 0 || end <= start) continue;
    const groups = readGroups(pattern, matcher);
    const url = safeUrl(expandUriTemplate(template, groups));
    if (url === null || url.length > share.urls) continue;
    owned.fill(1, start, end);
    share.links--;
    share.urls -= url.length;
    found.push({ start, end, url, groups });
  }
  return found;
}

/** The address as it may be written, or null: whoever writes a message must not lead readers astray, nor run anything. */
function safeUrl(url: string): string | null {
  if (url.length > MAX_URL || !/^(?:https?:\/\/|mailto:)/i.test(url)) return null;
  const { username = "", password = "" } = URL.parse(url) ?? {};
  return username === "" && password === "" ? safeHref(url) : null;
}
