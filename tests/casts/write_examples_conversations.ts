import type { WriteCast } from "@/tests/casts/write_cast.ts";
import type { ApiExample } from "@/tests/casts/write_examples.ts";
import { inSeconds } from "@/tests/casts/scheduled_cast.ts";
import { file, PNG } from "@/tests/casts/pictures_cast.ts";

/** Lists valid requests about channels, messages, files, groups and the organization. */
export function listConversationExamples(cast: WriteCast): readonly ApiExample[] {
  return [...listChannels(cast), ...listMessages(cast), ...listReading(cast), ...listGroups(cast)];
}

function listChannels({ member, guest, ids, samples }: WriteCast): ApiExample[] {
  const stream_id = ids["channel"];
  const other = ids["other"];
  const color = { stream_id, property: "color", value: "#123456" };
  return [
    ["POST /channels/create", { name: "Pond", subscribers: [member.id, guest.id], announce: true }],
    ["PATCH /streams/{stream_id}", { new_name: "Gardens", description: "All of them" }],
    ["DELETE /streams/{stream_id}", {}, { ids: { stream_id: ids["archived"] ?? 0 } }],
    ["POST /default_streams", { stream_id: other }],
    ["DELETE /default_streams", { stream_id }],
    ["POST /users/me/subscriptions", { subscriptions: [{ name: "Meadow" }], principals: [member.id] }],
    ["DELETE /users/me/subscriptions", { subscriptions: ["Garden"], principals: [member.id] }],
    ["PATCH /users/me/subscriptions", { add: [{ name: "Orchard" }], delete: ["Shed"] }],
    ["POST /users/me/subscriptions/properties", { subscription_data: [color] }],
    ["PATCH /users/me/subscriptions/{stream_id}", { property: "pin_to_top", value: "true" }],
    ["POST /channel_folders/create", { name: "Lawn", description: "" }],
    ["PATCH /channel_folders", { order: [ids["folder2"], samples["folder_id"], ids["closedFolder"]] }],
    ["PATCH /channel_folders/{folder_id}", { name: "Flower beds" }],
    ["POST /user_topics", { stream_id, topic: "plans", visibility_policy: 1 }],
    ["PATCH /users/me/subscriptions/muted_topics", { stream_id, topic: "weeds", op: "remove" }],
    ["POST /streams/{stream_id}/delete_topic", { topic_name: "plans" }],
  ];
}

/** A vote for the first option of a poll. */
const VOTE = JSON.stringify({ type: "vote", key: "canned,0", vote: 1 });

function listMessages(cast: WriteCast): ApiExample[] {
  const { member, ids } = cast;
  const due = { scheduled_delivery_timestamp: inSeconds(cast, 7200) };
  const by = { by: member };
  const to = ids["channel"];
  return [
    ["POST /messages", { type: "channel", to, topic: "plans", content: "hi @**Owner**" }, by],
    ["POST /scheduled_messages", { type: "channel", to, topic: "plans", content: "hi", ...due }, by],
    ["PATCH /scheduled_messages/{scheduled_message_id}", { content: "bye", ...due }, by],
    ["DELETE /scheduled_messages/{scheduled_message_id}", {}, by],
    ["POST /reminders", { message_id: ids["message"], note: "water them", ...due }, by],
    ["DELETE /reminders/{reminder_id}", {}, by],
    ["POST /messages/render", { content: "*hi*" }, by],
    ["PATCH /messages/{message_id}", { content: "lilies", topic: "new plans" }, by],
    ["DELETE /messages/{message_id}"],
    ["POST /messages/{message_id}/reactions", { emoji_name: "tada" }],
    ["DELETE /messages/{message_id}/reactions", { emoji_name: "+1" }],
    ["POST /messages/{message_id}/typing", { op: "start" }, by],
    ["POST /messages/{message_id}/report", { report_type: "spam" }, by],
    ["POST /submessage", { message_id: ids["poll"], msg_type: "widget", content: VOTE }],
    ["POST /typing", { type: "direct", op: "start", to: [member.id] }],
    ["POST /user_uploads", { file: file([0x61, 0x62], 150_000) }, by],
    ["DELETE /attachments/{attachment_id}", {}, by],
  ];
}

function listReading({ queueId, member, ids }: WriteCast): ApiExample[] {
  const messages = [ids["message"]];
  const stream_id = ids["channel"];
  const window = { anchor: "oldest", num_before: 0, num_after: 10, narrow: [] };
  return [
    ["POST /messages/flags", { messages, op: "add", flag: "starred" }],
    ["POST /messages/flags/narrow", { ...window, op: "add", flag: "read" }],
    ["POST /mark_all_as_read"],
    ["POST /mark_stream_as_read", { stream_id }],
    ["POST /mark_topic_as_read", { stream_id, topic_name: "plans" }],
    ["POST /register", { event_types: ["message"] }],
    ["DELETE /events", { queue_id: queueId }, { by: member }],
  ];
}

function listGroups({ guest, member, ids, samples }: WriteCast): ApiExample[] {
  const group2 = ids["group2"];
  const [first, second] = [samples["filter_id"], ids["filter2"]];
  return [
    ["POST /user_groups/create", { name: "Waterers", description: "", members: [member.id] }],
    ["PATCH /user_groups/{user_group_id}", { name: "Cutters" }],
    ["POST /user_groups/{user_group_id}/deactivate"],
    ["DELETE /user_groups/{user_group_id}"],
    ["POST /user_groups/{user_group_id}/members", { add: [guest.id], delete: [member.id] }],
    ["POST /user_groups/{user_group_id}/subgroups", { add: [group2] }],
    ["PATCH /realm", { name: "Growers", can_create_groups: { new: samples["user_group_id"] } }],
    ["PATCH /realm/user_settings_defaults", { enter_sends: true, color_scheme: 2 }],
    ["POST /realm/domains", { domain: "shed.example", allow_subdomains: true }],
    ["PATCH /realm/domains/{domain}", { allow_subdomains: true }],
    ["DELETE /realm/domains/{domain}"],
    ["POST /realm/emoji/{emoji_name}", { file: file(PNG) }, { ids: { emoji_name: "leaf" } }],
    ["DELETE /realm/emoji/{emoji_name}"],
    ["POST /realm/icon", { file: file(PNG) }],
    ["DELETE /realm/icon"],
    ["POST /realm/filters", { pattern: "C-(?P<id>[0-9]+)", url_template: "https://y.example/{id}" }],
    ["PATCH /realm/filters/{filter_id}", {
      pattern: "D-(?P<id>[0-9]+)",
      url_template: "https://y.example/{id}",
    }],
    ["DELETE /realm/filters/{filter_id}"],
    ["PATCH /realm/linkifiers", { ordered_linkifier_ids: [second, first] }],
    ["POST /realm/playgrounds", {
      name: "Sandbox",
      pygments_language: "Python",
      url_template: "https://y.example/{?code}",
    }],
    ["DELETE /realm/playgrounds/{playground_id}"],
    ["POST /export/realm", { export_type: "full_with_consent" }],
    ["DELETE /export/realm/{export_id}"],
    ["POST /realm/profile_fields", { field_type: 1, name: "Tool" }],
    ["PATCH /realm/profile_fields", { order: [ids["field2"], samples["field_id"]] }],
    ["PATCH /realm/profile_fields/{field_id}", { name: "Favorite flower" }],
    ["DELETE /realm/profile_fields/{field_id}"],
  ];
}
