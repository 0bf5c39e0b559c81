import assert from "node:assert/strict";
import { deriveApiKey } from "@/lib/chat/people/auth/api_keys.ts";
import { getUser } from "@/lib/chat/organization/users/store.ts";
import { userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readRecord } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";

/** Returns the user with the address. */
export async function findPerson(
  chat: TestChat,
  email = "noor@example.com",
): Promise<TestUser & { user: UserRecord }> {
  const { store } = chat.services;
  const id = await readRecord<number>(store.kv, userKeys.byEmail(chat.realm.id, email));
  assert.ok(id !== null);
  const user = await transact(store, (tx) => getUser(tx, chat.realm.id, id));
  return {
    id,
    email,
    apiKey: deriveApiKey(chat.services.chat, chat.realm.id, user),
    realm: chat.realm,
    user,
  };
}

/** Creates a channel as the administrator and returns its id. */
export async function addChannel(
  chat: TestChat,
  name: string,
  params: Record<string, unknown> = {},
): Promise<number> {
  const { body } = await chat.call(chat.admin, "POST /channels/create", {
    name,
    subscribers: [chat.admin.id],
    ...params,
  });
  assert.equal(body.result, "success", body.msg);
  return body.id;
}

/** Returns the names of a user's subscribed channels, in order. */
export async function channelsOf(chat: TestChat, user: TestUser): Promise<string[]> {
  const { body } = await chat.call(user, "GET /users/me/subscriptions");
  return body.subscriptions.map(({ name }: { name: string }) => name).sort();
}

/** Returns the direct messages a user received, as text. */
export async function directTexts(chat: TestChat, user: TestUser): Promise<string[]> {
  const { body } = await chat.call(user, "GET /messages", {
    anchor: "oldest",
    num_before: 0,
    num_after: 20,
    narrow: [{ operator: "is", operand: "dm" }],
    apply_markdown: false,
  });
  return body.messages.map(({ content }: { content: string }) => content);
}
