import assert from "node:assert/strict";
import type { TestAppOptions } from "@/tests/helpers/app.ts";
import { type ApiResponse, startChat, type TestChat, type TestParams } from "@/tests/helpers/chat.ts";
import { makeChannel, toMessageIds } from "./messages_cast.ts";

/** Refusal of a request that needs an account: status, code, message. */
export const NOT_LOGGED_IN = [
  401,
  "UNAUTHORIZED",
  "Not logged in: API authentication or user session required",
];
/** Term that the narrow of a spectator has to contain. */
export const WEB_PUBLIC = { operator: "channels", operand: "web-public" };

/** Starts a server whose first organization allows spectator access. */
export async function startOpenChat(options: TestAppOptions = {}): Promise<TestChat> {
  const chat = await startChat(options);
  await setSpectatorAccess(chat, true);
  return chat;
}

/** Allows or forbids spectator access to the organization. */
export async function setSpectatorAccess(chat: TestChat, isAllowed: boolean): Promise<void> {
  const { status } = await chat.call(chat.owner, "PATCH /realm", { enable_spectator_access: isAllowed });
  assert.equal(status, 200);
}

/** Creates a web-public channel and returns its id. */
export function createOpenChannel(chat: TestChat, name: string, options: TestParams = {}): Promise<number> {
  return makeChannel(chat, name, { is_web_public: true, ...options });
}

/** Requests messages as a spectator, with terms besides the required one. */
export function fetchOpenMessages(
  chat: TestChat,
  terms: readonly object[] = [],
  params: TestParams = {},
): Promise<ApiResponse> {
  return chat.call(null, "GET /messages", {
    anchor: "newest",
    num_before: 100,
    num_after: 0,
    narrow: [WEB_PUBLIC, ...terms],
    ...params,
  });
}

/** Returns the ids of the messages that a spectator receives, without those of the notification bot. */
export async function listOpenMessageIds(chat: TestChat, terms: readonly object[] = []): Promise<number[]> {
  const { status, body } = await fetchOpenMessages(chat, terms);
  assert.equal(status, 200, JSON.stringify(body));
  return toMessageIds(body.messages);
}

/** Returns the status, code and message of a response. */
export function refusalOf({ status, body }: ApiResponse): unknown[] {
  return [status, body.code, body.msg];
}
