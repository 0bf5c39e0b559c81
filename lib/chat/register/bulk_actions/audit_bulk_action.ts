import { toEntryId, toIds } from "@/lib/chat/organization/audit/model.ts";
import { putAudit, readAuditEntry, readAuditValues } from "@/lib/chat/organization/audit/store.ts";
import type { ChangeContext, ChatApp } from "@/lib/chat/organization/app.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { Key } from "@/lib/store/key.ts";
import { type BulkActionRecord, MAX_BULK_ITEMS } from "./bulk_actions.ts";

/** Ids of the accounts that were changed, and of the bots that were deactivated with their owners. */
export interface ChangedIds {
  readonly users: readonly number[];
  readonly bots: readonly number[];
}

const AUDITED = {
  set_role: "users_role_changed",
  deactivate: "users_deactivated",
  reactivate: "users_reactivated",
  import: "users_imported",
} as const;

/** Returns the second part of the key of an action's audit entry. */
function toUnique(id: number): string {
  return `000000-00000000-0000-0000-0000-${id.toString(16).padStart(12, "0")}`;
}

/** Reads the users that an action has changed, from its audit entry. */
export async function listChangedUsers(
  { reads }: Pick<ChatApp, "reads">,
  realmId: number,
  { id, created_at }: BulkActionRecord,
): Promise<readonly number[]> {
  const values = await readAuditValues({ get: reads.read }, realmId, toEntryId([created_at, toUnique(id)]));
  return toIds(values?.after["users"]);
}

/**
 * Adds the accounts that a step changed to the one audit entry of its action, in the commit of the step. Subscriptions
 * are not audited.
 */
export async function auditBulkStep(
  { app, tx, realm, actor }: ChangeContext & { readonly actor: UserRecord },
  { id, change, created_at: time }: BulkActionRecord,
  changed: ChangedIds,
): Promise<void> {
  if (changed.users.length === 0 || change.kind === "subscribe" || change.kind === "unsubscribe") return;
  // Every step writes the record of the action, which it has checked.
  const reads = { get: <T>(key: Key) => tx.peek<T>(key) };
  const unique = toUnique(id);
  const entryId = toEntryId([time, unique]);
  const before = (await readAuditValues(reads, realm.id, entryId))?.after ?? {};
  // Numbers that were read from the store are written with twice the size, unless they are made integers again.
  const add = (name: string, ids: readonly number[]) => [...toIds(before[name]).map((id) => id | 0), ...ids];
  const position = { realmId: realm.id, now: app.clock.now(), time, unique };
  if (change.kind === "add_to_group") {
    const group = permissionsOf(await tx.organization(realm.id), app.clock).groups.get(change.group_id);
    const members = add("add", changed.users);
    return putAudit(tx, position, {
      acting_user_id: actor.id,
      action: "group_members_changed",
      target: { kind: "group", id: change.group_id, name: group?.name ?? "" },
      details: { add: String(members.length) },
      values: { before: { add: [] }, after: { add: members } },
    });
  }
  // The entry counts them all, also if there are too many to be named.
  const count = Number((await readAuditEntry(reads, realm.id, entryId))?.details["count"] ?? 0);
  const users = add("users", changed.users);
  const bots = add("bots", changed.bots);
  const hasBots = bots.length > 0 && users.length + bots.length <= MAX_BULK_ITEMS;
  putAudit(tx, position, {
    acting_user_id: actor.id,
    action: AUDITED[change.kind],
    target: { kind: "user", id: 0, name: "" },
    details: {
      bulk_action: String(id),
      count: String(count + changed.users.length),
      ...(change.kind === "set_role" ? { role: String(change.role) } : {}),
    },
    // The users are all needed to reactivate them, and many more ids do not fit into the values.
    values: { before: {}, after: { users, ...(hasBots ? { bots } : {}) } },
  });
}
