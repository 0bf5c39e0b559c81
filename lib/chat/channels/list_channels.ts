import { appendMembers, JsonList } from "@/lib/core/json_list.ts";
import type { ChatApp } from "../app.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import type { PermissionContext } from "../permissions/model/membership.ts";
import { type Caller, isBot, isGuest } from "../users/model.ts";
import { type ChannelViewer, hasContentAccess } from "./model/access.ts";
import { listVisibleChannels, peekDefaultChannelIds } from "./store.ts";
import type { ChannelFilter } from "./api/params.ts";
import { listSubscribedChannelIds } from "./subscriptions/store.ts";
import { toChannelTexts } from "./api/channel_texts.ts";

/**
 * Lists the requested channels that the caller has metadata access to, by name; `include_default` adds
 * `is_default`.
 */
export async function listChannels(
  app: ChatApp,
  { realm, actingUser }: Caller,
  filter: ChannelFilter,
): Promise<JsonList> {
  const permissions = await peekPermissionContext(app, realm);
  const ownersChannels = filter.include_owner_subscribed && isBot(actingUser)
    ? await listSubscribedChannelIds(app, realm.id, actingUser.bot_owner_id)
    : new Set<number>();
  const visible = await listVisibleChannels(app, permissions, actingUser);
  const requested = visible.filter((viewer) => isRequested(permissions, viewer, { filter, ownersChannels }))
    .map(({ channel }) => channel);
  const texts = await toChannelTexts(app, permissions, requested);
  if (!filter.include_default) return new JsonList(texts);
  const defaults = new Set(await peekDefaultChannelIds(app, realm.id));
  const isDefault = requested.map(({ id }) => defaults.has(id));
  return new JsonList(texts.map((text, at) => appendMembers(text, { is_default: isDefault[at] })));
}

function isRequested(
  permissions: PermissionContext,
  viewer: ChannelViewer,
  { filter, ownersChannels }: { filter: ChannelFilter; ownersChannels: ReadonlySet<number> },
): boolean {
  const { channel, user, isSubscribed } = viewer;
  if (channel.is_archived && filter.exclude_archived) return false;
  return filter.include_all || filter.include_all_active ||
    (filter.include_subscribed && isSubscribed) ||
    (filter.include_public && !channel.invite_only && !isGuest(user)) ||
    (filter.include_web_public && channel.is_web_public) ||
    (filter.include_can_access_content && hasContentAccess(permissions, viewer)) ||
    ownersChannels.has(channel.id);
}
