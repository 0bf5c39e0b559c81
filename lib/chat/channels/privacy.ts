import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { GroupSetting } from "../group_setting.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { mayInRealm } from "../permissions/membership.ts";
import { systemGroupId } from "../permissions/system_groups.ts";
import { insufficientPermission } from "../permissions/insufficient.ts";
import type { UserRecord } from "../users/user.ts";

/** Who may read a channel, and from when on. */
export interface Privacy {
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly history_public_to_subscribers: boolean;
}

/**
 * Refuses what contradicts itself: only private channels keep their history from new subscribers, and none of those is
 * open to the web or a default.
 * @throws AppError BAD_REQUEST.
 */
export function requirePossible(privacy: Privacy, { isDefault }: { isDefault: boolean }): void {
  const { invite_only, is_web_public, history_public_to_subscribers } = privacy;
  if ((invite_only && is_web_public) || (!invite_only && !history_public_to_subscribers)) {
    throw new AppError("BAD_REQUEST", "Invalid parameters");
  }
  if (invite_only && isDefault) throw privateDefault();
}

/** The refusal of a private channel for everybody. */
export function privateDefault(): AppError {
  return new AppError("BAD_REQUEST", "A default channel cannot be private.");
}

/**
 * Lets those through who may make private or public channels.
 * @throws AppError BAD_REQUEST.
 */
export function requireMayMake(
  permissions: PermissionContext,
  user: UserRecord,
  { invite_only }: Pick<Privacy, "invite_only">,
): void {
  const setting = invite_only ? "can_create_private_channel_group" : "can_create_public_channel_group";
  if (!mayInRealm(permissions, setting, user)) throw insufficientPermission();
}

/**
 * Lets those through who may open channels to the web, where the operator and the organization allow it at all.
 * @throws AppError BAD_REQUEST.
 */
export function requireMayOpenToWeb(
  { config }: Pick<ChatApp, "config">,
  permissions: PermissionContext,
  user: UserRecord,
): void {
  if (!config.webPublicStreamsEnabled || !permissions.realm.settings.enable_spectator_access) {
    throw new AppError("BAD_REQUEST", "Web-public channels are not enabled.");
  }
  if (!mayInRealm(permissions, "can_create_web_public_channel_group", user)) throw insufficientPermission();
}

/**
 * Refuses a protected history where not everyone may start topics: who cannot see whether a topic is there could not
 * tell whether he may write to it.
 * @throws AppError BAD_REQUEST.
 */
export function requireOpenTopics(
  { realm }: Pick<PermissionContext, "realm">,
  { history_public_to_subscribers }: Pick<Privacy, "history_public_to_subscribers">,
  topicCreators: GroupSetting | undefined,
): void {
  const everyone = systemGroupId(realm, "role:everyone");
  if (history_public_to_subscribers || (topicCreators ?? everyone) === everyone) return;
  const parameters = "history_public_to_subscribers, can_create_topic_group";
  throw new AppError("BAD_REQUEST", `Unsupported parameter combination: ${parameters}`, {
    extra: { parameters },
  });
}
