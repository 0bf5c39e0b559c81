import assert from "node:assert/strict";
import { type Answer, type Sent, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import type { TestAppOptions } from "@/tests/helpers/app.ts";
import { idsIn, makeChannel } from "./messages_cast.ts";

/** The refusal of who has no account where one is needed: status, code, sentence. */
export const NOT_LOGGED_IN = [
  401,
  "UNAUTHORIZED",
  "Not logged in: API authentication or user session required",
];
/** The term without which spectators are given no messages. */
export const WEB_PUBLIC = { operator: "channels", operand: "web-public" };

/** Starts a server whose first organization lets spectators read. */
export async function startOpenChat(options: TestAppOptions = {}): Promise<TestChat> {
  const chat = await startChat(options);
  await setSpectators(chat, true);
  return chat;
}

/** Lets spectators read in the organization, or no more. */
export async function setSpectators(chat: TestChat, isAllowed: boolean): Promise<void> {
  const { status } = await chat.call(chat.owner, "PATCH /realm", { enable_spectator_access: isAllowed });
  assert.equal(status, 200);
}

/** Makes a channel that is open to the web, and gives its id. */
export function makeOpenChannel(chat: TestChat, name: string, of: Sent = {}): Promise<number> {
  return makeChannel(chat, name, { is_web_public: true, ...of });
}

/** What is answered to a spectator who asks for messages with these terms besides the one that he needs. */
export function askOpen(chat: TestChat, terms: readonly object[] = [], params: Sent = {}): Promise<Answer> {
  return chat.call(null, "GET /messages", {
    anchor: "newest",
    num_before: 100,
    num_after: 0,
    narrow: [WEB_PUBLIC, ...terms],
    ...params,
  });
}

/** The ids of the messages that a spectator is given, without what the notification bot tells. */
export async function openIds(chat: TestChat, terms: readonly object[] = []): Promise<number[]> {
  const { status, body } = await askOpen(chat, terms);
  assert.equal(status, 200, JSON.stringify(body));
  return idsIn(body.messages);
}

/** Status, code and sentence of an answer. */
export function refusalOf({ status, body }: Answer): unknown[] {
  return [status, body.code, body.msg];
}
