import { createLru } from "@/lib/core/lru.ts";
import type { BlockList } from "./hostnames.ts";
import { readLink } from "./store.ts";

/** Maximum number of links in memory; a link never changes, so an entry is never stale. */
const MAX_LINKS = 50_000;

/** A link with the values that its responses need. */
export interface Link {
  readonly short: string;
  readonly url: string;
  readonly createdAt: number;
  readonly isBlocked: boolean;
  /** Redirect target for browsers; null when the target cannot be redirected to. */
  readonly location: string | null;
}

/** Reads links through a cache in memory. */
export interface LinkCache {
  /** Returns a cached link without waiting. */
  peek(short: string): Link | undefined;
  /** Returns the link, or null when the id was never assigned. */
  read(short: string): Promise<Link | null>;
}

/**
 * Creates a cache that drops the least recently used link when it is full. Missing ids are not cached, because they may be
 * assigned later.
 */
export function createLinkCache(kv: Deno.Kv, isBlocked: BlockList, max = MAX_LINKS): LinkCache {
  const links = createLru<string, Link>(max);
  return {
    peek: (short) => links.get(short),
    async read(short) {
      const known = links.get(short);
      if (known !== undefined) return known;
      const record = await readLink(kv, short);
      if (record === null) return null;
      const link = { short, ...record, isBlocked: isBlocked(record.url), location: toLocation(record.url) };
      links.set(short, link);
      return link;
    },
  };
}

/**
 * Returns the Location header of a web address: unchanged if it is plain ASCII with two slashes, else as the
 * URL standard serializes it, because headers carry only ASCII and `http:host` would be read as relative.
 */
function toLocation(url: string): string | null {
  const { protocol, href } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") return null;
  return /^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/i.test(url) ? url : href;
}
