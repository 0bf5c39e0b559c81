import assert from "node:assert/strict";
import { systemGroupId } from "@/lib/chat/permissions/system_groups.ts";
import { basic, type Person, startChat, type TestChat } from "@/tests/helpers/chat.ts";

/** What somebody is shown of a person's status. */
export async function statusOf(chat: TestChat, id: number, who: Person = chat.owner) {
  const { status, body } = await chat.call(who, `GET /users/${id}/status`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.status;
}

/** Sets a person's status as somebody, and gives what matters of the answer. */
export async function setStatus(chat: TestChat, who: Person | null, id: number | string, params = {}) {
  const { status, body } = await chat.call(who, `POST /users/${id}/status`, params);
  return [status, body.code, body.msg];
}

/** What a success is, as `setStatus` gives it. */
export const DONE = [200, undefined, ""];

/** A refusal, as `setStatus` gives it. */
export function refused(msg: string) {
  return [400, "BAD_REQUEST", msg];
}

/** Keeps guests from knowing everybody. */
export async function limitGuests(chat: TestChat): Promise<void> {
  const members = systemGroupId(chat.realm, "role:members");
  const { status } = await chat.call(chat.owner, "PATCH /realm", {
    can_access_all_users_group: { new: members },
  });
  assert.equal(status, 200);
  await chat.events();
}

/** Adds a custom emoji and gives its code. */
export async function addEmoji(chat: TestChat, who: Person, name: string): Promise<string> {
  const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0];
  const body = new FormData();
  body.append("file", new Blob([new Uint8Array(png)]), "picture.png");
  const headers = { authorization: basic(who.email, who.apiKey) };
  const host = who.realm.subdomain === "other" ? "other.localhost:8000" : undefined;
  const response = await chat.request(`/api/v1/realm/emoji/${name}`, { method: "POST", body, headers }, host);
  assert.equal(response.status, 200, await response.text());
  const { emoji } = (await chat.call(who, "GET /realm/emoji")).body;
  const all = Object.values<{ id: number; name: string; deactivated: boolean }>(emoji);
  await chat.events();
  return String(all.find((one) => one.name === name && !one.deactivated)?.id);
}

export { startChat };
