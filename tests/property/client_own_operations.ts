import type { TestParams } from "@/tests/helpers/chat.ts";
import { type JsonRecord, type Make, setting, type Stage } from "./client_stage.ts";

const actor = ({ dice, actors }: Stage) => dice.one(actors);
const channel = ({ dice, known }: Stage): JsonRecord =>
  dice.any<JsonRecord>(known.streams) ?? { stream_id: 0, name: "none" };

/** Returns operations on subscriptions and their settings. */
export function subscriptionOperations(): Record<string, Make> {
  const principals = (at: Stage) => [at.dice.one([...at.actors, ...at.targets]).id];
  const property = (at: Stage): TestParams =>
    at.dice.one<TestParams>([
      { property: "color", value: "#a1b2c3" },
      { property: "in_home_view", value: at.dice.yes() },
      { property: "is_muted", value: at.dice.yes() },
      { property: "pin_to_top", value: at.dice.yes() },
      { property: "push_notifications", value: at.dice.yes() },
    ]);
  return {
    subscribe: (at) => ({
      user: actor(at),
      endpoint: "POST /users/me/subscriptions",
      params: { subscriptions: [{ name: channel(at).name }] },
    }),
    subscribe_others: (at) => ({
      user: at.chat.owner,
      endpoint: "POST /users/me/subscriptions",
      params: {
        subscriptions: [{ name: channel(at).name }],
        principals: [...principals(at), ...principals(at)],
      },
    }),
    make_by_subscribing: (at) => ({
      user: actor(at),
      endpoint: "POST /users/me/subscriptions",
      params: {
        subscriptions: [{ name: at.dice.name() }],
        principals: principals(at),
        invite_only: at.dice.yes(),
      },
    }),
    unsubscribe: (at) => ({
      user: actor(at),
      endpoint: "DELETE /users/me/subscriptions",
      params: { subscriptions: [channel(at).name] },
    }),
    unsubscribe_others: (at) => ({
      user: at.chat.owner,
      endpoint: "DELETE /users/me/subscriptions",
      params: { subscriptions: [channel(at).name], principals: principals(at) },
    }),
    property: (at) => ({
      user: actor(at),
      endpoint: "POST /users/me/subscriptions/properties",
      params: { subscription_data: [{ stream_id: channel(at).stream_id, ...property(at) }] },
    }),
    topic: (at) => ({
      user: actor(at),
      endpoint: "POST /user_topics",
      params: {
        stream_id: channel(at).stream_id,
        topic: at.dice.one(["tea", "Tea", "plans", ""]),
        visibility_policy: at.dice.below(4),
      },
    }),
  };
}

/** Returns operations on the organization, its profile fields, linkifiers and domains. */
export function organizationOperations(): Record<string, Make> {
  const { owner, admin } = { owner: (at: Stage) => at.chat.owner, admin: (at: Stage) => at.chat.admin };
  const field = (at: Stage) => at.dice.any<JsonRecord>(at.known.custom_profile_fields)?.id ?? 0;
  const linkifier = (at: Stage) => at.dice.any<JsonRecord>(at.known.realm_linkifiers)?.id ?? 0;
  const domain = (at: Stage) => at.dice.any<JsonRecord>(at.known.realm_domains)?.domain ?? "none.example";
  const link = (at: Stage): TestParams => ({
    pattern: `${at.dice.name()}-(?P<id>[0-9]+)`,
    url_template: "https://x.example/{id}",
  });
  return {
    settings_defaults: (at) => ({
      user: admin(at),
      endpoint: "PATCH /realm/user_settings_defaults",
      params: { twenty_four_hour_time: at.dice.yes(), send_read_receipts: at.dice.yes() },
    }),
    realm: (at) => ({
      user: owner(at),
      endpoint: "PATCH /realm",
      params: at.dice.one<TestParams>([
        { name: at.dice.name(), description: at.dice.name() },
        { enable_spectator_access: at.dice.yes() },
        { message_content_edit_limit_seconds: at.dice.one<number | string>([60, "unlimited"]) },
        { name_changes_disabled: false, presence_disabled: at.dice.yes() },
        { new_stream_announcements_stream_id: at.dice.yes() ? -1 : channel(at).stream_id },
        { waiting_period_threshold: at.dice.one([0, 3]) },
        { disallow_disposable_email_addresses: at.dice.yes(), welcome_message_custom_text: at.dice.name() },
      ]),
    }),
    access_of_guests: (at) => ({
      user: owner(at),
      endpoint: "PATCH /realm",
      params: {
        can_access_all_users_group: { new: at.chat.realm.first_system_group_id + at.dice.one([5, 6]) },
      },
    }),
    realm_permission: (at) => ({
      user: owner(at),
      endpoint: "PATCH /realm",
      params: {
        [
          at.dice.one([
            "can_add_subscribers_group",
            "can_create_groups",
            "can_create_private_channel_group",
            "can_create_public_channel_group",
            "can_invite_users_group",
            "can_manage_all_groups",
          ])
        ]: { new: setting(at) },
      },
    }),
    add_field: (at) => ({
      user: admin(at),
      endpoint: "POST /realm/profile_fields",
      params: { name: at.dice.name(), field_type: at.dice.one([1, 2, 8]) },
    }),
    change_field: (at) => ({
      user: admin(at),
      endpoint: `PATCH /realm/profile_fields/${field(at)}`,
      params: { name: at.dice.name(), required: at.dice.yes() },
    }),
    reorder_fields: (at) => ({
      user: admin(at),
      endpoint: "PATCH /realm/profile_fields",
      params: { order: at.known.custom_profile_fields.map(({ id }: JsonRecord) => id).toReversed() },
    }),
    remove_field: (at) => ({ user: admin(at), endpoint: `DELETE /realm/profile_fields/${field(at)}` }),
    field_value: (at) => ({
      user: actor(at),
      endpoint: "PATCH /users/me/profile_data",
      params: { data: [{ id: field(at), value: at.dice.one(["**so**", "other", ""]) }] },
    }),
    clear_field: (at) => ({
      user: actor(at),
      endpoint: "DELETE /users/me/profile_data",
      params: { data: [field(at)] },
    }),
    add_linkifier: (at) => ({ user: admin(at), endpoint: "POST /realm/filters", params: link(at) }),
    change_linkifier: (at) => ({
      user: admin(at),
      endpoint: `PATCH /realm/filters/${linkifier(at)}`,
      params: link(at),
    }),
    remove_linkifier: (at) => ({ user: admin(at), endpoint: `DELETE /realm/filters/${linkifier(at)}` }),
    reorder_linkifiers: (at) => ({
      user: admin(at),
      endpoint: "PATCH /realm/linkifiers",
      params: {
        ordered_linkifier_ids: at.known.realm_linkifiers.map(({ id }: JsonRecord) => id).toReversed(),
      },
    }),
    add_playground: (at) => ({
      user: admin(at),
      endpoint: "POST /realm/playgrounds",
      params: {
        name: at.dice.name(),
        pygments_language: at.dice.one(["Python", "Rust"]),
        url_template: "https://x.example/{?code}",
      },
    }),
    remove_playground: (at) => ({
      user: admin(at),
      endpoint: `DELETE /realm/playgrounds/${at.dice.any<JsonRecord>(at.known.realm_playgrounds)?.id ?? 0}`,
    }),
    add_domain: (at) => ({
      user: owner(at),
      endpoint: "POST /realm/domains",
      params: { domain: `${at.dice.name()}.example`, allow_subdomains: at.dice.yes() },
    }),
    change_domain: (at) => ({
      user: owner(at),
      endpoint: `PATCH /realm/domains/${domain(at)}`,
      params: { allow_subdomains: at.dice.yes() },
    }),
    remove_domain: (at) => ({ user: owner(at), endpoint: `DELETE /realm/domains/${domain(at)}` }),
  };
}

