import assert from "node:assert/strict";
import type { Answer, Person, Sent, TestChat } from "./chat.ts";

/** Calls an endpoint that must not refuse, and gives what it answers. */
export async function succeed(
  chat: Pick<TestChat, "call">,
  who: Person,
  endpoint: string,
  params: Sent = {},
): Promise<Answer["body"]> {
  const { status, body } = await chat.call(who, endpoint, params);
  assert.equal(status, 200, `${endpoint}: ${JSON.stringify(body)}`);
  return body;
}
