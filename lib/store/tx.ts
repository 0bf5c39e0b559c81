import type { Key } from "./key.ts";
import type { Snapshot } from "./snapshot.ts";

/** One attempt at a change: reads are checked, and writes are committed together or not at all. */
export interface Tx {
  /** Returns the value under `key` as this transaction left it; the change is attempted again if another writer changed it. */
  get<T>(key: Key): Promise<T | null>;
  /**
   * Returns the value under `key` without a check at the commit, for values that may change meanwhile without harm;
   * that of a row which is kept in memory is checked all the same, by the version of its organization.
   */
  peek<T>(key: Key): Promise<T | null>;
  /**
   * Returns the value under the key of an organization that, once it exists, changes only with the organization's
   * version, so that it can be known without a read. A missing one is checked at the commit.
   */
  settled<T>(realmId: number, key: Key): Promise<T | null>;
  /** Writes `value`; with `expireIn` (milliseconds) the store may drop it after that time. */
  set(key: Key, value: unknown, options?: { expireIn?: number }): void;
  delete(key: Key): void;
  /** Adds a positive or negative amount to a counter without reading it, so that writers of one counter never conflict. */
  sum(key: Key, amount: bigint): void;
  /** Returns the position of a write within this transaction: six digits, from 000000. */
  nextOrder(): string;
  /** Returns an organization as it is before this transaction, which runs again if the organization changes meanwhile. */
  organization(realmId: number): Promise<Snapshot>;
  /**
   * Counts as a change of an organization, so that changes that rely on it meanwhile run again. A change that peeks at
   * what such a change removes has to read the organization first.
   */
  countUp(realmId: number): void;
  /** Wakes the listeners of `name` in this process once the change is committed. */
  notify(name: string): void;
  /** Returns the next whole number of the sequence `name`, from 1, without gaps. */
  nextId(name: string): Promise<number>;
}
