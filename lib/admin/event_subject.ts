import type { ChatEvent } from "@/lib/chat/events/emit.ts";

/** Where events name what they are about: at themselves, and in what they hold. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  channel_folder: ["channel_folder_id", "channel_folder.id"],
  realm_bot: ["bot.user_id"],
  realm_domains: ["domain", "realm_domain.domain"],
  realm_user: ["person.user_id"],
  stream: ["stream_id", "stream_ids", "streams.stream_id"],
  subscription: ["stream_id", "stream_ids", "subscriptions.stream_id"],
  user_group: ["group_id", "group.id"],
};

/** The ids of what an event is about, as text; none where it does not say. */
export function idsIn(event: ChatEvent): readonly string[] {
  const names = NAMES[event.type] ?? [];
  return names.flatMap((name) => valuesAt(event, name.split("."))).map(String);
}

function valuesAt(value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((one) => valuesAt(one, name === undefined ? [] : [name, ...rest]));
  }
  if (name === undefined) return value === undefined ? [] : [value];
  return isRecord(value) ? valuesAt(value[name], rest) : [];
}

/** Whether something has members by name. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
