import assert from "node:assert/strict";
import { listApiRoutes } from "@/lib/api/list_api_routes.ts";
import { startChat, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";
import { send } from "@/tests/casts/messages_cast.ts";
import { createOpenChannel, startOpenChat } from "@/tests/casts/spectator_cast.ts";

/** Callers in the table. */
const CALLERS = ["owner", "admin", "moderator", "member", "guest", "bot", "anonymous"] as const;
type CallerName = typeof CALLERS[number];

const ALL = "owner admin moderator member guest bot anonymous";
const ACCOUNTS = "owner admin moderator member guest bot";
const PEOPLE = "owner admin moderator member guest";
const MEMBERS = "owner admin moderator member bot";
const PEOPLE_BUT_GUESTS = "owner admin moderator member";
const ADMINS = "owner admin";
const BOTS = "bot";
/** Only other servers, which have their own credentials. */
const SERVERS = "";
/** Only incoming webhook bots. */
const WEBHOOKS = "";

/** Callers that each endpoint admits; further permissions are tested with the endpoint. */
const TABLE: Readonly<Record<string, string>> = {
  "GET /server_settings": ALL,
  "POST /fetch_api_key": ALL,
  "POST /jwt/fetch_api_key": ALL,
  "POST /register": ACCOUNTS,
  "GET /events": ACCOUNTS,
  "DELETE /events": ACCOUNTS,
  "PATCH /settings": PEOPLE,
  "PATCH /settings/display": PEOPLE,
  "PATCH /settings/notifications": PEOPLE,
  "GET /users": ACCOUNTS,
  "POST /users": ADMINS,
  "GET /users/me": ACCOUNTS,
  "DELETE /users/me": PEOPLE,
  "POST /users/me/api_key/regenerate": ACCOUNTS,
  "GET /users/{user}": ACCOUNTS,
  "PATCH /users/{user}": ACCOUNTS,
  "DELETE /users/{user}": ACCOUNTS,
  "POST /users/{user}/reactivate": ACCOUNTS,
  "GET /bots": PEOPLE_BUT_GUESTS,
  "POST /bots": PEOPLE_BUT_GUESTS,
  "PATCH /bots/{bot_id}": PEOPLE_BUT_GUESTS,
  "DELETE /bots/{bot_id}": PEOPLE_BUT_GUESTS,
  "GET /bots/{bot_id}/api_key": PEOPLE_BUT_GUESTS,
  "POST /bots/{bot_id}/api_key/regenerate": PEOPLE_BUT_GUESTS,
  "GET /bots/{bot_id}/deliveries": PEOPLE_BUT_GUESTS,
  "GET /bot_storage": BOTS,
  "PUT /bot_storage": BOTS,
  "DELETE /bot_storage": BOTS,
  "GET /user_groups": MEMBERS,
  "POST /user_groups/create": MEMBERS,
  "PATCH /user_groups/{user_group_id}": MEMBERS,
  "DELETE /user_groups/{user_group_id}": ACCOUNTS,
  "POST /user_groups/{user_group_id}/deactivate": ACCOUNTS,
  "GET /user_groups/{user_group_id}/members": MEMBERS,
  "POST /user_groups/{user_group_id}/members": MEMBERS,
  "GET /user_groups/{user_group_id}/members/{user_id}": MEMBERS,
  "GET /user_groups/{user_group_id}/subgroups": MEMBERS,
  "POST /user_groups/{user_group_id}/subgroups": MEMBERS,
  "GET /invites": PEOPLE_BUT_GUESTS,
  "POST /invites": PEOPLE_BUT_GUESTS,
  "DELETE /invites/{invite_id}": PEOPLE_BUT_GUESTS,
  "POST /invites/{invite_id}/resend": PEOPLE_BUT_GUESTS,
  "POST /invites/multiuse": PEOPLE_BUT_GUESTS,
  "DELETE /invites/multiuse/{invite_id}": PEOPLE_BUT_GUESTS,
  "POST /channels/create": MEMBERS,
  "GET /streams": ACCOUNTS,
  "GET /streams/{stream_id}": ACCOUNTS,
  "PATCH /streams/{stream_id}": ACCOUNTS,
  "DELETE /streams/{stream_id}": ACCOUNTS,
  "GET /streams/{stream_id}/email_address": ACCOUNTS,
  "POST /streams/{stream_id}/delete_topic": ACCOUNTS,
  "GET /get_stream_id": ACCOUNTS,
  "POST /default_streams": ADMINS,
  "DELETE /default_streams": ADMINS,
  "GET /channel_folders": ACCOUNTS,
  "PATCH /channel_folders": ADMINS,
  "POST /channel_folders/create": ADMINS,
  "PATCH /channel_folders/{folder_id}": ADMINS,
  "GET /users/me/subscriptions": ACCOUNTS,
  "POST /users/me/subscriptions": MEMBERS,
  "PATCH /users/me/subscriptions": MEMBERS,
  "DELETE /users/me/subscriptions": ACCOUNTS,
  "POST /users/me/subscriptions/properties": ACCOUNTS,
  "PATCH /users/me/subscriptions/{stream_id}": ACCOUNTS,
  "PATCH /users/me/subscriptions/muted_topics": ACCOUNTS,
  "GET /users/{user}/subscriptions/{stream_id}": ACCOUNTS,
  "GET /streams/{stream_id}/members": ACCOUNTS,
  "POST /user_topics": ACCOUNTS,
  "POST /users/me/muted_users/{muted_user_id}": ACCOUNTS,
  "DELETE /users/me/muted_users/{muted_user_id}": ACCOUNTS,
  "GET /users/me/alert_words": ACCOUNTS,
  "POST /users/me/alert_words": ACCOUNTS,
  "DELETE /users/me/alert_words": ACCOUNTS,
  "PATCH /realm": ADMINS,
  "PATCH /realm/user_settings_defaults": ADMINS,
  "GET /realm/profile_fields": ACCOUNTS,
  "POST /realm/profile_fields": ADMINS,
  "PATCH /realm/profile_fields": ADMINS,
  "PATCH /realm/profile_fields/{field_id}": ADMINS,
  "DELETE /realm/profile_fields/{field_id}": ADMINS,
  "PATCH /users/me/profile_data": PEOPLE,
  "DELETE /users/me/profile_data": PEOPLE,
  "GET /realm/presence": ACCOUNTS,
  "POST /users/me/presence": PEOPLE,
  "GET /users/{user}/presence": ACCOUNTS,
  "GET /users/{user}/channels": ACCOUNTS,
  "GET /messages": ACCOUNTS,
  "POST /messages": ACCOUNTS,
  "POST /messages/flags": ACCOUNTS,
  "GET /messages/{message_id}": ACCOUNTS,
  "PATCH /messages/{message_id}": ACCOUNTS,
  "DELETE /messages/{message_id}": ACCOUNTS,
  "GET /messages/{message_id}/history": ACCOUNTS,
  "GET /messages/{message_id}/read_receipts": ACCOUNTS,
  "POST /messages/{message_id}/report": PEOPLE,
  "POST /messages/{message_id}/typing": ACCOUNTS,
  "POST /messages/{message_id}/reactions": ACCOUNTS,
  "DELETE /messages/{message_id}/reactions": ACCOUNTS,
  "POST /submessage": ACCOUNTS,
  "POST /messages/flags/narrow": ACCOUNTS,
  "GET /messages/matches_narrow": ACCOUNTS,
  "POST /messages/render": ACCOUNTS,
  "POST /external/json": WEBHOOKS,
  "GET /users/me/{stream_id}/topics": ACCOUNTS,
  "POST /typing": ACCOUNTS,
  "POST /users/me/status": PEOPLE,
  "GET /users/{user_id}/status": ACCOUNTS,
  "POST /users/{user_id}/status": PEOPLE,
  "GET /saved_snippets": ACCOUNTS,
  "POST /saved_snippets": ACCOUNTS,
  "PATCH /saved_snippets/{saved_snippet_id}": ACCOUNTS,
  "DELETE /saved_snippets/{saved_snippet_id}": ACCOUNTS,
  "POST /user_uploads": ACCOUNTS,
  "GET /user_uploads/{realm_id}/{path}": ACCOUNTS,
  "POST /calls/videoprovider/create": PEOPLE,
  "POST /register_client_device": PEOPLE,
  "POST /remove_client_device": PEOPLE,
  "POST /mobile_push/register": PEOPLE,
  "POST /users/me/android_gcm_reg_id": PEOPLE,
  "DELETE /users/me/android_gcm_reg_id": PEOPLE,
  "POST /users/me/apns_device_token": PEOPLE,
  "DELETE /users/me/apns_device_token": PEOPLE,
  "POST /remotes/push/e2ee/register": SERVERS,
  "POST /remotes/push/e2ee/notify": SERVERS,
  "POST /mobile_push/e2ee/test_notification": PEOPLE,
  "POST /users/me/avatar": ACCOUNTS,
  "DELETE /users/me/avatar": ACCOUNTS,
  "POST /realm/icon": ADMINS,
  "DELETE /realm/icon": ADMINS,
  "GET /attachments": ACCOUNTS,
  "DELETE /attachments/{attachment_id}": ACCOUNTS,
  "GET /drafts": ACCOUNTS,
  "POST /drafts": ACCOUNTS,
  "PATCH /drafts/{draft_id}": ACCOUNTS,
  "DELETE /drafts/{draft_id}": ACCOUNTS,
  "GET /scheduled_messages": ACCOUNTS,
  "POST /scheduled_messages": ACCOUNTS,
  "PATCH /scheduled_messages/{scheduled_message_id}": ACCOUNTS,
  "DELETE /scheduled_messages/{scheduled_message_id}": ACCOUNTS,
  "GET /reminders": ACCOUNTS,
  "POST /reminders": ACCOUNTS,
  "DELETE /reminders/{reminder_id}": ACCOUNTS,
  "GET /navigation_views": ACCOUNTS,
  "POST /navigation_views": ACCOUNTS,
  "PATCH /navigation_views/{fragment}": ACCOUNTS,
  "DELETE /navigation_views/{fragment}": ACCOUNTS,
  "GET /realm/domains": ACCOUNTS,
  "POST /realm/domains": "owner",
  "PATCH /realm/domains/{domain}": "owner",
  "DELETE /realm/domains/{domain}": "owner",
  "POST /realm/filters": ADMINS,
  "PATCH /realm/filters/{filter_id}": ADMINS,
  "DELETE /realm/filters/{filter_id}": ADMINS,
  "GET /realm/linkifiers": ACCOUNTS,
  "PATCH /realm/linkifiers": ADMINS,
  "GET /realm/emoji": ACCOUNTS,
  "POST /realm/emoji/{emoji_name}": PEOPLE_BUT_GUESTS,
  "DELETE /realm/emoji/{emoji_name}": PEOPLE_BUT_GUESTS,
  "POST /mark_topic_as_read": ACCOUNTS,
  "POST /mark_stream_as_read": ACCOUNTS,
  "POST /mark_all_as_read": ACCOUNTS,
};

/** Endpoints that spectators can call as well, and the parameters they need. */
const OPEN: Readonly<Record<string, TestParams>> = {
  "POST /register": {},
  "GET /messages": { anchor: "newest", narrow: [["channels", "web-public"]] },
  "GET /messages/{message_id}": {},
  "GET /users/me/{stream_id}/topics": {},
};

/** Messages of refusals that precede the validation of parameters. */
const ACCESS_REFUSALS = [
  "Not logged in: API authentication or user session required",
  "This endpoint does not accept bot requests.",
  "This endpoint only accepts bot requests.",
  "Not allowed for guest users",
  "Must be an organization administrator",
  "Must be an organization owner",
  "Missing authorization header for basic auth",
  "Must validate with valid Sotto server API key",
  "This API is only available to incoming webhook bots.",
];

function personOf(chat: TestChat, name: CallerName): TestUser | null {
  return name === "anonymous" ? null : chat[name];
}

Deno.test("every endpoint admits exactly the callers in the table", async () => {
  const problems: string[] = [];
  for (const [endpoint, allowed] of Object.entries(TABLE)) {
    // One server per endpoint, as some endpoints deactivate the caller or reset the caller's key.
    await using chat = await startChat();
    for (const caller of CALLERS.toReversed()) {
      const call = endpoint.replace(/\{\w+\}/g, "99999999");
      const { status, body } = await chat.call(personOf(chat, caller), call);
      const isAdmitted = !ACCESS_REFUSALS.includes(body.msg);
      const isExpected = allowed.split(" ").includes(caller);
      if (status >= 500 || status === 405 || isAdmitted !== isExpected) {
        problems.push(`${caller}: ${endpoint}: ${status} ${body.msg}`);
      }
    }
  }
  assert.deepEqual(problems, []);
});

Deno.test("spectators are admitted to public endpoints and to those open to spectators, and to no others", async () => {
  await using chat = await startOpenChat();
  const channel = await createOpenChannel(chat, "Garden");
  const ids: Readonly<Record<string, number>> = {
    stream_id: channel,
    message_id: await send(chat, chat.member, { to: channel, content: "hello" }),
  };
  const problems: string[] = [];
  for (const [endpoint, allowed] of Object.entries(TABLE)) {
    const call = endpoint.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name] ?? 99_999_999));
    const { status, body } = await chat.call(null, call, OPEN[endpoint]);
    const isAdmitted = !ACCESS_REFUSALS.includes(body.msg);
    const isExpected = allowed === ALL || Object.hasOwn(OPEN, endpoint);
    if (isAdmitted !== isExpected || (Object.hasOwn(OPEN, endpoint) && status !== 200)) {
      problems.push(`${endpoint}: ${status} ${body.msg}`);
    }
  }
  assert.deepEqual(problems, []);
});

