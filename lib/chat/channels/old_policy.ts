import type { GroupSetting } from "../group_setting.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { systemGroupName } from "../permissions/system_groups.ts";

/** Who may post, as clients were told it before there were groups. */
const POST_POLICY = { everyone: 1, admins: 2, fullMembers: 3, moderators: 4 } as const;

/** Who may post as older clients are told it, under both names that it had. */
export function toOldPolicy(permissions: PermissionContext, senders: GroupSetting | undefined) {
  const stream_post_policy = toPostPolicy(permissions, senders);
  return { stream_post_policy, is_announcement_only: stream_post_policy === POST_POLICY.admins };
}

/** The nearest of the old policies; of groups that somebody made they know nothing. */
function toPostPolicy({ realm }: PermissionContext, senders: GroupSetting | undefined): number {
  switch (typeof senders === "number" ? systemGroupName(realm, senders) : null) {
    case "role:nobody":
    case "role:owners":
    case "role:administrators":
      return POST_POLICY.admins;
    case "role:moderators":
      return POST_POLICY.moderators;
    case "role:fullmembers":
      return POST_POLICY.fullMembers;
    default:
      return POST_POLICY.everyone;
  }
}

/** A permission of a channel before and after. */
export interface ChangedPermission {
  readonly before: GroupSetting | undefined;
  readonly after: GroupSetting;
}

/** A permission as clients are told that it changed: who may post under its old names too, where those say something else. */
export function toPermissionDifferences(
  permissions: PermissionContext,
  setting: string,
  { before, after }: ChangedPermission,
): readonly { readonly property: string; readonly value: GroupSetting | boolean }[] {
  const difference = { property: setting, value: after };
  if (setting !== "can_send_message_group") return [difference];
  const was: Readonly<Record<string, unknown>> = toOldPolicy(permissions, before);
  const changed = Object.entries(toOldPolicy(permissions, after))
    // Of people named one by one, clients may have been told otherwise, as some are not active.
    .filter(([name, value]) => typeof before !== "number" || was[name] !== value);
  return [difference, ...changed.map(([property, value]) => ({ property, value }))];
}
