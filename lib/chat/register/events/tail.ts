import { partition } from "es-toolkit/array/partition";
import { chunk } from "es-toolkit/array/chunk";
import { isNetworkStore, type Store } from "@/lib/store/open.ts";
import { type Entry, toEntry } from "@/lib/store/key.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import {
  COMMIT_LAG_MS,
  EVENT_LIFETIME_MS,
  eventKeys,
  eventSignal,
  type StoredEvent,
} from "@/lib/chat/organization/events/model.ts";

/** Maximum number of events in one commit, which writes no more keys. */
const PER_COMMIT = 1000;
/**
 * Digits of a version stamp that distinguish the commits of one moment in a large store; the embedded store
 * has zeros.
 */
const WITHIN_MOMENT = /....$/;

/**
 * Kind of the event ids of a store: `exact` when each event has its own, else the events of one moment share
 * an id.
 */
type IdScheme = "exact" | "by moment";

/**
 * Returns the kind of a store's event ids. The embedded store counts commits, which leaves room for the
 * position of each event in its commit. A large store counts microseconds, which does not: its events of one
 * moment share an id and are delivered together.
 */
export function idScheme(store: Pick<Store, "path" | "location">): IdScheme {
  return isNetworkStore(store) ? "by moment" : "exact";
}

/**
 * Returns the id of the event at a position, from 0, of the commit with a version stamp. Ids ascend with
 * commits.
 */
export function toEventId(scheme: IdScheme, versionstamp: string, position: number): number {
  const moment = Number(`0x${versionstamp.replace(WITHIN_MOMENT, "")}`);
  return scheme === "exact" ? moment * PER_COMMIT + Math.min(position, PER_COMMIT - 1) : moment;
}

/**
 * Returns an id not below those of the events up to the commit with a version stamp, and below those of later
 * events.
 */
export function toStartId(scheme: IdScheme, versionstamp: string): number {
  return toEventId(scheme, versionstamp, PER_COMMIT - 1);
}

/** Returns the largest id that an event in the same commit as the event with this id can have. */
export function lastIdOf(scheme: IdScheme, id: number): number {
  return scheme === "exact" ? id - id % PER_COMMIT + PER_COMMIT - 1 : id;
}

export interface NumberedEvent {
  readonly id: number;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly stored: StoredEvent;
}

/** Rows that the store reads at one moment. */
const BATCH = 500;

interface EventRange {
  /** Time of the oldest event, in milliseconds since 1970 UTC. */
  readonly from: number;
  /** Maximum number of events, counted from the newest. */
  readonly limit: number;
  /**
   * Version stamp of the last commit whose events are returned, one that was made before the read; null to return all.
   * Batches are read at different moments, so that later commits may be read in part.
   */
  readonly upTo: string | null;
}

/** Returns the events of an organization in a range, in the order of their ids, and whether older ones are beyond the limit. */
async function readEvents(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  { from, limit, upTo }: EventRange,
): Promise<{ events: readonly NumberedEvent[]; isTruncated: boolean }> {
  const prefix = eventKeys.events(realmId);
  const range = { prefix: [...prefix], start: [...prefix, from] };
  const rows: Entry<StoredEvent>[] = [];
  for await (
    const entry of store.kv.list(range, {
      reverse: true,
      batchSize: BATCH,
      ...(limit === Infinity ? {} : { limit }),
    })
  ) {
    rows.push(toEntry<StoredEvent>(entry));
  }
  const wanted = rows.filter(({ versionstamp }) => upTo === null || versionstamp <= upTo);
  return { events: numberEvents(idScheme(store), wanted.reverse()), isTruncated: rows.length === limit };
}

/** Numbers events, which come in the order of their keys. */
function numberEvents(scheme: IdScheme, rows: readonly Entry<StoredEvent>[]): NumberedEvent[] {
  const commits = [...Map.groupBy(rows, ({ versionstamp }) => versionstamp)];
  commits.sort(([one], [other]) => one < other ? -1 : 1);
  return commits.flatMap(([versionstamp, entries]) =>
    sortEntries(entries).map(({ key, value }, position) => ({
      id: toEventId(scheme, versionstamp, position),
      at: Number(key[2]),
      stored: value,
    }))
  );
}

