import type { Kv } from "@/lib/store/kv.ts";
import { LRUCache } from "lru-cache";
import { createLru } from "@/lib/core/lru.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { readMany } from "@/lib/store/read_many.ts";
import { changedBetween, type ChangePosition, haveHostsChanged, readChangePosition } from "./change_log.ts";
import { type BlockList, createBlockList, listBlockedHosts } from "./hostnames.ts";
import { limitsOf, type LinkLimits } from "./link_state.ts";
import { searchedWords } from "./search/words.ts";
import { linkKeys, type LinkRecord, readLink } from "./store.ts";

/** Maximum number of links in memory. */
const MAX_LINKS = 50_000;
/** Maximum size of all stored links in memory, and that of one beside its texts, in UTF-16 units. */
const MAX_STORED_SIZE = 8 * 1024 * 1024;
const STORED_SIZE = 200;

/** A link with the values that its responses need. */
export interface Link {
  readonly short: string;
  readonly url: string;
  readonly createdAt: number;
  readonly isBlocked: boolean;
  /** Redirect target for browsers; null when the target cannot be redirected to. */
  readonly location: string | null;
  /** Properties that can close it; null for most links. */
  readonly limits: LinkLimits | null;
}

/** A link as stored, which may be deleted, with the words and tags that a search compares. */
export interface StoredLink {
  readonly record: LinkRecord;
  readonly words: readonly string[];
}

/** Size of a cache, and the host names that the operator blocks. */
export interface LinkCacheOptions {
  readonly hostnames?: readonly string[];
  readonly max?: number;
}

/**
 * Reads links through a cache in memory. All cached links were current at one moment, `position`. A commit that
 * checks it proves that they still are; `refresh` moves it to the present.
 * It drops the least recently used link when it is full. Missing ids are not cached, because they may be assigned later.
 */
export class LinkCache {
  readonly #kv: Kv;
  readonly #hostnames: readonly string[];
  readonly #links: ReturnType<typeof createLru<string, Link>>;
  readonly #stored = new LRUCache<string, StoredLink>({
    maxSize: MAX_STORED_SIZE,
    sizeCalculation: ({ record: { url, title = "", note = "" } }) =>
      STORED_SIZE + 2 * url.length + 2 * title.length + note.length,
  });
  #isBlocked: BlockList;
  #position: ChangePosition | null = null;
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(kv: Kv, { hostnames = [], max = MAX_LINKS }: LinkCacheOptions = {}) {
    this.#kv = kv;
    this.#hostnames = hostnames;
    this.#links = createLru<string, Link>(max);
    this.#isBlocked = createBlockList(hostnames);
  }

  /** Moment at which all cached links were current; null before the first read. */
  get position(): ChangePosition | null {
    return this.#position;
  }

  /** Whether a URL leads to a host that was blocked at `position`. */
  isBlocked(url: string): boolean {
    return this.#isBlocked(url);
  }

  /** Returns a cached link without waiting. */
  peek(short: string): Link | undefined {
    return this.#links.get(short);
  }

  /** Returns the link, or null when the id was never assigned. */
  async read(short: string): Promise<Link | null> {
    for (;;) {
      const known = this.#links.get(short);
      if (known !== undefined) return known;
      if (this.#position === null) await this.refresh();
      const position = this.#position;
      const record = await readLink(this.#kv, short);
      if (record === null) return null;
      // A record that was read before a refresh may be one that the refresh would have dropped.
      if (position !== this.#position) continue;
      const link = toLink(short, record, this.#isBlocked);
      this.#links.set(short, link);
      return link;
    }
  }

  /** Returns links as stored, in the order of their ids; null for ids that were never assigned. */
  async readStored(shorts: readonly string[]): Promise<readonly (StoredLink | null)[]> {
    if (this.#position === null) await this.refresh();
    const known = shorts.map((short) => this.#stored.get(short) ?? null);
    const missing = shorts.filter((_, at) => known[at] === null);
    if (missing.length === 0) return known;
    const position = this.#position;
    const entries = await readMany<LinkRecord>(this.#kv, missing.map((short) => linkKeys.link(short)));
    const read = new Map(missing.map((short, at) => [short, toStoredLink(entries[at]?.value ?? null)]));
    // A record that was read before a refresh may be one that the refresh would have dropped.
    if (position === this.#position) {
      for (const [short, link] of read) if (link !== null) this.#stored.set(short, link);
    }
    return shorts.map((short, at) => known[at] ?? read.get(short) ?? null);
  }

  /**
   * Drops the links that any process changed, and reads the blocked hosts again if they changed. Callers share a read,
   * which begins after all of them called and after the one before.
   */
  refresh(): Promise<void> {
    return this.#next ??= this.#loadNext();
  }

  async #loadNext(): Promise<void> {
    await yieldToEventLoop();
    await this.#last.catch(() => {});
    this.#next = null;
    await (this.#last = this.#load());
  }

  async #load(): Promise<void> {
    const position = await readChangePosition(this.#kv);
    const before = this.#position;
    if (position.versionstamp === before?.versionstamp) return;
    if (haveHostsChanged(before, position)) {
      const stored = await listBlockedHosts(this.#kv);
      this.#isBlocked = createBlockList([...this.#hostnames, ...stored.map(({ host }) => host)]);
    }
    const changed = before === null ? null : changedBetween(before, position);
    for (const links of [this.#links, this.#stored]) {
      if (changed === null) links.clear();
      else for (const short of changed) links.delete(short);
    }
    this.#position = position;
  }
}

function toStoredLink(record: LinkRecord | null): StoredLink | null {
  return record === null ? null : { record, words: searchedWords(record) };
}

function toLink(short: string, record: LinkRecord, isBlocked: BlockList): Link {
  const { url, createdAt, deletedAt } = record;
  const limits = limitsOf(record);
  if (deletedAt !== undefined) return { short, url, createdAt, isBlocked: false, location: null, limits };
  return { short, url, createdAt, isBlocked: isBlocked(url), location: toLocation(url), limits };
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
