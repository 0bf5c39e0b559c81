import type { Tx } from "@/lib/store/transact.ts";
import type { ActionContext, ActivationChange, ChatApp } from "../app.ts";
import {
  type AuditAction,
  type AuditDetails,
  type AuditValues,
  diffDetails,
  diffValues,
  type FieldValues,
} from "../audit/model.ts";
import { auditAction } from "../audit/store.ts";
import type { StoredEvent } from "../events/model.ts";
import { sendEvent } from "../events/send_events.ts";
import { listChangedPermissions, permissionsOf, toMemberEvents } from "../permissions/store.ts";
import {
  filterMembers,
  type PermissionContext,
  permissionValues,
  transitiveSupergroups,
} from "../permissions/model/membership.ts";
import type { Caller, UserRecord } from "../users/model.ts";
import { readUser, userListOf } from "../users/store.ts";
import type { GroupRecord } from "./model/group.ts";
import { formatName, silentMention } from "../rendering/format_markdown.ts";
import { sendUserNotices } from "../users/events.ts";

/** Sends an event to all users; delivery leaves out deactivated groups for clients that do not know them. */
export function sendGroupEvent(
  tx: Tx,
  { realm, groups, now }: PermissionContext,
  payload: { readonly op: string; readonly [member: string]: unknown },
): void {
  const isDeactivated = groups.get(Number(payload["group_id"]))?.deactivated === true;
  sendEvent(tx, { realmId: realm.id, now }, {
    event: { type: "user_group", ...payload, ...(isDeactivated ? { is_deactivated: true } : {}) },
    audience: "everyone",
  });
}

/** Returns the events about custom groups for deactivated or reactivated users. */
export function toGroupActivationEvents(
  permissions: PermissionContext,
  change: ActivationChange,
): readonly StoredEvent[] {
  const events: StoredEvent[] = [];
  const op = change.isActive ? "add_members" : "remove_members";
  for (const group of permissions.groups.values()) {
    events.push(...toMemberEvents(op, group.id, group.members.filter((id) => change.userIds.has(id))));
    const changed = listChangedPermissions(permissions, {
      kind: "user_group",
      owner: group,
      change,
    });
    if (changed.size === 0) continue;
    const data = Object.fromEntries(Array.from(changed, ([name, { after }]) => [name, after]));
    events.push({
      event: { type: "user_group", op: "update", group_id: group.id, data },
      audience: "everyone",
    });
  }
  return events;
}

/** Returns the events for users who gain or lose metadata access to private channels through a group. */
export async function toGroupMetadataAccessEvents(
  app: ChatApp,
  { before, after, groupId }: { before: PermissionContext; after: PermissionContext; groupId: number },
): Promise<readonly StoredEvent[]> {
  const users = userListOf(after.organization).active;
  const previous = new Set(filterMembers(before, groupId, users));
  const current = new Set(filterMembers(after, groupId, users));
  const viewers = [...previous.symmetricDifference(current)].map((user: UserRecord) => ({
    before: user,
    after: user,
  }));
  return await app.hooks.toMetadataAccessEvents(app, {
    before,
    after,
    users: viewers,
    groupIds: transitiveSupergroups(after, groupId),
  });
}

export function auditGroup(
  context: ActionContext,
  { id, name }: GroupRecord,
  entry: { action: AuditAction; details?: AuditDetails; values?: AuditValues | undefined },
): void {
  auditAction(context, { target: { kind: "group", id, name }, ...entry });
}

export function readGroupValues(permissions: PermissionContext, group: GroupRecord): FieldValues {
  const { name, description } = group;
  return { name, description, ...permissionValues(permissions, { kind: "user_group", owner: group }) };
}

/** Adds the differences between two versions of a group to the audit log. */
export function auditGroupUpdate(
  context: ActionContext,
  permissions: PermissionContext,
  { before, after }: { before: GroupRecord; after: GroupRecord },
): void {
  if (before.deactivated && !after.deactivated) auditGroup(context, after, { action: "group_reactivated" });
  const details = {
    ...diffDetails(before, after, ["name", "description"]),
    ...diffDetails(before.permissions, after.permissions),
  };
  if (Object.keys(details).length === 0) return;
  const values = diffValues(readGroupValues(permissions, before), readGroupValues(permissions, after));
  auditGroup(context, after, { action: "group_changed", details, values });
}

/** Sends a notice to each user that the caller added to a group or removed from it, except for themselves. */
export async function announceGroupMembers(
  app: ChatApp,
  caller: Caller,
  { groupId, added, removed }: { groupId: number; added: readonly number[]; removed: readonly number[] },
): Promise<void> {
  const { realm, actingUser } = caller;
  const group = (permissionsOf(await app.readOrganization(realm.id), app.clock)).groups.get(groupId);
  if (group === undefined) return;
  const actor = silentMention(actingUser);
  // A name with an asterisk cannot be mentioned.
  const mention = group.name.includes("*") ? formatName(group.name) : `@_*${group.name}*`;
  const notices = [
    { ids: added, text: `${actor} added you to the group ${mention}.` },
    { ids: removed, text: `${actor} removed you from the group ${mention}.` },
  ];
  for (const { ids, text } of notices) {
    const found = await Promise.all([...new Set(ids)].map((id) => readUser(app, realm.id, id)));
    const users = found.filter((user) => user !== null).filter(({ id }) => id !== actingUser.id);
    await sendUserNotices(app, caller, { users, text });
  }
}
