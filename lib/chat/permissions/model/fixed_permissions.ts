import type { SystemGroupName } from "./system_groups.ts";

/** A permission of an organization that cannot be changed. */
export interface FixedPermission {
  readonly setting: string;
  /** The users who have it. */
  readonly group: SystemGroupName;
}

/**
 * Permissions that are the same in every organization. They describe rules that the code of each action
 * applies; a channel can grant some of them to further users.
 */
export const FIXED_PERMISSIONS: readonly FixedPermission[] = [
  { setting: "can_add_custom_emoji_group", group: "role:members" },
  { setting: "can_create_bots_group", group: "role:members" },
  { setting: "can_create_write_only_bots_group", group: "role:members" },
  { setting: "can_manage_billing_group", group: "role:nobody" },
  { setting: "can_move_messages_between_channels_group", group: "role:moderators" },
  { setting: "can_move_messages_between_topics_group", group: "role:members" },
  { setting: "can_resolve_topics_group", group: "role:members" },
  { setting: "can_summarize_topics_group", group: "role:nobody" },
  { setting: "direct_message_initiator_group", group: "role:everyone" },
  { setting: "direct_message_permission_group", group: "role:everyone" },
];