Deno.test("the table contains every endpoint of the chat API", async () => {
  await using chat = await startChat();
  const registered = (await listApiRoutes(chat.services)).filter(({ path }) => path.startsWith("/api/v1/"))
    .flatMap(({ path, handler }) =>
      Object.keys(handler.byMethod).map((method) => `${method} ${path.replace("/api/v1", "")}`)
    );
  assert.deepEqual(registered.filter((endpoint) => !Object.hasOwn(TABLE, endpoint)), []);
  assert.deepEqual(Object.keys(TABLE).filter((endpoint) => !registered.includes(endpoint)), []);
});

Deno.test("/openapi.json marks credentials as optional for exactly the endpoints open to spectators", async () => {
  await using chat = await startChat();
  const { paths } = await (await chat.request("/openapi.json")).json();
  const securityOf = (endpoint: string) => {
    const [method = "", path = ""] = endpoint.split(" ");
    return paths[`/api/v1${path}`][method.toLowerCase()].security;
  };
  for (const endpoint of Object.keys(TABLE)) {
    const isOptional = securityOf(endpoint).length === 2;
    assert.equal(isOptional, Object.hasOwn(OPEN, endpoint), endpoint);
  }
  assert.deepEqual(securityOf("GET /messages"), [{}, { apiKey: [] }]);
});
