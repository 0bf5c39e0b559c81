import type { Store } from "@/lib/store/open.ts";
import { LRUCache } from "lru-cache";
import { AppError, toError } from "@/lib/core/errors.ts";
import { CommitQueue } from "@/lib/store/commit_queue.ts";
import { toValue } from "@/lib/store/key.ts";
import { readMany } from "@/lib/store/reads.ts";
import { backOff } from "@/lib/store/retry.ts";
import type { Tx } from "@/lib/store/tx.ts";
import { createBlockList, listBlockedHosts } from "./hostnames.ts";
import { searchedWords } from "./search/words.ts";
import { linkKeys, type LinkRecord } from "./store.ts";

/** Maximum size of all links in memory, and that of one beside its texts, in UTF-16 units. */
const MAX_SIZE = 16 * 1024 * 1024;
const LINK_SIZE = 200;

/** A link with the values that its responses need. */
export interface Link extends LinkRecord {
  readonly short: string;
  readonly isBlocked: boolean;
  /** Redirect target for browsers; null when the target cannot be redirected to. */
  readonly location: string | null;
}

export type ClosedReason = "deleted" | "blocked" | "disabled" | "expired" | "used_up";

/** Refusal of an id without a link. It is created once, because taking its stack is a tenth of the cost of a refusal. */
export const NO_LINK = new AppError("NOT_FOUND", "No short link has this ID.");
export const CLOSED: Readonly<Record<ClosedReason, AppError>> = {
  deleted: new AppError("GONE", "This short link was deleted."),
  blocked: new AppError("GONE", "The link leads to a host that is blocked on this server."),
  disabled: new AppError("GONE", "This short link is disabled."),
  expired: new AppError("GONE", "This short link has expired."),
  used_up: new AppError("GONE", "This short link has reached its maximum number of visits."),
};

/** Returns why a link is closed at a time and after a number of visits, if that is known; null when it is open. */
export function findClosedReason(link: Link, time: number, visits = 0): ClosedReason | null {
  if (link.deletedAt !== undefined) return "deleted";
  if (link.isBlocked) return "blocked";
  if (link.isDisabled === true) return "disabled";
  if (time >= (link.expiresAt ?? Infinity)) return "expired";
  return visits >= (link.maxVisits ?? Infinity) ? "used_up" : null;
}

/**
 * Changes of links and blocked hosts, in one record that every such change writes. A commit that checks it
 * fails when something changed in any process, and the ids say which cached links to drop.
 */
interface LinkChanges {
  /** Number of changed links so far. */
  readonly links: number;
  /** Number of changes of the blocked hosts so far. */
  readonly hosts: number;
  /** Ids of the latest changed links, the latest one last. */
  readonly recent: readonly string[];
}

/** Maximum number of ids in the record; with the longest ids, they take half of a value's 65,536 bytes. */
const MAX_RECENT = 120;
const NO_CHANGES: LinkChanges = { links: 0, hosts: 0, recent: [] };

/** Announces changed links, or else a change of the blocked hosts, to all processes, in the commit of the change. */
export async function announceChange(tx: Tx, shorts?: readonly string[]): Promise<void> {
  const { links, hosts, recent } = await tx.get<LinkChanges>(linkKeys.changes) ?? NO_CHANGES;
  const changes: LinkChanges = shorts === undefined
    ? { links, hosts: hosts + 1, recent }
    : { links: links + shorts.length, hosts, recent: [...recent, ...shorts].slice(-MAX_RECENT) };
  tx.set(linkKeys.changes, changes);
}

/** State of the changes at one moment, which a commit can check. */
export type ChangePosition = Deno.KvEntryMaybe<LinkChanges>;

/** Results of items, or their refusals. */
export type Outcomes<Item, Result> = Map<Item, Result | AppError>;

/**
 * Reads links through a cache in memory. All cached links were current at one moment, `position`. A commit that
 * checks it proves that they still are; `refresh` moves it to the present.
 * It drops the least recently used links when it is full. Missing ids are not cached, because they may be assigned later.
 */
