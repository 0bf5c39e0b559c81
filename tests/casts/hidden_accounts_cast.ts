import assert from "node:assert/strict";
import type { ApiResponse, TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";

/** Address of no account, as long as the addresses of the cast. */
export const NO_ADDRESS = "nobody@example.com";
/** Id of no account. */
export const NO_ID = 999_999;

/** Lets nobody see a user's real address. */
export async function hideAddress(chat: TestChat, user: TestUser): Promise<void> {
  const { status } = await chat.call(user, "PATCH /settings", { email_address_visibility: 4 });
  assert.equal(status, 200);
  await chat.events();
}

/** An endpoint, such as `GET /users/7`, and its parameters. */
export type TestRequest = readonly [endpoint: string, params?: TestParams];

/** A request that names an account, and the names of a hidden and of no account. */
export interface NamedLookup<T extends string | number> {
  readonly toRequest: (name: T) => TestRequest;
  readonly hidden: T;
  readonly unknown: T;
}

/**
 * Asserts that a request receives the same response for a hidden account as for none, apart from their names,
 * and returns the response for the hidden one.
 */
export async function assertIndistinguishable<T extends string | number>(
  chat: TestChat,
  caller: TestUser | null,
  { toRequest, hidden, unknown }: NamedLookup<T>,
): Promise<ApiResponse> {
  const send = (name: T) => chat.call(caller, ...toRequest(name));
  const answers = { unknown: await send(unknown), hidden: await send(hidden) };
  const normalize = ({ status, body }: ApiResponse, name: T) => [
    status,
    JSON.stringify(body).replaceAll(new RegExp(`\\b${name}\\b`, "g"), "…"),
  ];
  const request = JSON.stringify(toRequest(hidden));
  assert.deepEqual(normalize(answers.hidden, hidden), normalize(answers.unknown, unknown), request);
  return answers.hidden;
}
