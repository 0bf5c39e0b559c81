import { act } from "@/lib/chat/organization/users/store.ts";
import type { ActionContext, ChatApp } from "@/lib/chat/organization/app.ts";
import {
  changePermissions,
  createPermissions,
  permissionsOf,
  type RequestedPermissions,
  updateGroupUses,
} from "@/lib/chat/organization/permissions/store.ts";
import {
  type GroupSetting,
  type GroupSettingUpdate,
  sortedUnique,
} from "@/lib/chat/organization/permissions/model/group_setting.ts";
import {
  hasRealmPermission,
  insufficientPermission,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { pickBy } from "es-toolkit/object/pickBy";
import type { GroupRecord } from "@/lib/chat/organization/user_groups/model/group.ts";
import {
  getCustomGroup,
  getPermittedGroup,
  requireGroupName,
  requireMemberCount,
  requireSubgroupCount,
  requireSubgroups,
  withGroup,
} from "@/lib/chat/organization/user_groups/model/rules.ts";
import type { Caller } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { toUserGroup } from "./api.ts";
import { announceGroupMembers, auditGroup, auditGroupUpdate, sendGroupEvent } from "./events.ts";
import { groupNames, listDeactivationObjections, putGroup, requireActiveUsers } from "./store.ts";

interface NewGroup {
  readonly name: string;
  readonly description: string;
  readonly members: readonly number[];
  readonly subgroups: readonly number[];
  readonly permissions: RequestedPermissions<GroupSetting>;
}

/**
 * Creates a user group and sends a notice to its members. The creator becomes a member only when listed in `members`.
 * @throws AppError BAD_REQUEST.
 */
export async function createGroup(app: ChatApp, caller: Caller, input: NewGroup): Promise<GroupRecord> {
  const group = await act(app, caller, async (context) => {
    const { tx, realm, actingUser } = context;
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    if (!hasRealmPermission(permissions, "can_create_groups", actingUser)) throw insufficientPermission();
    const { name, description } = input;
    const members = sortedUnique(input.members);
    requireMemberCount(members.length);
    requireActiveUsers(permissions, [...new Set(input.members)]);
    requireGroupName(name);
    const id = await tx.nextId("group");
    const values = createPermissions(tx, permissions, {
      kind: "user_group",
      id,
      sent: input.permissions,
      creatorId: actingUser.id,
    });
    await groupNames.change(tx, realm.id, { id, before: null, after: name });
    const subgroups = sortedUnique(input.subgroups);
    requireSubgroups(permissions, input.subgroups);
    requireSubgroupCount(subgroups.length);
    const group: GroupRecord = {
      id,
      name,
      description,
      members,
      subgroups,
      permissions: values,
      creator_id: actingUser.id,
      date_created: permissions.now,
      deactivated: false,
    };
    putGroup(tx, permissions, group);
    auditGroup(context, group, { action: "group_created" });
    sendGroupEvent(tx, permissions, { op: "add", group: toUserGroup(permissions, group, () => true) });
    return group;
  });
  const notices = { groupId: group.id, added: input.members, removed: [] };
  await afterCommit(() => announceGroupMembers(app, caller, notices));
  return group;
}

/** Requested changes of a group; undefined leaves a value unchanged. */
interface GroupChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** False reactivates the group; true has no effect. */
  readonly deactivated?: boolean | undefined;
  readonly permissions: RequestedPermissions<GroupSettingUpdate>;
}

/** @throws AppError BAD_REQUEST, EXPECTATION_MISMATCH. */
export async function updateGroup(
  app: ChatApp,
  caller: Caller,
  { groupId, changes }: { groupId: number; changes: GroupChanges },
): Promise<void> {
  const { permissions: updates, ...fields } = changes;
  if ([...Object.values(fields), ...Object.values(updates)].every((value) => value === undefined)) {
    throw new AppError("BAD_REQUEST", "No new data supplied");
  }
  await act(app, caller, (context) => changeGroup(context, { groupId, changes }));
}

/** @throws AppError BAD_REQUEST, EXPECTATION_MISMATCH. */
export async function changeGroup(
  context: ActionContext,
  { groupId, changes }: { groupId: number; changes: GroupChanges },
): Promise<void> {
  const { app, tx, realm, actingUser } = context;
  const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
  const group = getPermittedGroup(permissions, groupId, { actingUser, settings: [] });
  const { name = group.name, description = group.description } = changes;
  if (name !== group.name) {
    requireGroupName(name);
    await groupNames.change(tx, realm.id, { id: groupId, before: group.name, after: name });
  }
  const isReactivated = group.deactivated && changes.deactivated === false;
  const deactivated = group.deactivated && !isReactivated;
  if (isReactivated) {
    // Groups that its permissions name are in use again, even deactivated ones.
    const holder = { kind: "user_group", id: groupId, permissions: {} } as const;
    updateGroupUses(tx, permissions, { holder, after: group.permissions });
  }
  const reactivated: GroupRecord = { ...group, name, description, deactivated };
  const { permissions: values, changed } = changePermissions(
    tx,
    withGroup(permissions, reactivated),
    {
      holder: { ...reactivated, kind: "user_group", isInactive: reactivated.deactivated },
      updates: changes.permissions,
    },
  );
  const fields = pickBy({ name, description, deactivated }, (value, field) => value !== group[field]);
  const data = { ...fields, ...changed };
  if (Object.keys(data).length === 0) return;
  const after = { ...reactivated, permissions: values };
  putGroup(tx, permissions, after);
  auditGroupUpdate(context, permissions, { before: group, after });
  sendGroupEvent(tx, withGroup(permissions, after), { op: "update", group_id: groupId, data });
}

/**
 * Deactivates a group; its permissions no longer keep other groups from being deactivated.
 * @throws AppError CANNOT_DEACTIVATE_GROUP_IN_USE with `objections`, or BAD_REQUEST.
 */
export async function deactivateGroup(app: ChatApp, caller: Caller, groupId: number): Promise<void> {
  await act(app, caller, async (context) => {
    const { tx, realm, actingUser } = context;
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const group = getCustomGroup(permissions, groupId);
    if (group.deactivated) throw new AppError("BAD_REQUEST", "User group is deactivated.");
    getPermittedGroup(permissions, groupId, { actingUser, settings: [] });
    const objections = await listDeactivationObjections(app, permissions, groupId);
    if (objections.length > 0) {
      throw new AppError("CANNOT_DEACTIVATE_GROUP_IN_USE", "Cannot deactivate user group in use.", {
        extra: { objections },
      });
    }
    updateGroupUses(tx, permissions, { holder: { ...group, kind: "user_group" }, after: {} });
    putGroup(tx, permissions, { ...group, deactivated: true });
    auditGroup(context, group, { action: "group_deactivated" });
    sendGroupEvent(tx, permissions, { op: "update", group_id: groupId, data: { deactivated: true } });
  });
}
