import { toNameForm } from "@/lib/core/names.ts";
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

/** A change of a name that must not look like another; null for a record without a name before or after. */
interface NameChange {
  /** Returns the key that holds the id of the record whose name has a form. */
  readonly toKey: (form: string) => Key;
  readonly id: number;
  readonly before: string | null;
  readonly after: string | null;
  /** Whether names that differ in letter case may exist side by side. */
  readonly keepsCase?: boolean;
}

/**
 * Moves an entry of an index of name forms from a record's previous name to its new one. Returns false, and
 * changes nothing, if another record has a name of the new form.
 */
export async function claimName(
  tx: Tx,
  { toKey, id, before, after, keepsCase = false }: NameChange,
): Promise<boolean> {
  const toForm = (name: string | null) => name === null ? null : toNameForm(name, { keepsCase });
  const released = toForm(before);
  const claimed = toForm(after);
  // Names of an earlier version may share a form; their owners can still change its letter case, for example.
  if (released === claimed) return true;
  const owner = claimed === null ? null : await tx.get<number>(toKey(claimed));
  if (owner !== null && owner !== id) return false;
  if (released !== null && await tx.get<number>(toKey(released)) === id) tx.delete(toKey(released));
  if (claimed !== null) tx.set(toKey(claimed), id);
  return true;
}
