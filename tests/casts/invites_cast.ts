import assert from "node:assert/strict";
import type { ApiResponse, TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";

/** Invites addresses as a user, or without authentication. */
export function inviteAddresses(
  chat: TestChat,
  user: TestUser | null,
  emails: string,
  sent: TestParams = {},
): Promise<ApiResponse> {
  return chat.call(user, "POST /invites", { invitee_emails: emails, stream_ids: [], ...sent });
}

/** Lists the invitations that a user sees. */
export async function listInvites(chat: TestChat, user: TestUser): Promise<ApiResponse["body"][]> {
  const { status, body } = await chat.call(user, "GET /invites");
  assert.equal(status, 200);
  return body["invites"];
}

/** Invites one address and returns the invitation's id. */
export async function inviteAddress(
  chat: TestChat,
  user: TestUser,
  email: string,
  sent: TestParams = {},
): Promise<number> {
  assert.deepEqual((await inviteAddresses(chat, user, email, sent)).body, { result: "success", msg: "" });
  return (await listInvites(chat, user)).filter((item) => item["email"] === email).at(-1)?.["id"];
}

/** Creates a reusable link and returns its id. */
export async function createInviteLink(
  chat: TestChat,
  user: TestUser,
  sent: TestParams = {},
): Promise<number> {
  const { body } = await chat.call(user, "POST /invites/multiuse", sent);
  const found = (await listInvites(chat, user)).find((item) => item["link_url"] === body["invite_link"]);
  return found?.["id"];
}

/** Asserts the code and message of an error with status 400. */
export function assertRefused({ status, body }: ApiResponse, code: string, msg: string): void {
  assert.deepEqual({ status, code: body["code"], msg: body["msg"] }, { status: 400, code, msg });
}

/** Sets a permission of the organization to a system group, by name, as the owner. */
export async function setPermission(chat: TestChat, setting: string, groupName: string): Promise<void> {
  const { body } = await chat.call(chat.owner, "GET /user_groups");
  const groups: { id: number; name: string }[] = body["user_groups"];
  const id = groups.find(({ name }) => name === groupName)?.id;
  const answer = await chat.call(chat.owner, "PATCH /realm", { [setting]: { new: id } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

/** Creates a channel as a user and returns its id. */
export async function makeChannel(
  chat: TestChat,
  user: TestUser,
  name: string,
  sent: TestParams = {},
): Promise<number> {
  const { body } = await chat.call(user, "POST /channels/create", { name, subscribers: [user.id], ...sent });
  assert.equal(body["result"], "success", JSON.stringify(body));
  return body["id"];
}
