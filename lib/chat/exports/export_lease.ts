import { NoLongerDue } from "@/lib/store/due_worker.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../organizations/model.ts";
import type { UserRecord } from "../users/model.ts";
import { type ExportRecord, LEASE_MS, RENEW_MS } from "./model.ts";
import { getExports, putExport } from "./store.ts";

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
