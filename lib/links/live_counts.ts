import type { Clock } from "@/lib/core/clock.ts";
import { type InstanceCounts, readDay, readInstanceCounts } from "./store.ts";

/** The figures that are shown as they change. */
export interface LiveFigures extends InstanceCounts {
  /** Visits of this day, UTC. */
  readonly today: number;
}

/** Tells all who look at the figures about them, with one reading a second however many look. */
export interface LiveCounts {
  /** Calls `tell` now and every second, with null where the store could not be read; gives what ends that. */
  watch(tell: (figures: LiveFigures | null) => void): () => void;
  /** Ends it for all. */
  stop(): void;
}

const EVERY_MS = 1000;

/** Live figures of one process; nothing is read while nobody looks. */
export function createLiveCounts(parts: { kv: Deno.Kv; clock: Clock }): LiveCounts {
  const watchers = new Set<(figures: LiveFigures | null) => void>();
  let timer: ReturnType<typeof setInterval> | null = null;
  const tell = async () => {
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
      timer ??= setInterval(tell, EVERY_MS);
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

/** Both totals and today's visits. */
export async function readLiveFigures({ kv, clock }: { kv: Deno.Kv; clock: Clock }): Promise<LiveFigures> {
  const [counts, today] = await Promise.all([readInstanceCounts(kv), readDay(kv, clock.now())]);
  return { ...counts, today };
}
