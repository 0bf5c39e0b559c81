import assert from "node:assert/strict";
import type { Person, Sent, TestChat } from "@/tests/helpers/chat.ts";

/** The one path of all fields. */
export const FIELDS = "/realm/profile_fields";
/** Two choices, as they are sent. */
export const CHOICES = { a: { text: "Ash", order: "1" }, b: { text: "Birch", order: "2" } };

/** Makes a field through the API and gives its id. */
export async function makeField(chat: TestChat, sent: Sent): Promise<number> {
  const { status, body } = await chat.call(chat.admin, `POST ${FIELDS}`, { field_type: 1, ...sent });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** All fields as GET shows them. */
// deno-lint-ignore no-explicit-any
export async function listFields(chat: TestChat, who: Person = chat.guest): Promise<any[]> {
  return (await chat.call(who, `GET ${FIELDS}`)).body.custom_fields;
}

/** Sets own values through the API, which must succeed. */
export async function setValues(chat: TestChat, who: Person, values: Record<number, unknown>): Promise<void> {
  const data = Object.entries(values).map(([id, value]) => ({ id: Number(id), value }));
  const { status, body } = await chat.call(who, "PATCH /users/me/profile_data", { data });
  assert.equal(status, 200, JSON.stringify(body));
}

/** Somebody's values as the API shows them to a member. */
// deno-lint-ignore no-explicit-any
export async function readValues(chat: TestChat, { id }: Person): Promise<any> {
  const sent = { include_custom_profile_fields: true };
  return (await chat.call(chat.member, `GET /users/${id}`, sent)).body.user.profile_data;
}
