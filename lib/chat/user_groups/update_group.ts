import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import {
  changePermissions,
  type RequestedPermissions,
  updateGroupUses,
} from "../permissions/change_permissions.ts";
import type { GroupSettingUpdate } from "../permissions/model/group_setting.ts";
import type { PermissionContext } from "../permissions/model/permission_context.ts";
import { readPermissionContext } from "../permissions/store.ts";
import type { ActionContext, Caller } from "../users/model.ts";
import { auditGroupUpdate, sendGroupEvent } from "./events.ts";
import { getPermittedGroup, requireGroupName, withGroup } from "./model/rules.ts";
import type { GroupRecord } from "./model/group.ts";
import { putGroup, reserveGroupName } from "./store.ts";

/** Requested changes of a group; undefined leaves a value unchanged. */
export interface GroupChanges {
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** False reactivates the group; true has no effect. */
  readonly deactivated: boolean | undefined;
  readonly permissions: RequestedPermissions<GroupSettingUpdate>;
}

/**
 * Updates a group, active or not, and sends the differences.
 * @throws AppError BAD_REQUEST, EXPECTATION_MISMATCH.
 */
export async function updateGroup(
  app: ChatApp,
  caller: Caller,
  { groupId, changes }: { groupId: number; changes: GroupChanges },
): Promise<void> {
  const { permissions: updates, ...rest } = changes;
  if ([...Object.values(rest), ...Object.values(updates)].every((value) => value === undefined)) {
    throw new AppError("BAD_REQUEST", "No new data supplied");
  }
  const work = (tx: Tx) => applyGroupUpdate({ app, tx, ...caller }, { groupId, changes });
  await transact(app.store, work);
}

/**
 * Updates a group within a transaction, with the event and the audit entries.
 * @throws AppError BAD_REQUEST, EXPECTATION_MISMATCH.
 */
export async function applyGroupUpdate(
  { app, tx, realm, actingUser }: ActionContext,
  { groupId, changes }: { groupId: number; changes: GroupChanges },
): Promise<void> {
  const permissions = await readPermissionContext(app, tx, realm.id);
  const group = getPermittedGroup(permissions, groupId, { actingUser, settings: [] });
  const renamed = await renameAndDescribe(tx, permissions, { group, changes });
  const reactivated = reactivate(tx, permissions, { group: renamed, changes });
  const { permissions: values, changed } = await changePermissions(
    tx,
    withGroup(permissions, reactivated),
    {
      holder: { ...reactivated, kind: "user_group", isInactive: reactivated.deactivated },
      updates: changes.permissions,
    },
  );
  const data = { ...diffGroups(group, reactivated), ...changed };
  if (Object.keys(data).length === 0) return;
  const after = { ...reactivated, permissions: values };
  putGroup(tx, permissions, after);
  auditGroupUpdate(tx, permissions, { actor: actingUser, before: group, after });
  sendGroupEvent(tx, withGroup(permissions, after), { op: "update", group_id: groupId, data });
}

interface Change {
  readonly group: GroupRecord;
  readonly changes: GroupChanges;
}

async function renameAndDescribe(
  tx: Tx,
  permissions: PermissionContext,
  { group, changes }: Change,
): Promise<GroupRecord> {
  const { name = group.name, description = group.description } = changes;
  if (name !== group.name) {
    requireGroupName(name);
    await reserveGroupName(tx, permissions, { id: group.id, name, before: group.name });
  }
  return { ...group, name, description };
}

/**
 * Reactivates the group if requested. Groups that its permissions name are in use again, even deactivated
 * ones.
 */
function reactivate(tx: Tx, permissions: PermissionContext, { group, changes }: Change): GroupRecord {
  if (!group.deactivated || changes.deactivated !== false) return group;
  const holder = { kind: "user_group", id: group.id, permissions: {} } as const;
  updateGroupUses(tx, permissions, { holder, after: group.permissions });
  return { ...group, deactivated: false };
}

function diffGroups(before: GroupRecord, after: GroupRecord): Record<string, unknown> {
  return {
    ...(after.name === before.name ? {} : { name: after.name }),
    ...(after.description === before.description ? {} : { description: after.description }),
    ...(after.deactivated === before.deactivated ? {} : { deactivated: after.deactivated }),
  };
}
