import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { updateGroupUses } from "../permissions/change_permissions.ts";
import { readPermissionContext } from "../permissions/store.ts";
import type { ActionContext, Caller } from "../users/model.ts";
import { auditGroup, sendGroupEvent } from "./events.ts";
import { getCustomGroup, getPermittedGroup } from "./model/rules.ts";
import { listDeactivationObjections, putGroup } from "./store.ts";

/**
 * Deactivates a group. Its members and permissions are kept, but no longer keep other groups from being
 * deactivated.
 * @throws AppError CANNOT_DEACTIVATE_GROUP_IN_USE with `objections`, or BAD_REQUEST.
 */
export async function deactivateGroup(
  app: ChatApp,
  caller: Caller,
  groupId: number,
): Promise<void> {
  const work = (tx: Tx) => applyGroupDeactivation({ app, tx, ...caller }, groupId);
  await transact(app.store, work);
}

/**
 * Deactivates a group within a transaction, with the event and the audit entry.
 * @throws AppError CANNOT_DEACTIVATE_GROUP_IN_USE with `objections`, or BAD_REQUEST.
 */
export async function applyGroupDeactivation(
  { app, tx, realm, actingUser }: ActionContext,
  groupId: number,
): Promise<void> {
  const permissions = await readPermissionContext(app, tx, realm.id);
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
  const values = { before: { deactivated: false }, after: { deactivated: true } };
  auditGroup(tx, permissions, { actor: actingUser, group, action: "group_deactivated", values });
  sendGroupEvent(tx, permissions, { op: "update", group_id: groupId, data: { deactivated: true } });
}
