import { act } from "../users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ActionContext, ChatApp } from "../app.ts";
import type { AuditValues } from "../audit/model.ts";
import { sendEvents } from "../events/send_events.ts";
import { sortedUnique } from "../permissions/model/group_setting.ts";
import type { PermissionContext } from "../permissions/model/membership.ts";
import { permissionsOf } from "../permissions/store.ts";
import type { Caller, UserRecord } from "../users/model.ts";
import { announceGroupMembers, auditGroup, sendGroupEvent, toGroupMetadataAccessEvents } from "./events.ts";
import {
  getCustomGroup,
  getPermittedGroup,
  type GroupPermission,
  requireMemberCount,
  requireSubgroups,
  withGroup,
  withMembers,
  withoutMembers,
  withoutSubgroups,
  withSubgroups,
} from "./model/rules.ts";
import type { GroupRecord } from "./model/group.ts";
import { putGroup, requireActiveUsers } from "./store.ts";

export interface MemberEdits {
  readonly add: readonly number[];
  readonly delete: readonly number[];
  readonly add_subgroups: readonly number[];
  readonly delete_subgroups: readonly number[];
}

/**
 * Adds and removes members and subgroups of a group, also of a deactivated one, and sends a notice to the users. The
 * four lists are applied in order, all or none.
 * @throws AppError BAD_REQUEST.
 */
export async function editMembers(
  app: ChatApp,
  caller: Caller,
  { groupId, edits }: { groupId: number; edits: MemberEdits },
): Promise<void> {
  requireEdits(
    edits,
    'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or ' +
      '"delete_subgroups".',
  );
  await act(app, caller, async (context) => {
    const group = await changeMembers(context, { groupId, edits });
    if (isOwnEdit(edits, context.actingUser)) return;
    auditGroup(context, group, {
      action: "group_members_changed",
      details: toCounts(edits),
      values: toAuditValues(edits),
    });
  });
  const notices = { groupId, added: edits.add, removed: edits.delete };
  await afterCommit(() => announceGroupMembers(app, caller, notices));
}

/**
 * Changes the members of a group without an audit entry.
 * @throws AppError BAD_REQUEST.
 */
export async function changeMembers(
  context: ActionContext,
  { groupId, edits }: { groupId: number; edits: MemberEdits },
): Promise<GroupRecord> {
  const { app, tx, realm, actingUser } = context;
  const before = permissionsOf(await tx.organization(realm.id), app.clock);
  let permissions = before;
  for (const [kind, step] of STEPS) {
    const ids = [...new Set(edits[kind])];
    if (ids.length === 0) continue;
    permissions = withGroup(
      permissions,
      applyList(tx, permissions, { groupId, kind, ids, actingUser, step }),
    );
  }
  const group = getCustomGroup(permissions, groupId);
  putGroup(tx, permissions, group);
  const events = await toGroupMetadataAccessEvents(app, { before, after: permissions, groupId });
  sendEvents(context, events);
  return group;
}

/** @throws AppError BAD_REQUEST. */
export async function editSubgroups(
  app: ChatApp,
  caller: Caller,
  { groupId, edits }: { groupId: number; edits: Pick<MemberEdits, "add" | "delete"> },
): Promise<void> {
  requireEdits(edits, 'Nothing to do. Specify at least one of "add" or "delete".');
  const { add: add_subgroups, delete: delete_subgroups } = edits;
  await editMembers(app, caller, {
    groupId,
    edits: { add: [], delete: [], add_subgroups, delete_subgroups },
  });
}

function requireEdits(edits: Partial<MemberEdits>, message: string): void {
  if (Object.values(edits).every((ids) => ids.length === 0)) throw new AppError("BAD_REQUEST", message);
}

/** Whether users only join or leave by themselves, which is not audited. */
function isOwnEdit(edits: MemberEdits, { id }: UserRecord): boolean {
  return [...edits.add, ...edits.delete].every((userId) => userId === id) &&
    edits.add_subgroups.length === 0 && edits.delete_subgroups.length === 0;
}

function toCounts(edits: MemberEdits): Record<string, string> {
  const counts = STEPS.map(([kind]) => [kind, String(new Set(edits[kind]).size)]);
  return Object.fromEntries(counts.filter(([, count]) => count !== "0"));
}

/** Returns which of the added and removed ids were in the group before and after the edit. */
function toAuditValues(edits: MemberEdits): AuditValues {
  const { add, delete: removed, add_subgroups, delete_subgroups } = edits;
  const added = { add: sortedUnique(add), add_subgroups: sortedUnique(add_subgroups) };
  const deleted = { delete: sortedUnique(removed), delete_subgroups: sortedUnique(delete_subgroups) };
  const named = (lists: Readonly<Record<string, readonly number[]>>, isInside: boolean) =>
    Object.fromEntries(
      Object.entries(lists).filter(([, ids]) => ids.length > 0)
        .map(([name, ids]) => [name, isInside ? ids : []]),
    );
  return {
    before: { ...named(added, false), ...named(deleted, true) },
    after: { ...named(added, true), ...named(deleted, false) },
  };
}

interface Step {
  /** Operation of the event. */
  readonly op: string;
  readonly change: (
    group: GroupRecord,
    ids: readonly number[],
    permissions: PermissionContext,
  ) => GroupRecord;
  readonly permission: GroupPermission;
  /** Permission that suffices for users who change only their own membership. */
  readonly ownPermission?: GroupPermission;
}

/** Steps of a change in their order. */
const STEPS: readonly (readonly [keyof MemberEdits, Step])[] = [
  ["add", {
    op: "add_members",
    change: withMembers,
    permission: "can_add_members_group",
    ownPermission: "can_join_group",
  }],
  ["delete", {
    op: "remove_members",
    change: withoutMembers,
    permission: "can_remove_members_group",
    ownPermission: "can_leave_group",
  }],
  ["add_subgroups", { op: "add_subgroups", change: withSubgroups, permission: "can_add_members_group" }],
  ["delete_subgroups", { op: "remove_subgroups", change: withoutSubgroups, permission: "can_manage_group" }],
];

/** Validates and applies one list, sends its event and returns the changed group. */
function applyList(
  tx: Tx,
  permissions: PermissionContext,
  { groupId, kind, ids, actingUser, step }: {
    readonly groupId: number;
    readonly kind: keyof MemberEdits;
    readonly ids: readonly number[];
    readonly actingUser: UserRecord;
    readonly step: Step;
  },
): GroupRecord {
  const { op, change, permission, ownPermission } = step;
  const isOwn = ids.every((id) => id === actingUser.id);
  const settings = isOwn && ownPermission !== undefined ? [permission, ownPermission] : [permission];
  const getGroup = () => getPermittedGroup(permissions, groupId, { actingUser, settings });
  // Only where members are removed are unknown users refused before a missing permission.
  if (kind !== "delete") getGroup();
  const sorted = sortedUnique(ids);
  const isOfUsers = kind === "add" || kind === "delete";
  if (isOfUsers) {
    requireMemberCount(ids.length);
    requireActiveUsers(permissions, ids);
  } else requireSubgroups(permissions, ids);
  const after = change(getGroup(), ids, permissions);
  const changed = isOfUsers ? { user_ids: sorted } : { direct_subgroup_ids: sorted };
  sendGroupEvent(tx, permissions, { op, group_id: groupId, ...changed });
  return after;
}
