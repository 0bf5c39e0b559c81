import type { Key } from "@/lib/store/key.ts";
import { listPage, listValues } from "@/lib/store/reads.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChangeContext, ChatApp } from "../app.ts";
import type { EventContext } from "../events/send_events.ts";
import type { UserRecord } from "../users/model.ts";
import {
  type AuditAction,
  type AuditDetails,
  auditKeys,
  type AuditKind,
  type AuditRecord,
  type AuditTarget,
  type AuditValues,
  keepsValues,
  limitDetails,
  limitValues,
  type RevertedRecord,
  toEntryId,
  toEntryKey,
  truncateText,
} from "./model.ts";

/** Retention of audit records in milliseconds: a year, as they contain personal data. */
export const AUDIT_LIFETIME_MS = 365 * 24 * 60 * 60 * 1000;

export interface AuditEntry {
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
  { realmId, now, reverts }: {
    readonly realmId: number;
    readonly now: number;
    readonly reverts?: string | undefined;
  },
  entry: AuditEntry,
): void {
  putAudit(
    tx,
    { realmId, now, time: now, unique: `${tx.nextOrder()}-${crypto.randomUUID()}`, reverts },
    entry,
  );
}

/** A change and its acting user; null or absent for the operator's commands. */
interface AuditContext extends EventContext, Pick<ChangeContext, "reverts"> {
  readonly actingUser?: Pick<UserRecord, "id"> | null;
}

/** Adds a change to the audit log, in its commit. */
export function auditAction(
  { app, tx, realm, actingUser, reverts }: AuditContext,
  entry: Omit<AuditEntry, "acting_user_id">,
): void {
  const at = { realmId: realm.id, now: app.clock.now(), reverts };
  recordAudit(tx, at, { acting_user_id: actingUser?.id ?? null, ...entry });
}

/** Position of an entry; times are in milliseconds since 1970 UTC. */
interface AuditPosition {
  readonly realmId: number;
  readonly now: number;
  readonly time: number;
  /** Distinguishes entries of one time. */
  readonly unique: string;
  /** Number of the part whose values are stored, where each of several commits has its own. */
  readonly part?: number;
  /** Id of the entry that the change reverts. */
  readonly reverts?: string | undefined;
}

/** Writes the entry at a position, over an earlier version of it. */
export function putAudit(
  tx: Tx,
  { realmId, now, time, unique, part, reverts }: AuditPosition,
  { acting_user_id, action, target, details = {}, values }: AuditEntry,
): void {
  const stored = keepsValues({ action, details }) ? limitValues(values) : undefined;
  const record: AuditRecord = {
    time,
    acting_user_id,
    action,
    target: { ...target, name: truncateText(target.name) },
    details: limitDetails(details),
    ...(stored === undefined ? {} : { is_revertible: true }),
    ...(reverts === undefined ? {} : { reverts }),
  };
  const indexes = [
    auditKeys.by(realmId, acting_user_id),
    auditKeys.of(realmId, target.kind),
    auditKeys.byOf(realmId, acting_user_id, target.kind),
  ];
  const options = { expireIn: AUDIT_LIFETIME_MS - (now - time) };
  tx.set([...auditKeys.all(realmId), time, unique], record, options);
  for (const index of indexes) tx.set([...index, time, unique], true, options);
  const valuesKey = auditKeys.values(realmId, toEntryId([time, unique]));
  if (stored !== undefined) tx.set(part === undefined ? valuesKey : [...valuesKey, part], stored, options);
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

/** Reads the values of the first parts, by default all, of a change that several commits made. */
export function readAuditParts(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  { id, limit }: { readonly id: string; readonly limit?: number | undefined },
): Promise<readonly AuditValues[]> {
  return listValues<AuditValues>(store.kv, auditKeys.values(realmId, id), { limit });
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
  { store, reads }: Pick<ChatApp, "store" | "reads">,
  { id: realmId }: { readonly id: number },
  query: AuditQuery,
): Promise<{ readonly changes: readonly AuditLogEntry[]; readonly next: string | null }> {
  const { cursor, limit, before } = query;
  const list = toList(realmId, query);
  const end = before === undefined ? undefined : [...list, before];
  const page = await listPage<AuditRecord | true>(store.kv, list, { cursor, limit, end, reverse: true });
  const changes = await Promise.all(page.entries.map(async ({ key, value }) => {
    const id = toEntryId(key);
    return value === true ? await readAuditEntry({ get: reads.read }, realmId, id) : { ...value, id };
  }));
  return { changes: changes.filter((change) => change !== null), next: page.next };
}

function toList(realmId: number, { actingUserId, kind }: AuditQuery): Key {
  if (actingUserId === undefined) {
    return kind === undefined ? auditKeys.all(realmId) : auditKeys.of(realmId, kind);
  }
  return kind === undefined
    ? auditKeys.by(realmId, actingUserId)
    : auditKeys.byOf(realmId, actingUserId, kind);
}
