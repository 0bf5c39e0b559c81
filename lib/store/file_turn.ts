import { OUTCOME_UNKNOWN } from "./connect/outcome.ts";

/** Time after which a commit counts as unanswered, in milliseconds; another process may lock the file for longer. */
export const PATIENCE_MS = 1500;
/** Time after which further commits wait until one is answered, in milliseconds, so that they can be refused unmade. */
const HELD_MS = 250;

/** Commits to a file, which the lock of another process holds up for as long as it likes. */
export class FileTurn {
  /** Commits that are held up. */
  readonly #held = new Set<Promise<unknown>>();
  readonly #waiting = new Set<() => void>();

  /** Waits while commits are held up; false when they still are after the time that a commit may take. */
  isFree(): boolean | Promise<boolean> {
    if (this.#held.size === 0) return true;
    return new Promise((resolve) => {
      const end = (isFree: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(start);
        resolve(isFree);
      };
      const start = () => end(true);
      const timer = setTimeout(() => end(false), PATIENCE_MS);
      this.#waiting.add(start);
    });
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
    this.#held.add(commit);
    const release = () => {
      this.#held.delete(commit);
      if (this.#held.size === 0) { for (const start of this.#waiting) start(); }
    };
    commit.then(release, release);
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
