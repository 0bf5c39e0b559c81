// The fields that the mobile app requires, with their types: it refuses an answer or event without them.
import assert from "node:assert/strict";
import { registerClient } from "@/tests/casts/events_cast.ts";
import {
  MOBILE_EVENTS,
  mobileInitialState,
  mobileMessage,
  mobileServerSettings,
} from "@/tests/casts/mobile_fields.ts";
import { makeChannel, send, sendDirect } from "@/tests/casts/messages_cast.ts";
import { startChat, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** Parameters with which the mobile app registers. */
const REGISTRATION = {
  apply_markdown: true,
  slim_presence: true,
  client_gravatar: false,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    include_deactivated_groups: true,
    empty_topic_name: true,
    individual_emoji_changes: true,
  },
};

/** Makes changes of every kind, as the member sees them; returns the ids of two messages. */
async function makeChanges(chat: TestChat): Promise<number[]> {
  const { owner, member, guest } = chat;
  const as = (user: TestUser, endpoint: string, params: TestParams = {}) =>
    succeed(chat, user, endpoint, params);
  await changeOwnState(chat);
  const folder = await as(owner, "POST /channel_folders/create", { name: "Plants", description: "" });
  await as(owner, `PATCH /channel_folders/${folder["channel_folder_id"]}`, { name: "All plants" });
  await as(owner, "POST /realm/profile_fields", { name: "Color", field_type: 1 });
  const garden = await makeChannel(chat, "Garden");
  await as(owner, "POST /users/me/subscriptions", {
    subscriptions: [{ name: "Garden" }],
    principals: [guest.id],
  });
  await as(guest, "DELETE /users/me/subscriptions", { subscriptions: ["Garden"] });
  await as(owner, `PATCH /streams/${garden}`, { description: "Flowers" });
  await as(member, `PATCH /users/me/subscriptions/${garden}`, { property: "color", value: "#abcdef" });
  const first = await send(chat, owner, { to: garden, content: "/poll Which?\nroses\ntulips" });
  const content = JSON.stringify({ type: "vote", key: "canned,0", vote: 1 });
  await as(member, "POST /submessage", { message_id: first, msg_type: "widget", content });
  const second = await send(chat, owner, { to: garden, content: "hello" });
  await as(owner, `POST /messages/${second}/reactions`, { emoji_name: "tada" });
  await as(owner, `DELETE /messages/${second}/reactions`, { emoji_name: "tada" });
  await as(owner, `PATCH /messages/${second}`, { content: "hello again", topic: "greetings" });
  for (const op of ["add", "remove"]) {
    await as(member, "POST /messages/flags", { messages: [second], op, flag: "starred" });
  }
  for (const op of ["start", "stop"]) {
    await as(owner, "POST /typing", { type: "direct", to: [member.id], op });
  }
  await as(member, "POST /user_topics", { stream_id: garden, topic: "greetings", visibility_policy: 3 });
  const direct = await sendDirect(chat, owner, [member], "hi");
  const deleted = await send(chat, owner, { to: garden, content: "bye" });
  await as(owner, `DELETE /messages/${deleted}`);
  await changeGroupsAndUsers(chat);
  return [second, direct];
}

/** Removes the channel, after which its messages are in no event. */
async function removeChannel(chat: TestChat): Promise<void> {
  const { stream_id } = await succeed(chat, chat.owner, "GET /get_stream_id", { stream: "Garden" });
  await succeed(chat, chat.member, "DELETE /users/me/subscriptions", { subscriptions: ["Garden"] });
  await succeed(chat, chat.owner, `DELETE /streams/${stream_id}`);
}

async function changeOwnState(chat: TestChat): Promise<void> {
  const { owner, member, guest } = chat;
  const as = (endpoint: string, params: TestParams = {}) => succeed(chat, member, endpoint, params);
  await as("POST /users/me/alert_words", { alert_words: ["roses"] });
  await as(`POST /users/me/muted_users/${guest.id}`);
  const { saved_snippet_id: id } = await as("POST /saved_snippets", { title: "Hi", content: "Hello" });
  await as(`PATCH /saved_snippets/${id}`, { title: "Hello" });
  await as(`DELETE /saved_snippets/${id}`);
  const { device_id } = await as("POST /register_client_device");
  await as("POST /remove_client_device", { device_id });
  await as("PATCH /settings", { enter_sends: true });
  await as("POST /users/me/status", { status_text: "busy" });
  await succeed(chat, owner, "POST /users/me/presence", { status: "active" });
}

async function changeGroupsAndUsers(chat: TestChat): Promise<void> {
  const { owner, member, guest } = chat;
  const as = (endpoint: string, params: TestParams) => succeed(chat, owner, endpoint, params);
  const create = async (name: string) => {
    const created = await as("POST /user_groups/create", { name, description: "", members: [member.id] });
    return Number(created["group_id"]);
  };
  const [one, other] = [await create("gardeners"), await create("planters")];
  await as(`PATCH /user_groups/${one}`, { name: "all gardeners" });
  await as(`POST /user_groups/${one}/members`, { add: [guest.id] });
  await as(`POST /user_groups/${one}/members`, { delete: [guest.id] });
  await as(`POST /user_groups/${one}/subgroups`, { add: [other] });
  await as(`POST /user_groups/${one}/subgroups`, { delete: [other] });
  await as("POST /users", { email: "new@example.com", full_name: "New", password: "a quiet garden wall" });
  await as(`PATCH /users/${guest.id}`, { full_name: "Visitor" });
}

Deno.test("answers and 40 kinds of events have the fields that the mobile app requires", async () => {
  await using chat = await startChat();
  mobileServerSettings.parse((await chat.call(null, "GET /server_settings")).body);
  const client = await registerClient(chat, chat.member, REGISTRATION);
  const ids = await makeChanges(chat);
  const events = await client.receive();
  await removeChannel(chat);
  events.push(...await client.receive());
  const kinds = new Map<string, number>();
  for (const event of events) {
    const kind = [event["type"], event["op"]].filter((part) => part !== undefined).join(" ");
    const { success, error } = MOBILE_EVENTS[kind]?.safeParse(event) ?? { success: true };
    assert.ok(success, `${kind}: ${error?.message} in ${JSON.stringify(event)}`);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  assert.deepEqual(Object.keys(MOBILE_EVENTS).filter((kind) => !kinds.has(kind)), []);
  assert.ok(Object.keys(MOBILE_EVENTS).length >= 40);
  const state = await succeed(chat, chat.member, "POST /register", REGISTRATION);
  mobileInitialState.parse(state);
  for (const id of ids) mobileMessage.parse((await succeed(chat, chat.owner, `GET /messages/${id}`)).message);
});
