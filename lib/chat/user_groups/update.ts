import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { GroupSettingUpdate } from "../group_setting.ts";
import { changePermissions, noteUses, type Sent } from "../permissions/change.ts";
import type { GroupRecord } from "../permissions/group.ts";
import { groupQueue, type PermissionContext, readPermissionContext } from "../permissions/group_world.ts";
import type { Caller } from "../users/caller.ts";
import { accessGroup } from "./access.ts";
import { noteGroupUpdate } from "./note_group.ts";
import { requireGroupName } from "./rules.ts";
import { putGroup, takeName, tellOfGroup, withGroup } from "./store.ts";

/** What is to be other than it is; undefined leaves a thing alone. */
export interface GroupChanges {
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** False takes the group back into use; true is not a way to deactivate one and changes nothing. */
  readonly deactivated: boolean | undefined;
  readonly permissions: Sent<GroupSettingUpdate>;
}

/**
 * Changes a group, in use or not, and tells everybody what is other than before.
 * @throws AppError BAD_REQUEST, EXPECTATION_MISMATCH.
 */
export async function updateGroup(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { groupId, changes }: { groupId: number; changes: GroupChanges },
): Promise<void> {
  const { permissions: updates, ...rest } = changes;
  if ([...Object.values(rest), ...Object.values(updates)].every((value) => value === undefined)) {
    throw new AppError("BAD_REQUEST", "No new data supplied");
  }
  await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    const group = accessGroup(permissions, groupId, { actingUser, rights: [] });
    const renamed = await changeTexts(tx, permissions, { group, changes });
    const revived = await changeUse(tx, permissions, { group: renamed, changes });
    const { permissions: values, changed } = await changePermissions(tx, withGroup(permissions, revived), {
      holder: { ...revived, kind: "user_group", isOutOfUse: revived.deactivated },
      updates,
    });
    const data = { ...differences(group, revived), ...changed };
    if (Object.keys(data).length === 0) return;
    const after = { ...revived, permissions: values };
    await putGroup(tx, permissions, after);
    noteGroupUpdate(tx, permissions, { actor: actingUser, before: group, after });
    tellOfGroup(tx, permissions, { op: "update", group_id: groupId, data });
  }, groupQueue(realm.id));
}

interface Change {
  readonly group: GroupRecord;
  readonly changes: GroupChanges;
}

async function changeTexts(
  tx: Tx,
  permissions: PermissionContext,
  { group, changes }: Change,
): Promise<GroupRecord> {
  const { name = group.name, description = group.description } = changes;
  if (name !== group.name) {
    requireGroupName(name);
    await takeName(tx, permissions, { id: group.id, name, before: group.name });
  }
  return { ...group, name, description };
}

/** A group that comes back uses again what its permissions name, whatever became of that meanwhile. */
async function changeUse(
  tx: Tx,
  permissions: PermissionContext,
  { group, changes }: Change,
): Promise<GroupRecord> {
  if (!group.deactivated || changes.deactivated !== false) return group;
  const holder = { kind: "user_group", id: group.id, permissions: {} } as const;
  await noteUses(tx, permissions, { holder, after: group.permissions });
  return { ...group, deactivated: false };
}

function differences(before: GroupRecord, after: GroupRecord): Record<string, unknown> {
  return {
    ...(after.name === before.name ? {} : { name: after.name }),
    ...(after.description === before.description ? {} : { description: after.description }),
    ...(after.deactivated === before.deactivated ? {} : { deactivated: after.deactivated }),
  };
}