/**
 * Puts the messages of a shared commit first, by id, before what came with them; the keys of other events are in
 * order already.
 */
function sortEntries(entries: readonly Entry<StoredEvent>[]): Entry<StoredEvent>[] {
  const [messages, others] = partition(entries, ({ value }) => value.event.type === "message");
  return [...messages.sort((a, b) => messageIdOf(a) - messageIdOf(b)), ...others];
}

function messageIdOf({ value }: Entry<StoredEvent>): number {
  return Number(value.event["message_id"]);
}

/** Maximum number of events of an organization that are kept in memory. */
export const MAX_EVENTS_IN_MEMORY = 20_000;
/** Milliseconds between two checks for events committed by other processes, each of which reads one counter. */
export const RECHECK_MS = 250;
/**
 * Pause after a read of events, as a multiple of its duration: heavy traffic delays responses instead of blocking
 * everything else.
 */
const PACE = 9;
/**
 * Milliseconds before the newest known event from which new ones are read, until all that were counted are found. A
 * commit may lag behind the time of its events, but most take some milliseconds.
 */
const LAGS_MS = [100, 1000, COMMIT_LAG_MS];
/** Requests that continue in one turn of the event loop. */
const WAKE_BATCH = 50;

/** The newest events of one organization, shared by all requests of this process that wait for them. */
export class Tail implements Disposable {
  readonly #listener: Disposable;
  readonly #waiting = new Set<() => void>();
  #events: NumberedEvent[] = [];
  #floor = 0;
  #head = 0;
  #newestAt = 0;
  #isFirst = true;
  #isDirty = true;
  /** Number of events that were ever stored, as of the last read. */
  #count = 0;
  #readAt = -Infinity;
  #tookMs = 0;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  #scheduled: ReturnType<typeof setTimeout> | null = null;
  #recheck: ReturnType<typeof setInterval> | null = null;

