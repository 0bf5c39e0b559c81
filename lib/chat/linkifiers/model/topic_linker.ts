import { LRUCache } from "lru-cache";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { renderTopicLinks } from "@/lib/chat/rendering/urls.ts";
import { type CompiledLinkifier, createLinkify, type LinkifierBudget } from "./find_links.ts";

/** A link in a topic. */
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

/** Finds the links in topics. */
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

/** Creates a linker with an empty cache. */
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
