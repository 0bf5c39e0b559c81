import { registrationParams, type WriteCast } from "@/tests/casts/write_cast.ts";
import type { ApiExample } from "@/tests/casts/write_examples.ts";
import { keyGroup, tokenGroup } from "@/tests/casts/devices_cast.ts";
import { file, PNG } from "@/tests/casts/pictures_cast.ts";
import { basic, PASSWORD } from "@/tests/helpers/chat.ts";

/** Lists valid requests about accounts, invitations, devices and what belongs to a user. */
export function listPeopleExamples(cast: WriteCast): readonly ApiExample[] {
  return [...listAccounts(cast), ...listOwn(cast), ...listInvitations(cast), ...listDevices(cast)];
}

function listAccounts({ member, admin, bot, ids, jwt, samples }: WriteCast): ApiExample[] {
  const leaver = ids["leaver"] ?? 0;
  return [
    ["POST /fetch_api_key", { username: member.email, password: PASSWORD }, { by: null }],
    ["POST /jwt/fetch_api_key", { token: jwt }, { by: null }],
    ["POST /users", { email: "new@example.com", password: "violet kettle seldom 42", full_name: "New" }],
    ["PATCH /users/{user}", { full_name: "Renamed", role: 400 }],
    ["DELETE /users/{user}", {
      deactivation_notification_comment: "Farewell!",
      actions: { delete_profile: true, delete_direct_messages: true },
    }, { ids: { user: leaver } }],
    ["POST /users/{user}/reactivate", {}, { ids: { user: ids["idle"] ?? 0 } }],
    ["DELETE /users/me", {}, { by: admin }],
    ["POST /users/me/api_key/regenerate", {}, { by: member }],
    ["POST /users/{user_id}/status", { status_text: "away for lunch" }],
    ["POST /bots", { full_name: "Helper", short_name: "helper" }, { by: member }],
    ["PATCH /bots/{bot_id}", { full_name: "Tool" }, { by: member }],
    ["DELETE /bots/{bot_id}", {}, { by: member }],
    ["POST /bots/{bot_id}/api_key/regenerate", {}, { by: member }],
    ["PUT /bot_storage", { storage: { count: "2", color: "red" } }, { by: bot }],
    ["DELETE /bot_storage", {}, { by: bot }],
    ["POST /users/me/muted_users/{muted_user_id}", {}, { ids: { muted_user_id: samples["bot_id"] ?? 0 } }],
    ["DELETE /users/me/muted_users/{muted_user_id}", {}, { by: member }],
  ];
}

function listOwn({ member, ids }: WriteCast): ApiExample[] {
  const by = { by: member };
  const field = ids["field2"];
  return [
    ["POST /users/me/presence", { status: "idle" }, by],
    ["POST /users/me/status", { status_text: "back soon" }, by],
    ["PATCH /users/me/profile_data", { data: [{ id: field, value: "oak" }] }, by],
    ["DELETE /users/me/profile_data", { data: [1] }, by],
    ["POST /navigation_views", { fragment: "recent", is_pinned: true }, by],
    ["PATCH /navigation_views/{fragment}", { is_pinned: true }, by],
    ["DELETE /navigation_views/{fragment}", {}, by],
    ["POST /users/me/alert_words", { alert_words: ["roses"] }, by],
    ["DELETE /users/me/alert_words", { alert_words: ["tulips"] }, by],
    ["POST /users/me/avatar", { file: file(PNG, 150_000) }, by],
    ["DELETE /users/me/avatar", {}, by],
    ["PATCH /settings", { full_name: "Mona", color_scheme: 2 }, by],
    ["PATCH /settings/display", { enter_sends: true }, by],
    ["PATCH /settings/notifications", { enable_sounds: false }, by],
    ["POST /drafts", { drafts: [{ type: "", to: [], topic: "", content: "a", timestamp: 1 }] }, by],
    ["PATCH /drafts/{draft_id}", { draft: { type: "", to: [], topic: "", content: "b", timestamp: 2 } }, by],
    ["DELETE /drafts/{draft_id}", {}, by],
    ["POST /saved_snippets", { title: "bye", content: "good night" }, by],
    ["PATCH /saved_snippets/{saved_snippet_id}", { title: "bye" }, by],
    ["DELETE /saved_snippets/{saved_snippet_id}", {}, by],
  ];
}

function listInvitations({ samples, ids }: WriteCast): ApiExample[] {
  const terms = { stream_ids: [samples["stream_id"]], group_ids: [samples["user_group_id"]] };
  return [
    ["POST /invites", { invitee_emails: "one@example.com, two@example.com", ...terms }],
    ["POST /invites/{invite_id}/resend"],
    ["DELETE /invites/{invite_id}"],
    ["POST /invites/multiuse", { stream_ids: [ids["other"]] }],
    ["DELETE /invites/multiuse/{invite_id}"],
  ];
}

const TOKEN = { token: "abc" };

function listDevices(cast: WriteCast): ApiExample[] {
  const { member, moderator, ids, remote, hasProviders } = cast;
  const by = { by: member };
  const byConnected = { by: moderator, ...(hasProviders ? {} : { refusal: 400 }) };
  const server = { by: null, authorization: basic(remote.name, remote.key) };
  const notification = { token_id: "AAECAwQFBgc=", push_key_id: 1, encrypted_data: "AAAA", priority: "high" };
  return [
    ["POST /register_client_device", {}, by],
    ["POST /remove_client_device", { device_id: ids["device"] }, by],
    ["POST /mobile_push/register", { device_id: ids["device"], ...keyGroup(), ...tokenGroup() }, by],
    ["POST /mobile_push/e2ee/test_notification", {}, byConnected],
    ["POST /mobile_push/test_notification", {}, byConnected],
    // Tokens of older apps are not stored.
    ["POST /users/me/android_gcm_reg_id", TOKEN, { ...by, refusal: 400 }],
    ["DELETE /users/me/android_gcm_reg_id", TOKEN, { ...by, refusal: 400 }],
    ["POST /users/me/apns_device_token", TOKEN, { ...by, refusal: 400 }],
    ["DELETE /users/me/apns_device_token", TOKEN, { ...by, refusal: 400 }],
    ["POST /calls/videoprovider/create", {}, byConnected],
    ["POST /remotes/push/e2ee/register", registrationParams(cast), server],
    [
      "POST /remotes/push/e2ee/notify",
      { realm_uuid: remote.realmUuid, push_requests: [notification] },
      server,
    ],
  ];
}