  constructor(private readonly app: ChatApp, private readonly realmId: number) {
    this.#listener = app.store.signals.listen(eventSignal(realmId), () => {
      this.#isDirty = true;
      if (this.#waiting.size > 0) this.#schedule();
    });
  }

  /** Id of the newest known event; 0 when there was none recently. */
  get head(): number {
    return this.#head;
  }

  /** Whether a request waits for the next event. */
  get hasWaiters(): boolean {
    return this.#waiting.size > 0;
  }

  /** Resolves when all earlier commits of this process are known, and those of others up to RECHECK_MS ago. */
  async settle(): Promise<void> {
    const age = this.app.clock.monotonic() - this.#readAt;
    if (this.#isDirty || age >= RECHECK_MS) await this.#refresh();
    else await this.#running;
  }

  /**
   * Returns the events after the one with this id, in order. Reads the store for events that left the memory.
   */
  async after(id: number): Promise<readonly NumberedEvent[]> {
    if (id < this.#floor) {
      const head = this.#head;
      const { events } = await readEvents(this.app, this.realmId, {
        from: this.app.clock.now() - EVENT_LIFETIME_MS,
        limit: Infinity,
        upTo: null,
      });
      return events.filter((event) => event.id > id && event.id <= head);
    }
    const at = this.#events.findLastIndex((event) => event.id <= id);
    return this.#events.slice(at + 1);
  }

  /** Resolves when there are events after the one with this id, or the signal is aborted. */
  wait(id: number, signal: AbortSignal): Promise<void> {
    if (this.#head > id || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener("abort", wake);
        this.#waiting.delete(wake);
        if (this.#waiting.size === 0) this.#stopTimers();
        resolve();
      };
      signal.addEventListener("abort", wake);
      this.#waiting.add(wake);
      this.#recheck ??= setInterval(() => this.#schedule(), RECHECK_MS);
      if (this.#isDirty) this.#schedule();
    });
  }

  [Symbol.dispose](): void {
    this.#listener[Symbol.dispose]();
    this.#wakeAll();
    this.#stopTimers();
  }

  /**
   * Wakes the waiting requests in small batches, so that others are served in between. The one answered last
   * is first: the next event is more likely to concern it than a request that has waited for long.
   */
  async #wakeAll(): Promise<void> {
    for (const batch of chunk([...this.#waiting].reverse(), WAKE_BATCH)) {
      for (const wake of batch) wake();
      await yieldToEventLoop();
    }
  }

  #stopTimers(): void {
    if (this.#recheck !== null) clearInterval(this.#recheck);
    if (this.#scheduled !== null) clearTimeout(this.#scheduled);
    this.#recheck = null;
    this.#scheduled = null;
  }

  #schedule(): void {
    const pause = PACE * this.#tookMs - (this.app.clock.monotonic() - this.#readAt);
    this.#scheduled ??= setTimeout(async () => {
      this.#scheduled = null;
      // When the store cannot be read, the next attempt is at the next check; new requests receive the error.
      const isRead = await this.#refresh().then(() => true, () => false);
      if (isRead && this.#isDirty && this.#waiting.size > 0) this.#schedule();
    }, Math.max(0, pause));
  }

  /**
   * One read at a time. A call during a read waits for the next one: its commits may have come too late for
   * this one.
   */
  #refresh(): Promise<void> {
    if (this.#running === null) return this.#startRead();
    this.#next ??= this.#running.catch(() => {}).then(() => {
      this.#next = null;
      return this.#running ?? this.#startRead();
    });
    return this.#next;
  }

  #startRead(): Promise<void> {
    this.#running = this.#readAndWake().finally(() => this.#running = null);
    return this.#running;
  }

  async #readAndWake(): Promise<void> {
    const before = this.#head;
    this.#isDirty = false;
    try {
      await this.#read();
    } catch (error) {
      this.#isDirty = true;
      throw error;
    }
    if (this.#head > before) this.#wakeAll();
  }

  async #read(): Promise<void> {
    const { value, versionstamp } = await this.app.store.kv.get<Deno.KvU64>(eventKeys.count(this.realmId));
    const count = Number(value?.value ?? 0n);
    // Without the read of the counter, which takes long only while the event loop is busy with responses.
    const started = this.app.clock.monotonic();
    if (this.#isFirst) await this.#readNewest(versionstamp);
    else if (count !== this.#count) await this.#readNew(count - this.#count, versionstamp);
    this.#count = count;
    this.#readAt = this.app.clock.monotonic();
    // The first read is not repeated, however long it took.
    this.#tookMs = this.#isFirst ? 0 : this.#readAt - started;
    this.#isFirst = false;
  }

  async #readNewest(upTo: string | null): Promise<void> {
    const { events, isTruncated } = await readEvents(this.app, this.realmId, {
      from: this.app.clock.now() - EVENT_LIFETIME_MS,
      limit: MAX_EVENTS_IN_MEMORY,
      upTo,
    });
    // Events older than the oldest one read may have been committed a little later.
    const oldest = events.reduce((least, { at }) => Math.min(least, at), Infinity);
    this.#newestAt = events.reduce((last, { at }) => Math.max(last, at), 0);
    if (isTruncated) {
      this.#floor = events.findLast(({ at }) => at <= oldest + COMMIT_LAG_MS)?.id ?? this.#floor;
    }
    this.#head = Math.max(this.#head, this.#floor);
    this.#append(events.filter(({ id }) => id > this.#head));
  }

  /** Reads a number of events that were committed since the last read. */
  async #readNew(missing: number, upTo: string | null): Promise<void> {
    const newest = Math.min(this.#newestAt, this.app.clock.now());
    let fresh: readonly NumberedEvent[] = [];
    for (const lag of LAGS_MS) {
      const range = { from: newest - lag, limit: Infinity, upTo };
      const { events } = await readEvents(this.app, this.realmId, range);
      fresh = events.filter(({ id }) => id > this.#head);
      if (fresh.length === missing) break;
    }
    this.#append(fresh);
  }

  #append(fresh: readonly NumberedEvent[]): void {
    for (const event of fresh) {
      this.#events.push(event);
      this.#head = event.id;
      this.#newestAt = Math.max(this.#newestAt, event.at);
    }
    const horizon = this.app.clock.now() - EVENT_LIFETIME_MS;
    const kept = this.#events.findIndex(({ at }) => at >= horizon);
    const removed = Math.max(
      kept < 0 ? this.#events.length : kept,
      this.#events.length - MAX_EVENTS_IN_MEMORY,
    );
    this.#floor = Math.max(this.#floor, this.#events[removed - 1]?.id ?? 0);
    if (removed > 0) this.#events = this.#events.slice(removed);
  }
}
