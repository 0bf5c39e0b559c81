import assert from "node:assert/strict";
import { ApiDescription, type Leaves, sendWalked, type WalkedRequest } from "@/tests/helpers/api_walk.ts";
import {
  type ApiResponse,
  startChat,
  type TestChat,
  type TestParams,
  type TestUser,
} from "@/tests/helpers/chat.ts";

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
  const normalize = (
    { status, body }: ApiResponse,
    name: T,
  ) => [status, withoutName(JSON.stringify(body), name)];
  const request = JSON.stringify(toRequest(hidden));
  assert.deepEqual(normalize(answers.hidden, hidden), normalize(answers.unknown, unknown), request);
  return answers.hidden;
}

/** A server of a walk, whom it calls as, and the values that its requests hold. */
export interface Walker {
  readonly chat: TestChat;
  readonly caller: TestUser;
  readonly leaves: Leaves;
  /** Values of required parameters by name. */
  readonly usual: Readonly<Record<string, unknown>>;
}

/**
 * Sends all requests of a walk to two servers in the same state, one with the name of a hidden account and one
 * with the name of none, and returns those whose responses differ, and the number of requests.
 */
export async function walkTwice(
  probed: keyof Leaves,
  [hidden, unknown]: readonly [Walker, Walker],
): Promise<{ differences: string[]; count: number }> {
  const description = await ApiDescription.read();
  const [requests, others] = [hidden, unknown].map(({ leaves, usual }) =>
    description.listRequests(probed, leaves, usual)
  );
  const differences: string[] = [];
  for (const [at, walked] of (requests ?? []).entries()) {
    const other = others?.[at];
    if (other === undefined) throw new Error("The walks have different requests");
    const answers = await Promise.all([
      fetchComparable(hidden, walked, hidden.leaves[probed]),
      fetchComparable(unknown, other, unknown.leaves[probed]),
    ]);
    if (answers[0] === answers[1]) continue;
    const { method, path } = walked.operation;
    differences.push([`${method} ${path} ${walked.probed}`, ...answers].join("\n"));
  }
  return { differences, count: requests?.length ?? 0 };
}

/** Sends a request; returns the status and the body of its response without the name and without random ids. */
async function fetchComparable(
  { chat, caller }: Walker,
  walked: WalkedRequest,
  name: string | number,
): Promise<string> {
  const response = await sendWalked(chat, caller, walked);
  const text = withoutName(await response.text(), name).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "uuid");
  return `${response.status} ${text.slice(0, 2000)}`;
}

/** Replaces an address in any letter case and encoding, or an id that is no part of another number. */
export function withoutName(text: string, name: string | number): string {
  const forms = [String(name), encodeURIComponent(name)].map((form) => form.replaceAll(".", "\\."));
  return text.replaceAll(new RegExp(`(?<![\\w.])(?:${forms.join("|")})(?!\\w)`, "gi"), "…");
}

export { startChat };
