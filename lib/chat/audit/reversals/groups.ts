import { announceGroupMembers } from "@/lib/chat/announcements/announce_group_members.ts";
import { readPermissionContext } from "@/lib/chat/permissions/store.ts";
import { updateGroupParams } from "@/lib/chat/user_groups/api.ts";
import { applyGroupDeactivation, applyGroupUpdate } from "@/lib/chat/user_groups/change_group.ts";
import { applyMemberEdits, type MemberEdits } from "@/lib/chat/user_groups/edit_members.ts";
import { readGroupValues } from "@/lib/chat/user_groups/events.ts";
import type { GroupRecord } from "@/lib/chat/user_groups/model/group.ts";
import { userKeys, type UserRecord } from "@/lib/chat/users/model.ts";
import type { FieldValues } from "../model.ts";
import { type FollowUp, pickChanged, type Reversal, type RevertContext, targetId } from "./reversal.ts";
import { toIds, toParams } from "./reversal.ts";

/** Lists of a change of members, and the list of the group that they name. */
const MEMBER_LISTS = {
  add: "members",
  delete: "members",
  add_subgroups: "subgroups",
  delete_subgroups: "subgroups",
} as const satisfies Record<keyof MemberEdits, keyof GroupRecord>;

/** Reverts changes of a group's name, description, permissions and members, deactivating and reactivating. */
export const groupReversal: Reversal = {
  async read(context) {
    const group = await readGroup(context);
    if (group === null) return null;
    const { record, permissions } = group;
    const values = { ...readGroupValues(permissions, record), deactivated: record.deactivated };
    return pickChanged(context, { ...values, ...readMembers(context, record) });
  },
  async apply(context, earlier) {
    const groupId = targetId(context);
    if (Object.keys(earlier).some((name) => name in MEMBER_LISTS)) {
      return await revertMembers(context, earlier);
    }
    if (earlier["deactivated"] === true) {
      await applyGroupDeactivation(context, groupId);
      return null;
    }
    const { name, description, deactivated, ...permissions } = toParams(updateGroupParams, earlier);
    await applyGroupUpdate(context, { groupId, changes: { name, description, deactivated, permissions } });
    return null;
  },
};

async function readGroup({ app, tx, realm, ...context }: RevertContext) {
  const permissions = await readPermissionContext(app, tx, realm.id);
  const record = permissions.groups.get(targetId({ app, tx, realm, ...context })) ?? null;
  return record === null ? null : { permissions, record };
}

/** Returns which of the ids that a change named are in the group now, by list. */
function readMembers({ values }: RevertContext, group: GroupRecord): FieldValues {
  return Object.fromEntries(
    Object.entries(MEMBER_LISTS).map(([name, list]) => {
      const inside = new Set(group[list]);
      const named = [...toIds(values.before[name]), ...toIds(values.after[name])];
      return [name, named.filter((id) => inside.has(id))];
    }),
  );
}

/** Adds and removes members, except for deactivated users, who can be neither added nor removed. */
async function revertMembers(context: RevertContext, earlier: FieldValues): Promise<FollowUp | null> {
  const found = await readGroup(context);
  if (found === null) return null;
  const current = readMembers(context, found.record);
  const missing = (name: keyof MemberEdits, isInside: boolean) => {
    const [wanted, others] = isInside ? [earlier[name], current[name]] : [current[name], earlier[name]];
    const excluded = new Set(toIds(others));
    return name in earlier ? toIds(wanted).filter((id) => !excluded.has(id)) : [];
  };
  const edits: MemberEdits = {
    add: await keepActive(context, missing("delete", true)),
    delete: await keepActive(context, missing("add", false)),
    add_subgroups: missing("delete_subgroups", true),
    delete_subgroups: missing("add_subgroups", false),
  };
  if (Object.values(edits).every((ids) => ids.length === 0)) return null;
  const { app, realm, actingUser } = context;
  const groupId = targetId(context);
  await applyMemberEdits(context, { groupId, edits });
  const notices = { groupId, added: edits.add, removed: edits.delete };
  return () => announceGroupMembers(app, { realm, actingUser }, notices);
}

async function keepActive({ tx, realm }: RevertContext, ids: readonly number[]): Promise<readonly number[]> {
  const users = await Promise.all(ids.map((id) => tx.peek<UserRecord>(userKeys.user(realm.id, id))));
  return ids.filter((_, at) => users[at]?.is_active === true);
}
