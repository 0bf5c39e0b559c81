/** Work in the background that never runs twice at a time. */
export interface Worker {
  /** Works for the first time, and again and again from then on. */
  start(): void;
  /** Works now, for use after a commit that left something; does nothing before `start`. */
  wake(): void;
  /** Works now, started or not, and gives how many things were dealt with: 0 where it failed, which is reported. */
  sweep(): Promise<number>;
  /** Ends it for good; settles when what is at hand is done with. */
  stop(): Promise<void>;
}

/** Deals with everything that is due, and gives how much that was; ends early when `isStopped` says so. */
export type Work = (isStopped: () => boolean) => Promise<number>;

/** When a worker works by itself, in milliseconds, and who hears of failures. */
export interface WorkerParts {
  readonly everyMs: number;
  /** How long after the start it works for the first time: at once where it is left out. */
  readonly firstMs?: number;
  readonly report: (error: unknown) => void;
}

/** For what can wait. */
export const HOURLY = { everyMs: 60 * 60 * 1000, firstMs: 60 * 1000 } as const;

/** A worker that does nothing until it is started or told to; after a failure the next time comes all the same. */
export function createWorker(work: Work, { everyMs, firstMs = 0, report }: WorkerParts): Worker {
  const timers: ReturnType<typeof setTimeout>[] = [];
  let isStopped = false;
  let running: Promise<number> = Promise.resolve(0);
  // One that has not begun yet finds what is due by then.
  let waiting: Promise<number> | null = null;
  const begin = async () => {
    waiting = null;
    try {
      return await work(() => isStopped);
    } catch (error) {
      report(error);
      return 0;
    }
  };
  const sweep = () => waiting ??= running = running.then(begin, begin);
  const poke = () => {
    if (timers.length > 0 && !isStopped) sweep();
  };
  return {
    start() {
      if (isStopped || timers.length > 0) return;
      timers.push(setInterval(poke, everyMs));
      if (firstMs === 0) poke();
      else timers.push(setTimeout(poke, firstMs));
      // Work that waits for its time is no reason for a process to stay.
      for (const timer of timers) Deno.unrefTimer(timer);
    },
    wake: poke,
    sweep,
    async stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      await running;
    },
  };
}
