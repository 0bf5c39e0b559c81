import { toNameForm } from "@/lib/core/names.ts";
import type { Key } from "./key.ts";
import type { Tx } from "./tx.ts";

/** A change of a name that must not look like another; null for a record without a name before or after. */
export interface NameChange {
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
