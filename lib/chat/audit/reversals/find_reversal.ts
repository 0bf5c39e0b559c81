import type { AuditAction } from "../model.ts";
import { folderOrderReversal, folderReversal } from "./channel_folders.ts";
import { channelReversal } from "./channels.ts";
import { groupReversal } from "./groups.ts";
import { linkifierExistenceReversal, linkifierOrderReversal, linkifierReversal } from "./linkifiers.ts";
import { playgroundReversal } from "./playgrounds.ts";
import { fieldOrderReversal, fieldReversal } from "./profile_fields.ts";
import { realmReversal } from "./realm.ts";
import type { Reversal } from "./reversal.ts";
import { userReversal } from "./users.ts";

const REVERSALS: Partial<Record<AuditAction, Reversal>> = {
  realm_changed: realmReversal,
  user_role_changed: userReversal,
  user_renamed: userReversal,
  user_deactivated: userReversal,
  user_reactivated: userReversal,
  bot_changed: userReversal,
  bot_deactivated: userReversal,
  bot_reactivated: userReversal,
  group_changed: groupReversal,
  group_deactivated: groupReversal,
  group_reactivated: groupReversal,
  group_members_changed: groupReversal,
  channel_changed: channelReversal,
  channel_archived: channelReversal,
  channel_unarchived: channelReversal,
  default_channel_added: channelReversal,
  default_channel_removed: channelReversal,
  folder_changed: folderReversal,
  folder_archived: folderReversal,
  folder_restored: folderReversal,
  folder_reordered: folderOrderReversal,
  linkifier_created: linkifierExistenceReversal,
  linkifier_changed: linkifierReversal,
  linkifier_deleted: linkifierExistenceReversal,
  linkifier_reordered: linkifierOrderReversal,
  playground_added: playgroundReversal,
  playground_removed: playgroundReversal,
  profile_field_changed: fieldReversal,
  profile_field_reordered: fieldOrderReversal,
};

/** Returns the reversal of an action's changes; null when they cannot be reverted. */
export function findReversal(action: AuditAction): Reversal | null {
  return REVERSALS[action] ?? null;
}
