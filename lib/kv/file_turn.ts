import { systemClock } from "@/lib/core/clock.ts";
import { OUTCOME_UNKNOWN } from "./connect/outcome.ts";

/** Time after which a commit counts as unanswered, in milliseconds; another process may lock the file for longer. */
export const PATIENCE_MS = 1500;
/** Time after which further commits wait until one is answered, in milliseconds, so that they can be refused unmade. */
const HELD_MS = 250;

/** Commits to a file, which the lock of another process holds up for as long as it likes. */
export class FileTurn {
  /** The commit that is held up; null for none. */
  #held: Promise<unknown> | null = null;

  /** Waits while a commit is held up; false when it still is after the time that a commit may take. */
  async isFree(): Promise<boolean> {
    const end = systemClock.monotonic() + PATIENCE_MS;
    while (this.#held !== null) {
      const left = end - systemClock.monotonic();
      if (left <= 0 || !await isSettledWithin(this.#held, left)) return false;
    }
    return true;
  }

  /** Waits for a commit, which goes on when it takes longer than a commit may. @throws Error of an unknown outcome. */
  async answerOf<T>(commit: Promise<T>): Promise<T> {
    if (!await isSettledWithin(commit, HELD_MS)) {
      this.#hold(commit);
      if (!await isSettledWithin(commit, PATIENCE_MS - HELD_MS)) throw new Error(OUTCOME_UNKNOWN);
    }
    return await commit;
  }

  #hold(commit: Promise<unknown>): void {
    const settled = commit.then(() => {}, () => {}).then(() => {
      if (this.#held === settled) this.#held = null;
    });
    this.#held ??= settled;
  }
}

async function isSettledWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: end, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true, () => true), end]);
  } finally {
    clearTimeout(timer);
  }
}
