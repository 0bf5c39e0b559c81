import assert from "node:assert/strict";
import type { StoredEvent } from "@/lib/chat/events/emit.ts";
import type { Person, Sent, TestChat } from "@/tests/helpers/chat.ts";

/** Makes a channel through the API and gives its id. */
export async function makeChannel(chat: TestChat, by: Person, sent: Sent = {}): Promise<number> {
  const params = { name: `channel ${crypto.randomUUID()}`, subscribers: [], ...sent };
  const { status, body } = await chat.call(by, "POST /channels/create", params);
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** A channel as the owner sees it. */
// deno-lint-ignore no-explicit-any
export async function readChannel(chat: TestChat, id: number): Promise<any> {
  const { status, body } = await chat.call(chat.owner, `GET /streams/${id}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.stream;
}

/** The names of the organization's channels as the owner finds them, archived ones among them. */
export async function channelNames(chat: TestChat): Promise<string[]> {
  const { body } = await chat.call(chat.owner, "GET /streams", {
    include_all: true,
    exclude_archived: false,
  });
  return body.streams.map(({ name }: { name: string }) => name);
}

/** What is told of channels; announcements, which are messages, are not. */
const CHANNEL_EVENTS = ["stream", "subscription", "default_streams", "realm"];

/** What was told of channels since this was last called. */
export async function channelEvents(chat: TestChat): Promise<StoredEvent[]> {
  return (await chat.events()).filter(({ event }) => CHANNEL_EVENTS.includes(event.type));
}

/** Lets channels be opened to the web. */
export async function allowSpectators(chat: TestChat): Promise<void> {
  const { status } = await chat.call(chat.owner, "PATCH /realm", { enable_spectator_access: true });
  assert.equal(status, 200);
}

/** Gives a permission of the organization to one of its groups. */
export async function allowInRealm(chat: TestChat, setting: string, group: number): Promise<void> {
  const { status, body } = await chat.call(chat.owner, "PATCH /realm", { [setting]: { new: group } });
  assert.equal(status, 200, JSON.stringify(body));
}

/** The refusal of a channel that is not there, or that the caller may not know of. */
export const INVALID_CHANNEL = "Invalid channel ID";
/** The refusal of somebody who may read a channel but not change it. */
export const NO_ADMINISTRATOR = "You do not have permission to administer this channel.";
