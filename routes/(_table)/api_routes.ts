import type { ApiRoute } from "@/lib/api/openapi.ts";

/** A path with endpoints, and what handles it; `isOldName` where it is kept for old clients alone. */
interface Row {
  readonly path: string;
  readonly load: () => Promise<{ readonly handler: ApiRoute["handler"] }>;
  readonly isOldName?: boolean;
}

const ROWS: readonly Row[] = [
  { path: "/", load: () => import("../(site)/index.tsx") },
  { path: "/{short}", load: () => import("../[short]/index.ts") },
  { path: "/{short}/stats", load: () => import("../[short]/stats.ts") },
  { path: "/stats", load: () => import("../stats/index.ts") },
  { path: "/stats/badges/version", load: () => import("../stats/badges/version.ts") },
  { path: "/stats/badges/urls", load: () => import("../stats/badges/urls.ts") },
  { path: "/stats/badges/visits", load: () => import("../stats/badges/visits.ts") },
  { path: "/health", load: () => import("../health.ts") },
  { path: "/ready", load: () => import("../ready.ts") },
  { path: "/metrics", load: () => import("../metrics.ts") },
  { path: "/openapi.json", load: () => import("../openapi.json.ts") },
  { path: "/avatar/{user_id}", load: () => import("../avatar/[user_id].ts") },
  { path: "/avatar/{realm_id}/{picture}", load: () => import("../avatar/[realm_id]/[picture].ts") },
  { path: "/api/v1/users/me/avatar", load: () => import("../api/v1/users/me/avatar.ts") },
  { path: "/api/v1/realm/icon", load: () => import("../api/v1/realm/icon.ts") },
  { path: "/api/v1/server_settings", load: () => import("../api/v1/server_settings.ts") },
  { path: "/api/v1/fetch_api_key", load: () => import("../api/v1/fetch_api_key.ts") },
  { path: "/api/v1/jwt/fetch_api_key", load: () => import("../api/v1/jwt/fetch_api_key.ts") },
  { path: "/api/v1/events", load: () => import("../api/v1/events.ts") },
  { path: "/api/v1/register", load: () => import("../api/v1/register.ts") },
  { path: "/api/v1/settings", load: () => import("../api/v1/settings/index.ts") },
  { path: "/api/v1/settings/display", load: () => import("../api/v1/settings/display.ts"), isOldName: true },
  {
    path: "/api/v1/settings/notifications",
    load: () => import("../api/v1/settings/notifications.ts"),
    isOldName: true,
  },
  { path: "/api/v1/users", load: () => import("../api/v1/users/index.ts") },
  { path: "/api/v1/users/me", load: () => import("../api/v1/users/me/index.ts") },
  {
    path: "/api/v1/users/me/api_key/regenerate",
    load: () => import("../api/v1/users/me/api_key/regenerate.ts"),
  },
  { path: "/api/v1/users/{user}", load: () => import("../api/v1/users/[user].ts") },
  { path: "/api/v1/users/{user}/reactivate", load: () => import("../api/v1/users/[user]/reactivate.ts") },
  { path: "/api/v1/bots", load: () => import("../api/v1/bots/index.ts") },
  { path: "/api/v1/bots/{bot_id}", load: () => import("../api/v1/bots/[bot_id]/index.ts") },
  {
    path: "/api/v1/bots/{bot_id}/api_key/regenerate",
    load: () => import("../api/v1/bots/[bot_id]/api_key/regenerate.ts"),
  },
  { path: "/api/v1/user_groups", load: () => import("../api/v1/user_groups/index.ts") },
  { path: "/api/v1/user_groups/create", load: () => import("../api/v1/user_groups/create.ts") },
  {
    path: "/api/v1/user_groups/{user_group_id}",
    load: () => import("../api/v1/user_groups/[user_group_id]/index.ts"),
  },
  {
    path: "/api/v1/user_groups/{user_group_id}/deactivate",
    load: () => import("../api/v1/user_groups/[user_group_id]/deactivate.ts"),
  },
  {
    path: "/api/v1/user_groups/{user_group_id}/members",
    load: () => import("../api/v1/user_groups/[user_group_id]/members/index.ts"),
  },
  {
    path: "/api/v1/user_groups/{user_group_id}/members/{user_id}",
    load: () => import("../api/v1/user_groups/[user_group_id]/members/[user_id].ts"),
  },
  {
    path: "/api/v1/user_groups/{user_group_id}/subgroups",
    load: () => import("../api/v1/user_groups/[user_group_id]/subgroups.ts"),
  },
  { path: "/api/v1/invites", load: () => import("../api/v1/invites/index.ts") },
  { path: "/api/v1/invites/multiuse", load: () => import("../api/v1/invites/multiuse/index.ts") },
  {
    path: "/api/v1/invites/multiuse/{invite_id}",
    load: () => import("../api/v1/invites/multiuse/[invite_id].ts"),
  },
  { path: "/api/v1/invites/{invite_id}", load: () => import("../api/v1/invites/[invite_id]/index.ts") },
  {
    path: "/api/v1/invites/{invite_id}/resend",
    load: () => import("../api/v1/invites/[invite_id]/resend.ts"),
  },
  { path: "/api/v1/channels/create", load: () => import("../api/v1/channels/create.ts") },
  { path: "/api/v1/streams", load: () => import("../api/v1/streams/index.ts") },
  { path: "/api/v1/streams/{stream_id}", load: () => import("../api/v1/streams/[stream_id]/index.ts") },
  { path: "/api/v1/get_stream_id", load: () => import("../api/v1/get_stream_id.ts") },
  { path: "/api/v1/default_streams", load: () => import("../api/v1/default_streams.ts") },
  { path: "/api/v1/channel_folders", load: () => import("../api/v1/channel_folders/index.ts") },
  { path: "/api/v1/channel_folders/create", load: () => import("../api/v1/channel_folders/create.ts") },
  {
    path: "/api/v1/channel_folders/{folder_id}",
    load: () => import("../api/v1/channel_folders/[folder_id].ts"),
  },
  {
    path: "/api/v1/users/me/subscriptions",
    load: () => import("../api/v1/users/me/subscriptions/index.ts"),
  },
  {
    path: "/api/v1/users/me/subscriptions/properties",
    load: () => import("../api/v1/users/me/subscriptions/properties.ts"),
  },
  {
    path: "/api/v1/users/me/subscriptions/{stream_id}",
    load: () => import("../api/v1/users/me/subscriptions/[stream_id].ts"),
  },
  {
    path: "/api/v1/users/{user}/subscriptions/{stream_id}",
    load: () => import("../api/v1/users/[user]/subscriptions/[stream_id].ts"),
  },
  {
    path: "/api/v1/streams/{stream_id}/members",
    load: () => import("../api/v1/streams/[stream_id]/members.ts"),
  },
  {
    path: "/api/v1/users/me/muted_users/{muted_user_id}",
    load: () => import("../api/v1/users/me/muted_users/[muted_user_id].ts"),
  },
  { path: "/api/v1/user_topics", load: () => import("../api/v1/user_topics.ts") },
  { path: "/api/v1/messages", load: () => import("../api/v1/messages/index.ts") },
  { path: "/api/v1/messages/flags", load: () => import("../api/v1/messages/flags/index.ts") },
  { path: "/api/v1/messages/{message_id}", load: () => import("../api/v1/messages/[message_id]/index.ts") },
  {
    path: "/api/v1/messages/{message_id}/history",
    load: () => import("../api/v1/messages/[message_id]/history.ts"),
  },
  {
    path: "/api/v1/messages/{message_id}/reactions",
    load: () => import("../api/v1/messages/[message_id]/reactions.ts"),
  },
  { path: "/api/v1/messages/flags/narrow", load: () => import("../api/v1/messages/flags/narrow.ts") },
  { path: "/api/v1/messages/matches_narrow", load: () => import("../api/v1/messages/matches_narrow.ts") },
  { path: "/api/v1/messages/render", load: () => import("../api/v1/messages/render.ts") },
  {
    path: "/api/v1/users/me/{stream_id}/topics",
    load: () => import("../api/v1/users/me/[stream_id]/topics.ts"),
  },
  { path: "/api/v1/typing", load: () => import("../api/v1/typing.ts") },
  { path: "/api/v1/users/me/status", load: () => import("../api/v1/users/me/status.ts") },
  { path: "/api/v1/users/{user_id}/status", load: () => import("../api/v1/users/[user_id]/status.ts") },
  { path: "/api/v1/saved_snippets", load: () => import("../api/v1/saved_snippets/index.ts") },
  {
    path: "/api/v1/saved_snippets/{saved_snippet_id}",
    load: () => import("../api/v1/saved_snippets/[saved_snippet_id].ts"),
  },
  { path: "/api/v1/drafts", load: () => import("../api/v1/drafts/index.ts") },
  { path: "/api/v1/drafts/{draft_id}", load: () => import("../api/v1/drafts/[draft_id].ts") },
  { path: "/api/v1/mark_topic_as_read", load: () => import("../api/v1/mark_topic_as_read.ts") },
  { path: "/api/v1/mark_stream_as_read", load: () => import("../api/v1/mark_stream_as_read.ts") },
  { path: "/api/v1/mark_all_as_read", load: () => import("../api/v1/mark_all_as_read.ts") },
  { path: "/emoji/{realm_id}/{emoji_id}", load: () => import("../emoji/[realm_id]/[emoji_id].ts") },
  { path: "/api/v1/realm/domains", load: () => import("../api/v1/realm/domains/index.ts") },
  { path: "/api/v1/realm/domains/{domain}", load: () => import("../api/v1/realm/domains/[domain].ts") },
  { path: "/api/v1/realm/filters", load: () => import("../api/v1/realm/filters/index.ts") },
  {
    path: "/api/v1/realm/filters/{filter_id}",
    load: () => import("../api/v1/realm/filters/[filter_id].ts"),
  },
  { path: "/api/v1/realm/linkifiers", load: () => import("../api/v1/realm/linkifiers.ts") },
  { path: "/api/v1/realm/emoji", load: () => import("../api/v1/realm/emoji/index.ts") },
  { path: "/api/v1/realm/emoji/{emoji_name}", load: () => import("../api/v1/realm/emoji/[emoji_name].ts") },
  { path: "/api/v1/realm/presence", load: () => import("../api/v1/realm/presence.ts") },
  { path: "/api/v1/users/me/presence", load: () => import("../api/v1/users/me/presence.ts") },
  { path: "/api/v1/users/{user}/presence", load: () => import("../api/v1/users/[user]/presence.ts") },
  {
    path: "/api/v1/realm/profile_fields",
    load: () => import("../api/v1/realm/profile_fields/index.ts"),
  },
  {
    path: "/api/v1/realm/profile_fields/{field_id}",
    load: () => import("../api/v1/realm/profile_fields/[field_id].ts"),
  },
  {
    path: "/api/v1/users/me/profile_data",
    load: () => import("../api/v1/users/me/profile_data.ts"),
  },
  { path: "/api/v1/user_uploads", load: () => import("../api/v1/user_uploads/index.ts") },
  {
    path: "/api/v1/user_uploads/{realm_id}/{path}",
    load: () => import("../api/v1/user_uploads/[realm_id]/[...path].ts"),
  },
  {
    path: "/api/v1/calls/videoprovider/create",
    load: () => import("../api/v1/calls/videoprovider/create.ts"),
  },
  { path: "/api/v1/register_client_device", load: () => import("../api/v1/register_client_device.ts") },
  { path: "/api/v1/remove_client_device", load: () => import("../api/v1/remove_client_device.ts") },
  { path: "/api/v1/mobile_push/register", load: () => import("../api/v1/mobile_push/register.ts") },
  {
    path: "/api/v1/remotes/push/e2ee/notify",
    load: () => import("../api/v1/remotes/push/e2ee/notify.ts"),
  },
  {
    path: "/api/v1/mobile_push/e2ee/test_notification",
    load: () => import("../api/v1/mobile_push/e2ee/test_notification.ts"),
  },
  {
    path: "/api/v1/remotes/push/e2ee/register",
    load: () => import("../api/v1/remotes/push/e2ee/register.ts"),
  },
  { path: "/api/v1/attachments", load: () => import("../api/v1/attachments/index.ts") },
  {
    path: "/api/v1/attachments/{attachment_id}",
    load: () => import("../api/v1/attachments/[attachment_id].ts"),
  },
  { path: "/api/v1/realm", load: () => import("../api/v1/realm/index.ts") },
];

/** Every path with endpoints and what handles it: what `/openapi.json` describes. Loaded when it is first asked for. */
export async function apiRoutes(): Promise<ApiRoute[]> {
  return await Promise.all(
    ROWS.map(async ({ load, ...row }) => ({ ...row, handler: (await load()).handler })),
  );
}
