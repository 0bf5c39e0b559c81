import type { SystemGroupName } from "./system_groups.ts";

/** Kind of object that a permission belongs to. */
export type PermissionOwner = "realm" | "channel" | "user_group";

/** Definition of a permission: its owner, its default and the system groups it rejects. */
export interface PermissionRule {
  readonly owner: PermissionOwner;
  readonly setting: string;
  /** `creator` stands for the user who creates the owner. */
  readonly defaultGroup: SystemGroupName | "creator";
  /** Rejected system groups, in addition to role:internet, which every permission rejects. */
  readonly rejectedGroups: readonly SystemGroupName[];
  /** The only accepted groups, for permissions restricted to system groups. */
  readonly allowedGroups?: readonly SystemGroupName[];
}

const EVERYONE = "role:everyone";

/** Definitions of all permissions, in the order in which changes are validated. */
export const PERMISSIONS: readonly PermissionRule[] = [
  rule("user_group", "can_add_members_group", "creator", [EVERYONE]),
  rule("user_group", "can_join_group", "role:nobody", [EVERYONE]),
  rule("user_group", "can_leave_group", EVERYONE),
  rule("user_group", "can_manage_group", "creator", [EVERYONE]),
  // The specification rejects role:owners here; the reference does not.
  rule("user_group", "can_mention_group", EVERYONE, ["role:owners"]),
  rule("user_group", "can_remove_members_group", "role:nobody", [EVERYONE]),
  rule("channel", "can_add_subscribers_group", "role:nobody", [EVERYONE]),
  rule("channel", "can_administer_channel_group", "creator", [EVERYONE]),
  rule("channel", "can_create_topic_group", EVERYONE),
  rule("channel", "can_delete_any_message_group", "role:nobody"),
  rule("channel", "can_delete_own_message_group", "role:nobody"),
  rule("channel", "can_move_messages_out_of_channel_group", "role:nobody"),
  rule("channel", "can_move_messages_within_channel_group", "role:nobody"),
  rule("channel", "can_remove_subscribers_group", "role:administrators"),
  rule("channel", "can_resolve_topics_group", "role:nobody"),
  rule("channel", "can_send_message_group", EVERYONE),
  rule("channel", "can_subscribe_group", "role:nobody", [EVERYONE]),
  {
    ...rule("realm", "can_access_all_users_group", EVERYONE),
    allowedGroups: [EVERYONE, "role:members"],
  },
  rule("realm", "can_add_subscribers_group", "role:members", [EVERYONE]),
  rule("realm", "can_create_groups", "role:members", [EVERYONE]),
  rule("realm", "can_create_private_channel_group", "role:members", [EVERYONE]),
  rule("realm", "can_create_public_channel_group", "role:members", [EVERYONE]),
  {
    ...rule("realm", "can_create_web_public_channel_group", "role:owners", [EVERYONE]),
    allowedGroups: ["role:moderators", "role:administrators", "role:owners", "role:nobody"],
  },
  rule("realm", "can_delete_any_message_group", "role:administrators", [EVERYONE]),
  rule("realm", "can_delete_own_message_group", EVERYONE),
  rule("realm", "can_invite_users_group", "role:members", [EVERYONE]),
  rule("realm", "can_manage_all_groups", "role:owners", [EVERYONE, "role:nobody"]),
  rule("realm", "can_mention_many_users_group", "role:administrators"),
  rule("realm", "can_set_delete_message_policy_group", "role:moderators", [EVERYONE]),
  rule("realm", "can_set_topics_policy_group", "role:members"),
  rule("realm", "create_multiuse_invite_group", "role:administrators", [EVERYONE]),
];

function rule(
  owner: PermissionOwner,
  setting: string,
  ...[defaultGroup, rejectedGroups = []]: [PermissionRule["defaultGroup"], (readonly SystemGroupName[])?]
): PermissionRule {
  return { owner, setting, defaultGroup, rejectedGroups };
}

const BY_OWNER: Readonly<Record<PermissionOwner, readonly PermissionRule[]>> = {
  realm: PERMISSIONS.filter(({ owner }) => owner === "realm"),
  channel: PERMISSIONS.filter(({ owner }) => owner === "channel"),
  user_group: PERMISSIONS.filter(({ owner }) => owner === "user_group"),
};
const BY_NAME: ReadonlyMap<string, PermissionRule> = new Map(
  PERMISSIONS.map((permission) => [`${permission.owner} ${permission.setting}`, permission]),
);

/** Returns the permissions of one kind of owner. */
export function permissionRules(owner: PermissionOwner): readonly PermissionRule[] {
  return BY_OWNER[owner];
}

/**
 * Returns the definition of a permission.
 * @throws Error when there is no such permission.
 */
export function permissionRule(owner: PermissionOwner, setting: string): PermissionRule {
  const found = BY_NAME.get(`${owner} ${setting}`);
  if (found === undefined) throw new Error(`There is no permission ${setting} of a ${owner}`);
  return found;
}
