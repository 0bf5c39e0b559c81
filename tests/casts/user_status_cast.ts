import assert from "node:assert/strict";
import { systemGroupId } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { basic, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { file, PNG } from "@/tests/casts/pictures_cast.ts";

/** Returns a user's status as the API returns it. */
export async function statusOf(chat: TestChat, id: number, user: TestUser = chat.owner) {
  const { status, body } = await chat.call(user, `GET /users/${id}/status`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.status;
}

/** Sets a user's status and returns the response's status, code and message. */
export async function setStatus(chat: TestChat, user: TestUser | null, id: number | string, params = {}) {
  const { status, body } = await chat.call(user, `POST /users/${id}/status`, params);
  return [status, body.code, body.msg];
}

/** Result of `setStatus` for a success. */
export const DONE = [200, undefined, ""];

/** Returns the result of `setStatus` for an error. */
export function refused(msg: string) {
  return [400, "BAD_REQUEST", msg];
}

/** Limits access to all users to members. */
export async function limitGuests(chat: TestChat): Promise<void> {
  const members = systemGroupId(chat.realm, "role:members");
  const { status } = await chat.call(chat.owner, "PATCH /realm", {
    can_access_all_users_group: { new: members },
  });
  assert.equal(status, 200);
  await chat.events();
}

/** Adds a custom emoji and returns its code. */
export async function addEmoji(chat: TestChat, user: TestUser, name: string): Promise<string> {
  const body = new FormData();
  body.append("file", file(PNG), "picture.png");
  const headers = { authorization: basic(user.email, user.apiKey) };
  const host = user.realm.subdomain === "other" ? "other.localhost:8000" : undefined;
  const response = await chat.request(`/api/v1/realm/emoji/${name}`, { method: "POST", body, headers }, host);
  assert.equal(response.status, 200, await response.text());
  const { emoji } = (await chat.call(user, "GET /realm/emoji")).body;
  const all = Object.values<{ id: number; name: string; deactivated: boolean }>(emoji);
  await chat.events();
  return String(all.find((one) => one.name === name && !one.deactivated)?.id);
}

export { startChat };
