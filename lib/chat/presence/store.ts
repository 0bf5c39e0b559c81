import { listValues } from "@/lib/store/list_values.ts";
import type { Tx } from "@/lib/store/tx.ts";
import type { ChatApp } from "../app.ts";
import { presenceKeys, type PresenceRecord } from "./model.ts";

/** Maximum number of users whose records are read one by one; more are read with one listing. */
export const MAX_SINGLE_READS = 100;
/** Size of a record in the cache, in UTF-16 units. */
const RECORD_SIZE = 40;

/** The presence of an organization with all reports up to the update id `head`. */
interface PresenceList {
  readonly size: number;
  readonly head: number;
  /** By user id, in ascending order. */
  readonly byUser: ReadonlyMap<number, PresenceRecord>;
}

/** Writes a user's presence in place of the former record. */
export function putPresence(
  tx: Tx,
  realmId: number,
  { before, record }: { before: PresenceRecord | null; record: PresenceRecord },
): void {
  tx.set(presenceKeys.presence(realmId, record.user_id), record);
  if (before !== null) tx.delete(presenceKeys.update(realmId, before.update_id));
  tx.set(presenceKeys.update(realmId, record.update_id), record.user_id);
}

/** Reads the update id of the last stored report of all organizations; -1 before the first. */
export async function readPresenceHead(app: ChatApp): Promise<number> {
  return await app.reads.read<number>(presenceKeys.head) ?? -1;
}

/**
 * Returns the presence of every user of an organization who ever reported any, sorted by user id, with all
 * reports up to the update id `head`. It stays in memory, where only reports since the last call are added:
 * every report takes an id greater than all before in the commit that stores it.
 */
export async function listPresenceRecords(
  app: ChatApp,
  realmId: number,
  head: number,
): Promise<readonly PresenceRecord[]> {
  const list = await app.cache.get<PresenceList>(
    `presence ${realmId}`,
    [head],
    (previous) => loadPresence(app, { realmId, head }, previous),
  );
  return [...list.byUser.values()];
}

async function loadPresence(
  app: ChatApp,
  { realmId, head }: { readonly realmId: number; readonly head: number },
  previous: PresenceList | undefined,
): Promise<PresenceList> {
  // A store that was restored has fewer reports than before.
  const changed = previous === undefined || previous.head > head
    ? null
    : await listChangedPresence(app, realmId, previous.head);
  if (previous === undefined || changed === null) {
    const records = await listValues<PresenceRecord>(app.store.kv, presenceKeys.presences(realmId));
    return toPresenceList(head, new Map(records.map((record) => [record.user_id, record])));
  }
  if (changed.length === 0) return { ...previous, head };
  const byUser = new Map(previous.byUser);
  for (const record of changed) byUser.set(record.user_id, record);
  const isSorted = byUser.size === previous.byUser.size;
  return toPresenceList(head, isSorted ? byUser : new Map([...byUser].sort(([one], [other]) => one - other)));
}

function toPresenceList(head: number, byUser: PresenceList["byUser"]): PresenceList {
  return { head, byUser, size: RECORD_SIZE * (byUser.size + 1) };
}

/**
 * Lists the presence of users with reports after an update id; returns null when there are more than are read
 * one by one.
 */
export async function listChangedPresence(
  app: ChatApp,
  realmId: number,
  after: number,
): Promise<PresenceRecord[] | null> {
  const listed = await listValues<number>(app.store.kv, presenceKeys.updates(realmId), { from: after + 1 });
  if (listed.length > MAX_SINGLE_READS) return null;
  // A user who reports during the listing is listed twice.
  const reads = [...new Set(listed)].map((id) =>
    app.reads.read<PresenceRecord>(presenceKeys.presence(realmId, id))
  );
  return (await Promise.all(reads)).filter((record) => record !== null);
}
