import type { Kv } from "@/lib/store/kv.ts";
import type { Clock } from "@/lib/core/clock.ts";
import { dayOf } from "@/lib/core/days.ts";
import { readCount } from "@/lib/store/key.ts";
import { type InstanceCounts, linkKeys, readInstanceCounts } from "./store.ts";

/** Figures of the live statistics. */
export interface LiveFigures extends InstanceCounts {
  /** Visits of the current day, UTC. */
  readonly today: number;
}

/** Reports the figures to all watchers, with one reading a second however many there are. */
export interface LiveCounts {
  /**
   * Calls the listener now and every second, with null when the store could not be read; returns a function
   * that stops it.
   */
  watch(notify: (figures: LiveFigures | null) => void): () => void;
  /** Stops all watchers. */
  stop(): void;
}

const EVERY_MS = 1000;

/** Creates the live figures of a process; nothing is read without a watcher. */
export function createLiveCounts(parts: { kv: Kv; clock: Clock }): LiveCounts {
  const watchers = new Set<(figures: LiveFigures | null) => void>();
  let timer: ReturnType<typeof setInterval> | null = null;
  const notify = async () => {
    const figures = await readLiveFigures(parts).catch(() => null);
    for (const watcher of watchers) watcher(figures);
  };
  const rest = () => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  return {
    watch(watcher) {
      watchers.add(watcher);
      timer ??= setInterval(notify, EVERY_MS);
      void readLiveFigures(parts).catch(() => null).then((figures) => {
        if (watchers.has(watcher)) watcher(figures);
      });
      return () => {
        watchers.delete(watcher);
        if (watchers.size === 0) rest();
      };
    },
    stop() {
      watchers.clear();
      rest();
    },
  };
}

/** Returns both totals and the visits of the current day. */
export async function readLiveFigures({ kv, clock }: { kv: Kv; clock: Clock }): Promise<LiveFigures> {
  const day = linkKeys.visitDay(dayOf(clock.now()));
  const [counts, today] = await Promise.all([readInstanceCounts(kv), readCount(kv, day)]);
  return { ...counts, today: Number(today) };
}
