/** Background work that never runs twice at the same time. */
export interface Worker {
  /** Runs the work for the first time, and repeatedly from then on. */
  start(): void;
  /** Runs the work soon, for use after a commit that left something to do; does nothing before `start`. */
  wake(): void;
  /**
   * Runs the work now, started or not, and returns the number of items handled: 0 after a failure, which is
   * reported.
   */
  sweep(): Promise<number>;
  /** Stops the worker for good; settles when the current item is done. */
  stop(): Promise<void>;
}

/**
 * Handles everything that is due and returns the number of items; ends early when `isStopped` returns true.
 */
export type Work = (isStopped: () => boolean) => Promise<number>;

/** Control of one run of a sweep: whether to stop, and the receiver of errors that do not end it. */
export interface Sweep {
  readonly isStopped: () => boolean;
  readonly report: (error: unknown) => void;
}

/** Schedule of a worker in milliseconds, and its error reporter. */
export interface WorkerParts {
  readonly everyMs: number;
  /** Delay before the first run after the start; none by default. */
  readonly firstMs?: number;
  readonly report: (error: unknown) => void;
}

/** Schedule of work that can wait. */
export const HOURLY = { everyMs: 60 * 60 * 1000, firstMs: 60 * 1000 } as const;

/** Creates a worker that does nothing until it is started or woken. A failure does not stop later runs. */
export function createWorker(work: Work, { everyMs, firstMs = 0, report }: WorkerParts): Worker {
  const timers: ReturnType<typeof setTimeout>[] = [];
  let isStopped = false;
  let running: Promise<number> = Promise.resolve(0);
  // A run that is queued but has not begun covers everything that is due by then.
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
  const wake = () => {
    if (timers.length > 0 && !isStopped) sweep();
  };
  return {
    start() {
      if (isStopped || timers.length > 0) return;
      timers.push(setInterval(wake, everyMs));
      if (firstMs === 0) wake();
      else timers.push(setTimeout(wake, firstMs));
      // Scheduled work does not keep a process alive.
      for (const timer of timers) Deno.unrefTimer(timer);
    },
    wake,
    sweep,
    async stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      await running;
    },
  };
}