export class LinkCache {
  readonly #store: Pick<Store, "kv" | "tally">;
  readonly #hostnames: readonly string[];
  readonly #links = new LRUCache<string, Link>({
    maxSize: MAX_SIZE,
    sizeCalculation: ({ url, title = "", note = "" }) =>
      LINK_SIZE + 2 * url.length + 2 * title.length + note.length,
  });
  readonly #words = new WeakMap<Link, readonly string[]>();
  #isBlocked: (url: string) => boolean;
  #position: ChangePosition | null = null;
  readonly #refreshes = new CommitQueue<null, ChangePosition>({
    maxItems: Infinity,
    commit: async (callers) => {
      const position = await this.#load();
      return callers.map(() => position);
    },
  });

  /** `hostnames` are those that the operator blocks. */
  constructor(store: Pick<Store, "kv" | "tally">, hostnames: readonly string[]) {
    this.#store = store;
    this.#hostnames = hostnames;
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

  /** Returns the link, which may be closed, at once if it is cached; null when the id was never assigned. */
  read(short: string): Link | Promise<Link | null> {
    return this.#links.get(short) ?? this.readAll([short]).then((links) => links.get(short) ?? null);
  }

  /** Returns links as of `position`, by their ids; those of ids that were never assigned are absent. */
  async readAll(shorts: readonly string[]): Promise<ReadonlyMap<string, Link>> {
    for (;;) {
      const position = this.#position ?? await this.refresh();
      const links = new Map<string, Link>();
      const missing = new Set<string>();
      for (const short of shorts) {
        // Only `read` marks a link as used: a visit reads it first.
        const link = this.#links.peek(short);
        if (link === undefined) missing.add(short);
        else links.set(short, link);
      }
      if (missing.size === 0) return links;
      const keys = [...missing].map((short) => linkKeys.link(short));
      const entries = await readMany<LinkRecord>(this.#store.kv, keys);
      // A record that was read before a refresh may be one that the refresh would have dropped.
      if (position !== this.#position) continue;
      for (const { key, value } of entries) {
        if (value === null) continue;
        const short = toValue<string>(key[1]);
        const link = this.toLink(short, value);
        this.#links.set(short, link);
        links.set(short, link);
      }
      return links;
    }
  }

  /**
   * Decides about items in commits that check `position`, and returns their outcomes in order. `attempt` returns the
   * outcomes that are certain. If there are none, something has changed, and it runs again with the position of then.
   */
  async decide<Item, Result>(
    items: readonly Item[],
    attempt: (items: readonly Item[], position: ChangePosition) => Promise<Outcomes<Item, Result>>,
  ): Promise<(Result | Error)[]> {
    const all = new Map<Item, Result | Error>();
    let waiting = items;
    try {
      for (let failed = 0; waiting.length > 0;) {
        const outcomes = await attempt(waiting, this.#position ?? await this.refresh());
        for (const [item, outcome] of outcomes) all.set(item, outcome);
        waiting = waiting.filter((item) => !all.has(item));
        if (outcomes.size > 0) continue;
        this.#store.tally.conflicts++;
        await this.refresh();
        if (failed++ > 0) await backOff(Math.min(failed, 6));
      }
    } catch (error) {
      // A commit before may have stored some of them.
      for (const item of waiting) all.set(item, toError(error));
    }
    return items.flatMap((item) => all.get(item) ?? []);
  }

  /** Returns a record as a link, as of `position`. */
  toLink(short: string, record: LinkRecord): Link {
    const isDeleted = record.deletedAt !== undefined;
    return {
      ...record,
      short,
      isBlocked: !isDeleted && this.isBlocked(record.url),
      location: isDeleted ? null : toLocation(record.url),
    };
  }

  /** Returns `searchedWords`, which are found once for each link in memory. */
  wordsOf(link: Link): readonly string[] {
    let words = this.#words.get(link);
    if (words === undefined) this.#words.set(link, words = searchedWords(link));
    return words;
  }

  /**
   * Drops the links that any process changed, and reads the blocked hosts again if they changed. Callers share a read,
   * which begins after all of them called and after the one before.
   */
  refresh(): Promise<ChangePosition> {
    return this.#refreshes.submit(null);
  }

  async #load(): Promise<ChangePosition> {
    const position = await this.#store.kv.get<LinkChanges>(linkKeys.changes);
    const before = this.#position;
    if (before !== null && position.versionstamp === before.versionstamp) return before;
    const [from, to] = [before?.value ?? NO_CHANGES, position.value ?? NO_CHANGES];
    if (before === null || from.hosts !== to.hosts) {
      const stored = await listBlockedHosts(this.#store.kv);
      this.#isBlocked = createBlockList([...this.#hostnames, ...stored.map(({ host }) => host)]);
    }
    const count = to.links - from.links;
    // It is not known what changed after a backup was restored. Blocked hosts concern every link.
    if (from.hosts !== to.hosts || count <= 0 || count > to.recent.length) this.#links.clear();
    else for (const short of to.recent.slice(-count)) this.#links.delete(short);
    return this.#position = position;
  }
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
