import type { Kv } from "@/lib/store/kv.ts";
import { type Clock, dayOf } from "@/lib/core/clock.ts";
import { readCount } from "@/lib/store/key.ts";
import { type InstanceCounts, linkKeys, readInstanceCounts } from "./store.ts";

/** Figures of the live statistics. */
export interface LiveFigures extends InstanceCounts {
  /** Visits of the current day, UTC. */
  readonly today: number;
}

/** Called with the figures, or with null when the store could not be read. */
type Watcher = (figures: LiveFigures | null) => void;
type Parts = { readonly kv: Kv; readonly clock: Clock };

const EVERY_MS = 1000;

/** Reports the figures to all watchers, with one reading a second however many there are, and none without any. */
export class LiveCounts {
  readonly #watchers = new Set<Watcher>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(readonly parts: Parts) {}

  /** Calls the watcher now and every second; returns a function that stops it. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    this.#timer ??= setInterval(() => void this.#notify(this.#watchers), EVERY_MS);
    void this.#notify([watcher]);
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.stop();
    };
  }

  stop(): void {
    this.#watchers.clear();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #notify(watchers: Iterable<Watcher>): Promise<void> {
    const figures = await readLiveFigures(this.parts).catch(() => null);
    for (const watcher of watchers) if (this.#watchers.has(watcher)) watcher(figures);
  }
}

export async function readLiveFigures({ kv, clock }: Parts): Promise<LiveFigures> {
  const day = linkKeys.visitDay(dayOf(clock.now()));
  const [counts, today] = await Promise.all([readInstanceCounts(kv), readCount(kv, day)]);
  return { ...counts, today: Number(today) };
}
