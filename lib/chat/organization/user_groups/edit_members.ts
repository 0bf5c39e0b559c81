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
  { app, tx, realm, actingUser }: ActionContext,
  { groupId, edits }: { groupId: number; edits: MemberEdits },
): Promise<GroupRecord> {
  const before = permissionsOf(await tx.organization(realm.id), app.clock);
  let permissions = before;
  for (const [kind, step] of STEPS) {
    const ids = [...new Set(edits[kind])];
    if (ids.length === 0) continue;
    const group = await step(tx, permissions, { groupId, ids, actingUser });
    permissions = withGroup(permissions, group);
  }
  const group = getCustomGroup(permissions, groupId);
  putGroup(tx, permissions, group);
  const events = await toGroupMetadataAccessEvents(app, { before, after: permissions, groupId });
  sendEvents(tx, { realmId: realm.id, now: permissions.now }, events);
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

interface Edit {
  readonly groupId: number;
  readonly ids: readonly number[];
  readonly actingUser: UserRecord;
}

/** Validates and applies one list, sends its event and returns the changed group. */
type Step = (tx: Tx, permissions: PermissionContext, edit: Edit) => Promise<GroupRecord> | GroupRecord;

const STEPS: readonly (readonly [keyof MemberEdits, Step])[] = [
  ["add", addMembers],
  ["delete", removeMembers],
  ["add_subgroups", addSubgroups],
  ["delete_subgroups", removeSubgroups],
];

async function addMembers(tx: Tx, permissions: PermissionContext, edit: Edit): Promise<GroupRecord> {
  const group = getGroup(permissions, edit, ["can_add_members_group", ...ifForSelf(edit, "can_join_group")]);
  const user_ids = sortedUnique(edit.ids);
  requireMemberCount(user_ids.length);
  await requireActiveUsers(tx, permissions, edit.ids);
  const after = withMembers(group, edit.ids);
  sendGroupEvent(tx, permissions, { op: "add_members", group_id: group.id, user_ids });
  return after;
}

async function removeMembers(tx: Tx, permissions: PermissionContext, edit: Edit): Promise<GroupRecord> {
  const user_ids = sortedUnique(edit.ids);
  requireMemberCount(user_ids.length);
  await requireActiveUsers(tx, permissions, edit.ids);
  const group = getGroup(permissions, edit, [
    "can_remove_members_group",
    ...ifForSelf(edit, "can_leave_group"),
  ]);
  const after = withoutMembers(group, edit.ids);
  sendGroupEvent(tx, permissions, { op: "remove_members", group_id: group.id, user_ids });
  return after;
}

function addSubgroups(tx: Tx, permissions: PermissionContext, edit: Edit): GroupRecord {
  const group = getGroup(permissions, edit, ["can_add_members_group"]);
  requireSubgroups(permissions, edit.ids);
  const after = withSubgroups(permissions, group, edit.ids);
  const direct_subgroup_ids = sortedUnique(edit.ids);
  sendGroupEvent(tx, permissions, { op: "add_subgroups", group_id: group.id, direct_subgroup_ids });
  return after;
}

function removeSubgroups(tx: Tx, permissions: PermissionContext, edit: Edit): GroupRecord {
  const group = getGroup(permissions, edit, []);
  requireSubgroups(permissions, edit.ids);
  const after = withoutSubgroups(group, edit.ids);
  const direct_subgroup_ids = sortedUnique(edit.ids);
  sendGroupEvent(tx, permissions, { op: "remove_subgroups", group_id: group.id, direct_subgroup_ids });
  return after;
}

function getGroup(
  permissions: PermissionContext,
  edit: Edit,
  settings: readonly GroupPermission[],
): GroupRecord {
  return getPermittedGroup(permissions, edit.groupId, { actingUser: edit.actingUser, settings });
}

/** Returns the permission when the caller is the only user in the list. */
function ifForSelf({ ids, actingUser }: Edit, setting: GroupPermission): readonly GroupPermission[] {
  return ids.every((id) => id === actingUser.id) ? [setting] : [];
}
