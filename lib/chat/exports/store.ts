import type { ChatApp } from "@/lib/chat/app.ts";
import { messageKeys } from "@/lib/chat/messages/model.ts";
import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import { settingsKeys, type SettingsRecord } from "@/lib/chat/user_settings/model/settings.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { NoLongerDue } from "@/lib/store/due_worker.ts";
import { toEntry } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { exportKeys, type ExportRecord, LEASE_MS, MAX_REMEMBERED, RENEW_MS } from "./model.ts";

/** Reads the exports of an organization, oldest first. */
export async function readExports(
  { reads }: Pick<ChatApp, "reads">,
  realmId: number,
): Promise<readonly ExportRecord[]> {
  return await reads.read<readonly ExportRecord[]>(exportKeys.exports(realmId)) ?? [];
}

/** Returns the exports of an organization in a transaction, oldest first. */
export async function getExports(tx: Tx, realmId: number): Promise<readonly ExportRecord[]> {
  return await tx.get<readonly ExportRecord[]>(exportKeys.exports(realmId)) ?? [];
}

/** @throws AppError BAD_REQUEST for an unknown id. */
export function getExport(exports: readonly ExportRecord[], id: number): ExportRecord {
  const found = exports.find((each) => each.id === id);
  if (found === undefined) throw new AppError("BAD_REQUEST", "Invalid data export ID");
  return found;
}

/**
 * Writes a new or changed export among those of its organization, with the row by which the worker finds it.
 * Returns the exports after the change.
 */
export function putExport(
  tx: Tx,
  { realmId, exports }: { readonly realmId: number; readonly exports: readonly ExportRecord[] },
  record: ExportRecord,
): readonly ExportRecord[] {
  const before = exports.find(({ id }) => id === record.id);
  const after = before === undefined
    ? [...exports, record].slice(-MAX_REMEMBERED)
    : exports.map((each) => each === before ? record : each);
  tx.set(exportKeys.exports(realmId), after);
  if (before !== undefined && before.due_at !== null) {
    tx.delete(exportKeys.due(before.due_at, realmId, record.id));
  }
  if (record.due_at !== null) tx.set(exportKeys.due(record.due_at, realmId, record.id), true);
  return after;
}

/** Lists the ids of the accounts that allow the export of their private data. */
export async function listConsentingIds(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
): Promise<ReadonlySet<number>> {
  const ids = new Set<number>();
  const prefix = [...settingsKeys.all(realmId)];
  for await (const entry of store.kv.list({ prefix }, { batchSize: 500 })) {
    const { key, value } = toEntry<SettingsRecord>(entry);
    if (value.values.allow_private_data_export === true) ids.add(Number(key.at(-1)));
  }
  return ids;
}

/** Counts the messages of an organization; ends at `max`. */
export async function countMessages(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  max: number,
): Promise<number> {
  let count = 0;
  // The rows of senders are much smaller than the messages.
  const prefix = [...messageKeys.sent(realmId)];
  for await (const _ of store.kv.list({ prefix }, { limit: max, batchSize: 500 })) count++;
  return count;
}

/** An export that this process works on, with its organization and the administrator as they were then. */
export interface LeasedExport {
  readonly realm: RealmRecord;
  readonly actor: UserRecord;
  readonly record: ExportRecord;
}

/**
 * Returns the exports of an organization and the leased one as stored now.
 * @throws NoLongerDue when another process has taken it over or completed it.
 */
export async function getLeased(
  tx: Tx,
  { realm, record }: LeasedExport,
): Promise<{ readonly exports: readonly ExportRecord[]; readonly current: ExportRecord }> {
  const exports = await getExports(tx, realm.id);
  const current = exports.find(({ id }) => id === record.id);
  if (current === undefined || current.lease !== record.lease) throw new NoLongerDue();
  return { exports, current };
}

/** Keeps an export reserved for this process while it works on it. */
export class ExportLease {
  #renewedAt: number;

  constructor(
    private readonly app: ChatApp,
    readonly leased: LeasedExport,
    private readonly isStopped: () => boolean,
  ) {
    this.#renewedAt = app.clock.now();
  }

  /**
   * Renews the reservation from time to time; called between short steps of the work.
   * @throws NoLongerDue when this process is to stop, or another one has taken over.
   */
  async check(): Promise<void> {
    if (this.isStopped()) throw new NoLongerDue();
    const now = this.app.clock.now();
    if (now - this.#renewedAt < RENEW_MS) return;
    this.#renewedAt = now;
    await transact(this.app.store, async (tx) => {
      const { exports, current } = await getLeased(tx, this.leased);
      const { id: realmId } = this.leased.realm;
      putExport(tx, { realmId, exports }, { ...current, due_at: now + LEASE_MS });
    });
  }
}
