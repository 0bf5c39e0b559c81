import type { StoredEvent } from "@/lib/chat/events/emit.ts";
import assert from "node:assert/strict";
import { systemGroupId, type SystemGroupName } from "@/lib/chat/permissions/system_groups.ts";
import type { Caller } from "@/lib/chat/users/caller.ts";
import { getUser, putUser } from "@/lib/chat/users/store.ts";
import { createNamedQueues } from "@/lib/kv/queue.ts";
import { transact } from "@/lib/kv/transact.ts";
import { createVersionedCache } from "@/lib/kv/versioned_cache.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import type { Answer, Person, Sent, TestChat } from "@/tests/helpers/chat.ts";

/** Makes a group through the API and gives its id. */
export async function makeGroup(chat: TestChat, by: Person, sent: Sent = {}): Promise<number> {
  const params = { name: `group ${crypto.randomUUID()}`, description: "", members: [], ...sent };
  const { status, body } = await chat.call(by, "POST /user_groups/create", params);
  assert.equal(status, 200, JSON.stringify(body));
  return body.group_id;
}

/** A group as GET /user_groups shows it, or undefined. */
// deno-lint-ignore no-explicit-any
export async function readGroup(chat: TestChat, id: number): Promise<any> {
  const { body } = await chat.call(chat.owner, "GET /user_groups", { include_deactivated_groups: true });
  return body.user_groups.find((group: { id: number }) => group.id === id);
}

/** The id of a system group of the organization. */
export function systemGroup(chat: TestChat, name: SystemGroupName): number {
  return systemGroupId(chat.realm, name);
}

/** Activates or deactivates an account. */
export async function setActive(chat: TestChat, { id }: Person, is_active: boolean): Promise<void> {
  await transact(chat.services.store, async (tx) => {
    await putUser(tx, chat.realm.id, { ...await getUser(tx, chat.realm.id, id), is_active });
  });
}

/** Fails unless an answer is a plain success. */
export function assertSuccess({ status, body }: Answer, fields: object = {}): void {
  assert.deepEqual([status, body], [200, { result: "success", msg: "", ...fields }]);
}

/** Fails unless an answer is this refusal. */
export function assertRefusal({ status, body }: Answer, msg: string, code = "BAD_REQUEST"): void {
  assert.deepEqual([status, body.code, body.msg, body.result], [400, code, msg, "error"]);
}

/** The chat as another process on the same store would have it: with lines and caches of its own. */
export function asOtherProcess(chat: TestChat): ChatApp {
  const { chat: app } = chat.services;
  return { ...app, caches: createVersionedCache(8), store: { ...app.store, queues: createNamedQueues() } };
}

/** Somebody as the domain's functions take him. */
export async function callerOf(chat: TestChat, { id }: Person): Promise<Caller> {
  const actingUser = await transact(chat.services.store, (tx) => getUser(tx, chat.realm.id, id));
  return { realm: chat.realm, actingUser };
}

/** What everybody was told of groups since the last look; messages to those who come and go aside. */
export async function groupEvents(chat: TestChat): Promise<StoredEvent[]> {
  return (await chat.events()).filter(({ event }) => event.type !== "message");
}
