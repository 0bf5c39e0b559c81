import type { ChannelChanges } from "@/lib/chat/channels/api.ts";
import type { ChannelPrivacy } from "@/lib/chat/organization/channels/model/access.ts";
import { hasRealmPermission, permissionValue } from "@/lib/chat/organization/permissions/model/membership.ts";
import { permissionRule } from "@/lib/chat/organization/permissions/model/registry.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { describePermission } from "@/lib/admin/permissions/group_names.ts";

/** Kinds of channels by their readers: public, private with shared or protected history, open to the web. */
export const CHANNEL_KINDS = ["public", "shared", "protected", "web"] as const;
/** Kind of a channel. */
export type ChannelKind = typeof CHANNEL_KINDS[number];
/** Kinds of channels, as non-subscribers see them. */
export const CHANNEL_KIND_NAMES: Readonly<Record<ChannelKind, string>> = {
  public: "Public",
  shared: "Private, shared history",
  protected: "Private, protected history",
  web: "Open to the web",
};

/** Returns the kind of a channel. */
export function kindOf(
  { invite_only, is_web_public, history_public_to_subscribers }: ChannelPrivacy,
): ChannelKind {
  if (is_web_public) return "web";
  if (!invite_only) return "public";
  return history_public_to_subscribers ? "shared" : "protected";
}

/** Returns the privacy settings of a kind. */
export function toPrivacy(kind: ChannelKind): ChannelPrivacy {
  return {
    invite_only: kind === "shared" || kind === "protected",
    is_web_public: kind === "web",
    history_public_to_subscribers: kind !== "protected",
  };
}

/** Returns the changes that give a channel a kind; empty when it has that kind already. */
export function toKindChanges(before: ChannelPrivacy, kind: ChannelKind): ChannelChanges {
  if (kindOf(before) === kind) return {};
  const after = toPrivacy(kind);
  return {
    ...(before.invite_only === after.invite_only ? {} : { is_private: after.invite_only }),
    ...(before.is_web_public === after.is_web_public ? {} : { is_web_public: after.is_web_public }),
    history_public_to_subscribers: after.history_public_to_subscribers,
  };
}

/** Why the administrator cannot open a channel to the web; null when they can. */
export async function whyNotOnWeb(request: AdminRequest): Promise<string | null> {
  const { chat, realm, user, t } = request;
  if (!chat.config.webPublicStreamsEnabled) {
    return t("This server does not allow channels that are open to the web.");
  }
  if (!realm.settings.enable_spectator_access) {
    return t("The organization does not allow reading channels without an account.");
  }
  const permissions = await request.readPermissions();
  if (hasRealmPermission(permissions, SETTING, user)) return null;
  const value = permissionValue(permissions, realm, permissionRule("realm", SETTING));
  // Only roles can hold this permission, so that no user is named.
  const who = describePermission(request, { permissions, value, users: [], isInside: true });
  return t("Only {who} can open channels to the web.", { who });
}

const SETTING = "can_create_web_public_channel_group";
