import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { noteUses } from "../permissions/change.ts";
import { groupQueue, readPermissionContext } from "../permissions/group_world.ts";
import type { Caller } from "../users/caller.ts";
import { accessGroup, getMadeGroup } from "./access.ts";
import { noteGroup } from "./note_group.ts";
import { listObjections } from "./objections.ts";
import { putGroup, tellOfGroup } from "./store.ts";

/**
 * Takes a group out of use; its members and permissions are kept, but what those name is free to go.
 * @throws AppError CANNOT_DEACTIVATE_GROUP_IN_USE with `objections`, or BAD_REQUEST.
 */
export async function deactivateGroup(
  app: ChatApp,
  { realm, actingUser }: Caller,
  groupId: number,
): Promise<void> {
  await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    const group = getMadeGroup(permissions, groupId);
    if (group.deactivated) throw new AppError("BAD_REQUEST", "User group is deactivated.");
    accessGroup(permissions, groupId, { actingUser, rights: [] });
    const objections = await listObjections(app, permissions, groupId);
    if (objections.length > 0) {
      throw new AppError("CANNOT_DEACTIVATE_GROUP_IN_USE", "Cannot deactivate user group in use.", {
        extra: { objections },
      });
    }
    await noteUses(tx, permissions, { holder: { ...group, kind: "user_group" }, after: {} });
    await putGroup(tx, permissions, { ...group, deactivated: true });
    noteGroup(tx, permissions, { actor: actingUser, group, action: "group_deactivated" });
    tellOfGroup(tx, permissions, { op: "update", group_id: groupId, data: { deactivated: true } });
  }, groupQueue(realm.id));
}
