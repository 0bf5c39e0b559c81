import type { Tx } from "@/lib/kv/transact.ts";
import {
  type AuditAction,
  type AuditDetails,
  auditKeys,
  type AuditRecord,
  type AuditTarget,
} from "./change.ts";
import { bounded, shortText } from "./details.ts";

/** How long changes are kept, in milliseconds: a year. They name people, and nobody is remembered for ever. */
const AUDIT_LIFETIME_MS = 365 * 24 * 60 * 60 * 1000;

/** Who did what to what. */
export interface AuditEntry {
  /** Null for the operator at the command line. */
  readonly acting_user_id: number | null;
  readonly action: AuditAction;
  readonly target: AuditTarget;
  /** Old and new values; never secrets, nor what its owner hides, such as an address. */
  readonly details?: AuditDetails;
}

/** Notes a change in the organization's audit log, in the same commit as the change itself; `now` in milliseconds. */
export function recordAudit(
  tx: Tx,
  { realmId, now }: { readonly realmId: number; readonly now: number },
  { acting_user_id, action, target, details = {} }: AuditEntry,
): void {
  const record: AuditRecord = {
    time: now,
    acting_user_id,
    action,
    target: { ...target, name: shortText(target.name) },
    details: bounded(details),
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
