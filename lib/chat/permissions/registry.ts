import type { SystemGroupName } from "./system_groups.ts";

/** What a permission belongs to. */
export type PermissionOwner = "realm" | "channel" | "user_group";

/** One permission: what it belongs to, who holds it at first, and which system groups it refuses. */
export interface PermissionRule {
  readonly owner: PermissionOwner;
  readonly setting: string;
  /** `creator`: the one who made the owner. */
  readonly byDefault: SystemGroupName | "creator";
  /** Besides role:internet, which no permission takes. */
  readonly refuses: readonly SystemGroupName[];
  /** Where only some system groups are taken and no others. */
  readonly takesOnly?: readonly SystemGroupName[];
}

const EVERYONE = "role:everyone";

/** Every permission, in the order in which changes are checked; from the reference's settings and the specification. */
export const PERMISSIONS: readonly PermissionRule[] = [
  rule("user_group", "can_add_members_group", "creator", [EVERYONE]),
  rule("user_group", "can_join_group", "role:nobody", [EVERYONE]),
  rule("user_group", "can_leave_group", EVERYONE),
  rule("user_group", "can_manage_group", "creator", [EVERYONE]),
  // The specification names owners, where the reference does not.
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
    takesOnly: [EVERYONE, "role:members"],
  },
  rule("realm", "can_add_subscribers_group", "role:members", [EVERYONE]),
  rule("realm", "can_create_groups", "role:members", [EVERYONE]),
  rule("realm", "can_create_private_channel_group", "role:members", [EVERYONE]),
  rule("realm", "can_create_public_channel_group", "role:members", [EVERYONE]),
  {
    ...rule("realm", "can_create_web_public_channel_group", "role:owners", [EVERYONE]),
    takesOnly: ["role:moderators", "role:administrators", "role:owners", "role:nobody"],
  },
  rule("realm", "can_invite_users_group", "role:members", [EVERYONE]),
  rule("realm", "can_manage_all_groups", "role:owners", [EVERYONE, "role:nobody"]),
  rule("realm", "can_set_delete_message_policy_group", "role:moderators", [EVERYONE]),
  rule("realm", "can_set_topics_policy_group", "role:members"),
  rule("realm", "create_multiuse_invite_group", "role:administrators", [EVERYONE]),
];

function rule(
  owner: PermissionOwner,
  setting: string,
  ...[byDefault, refuses = []]: [PermissionRule["byDefault"], (readonly SystemGroupName[])?]
): PermissionRule {
  return { owner, setting, byDefault, refuses };
}

/** The permissions of one kind of owner. */
export function permissionsOf(owner: PermissionOwner): readonly PermissionRule[] {
  return PERMISSIONS.filter((permission) => permission.owner === owner);
}

/** The rule of a permission that is known to exist. */
export function permissionRule(owner: PermissionOwner, setting: string): PermissionRule {
  const found = PERMISSIONS.find((permission) =>
    permission.owner === owner && permission.setting === setting
  );
  if (found === undefined) throw new Error(`There is no permission ${setting} of a ${owner}`);
  return found;
}
