import { file, PNG } from "@/tests/casts/pictures_cast.ts";
import type { TestParams } from "@/tests/helpers/chat.ts";
import type { JsonRecord, Make, Stage } from "./client_stage.ts";

const actor = ({ dice, actors }: Stage) => dice.one(actors);
const picture = () => [file(PNG)];

/** Returns operations on avatars, icons, emoji, drafts, scheduled messages, reminders and profile fields with choices. */
export function otherOperations(): Record<string, Make> {
  const draft = (at: Stage) => at.dice.any<JsonRecord>(at.known.drafts)?.id ?? 0;
  const emoji = (at: Stage): JsonRecord =>
    at.dice.any<JsonRecord>(
      Object.values<JsonRecord>(at.known.realm_emoji).filter((one) => !one.deactivated),
    ) ?? {};
  const field = (at: Stage) =>
    at.dice.any<JsonRecord>(at.known.custom_profile_fields.filter(isChoice))?.id ?? 0;
  const text = (at: Stage): TestParams => ({
    type: "",
    to: [],
    topic: "",
    content: at.dice.name(),
    timestamp: 1_700_000_000 + at.dice.below(1000),
  });
  return {
    avatar: (at) => ({ user: actor(at), endpoint: "POST /users/me/avatar", files: picture() }),
    remove_avatar: (at) => ({ user: actor(at), endpoint: "DELETE /users/me/avatar" }),
    icon: (at) => ({ user: at.chat.owner, endpoint: "POST /realm/icon", files: picture() }),
    remove_icon: (at) => ({ user: at.chat.owner, endpoint: "DELETE /realm/icon" }),
    add_emoji: (at) => ({
      user: actor(at),
      endpoint: `POST /realm/emoji/${at.dice.name()}`,
      files: picture(),
    }),
    remove_emoji: (at) => ({
      user: at.chat.owner,
      endpoint: `DELETE /realm/emoji/${emoji(at).name ?? "none"}`,
    }),
    status_emoji: (at) => ({
      user: actor(at),
      endpoint: "POST /users/me/status",
      params: { emoji_name: emoji(at).name ?? "tada" },
    }),
    add_draft: (at) => ({
      user: at.chat.admin,
      endpoint: "POST /drafts",
      params: { drafts: [text(at), text(at)] },
    }),
    change_draft: (at) => ({
      user: at.chat.admin,
      endpoint: `PATCH /drafts/${draft(at)}`,
      params: { draft: text(at) },
    }),
    remove_draft: (at) => ({ user: at.chat.admin, endpoint: `DELETE /drafts/${draft(at)}` }),
    ...scheduledOperations(),
    add_choice_field: (at) => ({
      user: at.chat.owner,
      endpoint: "POST /realm/profile_fields",
      params: { name: at.dice.name(), field_type: 3, field_data: choices(["a", "b", "c"]) },
    }),
    change_choices: (at) => ({
      user: at.chat.owner,
      endpoint: `PATCH /realm/profile_fields/${field(at)}`,
      params: { field_data: choices(["a", "b", "c"].filter(() => at.dice.below(4) > 0)) },
    }),
    choose: (at) => ({
      user: actor(at),
      endpoint: "PATCH /users/me/profile_data",
      params: { data: [{ id: field(at), value: at.dice.one(["a", "b", "c"]) }] },
    }),
    retention: (at) => ({
      user: at.chat.owner,
      endpoint: `PATCH /streams/${at.dice.any<JsonRecord>(at.known.streams)?.stream_id ?? 0}`,
      params: { message_retention_days: at.dice.one<number | string>([7, "unlimited", "realm_default"]) },
    }),
  };
}

/** Returns operations on scheduled messages, reminders and navigation views. */
function scheduledOperations(): Record<string, Make> {
  const seconds = (at: Stage) => Math.floor(at.chat.clock.time / 1000) + 1 + at.dice.below(20);
  const scheduled = (at: Stage) =>
    at.dice.any<JsonRecord>(at.known.scheduled_messages)?.scheduled_message_id ?? 0;
  const reminder = (at: Stage) => at.dice.any<JsonRecord>(at.known.reminders)?.reminder_id ?? 0;
  const view = (at: Stage) => at.dice.any<JsonRecord>(at.known.navigation_views)?.fragment ?? "none";
  const changes = (at: Stage) => ({ content: at.dice.name(), scheduled_delivery_timestamp: seconds(at) });
  return {
    add_scheduled: (at) => ({
      user: at.chat.admin,
      endpoint: "POST /scheduled_messages",
      params: { type: "direct", to: [at.dice.one(at.targets).id], ...changes(at) },
    }),
    change_scheduled: (at) => ({
      user: at.chat.admin,
      endpoint: `PATCH /scheduled_messages/${scheduled(at)}`,
      params: changes(at),
    }),
    remove_scheduled: (at) => ({
      user: at.chat.admin,
      endpoint: `DELETE /scheduled_messages/${scheduled(at)}`,
    }),
    add_reminder: (at) => ({
      user: at.chat.admin,
      endpoint: "POST /reminders",
      params: { message_id: at.lastMessageId, scheduled_delivery_timestamp: seconds(at) },
    }),
    add_view: (at) => ({
      user: at.chat.admin,
      endpoint: "POST /navigation_views",
      params: { fragment: `narrow/${at.dice.name()}`, is_pinned: at.dice.yes(), name: at.dice.name() },
    }),
    change_view: (at) => ({
      user: at.chat.admin,
      endpoint: `PATCH /navigation_views/${view(at)}`,
      params: { is_pinned: at.dice.yes(), name: at.dice.name() },
    }),
    remove_view: (at) => ({ user: at.chat.admin, endpoint: `DELETE /navigation_views/${view(at)}` }),
    remove_reminder: (at) => ({ user: at.chat.admin, endpoint: `DELETE /reminders/${reminder(at)}` }),
  };
}

function isChoice({ type }: JsonRecord): boolean {
  return type === 3;
}

function choices(names: readonly string[]): TestParams {
  return Object.fromEntries(
    names.map((name, at) => [name, { text: `choice ${name}`, order: String(at + 1) }]),
  );
}
