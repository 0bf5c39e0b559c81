import type { ApiExample } from "@/tests/casts/write_examples.ts";
import type { ExampleCast } from "./cast.ts";

/** Lists valid requests of the endpoints below /api/v1 that change nothing. */
export function listReadExamples(cast: ExampleCast): readonly ApiExample[] {
  return [...listPeople(cast), ...listOrganization(cast), ...listConversations(cast), ...listOwn(cast)];
}

function listPeople({ member, owner, ids, outgoing }: ExampleCast): ApiExample[] {
  const user = { user: owner.id };
  return [
    ["GET /users", { user_ids: [owner.id, member.id] }],
    ["GET /users/me"],
    ["GET /users/{user}", { include_custom_profile_fields: true }, { ids: { user: member.id } }],
    ["GET /users/{user}/channels", {}, { ids: user }],
    ["GET /users/{user}/presence", {}, { by: member, ids: user }],
    ["GET /users/{user}/subscriptions/{stream_id}", {}, { ids: { ...user, stream_id: ids["channel"] ?? 0 } }],
    ["GET /users/{user_id}/status", {}, { ids: { user_id: owner.id } }],
    ["GET /bots", {}, { by: member }],
    ["GET /bots/{bot_id}/api_key", {}, { by: member }],
    ["GET /bots/{bot_id}/deliveries", {}, { by: member, ids: { bot_id: outgoing } }],
    ["GET /user_groups", { include_deactivated_groups: true }],
    ["GET /user_groups/{user_group_id}/members", { direct_member_only: true }],
    ["GET /user_groups/{user_group_id}/members/{user_id}", {}, { ids: { user_id: member.id } }],
    ["GET /user_groups/{user_group_id}/subgroups"],
  ];
}

function listOrganization({ member }: ExampleCast): ApiExample[] {
  return [
    ["GET /server_settings", {}, { by: null }],
    ["GET /export/realm"],
    ["GET /export/realm/consents"],
    ["GET /realm/domains"],
    ["GET /realm/emoji"],
    ["GET /realm/linkifiers"],
    ["GET /realm/presence", {}, { by: member }],
    ["GET /realm/profile_fields"],
    ["GET /invites"],
    ["GET /channel_folders", { include_archived: true }],
  ];
}

function listConversations({ member, ids, file, thumbnail }: ExampleCast): ApiExample[] {
  const by = { by: member };
  const narrow = [{ operator: "channel", operand: "Garden" }, { operator: "topic", operand: "plans" }];
  return [
    ["GET /streams", { include_subscribed: true, include_public: false }],
    ["GET /streams/{stream_id}"],
    ["GET /streams/{stream_id}/members"],
    // The server receives no mail.
    ["GET /streams/{stream_id}/email_address", {}, { refusal: 400 }],
    ["GET /get_stream_id", { stream: "Garden" }],
    ["GET /users/me/{stream_id}/topics"],
    ["GET /users/me/subscriptions", { include_subscribers: true }, by],
    ["GET /messages", { anchor: "oldest", num_before: 0, num_after: 2, narrow }, by],
    ["GET /messages/matches_narrow", { msg_ids: [ids["message"]], narrow }, by],
    ["GET /messages/{message_id}", { apply_markdown: false }, by],
    ["GET /messages/{message_id}/history", {}, by],
    ["GET /messages/{message_id}/read_receipts", {}, by],
    ["GET /attachments", {}, by],
    ["GET /user_uploads/{realm_id}/{path}", {}, { ...by, ids: file }],
    ["GET /user_uploads/thumbnail/{realm_id}/{path}", {}, { ...by, ids: thumbnail }],
  ];
}

function listOwn({ member, bot }: ExampleCast): ApiExample[] {
  const by = { by: member };
  return [
    ["GET /drafts", {}, by],
    ["GET /saved_snippets", {}, by],
    ["GET /scheduled_messages", {}, by],
    ["GET /reminders", {}, by],
    ["GET /navigation_views", {}, by],
    ["GET /users/me/alert_words", {}, by],
    ["GET /bot_storage", { keys: ["count"] }, { by: bot }],
  ];
}
