import { z } from "zod";
import { groupSettingSchema } from "../group_setting.ts";

/** A group as the API shows it. */
export const userGroupSchema = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  members: z.array(z.int()).meta({ description: "Active users in the group itself, ascending." }),
  direct_subgroup_ids: z.array(z.int()).meta({ description: "Groups in the group itself, ascending." }),
  creator_id: z.int().nullable(),
  date_created: z.int().nullable().meta({ description: "Seconds since 1970 UTC; null for system groups." }),
  is_system_group: z.boolean(),
  deactivated: z.boolean(),
  can_add_members_group: groupSettingSchema,
  can_join_group: groupSettingSchema,
  can_leave_group: groupSettingSchema,
  can_manage_group: groupSettingSchema,
  can_mention_group: groupSettingSchema,
  can_remove_members_group: groupSettingSchema,
}).meta({ id: "UserGroup" });

/** Every group. */
export const userGroupsSchema = z.object({ user_groups: z.array(userGroupSchema) });

/** A group that was just made. */
export const madeGroupSchema = z.object({ group_id: z.int() });

/** Who belongs to a group. */
export const groupMembersSchema = z.object({ members: z.array(z.int()) });

/** Whether somebody belongs to a group. */
export const groupMembershipSchema = z.object({ is_user_group_member: z.boolean() });

/** The groups in a group. */
export const subgroupsSchema = z.object({ subgroups: z.array(z.int()) });
