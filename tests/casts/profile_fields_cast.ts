import assert from "node:assert/strict";
import { createField as storeNewField } from "@/lib/chat/people/profile_fields/change_fields.ts";
import type { ProfileFieldRecord } from "@/lib/chat/people/profile_fields/model/profile_field.ts";
import { callerOf } from "./user_groups_cast.ts";
import type { TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";

/** Path of all fields. */
export const FIELDS = "/realm/profile_fields";
/** Two choices as a request contains them. */
export const CHOICES = { a: { text: "Ash", order: "1" }, b: { text: "Birch", order: "2" } };

/** Creates a field through the API and returns its id. */
export async function createField(chat: TestChat, sent: TestParams): Promise<number> {
  const { status, body } = await chat.call(chat.admin, `POST ${FIELDS}`, { field_type: 1, ...sent });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** Creates a field without the API and returns its record; a field of type choice has the two choices. */
export async function storeField(
  chat: TestChat,
  name: string,
  field_type: number,
): Promise<ProfileFieldRecord> {
  return await storeNewField(chat.services.chat, await callerOf(chat, chat.admin), {
    name,
    hint: "",
    field_type,
    field_data: field_type === 3 ? CHOICES : {},
    display_in_profile_summary: false,
    required: false,
    editable_by_user: true,
    use_for_user_matching: false,
  });
}

/** Returns all fields as GET returns them. */
// deno-lint-ignore no-explicit-any
export async function listFields(chat: TestChat, user: TestUser = chat.guest): Promise<any[]> {
  return (await chat.call(user, `GET ${FIELDS}`)).body.custom_fields;
}

/** Sets a user's own values through the API and asserts success. */
export async function setValues(
  chat: TestChat,
  user: TestUser,
  values: Record<number, unknown>,
): Promise<void> {
  const data = Object.entries(values).map(([id, value]) => ({ id: Number(id), value }));
  const { status, body } = await chat.call(user, "PATCH /users/me/profile_data", { data });
  assert.equal(status, 200, JSON.stringify(body));
}

/** Returns a user's values as the API returns them to a member. */
// deno-lint-ignore no-explicit-any
export async function readValues(chat: TestChat, { id }: TestUser): Promise<any> {
  const sent = { include_custom_profile_fields: true };
  return (await chat.call(chat.member, `GET /users/${id}`, sent)).body.user.profile_data;
}
