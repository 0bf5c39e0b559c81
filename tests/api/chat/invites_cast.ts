import assert from "node:assert/strict";
import type { Answer, Person, Sent, TestChat } from "@/tests/helpers/chat.ts";

/** Invites addresses as somebody. */
export function invite(chat: TestChat, who: Person | null, emails: string, sent: Sent = {}): Promise<Answer> {
  return chat.call(who, "POST /invites", { invitee_emails: emails, stream_ids: [], ...sent });
}

/** What somebody is shown of invitations. */
export async function invitesOf(chat: TestChat, who: Person): Promise<Answer["body"][]> {
  const { status, body } = await chat.call(who, "GET /invites");
  assert.equal(status, 200);
  return body["invites"];
}

/** Invites one address, and gives the invitation's id. */
export async function inviteOne(
  chat: TestChat,
  who: Person,
  email: string,
  sent: Sent = {},
): Promise<number> {
  assert.deepEqual((await invite(chat, who, email, sent)).body, { result: "success", msg: "" });
  return (await invitesOf(chat, who)).filter((item) => item["email"] === email).at(-1)?.["id"];
}

/** Makes a reusable link, and gives its id. */
export async function makeLink(chat: TestChat, who: Person, sent: Sent = {}): Promise<number> {
  const { body } = await chat.call(who, "POST /invites/multiuse", sent);
  const found = (await invitesOf(chat, who)).find((item) => item["link_url"] === body["invite_link"]);
  return found?.["id"];
}

/** Judges a refusal by its code and sentence. */
export function assertRefused({ status, body }: Answer, code: string, msg: string): void {
  assert.deepEqual({ status, code: body["code"], msg: body["msg"] }, { status: 400, code, msg });
}

/** Sets a permission of the organization to a system group, by its name, as the owner. */
export async function permit(chat: TestChat, setting: string, groupName: string): Promise<void> {
  const { body } = await chat.call(chat.owner, "GET /user_groups");
  const groups: { id: number; name: string }[] = body["user_groups"];
  const id = groups.find(({ name }) => name === groupName)?.id;
  const answer = await chat.call(chat.owner, "PATCH /realm", { [setting]: { new: id } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

/** Makes a channel as somebody, and gives its id. */
export async function makeChannel(
  chat: TestChat,
  who: Person,
  name: string,
  sent: Sent = {},
): Promise<number> {
  const { body } = await chat.call(who, "POST /channels/create", { name, subscribers: [who.id], ...sent });
  assert.equal(body["result"], "success", JSON.stringify(body));
  return body["id"];
}
