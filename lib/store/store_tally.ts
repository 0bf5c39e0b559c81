import type { FileTurn } from "./file_turn.ts";

/** Counters of this process's commits. */
export interface StoreTally {
  /** Changes that ran again because another writer came first. */
  conflicts: number;
  /** Commits that waited because another process locked the file. */
  locked: number;
  /** Commits that the store refused for good. */
  failures: number;
  /** Whether the last commit succeeded. */
  writable: boolean;
  /** Commits that wait for the lock of the store's file; null for a store that is not a file. */
  readonly fileTurn: FileTurn | null;
}
