import { groupSetting, groupSettingUpdate } from "../group_setting.ts";
import { bool, described, intList, optional, text, withDefault } from "../params/param.ts";

/** The longest name of a group, in code points. */
export const MAX_GROUP_NAME = 100;
/** The longest description, in code points: a group's record has an end, so its description has one too. */
export const MAX_GROUP_DESCRIPTION = 1024;

const DESCRIPTIONS = {
  can_add_members_group: "Who may add users and groups to the group.",
  can_join_group: "Who may join the group.",
  can_leave_group: "Which members may leave the group.",
  can_manage_group: "Who may do everything with the group.",
  can_mention_group: "Who may mention the group.",
  can_remove_members_group: "Who may remove users from the group.",
} as const;

/** What a change of a group takes. */
export const updateGroupParams = {
  can_add_members_group: groupSettingUpdate(DESCRIPTIONS.can_add_members_group),
  can_join_group: groupSettingUpdate(DESCRIPTIONS.can_join_group),
  can_leave_group: groupSettingUpdate(DESCRIPTIONS.can_leave_group),
  can_manage_group: groupSettingUpdate(DESCRIPTIONS.can_manage_group),
  can_mention_group: groupSettingUpdate(DESCRIPTIONS.can_mention_group),
  can_remove_members_group: groupSettingUpdate(DESCRIPTIONS.can_remove_members_group),
  deactivated: described(optional(bool()), "False takes a deactivated group back into use."),
  description: described(optional(text({ max: MAX_GROUP_DESCRIPTION })), "What the group is for."),
  name: described(optional(text()), `The group's name, of ${MAX_GROUP_NAME} characters at most.`),
};

/** What a new group takes. */
export const createGroupParams = {
  name: described(text(), `The group's name, of ${MAX_GROUP_NAME} characters at most.`),
  description: described(text({ max: MAX_GROUP_DESCRIPTION }), "What the group is for; may be empty."),
  members: described(intList(), "The users in the group, by their ids."),
  subgroups: described(withDefault(intList(), []), "The groups in the group, by their ids."),
  can_add_members_group: groupSetting(DESCRIPTIONS.can_add_members_group),
  can_join_group: groupSetting(DESCRIPTIONS.can_join_group),
  can_leave_group: groupSetting(DESCRIPTIONS.can_leave_group),
  can_manage_group: groupSetting(DESCRIPTIONS.can_manage_group),
  can_mention_group: groupSetting(DESCRIPTIONS.can_mention_group),
  can_remove_members_group: groupSetting(DESCRIPTIONS.can_remove_members_group),
};

/** What a change of a group's members takes. */
export const editMembersParams = {
  add: described(withDefault(intList(), []), "Users to add, by their ids."),
  delete: described(withDefault(intList(), []), "Users to remove, by their ids."),
  add_subgroups: described(withDefault(intList(), []), "Groups to add, by their ids."),
  delete_subgroups: described(withDefault(intList(), []), "Groups to remove, by their ids."),
};

/** What a change of a group's subgroups alone takes. */
export const editSubgroupsParams = {
  add: described(withDefault(intList(), []), "Groups to add, by their ids."),
  delete: described(withDefault(intList(), []), "Groups to remove, by their ids."),
};

/** What the list of groups takes. */
export const listGroupsParams = {
  include_deactivated_groups: described(
    withDefault(bool(), false),
    "Whether groups that are out of use are listed too.",
  ),
};

/** What questions about a group's members take. */
export const readMembersParams = {
  direct_member_only: described(
    withDefault(bool(), false),
    "Whether those who belong to it by way of a group in it are left out.",
  ),
};

/** What the list of a group's subgroups takes. */
export const readSubgroupsParams = {
  direct_subgroup_only: described(
    withDefault(bool(), false),
    "Whether groups in the groups in it are left out.",
  ),
};