/** Returns operations on the acting user's own data. */
export function ownOperations(): Record<string, Make> {
  const snippet = (at: Stage) => at.dice.any<JsonRecord>(at.known.saved_snippets)?.id ?? 0;
  const device = (at: Stage) => Number(at.dice.any(Object.keys(at.known.devices)) ?? 0);
  return {
    settings: (at) => ({
      user: actor(at),
      endpoint: "PATCH /settings",
      params: at.dice.one<TestParams>([
        { color_scheme: at.dice.one([1, 2, 3]), starred_message_counts: at.dice.yes() },
        { default_language: at.dice.one(["de", "en"]) },
        { enable_desktop_notifications: at.dice.yes(), presence_enabled: at.dice.yes() },
      ]),
    }),
    settings_of_others: (at) => ({
      user: at.chat.owner,
      endpoint: "PATCH /settings",
      params: {
        color_scheme: at.dice.one([1, 2, 3]),
        target_users: { user_ids: [actor(at).id], skip_if_already_edited: at.dice.yes() },
      },
    }),
    mute: (at) => ({ user: at.chat.admin, endpoint: `POST /users/me/muted_users/${actor(at).id}` }),
    mute_another: (at) => ({ user: actor(at), endpoint: `POST /users/me/muted_users/${actor(at).id}` }),
    unmute: (at) => ({
      user: at.chat.admin,
      endpoint: `DELETE /users/me/muted_users/${at.dice.any<JsonRecord>(at.known.muted_users)?.id ?? 0}`,
    }),
    add_snippet: (at) => ({
      user: at.chat.admin,
      endpoint: "POST /saved_snippets",
      params: { title: at.dice.name(), content: "text" },
    }),
    change_snippet: (at) => ({
      user: at.chat.admin,
      endpoint: `PATCH /saved_snippets/${snippet(at)}`,
      params: { title: at.dice.name() },
    }),
    alert_words: (at) => ({
      user: actor(at),
      endpoint: `${at.dice.one(["POST", "POST", "DELETE"])} /users/me/alert_words`,
      params: { alert_words: [at.dice.one(["tea", "Tea", "plans"]), at.dice.name()] },
    }),
    remove_snippet: (at) => ({ user: at.chat.admin, endpoint: `DELETE /saved_snippets/${snippet(at)}` }),
    status: (at) => ({
      user: actor(at),
      endpoint: "POST /users/me/status",
      params: at.dice.one<TestParams>([
        { status_text: at.dice.one(["away", ""]) },
        { emoji_name: at.dice.one(["tada", ""]) },
        { away: at.dice.yes() },
      ]),
    }),
    status_of_others: (at) => ({
      user: at.chat.owner,
      endpoint: `POST /users/${at.dice.one(at.targets).id}/status`,
      params: { status_text: at.dice.one(["gone", ""]) },
    }),
    add_device: (at) => ({ user: at.chat.admin, endpoint: "POST /register_client_device" }),
    remove_device: (at) => ({
      user: at.chat.admin,
      endpoint: "POST /remove_client_device",
      params: { device_id: device(at) },
    }),
  };
}
