import type { Key } from "@/lib/store/key.ts";
import { listPage } from "@/lib/store/reads.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import {
  type AuditAction,
  type AuditDetails,
  auditKeys,
  type AuditKind,
  type AuditRecord,
  type AuditTarget,
  type AuditValues,
  limitDetails,
  limitValues,
  type RevertedRecord,
  toEntryId,
  toEntryKey,
  truncateText,
} from "./model.ts";

/** Retention of audit records in milliseconds: a year, as they contain personal data. */
export const AUDIT_LIFETIME_MS = 365 * 24 * 60 * 60 * 1000;

interface AuditEntry {
  /** Null for the operator's commands. */
  readonly acting_user_id: number | null;
  readonly action: AuditAction;
  readonly target: AuditTarget;
  /** Old and new values; never secrets or hidden data such as addresses. */
  readonly details?: AuditDetails;
  /** Complete values, for a change that can be reverted. */
  readonly values?: AuditValues | undefined;
}

export interface AuditLogEntry extends AuditRecord {
  /** Identifies the entry within the organization. */
  readonly id: string;
}

interface AuditQuery {
  /** The `next` of the previous page; null for the newest changes. */
  readonly cursor: string | null;
  /** From 1 to 100. */
  readonly limit: number;
  /** Only changes made by this user; null for the operator's commands. */
  readonly actingUserId?: number | null | undefined;
  /** Only changes before this time, in milliseconds since 1970 UTC. */
  readonly before?: number | undefined;
  /** Only changes of this kind of object. */
  readonly kind?: AuditKind | undefined;
}

/** Adds a change to the audit log in the commit of the change; `now` is in milliseconds. */
export function recordAudit(
  tx: Tx,
  { realmId, now }: { readonly realmId: number; readonly now: number },
  entry: AuditEntry,
): void {
  putAudit(tx, { realmId, now, time: now, unique: `${tx.nextOrder()}-${crypto.randomUUID()}` }, entry);
}

/** Position of an entry; times are in milliseconds since 1970 UTC. */
interface AuditPosition {
  readonly realmId: number;
  readonly now: number;
  readonly time: number;
  /** Distinguishes entries of one time. */
  readonly unique: string;
}

/** Writes the entry at a position, over an earlier version of it. */
export function putAudit(
  tx: Tx,
  { realmId, now, time, unique }: AuditPosition,
  { acting_user_id, action, target, details = {}, values }: AuditEntry,
): void {
  const stored = limitValues(values);
  const record: AuditRecord = {
    time,
    acting_user_id,
    action,
    target: { ...target, name: truncateText(target.name) },
    details: limitDetails(details),
    ...(stored === undefined ? {} : { is_revertible: true }),
    ...(tx instanceof RevertingTx ? { reverts: tx.revertedId } : {}),
  };
  const expireIn = AUDIT_LIFETIME_MS - (now - time);
  const lists = [
    auditKeys.all(realmId),
    auditKeys.by(realmId, acting_user_id),
    auditKeys.of(realmId, target.kind),
    auditKeys.byOf(realmId, acting_user_id, target.kind),
  ];
  for (const list of lists) tx.set([...list, time, unique], record, { expireIn });
  const id = toEntryId([time, unique]);
  if (stored !== undefined) tx.set(auditKeys.values(realmId, id), stored, { expireIn });
  if (tx instanceof RevertingTx) tx.entryIds.push(id);
}

/** A transaction that reverts a change: the entries that are recorded within it refer to the reverted one. */
export class RevertingTx implements Tx {
  /** Ids of the recorded entries. */
  readonly entryIds: string[] = [];

  constructor(private readonly tx: Tx, readonly revertedId: string) {}

  get<T>(key: Key): Promise<T | null> {
    return this.tx.get<T>(key);
  }

  peek<T>(key: Key): Promise<T | null> {
    return this.tx.peek<T>(key);
  }

  set(key: Key, value: unknown, options?: { expireIn?: number }): void {
    this.tx.set(key, value, options);
  }

  delete(key: Key): void {
    this.tx.delete(key);
  }

  sum(key: Key, amount: bigint): void {
    this.tx.sum(key, amount);
  }

  countUp(realmId: number): void {
    this.tx.countUp(realmId);
  }

  nextOrder(): string {
    return this.tx.nextOrder();
  }

  notify(name: string): void {
    this.tx.notify(name);
  }

  nextId(name: string): Promise<number> {
    return this.tx.nextId(name);
  }

  organization(realmId: number): Promise<Snapshot> {
    return this.tx.organization(realmId);
  }
}

/** Reads an entry of the audit log; null when there is none. */
export async function readAuditEntry(
  tx: Pick<Tx, "get">,
  realmId: number,
  id: string,
): Promise<AuditLogEntry | null> {
  const key = toEntryKey(realmId, id);
  const record = key === null ? null : await tx.get<AuditRecord>(key);
  return record === null ? null : { ...record, id };
}

/** Reads the values of a revertible change; null without them. */
export function readAuditValues(
  tx: Pick<Tx, "get">,
  realmId: number,
  id: string,
): Promise<AuditValues | null> {
  return tx.get<AuditValues>(auditKeys.values(realmId, id));
}

/** Reads by whom and when a change was reverted; null when it was not. */
export function readReverted(
  tx: Pick<Tx, "get">,
  realmId: number,
  id: string,
): Promise<RevertedRecord | null> {
  return tx.get<RevertedRecord>(auditKeys.reverted(realmId, id));
}

/** Records that a change was reverted, as long as its entry is kept. */
export function putReverted(
  tx: Tx,
  { realmId, id }: { readonly realmId: number; readonly id: string },
  reverted: RevertedRecord,
): void {
  tx.set(auditKeys.reverted(realmId, id), reverted, { expireIn: AUDIT_LIFETIME_MS });
}

/** @throws AppError BAD_REQUEST for an invalid cursor. */
export async function listAuditRecords(
  { store }: Pick<ChatApp, "store">,
  { id }: { readonly id: number },
  query: AuditQuery,
): Promise<{ readonly changes: readonly AuditLogEntry[]; readonly next: string | null }> {
  const { cursor, limit, before } = query;
  const list = toList(id, query);
  const end = before === undefined ? undefined : [...list, before];
  const page = await listPage<AuditRecord>(store.kv, list, { cursor, limit, end, reverse: true });
  const changes = page.entries.map(({ key, value }) => ({ ...value, id: toEntryId(key) }));
  return { changes, next: page.next };
}

function toList(realmId: number, { actingUserId, kind }: AuditQuery): Key {
  if (actingUserId === undefined) {
    return kind === undefined ? auditKeys.all(realmId) : auditKeys.of(realmId, kind);
  }
  return kind === undefined
    ? auditKeys.by(realmId, actingUserId)
    : auditKeys.byOf(realmId, actingUserId, kind);
}
