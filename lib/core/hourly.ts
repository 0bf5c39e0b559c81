/** Work that is done again and again in the background. */
export interface Hourly {
  /** Works every hour, and soon after the start. */
  start(): void;
  /** Ends it; settles when what is at hand is done with. */
  stop(): Promise<void>;
  /** Works now, and gives how many things were dealt with. */
  sweep(): Promise<number>;
}

/** Deals with everything that waits, and gives how much that was; ends early when `isStopped` says so. */
export type Sweep = (isStopped: () => boolean) => Promise<number>;

const EVERY_MS = 60 * 60 * 1000;
const FIRST_MS = 60 * 1000;

/** Background work that never runs twice at a time; failures are reported, and the next hour comes all the same. */
export function createHourly(work: Sweep, report: (error: unknown) => void): Hourly {
  let isStopped = false;
  let running: Promise<number> = Promise.resolve(0);
  const timers: ReturnType<typeof setTimeout>[] = [];
  const sweep = () => running = running.then(() => work(() => isStopped));
  const run = () =>
    void sweep().catch((error) => {
      running = Promise.resolve(0);
      report(error);
    });
  return {
    start() {
      timers.push(setTimeout(run, FIRST_MS), setInterval(run, EVERY_MS));
      for (const timer of timers) Deno.unrefTimer(timer);
    },
    async stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      await running.catch(() => 0);
    },
    sweep,
  };
}
