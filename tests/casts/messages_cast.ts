import assert from "node:assert/strict";
import { startChat, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";

/** Settings with which a user neither follows nor unmutes topics automatically. */
export const NO_AUTOMATIC_POLICIES = {
  automatically_follow_topics_policy: 4,
  automatically_unmute_topics_in_muted_streams_policy: 4,
  automatically_follow_topics_where_mentioned: false,
} as const;

/** Creates a channel as the owner and returns its id; by default with the owner, member and moderator. */
export async function makeChannel(chat: TestChat, name: string, of: TestParams = {}): Promise<number> {
  const subscribers = [chat.owner, chat.member, chat.moderator].map(({ id }) => id);
  const { status, body } = await chat.call(chat.owner, "POST /channels/create", { name, subscribers, ...of });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** Sends a message to a channel's topic and returns its id. */
export async function send(
  chat: TestChat,
  user: TestUser,
  { to, topic = "plans", content }: { to: number | string; topic?: string; content: string },
): Promise<number> {
  const params = { type: "channel", to: typeof to === "number" ? to : JSON.stringify(to), topic, content };
  const { status, body } = await chat.call(user, "POST /messages", params);
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** Sends a direct message and returns its id. */
export async function sendDirect(
  chat: TestChat,
  user: TestUser,
  to: readonly TestUser[],
  content: string,
): Promise<number> {
  const params = { type: "direct", to: to.map(({ id }) => id), content };
  const { status, body } = await chat.call(user, "POST /messages", params);
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** Fetches message ids as a user, without the notification bot's messages. */
export async function fetchMessageIds(
  chat: TestChat,
  user: TestUser,
  params: TestParams = {},
): Promise<number[]> {
  const asked = { anchor: "newest", num_before: 100, num_after: 0, ...params };
  const { status, body } = await chat.call(user, "GET /messages", asked);
  assert.equal(status, 200, JSON.stringify(body));
  return toMessageIds(body.messages);
}

/** Fetches the Markdown of the messages that match one term, oldest first. */
export async function fetchContents(
  chat: TestChat,
  user: TestUser,
  [operator, operand]: [operator: string, operand: string],
): Promise<string[]> {
  const { body } = await chat.call(user, "GET /messages", {
    anchor: "newest",
    num_before: 50,
    num_after: 0,
    narrow: [{ operator, operand }],
    apply_markdown: false,
  });
  return body.messages.map(({ content }: { content: string }) => content);
}

/** Returns the ids of messages, without the notification bot's. */
export function toMessageIds(messages: { id: number; sender_full_name: string }[]): number[] {
  return messages.filter(({ sender_full_name }) => sender_full_name !== "Notification Bot").map(({ id }) =>
    id
  );
}

export { startChat };
