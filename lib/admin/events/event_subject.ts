import type { ChatEvent } from "@/lib/chat/events/model.ts";

/** Members of events, and of the objects in them, that hold the ids of their subjects. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  channel_folder: ["channel_folder_id", "channel_folder.id"],
  realm_bot: ["bot.user_id"],
  realm_domains: ["domain", "realm_domain.domain"],
  realm_user: ["person.user_id"],
  stream: ["stream_id", "stream_ids", "streams.stream_id"],
  subscription: ["stream_id", "stream_ids", "subscriptions.stream_id"],
  user_group: ["group_id", "group.id"],
};

/** Returns the ids of an event's subjects as text; empty when it names none. */
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

/** Whether a value is an object with named members. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
