import type { Key } from "@/lib/kv/key.ts";
import { listPage } from "@/lib/kv/page.ts";
import type { ChatApp } from "../app.ts";
import { auditKeys, type AuditKind, type AuditRecord } from "./change.ts";

/** Which changes are wanted. */
export interface AuditQuery {
  /** The `next` of the page in front; null for the newest changes. */
  readonly cursor: string | null;
  /** From 1 to 100. */
  readonly limit: number;
  /** Only somebody's; null is the operator's at the command line. */
  readonly actingUserId?: number | null | undefined;
  /** Only those about one kind of thing. */
  readonly kind?: AuditKind | undefined;
}

/** Changes, and where those before them begin. */
export interface AuditPage {
  readonly changes: readonly AuditRecord[];
  readonly next: string | null;
}

/**
 * The changes of an organization that were noted, the newest first.
 * @throws AppError BAD_REQUEST for a cursor that is not one of ours.
 */
export async function listChanges(
  { store }: Pick<ChatApp, "store">,
  { id }: { readonly id: number },
  query: AuditQuery,
): Promise<AuditPage> {
  const { cursor, limit } = query;
  const page = await listPage<AuditRecord>(store.kv, toList(id, query), { cursor, limit, reverse: true });
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
