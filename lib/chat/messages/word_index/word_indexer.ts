import { toHex } from "@/lib/core/bytes.ts";
import type { WordIndexer } from "@/lib/chat/organization/app.ts";
import type { Clock } from "@/lib/core/clock.ts";
import { createWorker } from "@/lib/core/worker.ts";
import type { Store } from "@/lib/store/open.ts";
import {
  applyWordChanges,
  IndexConflict,
  indexLatest,
  type OpenIndex,
  openWordIndex,
} from "./index_words.ts";
import { wordIndexKeys } from "./store.ts";

export interface IndexerLimits {
  /** Number of messages from which they are indexed; fewer stay where searches read their text. */
  readonly round: number;
  /** Number of messages of this process that may wait; senders of further ones wait for the indexer. */
  readonly backlog: number;
  /** Milliseconds without progress after which another process counts as dead. */
  readonly patienceMs: number;
}

const LIMITS: IndexerLimits = { round: 128, backlog: 4000, patienceMs: 3000 };
const EVERY_MS = 2000;
/** Milliseconds between looks at all organizations, because processes that ended may have left work. */
const EVERYWHERE_MS = 60 * 60 * 1000;
/** Pause after a commit, as a multiple of its duration; shorter as more messages wait. */
const PACE = 3;
const MAX_PAUSE_MS = 500;

/**
 * Creates the indexer of a store's messages. Several processes may run one: while one makes progress, the others
 * leave the work to it.
 */
export function createWordIndexer(
  { store, clock, report }: { store: Store; clock: Clock; report: (error: unknown) => void },
  limits: IndexerLimits = LIMITS,
): WordIndexer {
  const indexer = new Indexer({ store, clock }, limits);
  const worker = createWorker((isStopped) => indexer.sweep(isStopped), { everyMs: EVERY_MS, report });
  const wakeWhenDue = (isDue: boolean) => {
    if (isDue) worker.wake();
  };
  return {
    ...worker,
    messageSent: (realmId) => wakeWhenDue(indexer.countMessage(realmId)),
    contentChanged: (realmId) => wakeWhenDue(indexer.countChange(realmId)),
    waitForIndex: (realmId) => indexer.waitForIndex(realmId),
  };
}

/** Work that an organization has for the indexer, as far as this process knows. */
interface Backlog {
  /** Number of messages. */
  messages: number;
  hasChanges: boolean;
  /** State of the index at its last change, and when that was noticed. */
  lastChange: { versionstamp: string | null; at: number };
}

class Indexer {
  readonly #name = toHex(crypto.getRandomValues(new Uint8Array(8)));
  readonly #backlogs = new Map<number, Backlog>();
  #queue: Promise<unknown> = Promise.resolve();
  #everywhereAt = -Infinity;
  #isStopped = () => false;

  constructor(
    readonly app: { readonly store: Store; readonly clock: Clock },
    readonly limits: IndexerLimits,
  ) {}

  #now(): number {
    return this.app.clock.monotonic();
  }

  /** Counts a message and returns whether a round is due. */
  countMessage(realmId: number): boolean {
    return ++this.#backlogOf(realmId).messages >= this.limits.round;
  }

  countChange(realmId: number): boolean {
    this.#backlogOf(realmId).hasChanges = true;
    return true;
  }

  async waitForIndex(realmId: number): Promise<void> {
    while ((this.#backlogs.get(realmId)?.messages ?? 0) > this.limits.backlog) await this.#step(realmId);
  }

  /** Indexes what is due everywhere and returns the number of messages. */
  async sweep(isStopped: () => boolean): Promise<number> {
    this.#isStopped = isStopped;
    await this.#lookEverywhere();
    let count = 0;
    for (const [realmId, backlog] of this.#backlogs) {
      while (!isStopped() && this.#isDue(backlog) && !await this.#isOtherActive(realmId, backlog)) {
        count += await this.#step(realmId);
      }
      if (backlog.messages === 0 && !backlog.hasChanges) this.#backlogs.delete(realmId);
    }
    return count;
  }

  #isDue({ messages, hasChanges }: Backlog): boolean {
    return hasChanges || messages >= this.limits.round;
  }

  #backlogOf(realmId: number): Backlog {
    let backlog = this.#backlogs.get(realmId);
    if (backlog === undefined) {
      backlog = { messages: 0, hasChanges: false, lastChange: { versionstamp: null, at: 0 } };
      this.#backlogs.set(realmId, backlog);
    }
    return backlog;
  }

  /** Adds all organizations, because processes that ended may have left work. */
  async #lookEverywhere(): Promise<void> {
    if (this.#now() - this.#everywhereAt < EVERYWHERE_MS) return;
    this.#everywhereAt = this.#now();
    for await (const { key } of this.app.store.kv.list({ prefix: ["realm"] }, { batchSize: 100 })) {
      if (typeof key[1] !== "number") continue;
      const backlog = this.#backlogOf(key[1]);
      backlog.hasChanges = true;
      backlog.messages = Math.max(backlog.messages, this.limits.round);
    }
  }

  /** Returns whether another process changed the index lately. */
  async #isOtherActive(realmId: number, backlog: Backlog): Promise<boolean> {
    const { value, versionstamp } = await this.app.store.kv.get<{ owner: string }>(
      wordIndexKeys.state(realmId),
    );
    if (value === null || value.owner === this.#name) return false;
    if (versionstamp !== backlog.lastChange.versionstamp) {
      backlog.lastChange = { versionstamp, at: this.#now() };
    }
    return this.#now() - backlog.lastChange.at < this.limits.patienceMs;
  }

  /** Indexes some messages of an organization and returns their number; steps run one after the other. */
  #step(realmId: number): Promise<number> {
    const done = this.#queue.then(() => this.#stepOnce(realmId));
    this.#queue = done.catch(() => {});
    return done;
  }

  async #stepOnce(realmId: number): Promise<number> {
    const backlog = this.#backlogOf(realmId);
    let started = this.#now();
    const index = await openWordIndex(this.app.store, realmId, {
      name: this.#name,
      pause: async () => {
        await this.#pause((this.#now() - started) * PACE * (1 - backlog.messages / this.limits.backlog));
        started = this.#now();
      },
    });
    try {
      if (backlog.hasChanges) await this.#applyChanges(index, backlog);
      return backlog.messages < this.limits.round ? 0 : await this.#indexLatest(index, backlog);
    } catch (error) {
      if (error instanceof IndexConflict) return 0;
      throw error;
    }
  }

  async #applyChanges(index: OpenIndex, backlog: Backlog): Promise<void> {
    let isLeft = true;
    // Later changes set it again.
    backlog.hasChanges = false;
    try {
      isLeft = await applyWordChanges(index);
    } finally {
      backlog.hasChanges ||= isLeft;
    }
  }

  async #indexLatest(index: OpenIndex, backlog: Backlog): Promise<number> {
    const before = backlog.messages;
    const { indexed, left } = await indexLatest(index, this.limits.round);
    const since = backlog.messages - before;
    backlog.messages = since + (left ?? Math.max(this.limits.round, before - indexed));
    return indexed;
  }

  async #pause(ms: number): Promise<void> {
    if (ms < 1 || this.#isStopped()) return;
    await new Promise((resolve) => setTimeout(resolve, Math.min(ms, MAX_PAUSE_MS)));
  }
}
