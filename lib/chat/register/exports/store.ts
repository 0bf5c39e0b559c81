import { normalizeText } from "@/lib/core/text.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { messageKeys } from "@/lib/chat/messages/model.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { NoLongerDue } from "@/lib/store/due_worker.ts";
import { type Key, toValue } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";

/** Extents of an export: public data, or also the private data of users who allow it. */
export const EXPORT_TYPES = ["public", "full_with_consent"] as const;
export type ExportType = typeof EXPORT_TYPES[number];

export interface ExportRecord {
  readonly id: number;
  readonly type: ExportType;
  readonly acting_user_id: number;
  /** Milliseconds since 1970 UTC, like all times of the record. */
  readonly created_at: number;
  /** Number of attempts that have begun. */
  readonly attempts: number;
  /** Random id of the attempt that is under way, so that an earlier one cannot complete; null without one. */
  readonly lease: string | null;
  /** Time of the row by which the worker finds the export; null when nothing is left to do. */
  readonly due_at: number | null;
  /** Null until the export is complete, and after its deletion. */
  readonly archive: ExportArchive | null;
  readonly failed_at: number | null;
  readonly deleted_at: number | null;
}

export interface ExportArchive {
  readonly blob: string;
  /** Size in bytes. */
  readonly size: number;
  /** File name of downloads. */
  readonly name: string;
  /** Unguessable part of its path. */
  readonly secret: string;
}

/** Maximum number of exports in RECENT_MS; those that failed are not counted. */
export const MAX_RECENT_EXPORTS = 5;
const RECENT_MS = 7 * 86_400_000;
export const ARCHIVE_KEPT_MS = 7 * 86_400_000;
/** Number of exports that an organization remembers: they are one record, and one event. */
export const MAX_REMEMBERED = 100;
export const MAX_EXPORTED_MESSAGES = 250_000;
/** Maximum size of the uploads of an organization that is exported, in bytes. */
export const MAX_EXPORTED_BYTES = 10 * 1024 ** 3;
/** Number of attempts after which an export fails. */
export const MAX_ATTEMPTS = 5;
/** Time after which another process continues an export that a process abandoned, in milliseconds. */
export const LEASE_MS = 30_000;
/** Time between renewals of the lease, in milliseconds. */
const RENEW_MS = 5_000;
/** Time until the second attempt, in milliseconds; later ones wait longer. */
export const RETRY_MS = 10_000;

/** Key part of the chunks of archives and of their unfinished files, after the organization's id. */
const CHUNKS = "export_chunk";

export const exportKeys = {
  place: CHUNKS,
  /** The exports of an organization, oldest first: one record, so that one check covers all their rules. */
  exports: (realmId: number): Key => [realmId, "exports"],
  chunks: (realmId: number): Key => [realmId, CHUNKS],
  blob: (realmId: number, blob: string): Key => [realmId, CHUNKS, blob],
  /** Exports to create and archives to delete, in the order of their time. */
  dueRows: ["export_due"],
  due: (time: number, realmId: number, id: number): Key => ["export_due", time, realmId, id],
} as const;

/** Returns the parts of the key of a due row; `time` in milliseconds. */
export function parseDueKey(key: Key): { time: number; realmId: number; id: number } {
  const [, time, realmId, id] = toValue<readonly [string, number, number, number]>(key);
  return { time, realmId, id };
}

/** Returns whether an export is not complete yet and did not fail. */
export function isPending({ archive, failed_at, deleted_at }: ExportRecord): boolean {
  return archive === null && failed_at === null && deleted_at === null;
}

/** Returns how many exports count toward the limit at a time in milliseconds. */
export function countRecent(exports: readonly ExportRecord[], now: number): number {
  return exports.filter(({ created_at, failed_at }) => failed_at === null && created_at > now - RECENT_MS)
    .length;
}

export function toArchivePath(
  realmId: number,
  { id }: Pick<ExportRecord, "id">,
  { secret, name }: ExportArchive,
): string {
  return `/user_exports/${realmId}/${id}/${secret}/${name}`;
}

/** Returns the file name of an archive: ASCII letters, digits and hyphens, with the day of the request. */
export function toArchiveName(
  { subdomain, name }: { readonly subdomain: string; readonly name: string },
  createdAt: number,
): string {
  const ascii = normalizeText(subdomain || name, "NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const organization = ascii.replace(/^-|-$/g, "") || "organization";
  return `sotto-export-${organization}-${new Date(createdAt).toISOString().slice(0, 10)}.tar.gz`;
}

/** Returns an unguessable part of a path: 144 random bits. */
export function newSecret(): string {
  return crypto.getRandomValues(new Uint8Array(18)).toBase64({ alphabet: "base64url" });
}

/** Reads the exports of an organization, oldest first. */
export async function readExports(
  { reads }: Pick<ChatApp, "reads">,
  realmId: number,
): Promise<readonly ExportRecord[]> {
  return await getExports({ get: reads.read }, realmId);
}

export async function getExports(tx: Pick<Tx, "get">, realmId: number): Promise<readonly ExportRecord[]> {
  return await tx.get<readonly ExportRecord[]>(exportKeys.exports(realmId)) ?? [];
}

/** @throws AppError BAD_REQUEST for an unknown id. */
export function getExport(exports: readonly ExportRecord[], id: number): ExportRecord {
  const found = exports.find((each) => each.id === id);
  if (found === undefined) throw new AppError("BAD_REQUEST", "Invalid data export ID");
  return found;
}

/** Writes an export among those of its organization, with its due row; returns all after the change. */
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

/** @throws NoLongerDue when another process has taken it over or completed it. */
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
