import type { ChannelChanges } from "@/lib/chat/channels/params.ts";
import type { Privacy } from "@/lib/chat/channels/privacy.ts";
import { peekPermissionContext, type PermissionContext } from "@/lib/chat/permissions/group_world.ts";
import { mayInRealm, permissionValue } from "@/lib/chat/permissions/membership.ts";
import { permissionRule } from "@/lib/chat/permissions/registry.ts";
import type { AdminRequest } from "./admin_request.ts";
import { describePermission } from "./permission_words.ts";

/** Who can read a channel, and from when on: public, private with shared or protected history, open to the web. */
const CHANNEL_KINDS = ["public", "shared", "protected", "web"] as const;
/** One of the four. */
export type ChannelKind = typeof CHANNEL_KINDS[number];

/** What a channel is. */
export function kindOf({ invite_only, is_web_public, history_public_to_subscribers }: Privacy): ChannelKind {
  if (is_web_public) return "web";
  if (!invite_only) return "public";
  return history_public_to_subscribers ? "shared" : "protected";
}

/** The kind that a form names, or null. */
export function toKind(text: string): ChannelKind | null {
  return CHANNEL_KINDS.find((kind) => kind === text) ?? null;
}

/** What makes a channel be of a kind. */
export function toPrivacy(kind: ChannelKind): Privacy {
  return {
    invite_only: kind === "shared" || kind === "protected",
    is_web_public: kind === "web",
    history_public_to_subscribers: kind !== "protected",
  };
}

/** What of a channel has to be changed for it to be of a kind; nothing where it is so already. */
export function toKindChanges(before: Privacy, kind: ChannelKind): ChannelChanges {
  if (kindOf(before) === kind) return {};
  const after = toPrivacy(kind);
  return {
    ...(before.invite_only === after.invite_only ? {} : { is_private: after.invite_only }),
    ...(before.is_web_public === after.is_web_public ? {} : { is_web_public: after.is_web_public }),
    history_public_to_subscribers: after.history_public_to_subscribers,
  };
}

/** Why the administrator cannot open a channel to the web, in words; null where he can. */
export async function whyNotOnWeb(request: AdminRequest): Promise<string | null> {
  const { chat, realm, user, words, speech } = request;
  const text = words.channels;
  if (!chat.config.webPublicStreamsEnabled) return text.webOff;
  if (!realm.settings.enable_spectator_access) return text.webForbidden;
  const permissions = await peekPermissionContext(chat, realm);
  if (mayInRealm(permissions, SETTING, user)) return null;
  return speech.say(text.webNotYours, { who: openers(request, permissions) });
}

const SETTING = "can_create_web_public_channel_group";

/** Only roles can hold the permission, so that nobody is named. */
function openers(request: AdminRequest, permissions: PermissionContext): string {
  const value = permissionValue(permissions, request.realm, permissionRule("realm", SETTING));
  return describePermission(request, { permissions, value, users: [], isInside: true });
}
