import type { ChatApp } from "@/lib/chat/app.ts";
import type { GroupSetting } from "@/lib/chat/permissions/model/group_setting.ts";
import {
  hasRealmPermission,
  insufficientPermission,
  type PermissionContext,
} from "@/lib/chat/permissions/model/membership.ts";
import { systemGroupId } from "@/lib/chat/permissions/model/system_groups.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { TopicsPolicy } from "./channel.ts";

/** Attributes of a channel that decide who can read its messages, and from which one on. */
export interface ChannelPrivacy {
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly history_public_to_subscribers: boolean;
}

/**
 * Rejects contradictory privacy: only a private channel can have a protected history, and a private channel
 * is neither web-public nor a default channel.
 * @throws AppError BAD_REQUEST.
 */
export function requireConsistentPrivacy(
  privacy: ChannelPrivacy,
  { isDefault }: { isDefault: boolean },
): void {
  const { invite_only, is_web_public, history_public_to_subscribers } = privacy;
  if ((invite_only && is_web_public) || (!invite_only && !history_public_to_subscribers)) {
    throw new AppError("BAD_REQUEST", "Invalid parameters");
  }
  if (invite_only && isDefault) throw privateDefaultChannel();
}

/** Returns the error for a default channel that is private. */
export function privateDefaultChannel(): AppError {
  return new AppError("BAD_REQUEST", "A default channel cannot be private.", { field: "is_default_stream" });
}

/**
 * Rejects users without permission to create channels of this privacy.
 * @throws AppError BAD_REQUEST.
 */
export function requireCanCreateChannel(
  permissions: PermissionContext,
  user: UserRecord,
  { invite_only }: Pick<ChannelPrivacy, "invite_only">,
): void {
  const setting = invite_only ? "can_create_private_channel_group" : "can_create_public_channel_group";
  if (!hasRealmPermission(permissions, setting, user)) throw insufficientPermission();
}

/**
 * Rejects users without permission to make channels web-public, and everyone if the server or the
 * organization does not allow web-public channels.
 * @throws AppError BAD_REQUEST.
 */
export function requireCanMakeWebPublic(
  { config }: Pick<ChatApp, "config">,
  permissions: PermissionContext,
  user: UserRecord,
): void {
  if (!config.webPublicStreamsEnabled || !permissions.realm.settings.enable_spectator_access) {
    throw new AppError("BAD_REQUEST", "Web-public channels are not enabled.", { field: "is_web_public" });
  }
  if (!hasRealmPermission(permissions, "can_create_web_public_channel_group", user)) {
    throw insufficientPermission();
  }
}

/**
 * Rejects a protected history unless everyone can create topics: a user who cannot see whether a topic exists
 * could not know whether they may post to it.
 * @throws AppError BAD_REQUEST.
 */
export function requireTopicCreationForAll(
  { realm }: Pick<PermissionContext, "realm">,
  { history_public_to_subscribers }: Pick<ChannelPrivacy, "history_public_to_subscribers">,
  topicCreators: GroupSetting | undefined,
): void {
  const everyone = systemGroupId(realm, "role:everyone");
  if (history_public_to_subscribers || (topicCreators ?? everyone) === everyone) return;
  const parameters = "history_public_to_subscribers, can_create_topic_group";
  throw new AppError("BAD_REQUEST", `Unsupported parameter combination: ${parameters}`, {
    field: "history_public_to_subscribers",
    extra: { parameters },
  });
}

/**
 * Rejects users without permission to set a channel's topics policy; everyone can set `inherit`.
 * @throws AppError BAD_REQUEST.
 */
export function requireCanSetTopicsPolicy(
  permissions: PermissionContext,
  user: UserRecord,
  policy: TopicsPolicy,
): void {
  if (policy === "inherit" || hasRealmPermission(permissions, "can_set_topics_policy_group", user)) return;
  throw insufficientPermission();
}
