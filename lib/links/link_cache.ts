import type { BlockList } from "./hostnames.ts";
import { readLink } from "./store.ts";

/** Links held in memory; a link never changes, so an entry is never stale. */
const CAPACITY = 50_000;

/** A link and what follows from it, ready to answer with. */
export interface Link {
  readonly short: string;
  readonly url: string;
  readonly createdAt: number;
  readonly isBlocked: boolean;
  /** Where a browser is sent, or null when the target is nothing that a redirect can lead to. */
  readonly location: string | null;
}

/** Reads links, from memory where they are known. */
export interface LinkCache {
  /** A link that is known already, without waiting. */
  peek(short: string): Link | undefined;
  /** The link, or null when the id was never handed out. */
  read(short: string): Promise<Link | null>;
}

/** A cache that forgets the oldest when it is full. Ids that do not exist are not remembered: they may come to be. */
export function createLinkCache(kv: Deno.Kv, isBlocked: BlockList): LinkCache {
  const links = new Map<string, Link>();
  return {
    peek: (short) => links.get(short),
    async read(short) {
      const known = links.get(short);
      if (known !== undefined) return known;
      const record = await readLink(kv, short);
      if (record === null) return null;
      const link = { short, ...record, isBlocked: isBlocked(record.url), location: toLocation(record.url) };
      if (links.size >= CAPACITY) links.delete(links.keys().next().value ?? "");
      links.set(short, link);
      return link;
    },
  };
}

/**
 * The value of a Location header for a web address: as it was sent where it is plain ASCII with two slashes, else as
 * the URL standard writes it, because headers carry nothing but ASCII and `http:host` would be read as relative.
 */
function toLocation(url: string): string | null {
  const { protocol, href } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") return null;
  return /^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/i.test(url) ? url : href;
}
