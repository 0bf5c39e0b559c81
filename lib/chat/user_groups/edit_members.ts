import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvents } from "../events/tell_together.ts";
import { sortedSet } from "../group_setting.ts";
import type { GroupRecord } from "../permissions/group.ts";
import { groupQueue, type PermissionContext, readPermissionContext } from "../permissions/group_world.ts";
import type { Caller } from "../users/caller.ts";
import type { UserRecord } from "../users/user.ts";
import { accessGroup, getMadeGroup, type GroupRight } from "./access.ts";
import { noteGroup } from "./note_group.ts";
import {
  requireMemberRoom,
  requireSubgroups,
  withMembers,
  withoutMembers,
  withoutSubgroups,
  withSubgroups,
} from "./rules.ts";
import { putGroup, requireActiveUsers, tellOfGroup, withGroup } from "./store.ts";
import { toGroupSightEvents } from "./tell_of_sight.ts";

/** Who and what is to come into a group or to leave it, by ids; an empty list asks for nothing. */
export interface MemberEdits {
  readonly add: readonly number[];
  readonly delete: readonly number[];
  readonly add_subgroups: readonly number[];
  readonly delete_subgroups: readonly number[];
}

/**
 * Changes who is in a group, in use or not: all four lists in their order, each on what the one before left, or none.
 * @throws AppError BAD_REQUEST.
 */
export async function editMembers(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { groupId, edits }: { groupId: number; edits: MemberEdits },
): Promise<void> {
  requireSomething(
    edits,
    'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or ' +
      '"delete_subgroups".',
  );
  await transact(app.store, async (tx) => {
    const before = await readPermissionContext(app, tx, realm.id);
    let permissions = before;
    for (const [kind, step] of STEPS) {
      const ids = [...new Set(edits[kind])];
      if (ids.length === 0) continue;
      const group = await step(tx, permissions, { groupId, ids, actingUser });
      permissions = withGroup(permissions, group);
    }
    const group = getMadeGroup(permissions, groupId);
    await putGroup(tx, permissions, group);
    const seen = await toGroupSightEvents(app, { before, after: permissions, groupId });
    sendEvents(tx, { realmId: realm.id, now: permissions.now }, seen);
    if (isOwnStep(edits, actingUser)) return;
    const details = toCounts(edits);
    noteGroup(tx, permissions, { actor: actingUser, group, action: "group_members_changed", details });
  }, groupQueue(realm.id));
}

/**
 * Changes which groups are in a group, as `editMembers` does.
 * @throws AppError BAD_REQUEST.
 */
export async function editSubgroups(
  app: ChatApp,
  caller: Caller,
  { groupId, edits }: { groupId: number; edits: Pick<MemberEdits, "add" | "delete"> },
): Promise<void> {
  requireSomething(edits, 'Nothing to do. Specify at least one of "add" or "delete".');
  const { add: add_subgroups, delete: delete_subgroups } = edits;
  await editMembers(app, caller, {
    groupId,
    edits: { add: [], delete: [], add_subgroups, delete_subgroups },
  });
}

function requireSomething(edits: Partial<MemberEdits>, message: string): void {
  if (Object.values(edits).every((ids) => ids.length === 0)) throw new AppError("BAD_REQUEST", message);
}

/** Who joins or leaves by himself administers nothing. */
function isOwnStep(edits: MemberEdits, { id }: UserRecord): boolean {
  return [...edits.add, ...edits.delete].every((userId) => userId === id) &&
    edits.add_subgroups.length === 0 && edits.delete_subgroups.length === 0;
}

function toCounts(edits: MemberEdits): Record<string, string> {
  const counts = STEPS.map(([kind]) => [kind, String(new Set(edits[kind]).size)]);
  return Object.fromEntries(counts.filter(([, count]) => count !== "0"));
}

interface Edit {
  readonly groupId: number;
  readonly ids: readonly number[];
  readonly actingUser: UserRecord;
}

/** Checks one list, tells everybody, and gives the group as it is then. */
type Step = (tx: Tx, permissions: PermissionContext, edit: Edit) => Promise<GroupRecord>;

const STEPS: readonly (readonly [keyof MemberEdits, Step])[] = [
  ["add", addMembers],
  ["delete", removeMembers],
  ["add_subgroups", addSubgroups],
  ["delete_subgroups", removeSubgroups],
];

async function addMembers(tx: Tx, permissions: PermissionContext, edit: Edit): Promise<GroupRecord> {
  const group = access(permissions, edit, ["can_add_members_group", ...forSelf(edit, "can_join_group")]);
  const user_ids = sortedSet(edit.ids);
  requireMemberRoom(user_ids.length);
  await requireActiveUsers(tx, permissions, edit.ids);
  const after = withMembers(group, edit.ids);
  tellOfGroup(tx, permissions, { op: "add_members", group_id: group.id, user_ids });
  return after;
}

async function removeMembers(tx: Tx, permissions: PermissionContext, edit: Edit): Promise<GroupRecord> {
  const user_ids = sortedSet(edit.ids);
  requireMemberRoom(user_ids.length);
  await requireActiveUsers(tx, permissions, edit.ids);
  const group = access(permissions, edit, ["can_remove_members_group", ...forSelf(edit, "can_leave_group")]);
  const after = withoutMembers(group, edit.ids);
  tellOfGroup(tx, permissions, { op: "remove_members", group_id: group.id, user_ids });
  return after;
}

function addSubgroups(tx: Tx, permissions: PermissionContext, edit: Edit): Promise<GroupRecord> {
  const group = access(permissions, edit, ["can_add_members_group"]);
  requireSubgroups(permissions, edit.ids);
  const after = withSubgroups(permissions, group, edit.ids);
  const direct_subgroup_ids = sortedSet(edit.ids);
  tellOfGroup(tx, permissions, { op: "add_subgroups", group_id: group.id, direct_subgroup_ids });
  return Promise.resolve(after);
}

function removeSubgroups(tx: Tx, permissions: PermissionContext, edit: Edit): Promise<GroupRecord> {
  const group = access(permissions, edit, []);
  requireSubgroups(permissions, edit.ids);
  const after = withoutSubgroups(group, edit.ids);
  const direct_subgroup_ids = sortedSet(edit.ids);
  tellOfGroup(tx, permissions, { op: "remove_subgroups", group_id: group.id, direct_subgroup_ids });
  return Promise.resolve(after);
}

function access(permissions: PermissionContext, edit: Edit, rights: readonly GroupRight[]): GroupRecord {
  return accessGroup(permissions, edit.groupId, { actingUser: edit.actingUser, rights });
}

/** The permission counts only for somebody who asks for nobody but himself. */
function forSelf({ ids, actingUser }: Edit, right: GroupRight): readonly GroupRight[] {
  return ids.every((id) => id === actingUser.id) ? [right] : [];
}
