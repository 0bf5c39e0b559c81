import type { Key } from "@/lib/kv/key.ts";
import { listPage } from "@/lib/kv/page.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import {
  type AuditAction,
  type AuditDetails,
  auditKeys,
  type AuditKind,
  type AuditRecord,
  type AuditTarget,
  limitDetails,
  truncateText,
} from "./model.ts";

/** Retention of audit records in milliseconds: a year, as they contain personal data. */
const AUDIT_LIFETIME_MS = 365 * 24 * 60 * 60 * 1000;

/** A change to record. */
export interface AuditEntry {
  /** Null for the operator's commands. */
  readonly acting_user_id: number | null;
  readonly action: AuditAction;
  readonly target: AuditTarget;
  /** Old and new values; never secrets or hidden data such as addresses. */
  readonly details?: AuditDetails;
}

/** Filter and page of a query. */
export interface AuditQuery {
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

/** One page of changes, and the cursor of the next, older page. */
export interface AuditRecordPage {
  readonly changes: readonly AuditRecord[];
  readonly next: string | null;
}

/**
 * Adds a change to the organization's audit log, in the same commit as the change; `now` is in milliseconds.
 */
export function recordAudit(
  tx: Tx,
  { realmId, now }: { readonly realmId: number; readonly now: number },
  { acting_user_id, action, target, details = {} }: AuditEntry,
): void {
  const record: AuditRecord = {
    time: now,
    acting_user_id,
    action,
    target: { ...target, name: truncateText(target.name) },
    details: limitDetails(details),
  };
  const unique = `${tx.nextOrder()}-${crypto.randomUUID()}`;
  const lists = [
    auditKeys.all(realmId),
    auditKeys.by(realmId, acting_user_id),
    auditKeys.of(realmId, target.kind),
    auditKeys.byOf(realmId, acting_user_id, target.kind),
  ];
  for (const list of lists) tx.set([...list, now, unique], record, { expireIn: AUDIT_LIFETIME_MS });
}

/**
 * Lists the changes of an organization, newest first.
 * @throws AppError BAD_REQUEST for an invalid cursor.
 */
export async function listAuditRecords(
  { store }: Pick<ChatApp, "store">,
  { id }: { readonly id: number },
  query: AuditQuery,
): Promise<AuditRecordPage> {
  const { cursor, limit, before } = query;
  const list = toList(id, query);
  const end = before === undefined ? undefined : [...list, before];
  const page = await listPage<AuditRecord>(store.kv, list, { cursor, limit, end, reverse: true });
  return { changes: page.entries.map(({ value }) => value), next: page.next };
}

function toList(realmId: number, { actingUserId, kind }: AuditQuery): Key {
  if (actingUserId === undefined) {
    return kind === undefined ? auditKeys.all(realmId) : auditKeys.of(realmId, kind);
  }
  return kind === undefined
    ? auditKeys.by(realmId, actingUserId)
    : auditKeys.byOf(realmId, actingUserId, kind);
}
