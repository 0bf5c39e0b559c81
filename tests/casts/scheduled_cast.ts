import assert from "node:assert/strict";
import type { ChatEvent } from "@/lib/chat/organization/events/model.ts";
import type { TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";

/** Returns the time in seconds that is `seconds` after the test's. */
export function inSeconds(chat: TestChat, seconds: number): number {
  return Math.floor(chat.clock.time / 1000) + seconds;
}

/** Schedules a message and returns its id; in an hour by default. */
export async function schedule(chat: TestChat, user: TestUser, params: TestParams): Promise<number> {
  const { status, body } = await chat.call(user, "POST /scheduled_messages", {
    scheduled_delivery_timestamp: inSeconds(chat, 3600),
    ...params,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.scheduled_message_id;
}

/** Returns a user's scheduled messages. */
// deno-lint-ignore no-explicit-any
export async function scheduledOf(chat: TestChat, user: TestUser): Promise<Record<string, any>[]> {
  return (await chat.call(user, "GET /scheduled_messages")).body["scheduled_messages"];
}

/** Moves the clock, and sends what is due by then. */
export async function passSeconds(chat: TestChat, seconds: number): Promise<void> {
  chat.clock.time += seconds * 1000;
  await chat.services.scheduledMessages.sweep();
  await chat.services.reminders.sweep();
}

/** Returns the events of one type since the last call. */
export async function eventsOf(chat: TestChat, type: string): Promise<ChatEvent[]> {
  return (await chat.events()).map(({ event }) => event).filter((event) => event.type === type);
}
