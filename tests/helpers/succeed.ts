import assert from "node:assert/strict";
import type { ApiResponse, TestChat, TestParams, TestUser } from "./chat.ts";

/** Calls an endpoint that must not refuse, and returns the body. */
export async function succeed(
  chat: Pick<TestChat, "call">,
  user: TestUser,
  endpoint: string,
  params: TestParams = {},
): Promise<ApiResponse["body"]> {
  const { status, body } = await chat.call(user, endpoint, params);
  assert.equal(status, 200, `${endpoint}: ${JSON.stringify(body)}`);
  return body;
}
