import assert from "node:assert/strict";
import type { StoredEvent } from "@/lib/chat/organization/events/model.ts";
import type { TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";

/** Creates a channel through the API and returns its id. */
export async function createChannel(chat: TestChat, by: TestUser, sent: TestParams = {}): Promise<number> {
  const params = { name: `channel ${crypto.randomUUID()}`, subscribers: [], ...sent };
  const { status, body } = await chat.call(by, "POST /channels/create", params);
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** Returns a channel as the API returns it to the owner. */
// deno-lint-ignore no-explicit-any
export async function readChannel(chat: TestChat, id: number): Promise<any> {
  const { status, body } = await chat.call(chat.owner, `GET /streams/${id}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.stream;
}

/** Lists the names of the organization's channels, archived ones included. */
export async function listChannelNames(chat: TestChat): Promise<string[]> {
  const { body } = await chat.call(chat.owner, "GET /streams", {
    include_all: true,
    exclude_archived: false,
  });
  return body.streams.map(({ name }: { name: string }) => name);
}

/** Types of events on channels; announcements are messages and not included. */
const CHANNEL_EVENTS = ["stream", "subscription", "default_streams", "realm"];

/** Returns the events on channels since the previous call. */
export async function takeChannelEvents(chat: TestChat): Promise<StoredEvent[]> {
  return (await chat.events()).filter(({ event }) => CHANNEL_EVENTS.includes(event.type));
}

/** Enables web-public channels. */
export async function allowSpectators(chat: TestChat): Promise<void> {
  const { status } = await chat.call(chat.owner, "PATCH /realm", { enable_spectator_access: true });
  assert.equal(status, 200);
}

/** Grants a permission of the organization to a group. */
export async function allowInRealm(chat: TestChat, setting: string, group: number): Promise<void> {
  const { status, body } = await chat.call(chat.owner, "PATCH /realm", { [setting]: { new: group } });
  assert.equal(status, 200, JSON.stringify(body));
}

/** Error for a channel that does not exist or that the caller has no access to. */
export const INVALID_CHANNEL = "Invalid channel ID";
/** Error for a caller with content access who cannot administer the channel. */
export const NO_ADMINISTRATOR = "You do not have permission to administer this channel.";
