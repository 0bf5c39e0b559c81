import assert from "node:assert/strict";
import { type Person, type Sent, startChat, type TestChat } from "@/tests/helpers/chat.ts";

/** Makes a channel with these subscribers, as its owner, and gives its id. */
export async function makeChannel(chat: TestChat, name: string, of: Sent = {}): Promise<number> {
  const subscribers = [chat.owner, chat.member, chat.moderator].map(({ id }) => id);
  const { status, body } = await chat.call(chat.owner, "POST /channels/create", { name, subscribers, ...of });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** Sends a message to a channel's topic and gives its id. */
export async function send(
  chat: TestChat,
  who: Person,
  { to, topic = "plans", content }: { to: number | string; topic?: string; content: string },
): Promise<number> {
  const params = { type: "channel", to: typeof to === "number" ? to : JSON.stringify(to), topic, content };
  const { status, body } = await chat.call(who, "POST /messages", params);
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** Sends a message to people and gives its id. */
export async function sendDirect(
  chat: TestChat,
  who: Person,
  to: readonly Person[],
  content: string,
): Promise<number> {
  const params = { type: "direct", to: to.map(({ id }) => id), content };
  const { status, body } = await chat.call(who, "POST /messages", params);
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** The ids that somebody is given, without what the notification bot tells. */
export async function idsOf(chat: TestChat, who: Person, params: Sent = {}): Promise<number[]> {
  const asked = { anchor: "newest", num_before: 100, num_after: 0, ...params };
  const { status, body } = await chat.call(who, "GET /messages", asked);
  assert.equal(status, 200, JSON.stringify(body));
  return idsIn(body.messages);
}

/** The Markdown of the messages that somebody finds by one term, the oldest first. */
export async function contentsOf(
  chat: TestChat,
  who: Person,
  [operator, operand]: [operator: string, operand: string],
): Promise<string[]> {
  const { body } = await chat.call(who, "GET /messages", {
    anchor: "newest",
    num_before: 50,
    num_after: 0,
    narrow: [{ operator, operand }],
    apply_markdown: false,
  });
  return body.messages.map(({ content }: { content: string }) => content);
}

/** The ids of messages that people sent. */
export function idsIn(messages: { id: number; sender_full_name: string }[]): number[] {
  return messages.filter(({ sender_full_name }) => sender_full_name !== "Notification Bot").map(({ id }) =>
    id
  );
}

export { startChat };
