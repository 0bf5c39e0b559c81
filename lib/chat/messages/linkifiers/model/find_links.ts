import { LRUCache } from "lru-cache";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import type { LinkMatch } from "@/lib/chat/organization/rendering/context.ts";
import { renderTopicLinks, toSafeHref } from "@/lib/chat/organization/rendering/urls.ts";
import {
  type CompiledPattern,
  compilePattern,
  type LinkifierFields,
  type LinkifierRecord,
  readGroups,
} from "./linkifier.ts";
import { expandUriTemplate, parseUriTemplate, type UriTemplate } from "./uri_template.ts";

export interface CompiledLinkifier {
  readonly pattern: CompiledPattern;
  readonly template: UriTemplate;
}

/** A link that a linkifier makes, with the values of its named groups. */
export interface FoundLink extends LinkMatch {
  readonly groups: ReadonlyMap<string, string>;
}

/** A link made by one of several linkifiers. */
interface IndexedLink extends FoundLink {
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
interface LinkifierBudget {
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

export interface TopicLink {
  /** As in the topic. */
  readonly text: string;
  readonly url: string;
}

/** Work that one request spends on the links in topics. */
export interface TopicWork {
  /** Remaining work; counted down, and negative once exceeded. */
  left: number;
  /** Links of the topics of the request's organization, as many messages share a topic. */
  readonly found: Map<string, Promise<readonly TopicLink[]>>;
}

export interface TopicLinker {
  /**
   * Returns the links in a topic, in the order of their position; none once the request has spent its work,
   * unless the topic is cached.
   */
  find(topic: string, work: TopicWork): Promise<readonly TopicLink[]>;
}

/** Work that one request spends on topics that are not cached: some hundred topics with 50 linkifiers. */
const MAX_REQUEST_WORK = 8_000_000;
/** Budget of one topic, far beyond that of a topic of 60 characters with usual linkifiers. */
const TOPIC_BUDGET: LinkifierBudget = { work: 2_000_000, links: 60, urls: 20_000 };
/** Work after which the event loop takes its turn. */
const SLICE_WORK = 250_000;
/** Maximum number of cached topics and length of their texts and URLs together, in UTF-16 units. */
const MAX_TOPICS = 5000;
const MAX_CACHED_LENGTH = 2_000_000;

/** Creates the work that one request may spend on topics. */
export function createTopicWork(): TopicWork {
  return { left: MAX_REQUEST_WORK, found: new Map() };
}

export function createTopicLinker(linkifiers: readonly CompiledLinkifier[]): TopicLinker {
  const cache = new LRUCache<string, readonly TopicLink[]>({
    max: MAX_TOPICS,
    maxSize: MAX_CACHED_LENGTH,
    sizeCalculation: (links, topic) => lengthOf(topic, links),
  });
  let sinceYield = 0;
  const compute = async (topic: string, work: TopicWork): Promise<readonly TopicLink[]> => {
    const known = cache.get(topic);
    if (known !== undefined) return known;
    if (work.left <= 0) return [];
    const budget = { ...TOPIC_BUDGET };
    const links = renderTopicLinks(
      topic,
      linkifiers.length === 0 ? undefined : createLinkify(linkifiers, budget),
    );
    const spent = TOPIC_BUDGET.work - budget.work;
    work.left -= spent;
    cache.set(topic, links);
    sinceYield += spent;
    if (sinceYield > SLICE_WORK) {
      sinceYield = 0;
      await yieldToEventLoop();
    }
    return links;
  };
  let tail: Promise<unknown> = Promise.resolve();
  return {
    find(topic, work) {
      const known = cache.get(topic);
      if (known !== undefined) return Promise.resolve(known);
      // Topics take turns, so that those of concurrent requests never add up to one long block.
      const found = tail.then(() => compute(topic, work));
      tail = found.catch(() => {});
      return found;
    },
  };
}

/** Returns the length of a topic and its links; positive, as the cache requires. */
function lengthOf(topic: string, links: readonly TopicLink[]): number {
  return links.reduce((sum, { text, url }) => sum + text.length + url.length, 1 + topic.length);
}

export interface StoredLinkifier extends CompiledLinkifier {
  readonly record: LinkifierRecord;
}

export interface ExampleLink {
  readonly id: number;
  /** Link that the linkifier makes alone; null without an example or a valid link in it. */
  readonly link: FoundLink | null;
  /** Earlier linkifiers that link the same or overlapping text instead. */
  readonly overriddenBy: readonly LinkifierRecord[];
  /** Whether the budget was used up before this example was searched. */
  readonly isSkipped: boolean;
}

/** Budget of all examples together, in multiples of the budget of one message. */
const BUDGET_MESSAGES = 4;

/**
 * Finds the link that each linkifier makes of its own example, and the earlier linkifiers that override it;
 * in order.
 */
export function findExampleLinks(linkifiers: readonly StoredLinkifier[]): ExampleLink[] {
  const budget = createLinkifierBudget(BUDGET_MESSAGES);
  const linkify = createLinkify(linkifiers, budget);
  return linkifiers.map((linkifier, index) => {
    const { id, example_input: example } = linkifier.record;
    const [link = null] = example === null ? [] : findLinkifierLinks(linkifier, example, budget);
    const overriding = example === null || link === null || index === 0
      ? []
      : linkify(example).filter((other) => other.linkifierIndex < index && linksOverlap(other, link));
    const overriddenBy = new Set(
      overriding.map(({ linkifierIndex }) => linkifiers[linkifierIndex]?.record).filter((record) =>
        record !== undefined
      ),
    );
    return { id, link, overriddenBy: [...overriddenBy], isSkipped: budget.work < 0 };
  });
}

export function linksOverlap(a: FoundLink, b: FoundLink): boolean {
  return a.start < b.end && b.start < a.end;
}
