import assert from "node:assert/strict";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import type { StoredEvent } from "@/lib/chat/organization/events/model.ts";
import {
  systemGroupId,
  type SystemGroupName,
} from "@/lib/chat/organization/permissions/model/system_groups.ts";
import type { Caller } from "@/lib/chat/organization/users/model.ts";
import { getUser } from "@/lib/chat/organization/users/store.ts";
import { NamedQueues } from "@/lib/store/turns.ts";
import { putUser } from "@/lib/chat/people/put_user.ts";
import { transact } from "@/lib/store/transact.ts";
import { Cache } from "@/lib/store/cache.ts";
import type { ApiResponse, TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";

/** Creates a group through the API and returns its id. */
export async function makeGroup(chat: TestChat, by: TestUser, sent: TestParams = {}): Promise<number> {
  const params = { name: `group ${crypto.randomUUID()}`, description: "", members: [], ...sent };
  const { status, body } = await chat.call(by, "POST /user_groups/create", params);
  assert.equal(status, 200, JSON.stringify(body));
  return body.group_id;
}

/** Returns a group as GET /user_groups lists it, or undefined. */
// deno-lint-ignore no-explicit-any
export async function readGroup(chat: TestChat, id: number): Promise<any> {
  const { body } = await chat.call(chat.owner, "GET /user_groups", { include_deactivated_groups: true });
  return body.user_groups.find((group: { id: number }) => group.id === id);
}

/** Returns the id of a system group of the organization. */
export function systemGroup(chat: TestChat, name: SystemGroupName): number {
  return systemGroupId(chat.realm, name);
}

/** Activates or deactivates an account. */
export async function setActive(chat: TestChat, { id }: TestUser, is_active: boolean): Promise<void> {
  await transact(chat.services.store, async (tx) => {
    await putUser(tx, chat.realm.id, { ...await getUser(tx, chat.realm.id, id), is_active });
  });
}

/** Asserts that a response is a success with only these fields. */
export function assertSuccess({ status, body }: ApiResponse, fields: object = {}): void {
  assert.deepEqual([status, body], [200, { result: "success", msg: "", ...fields }]);
}

/** Asserts that a response is this refusal. */
export function assertRefusal({ status, body }: ApiResponse, msg: string, code = "BAD_REQUEST"): void {
  assert.deepEqual([status, body.code, body.msg, body.result], [400, code, msg, "error"]);
}

/** Returns the chat services of another process on the same store, with its own locks and caches. */
export function asOtherProcess(chat: TestChat): ChatApp {
  const { chat: app } = chat.services;
  return { ...app, cache: new Cache(), store: { ...app.store, queues: new NamedQueues() } };
}

/** Returns a user as the caller of domain functions. */
export async function callerOf(chat: TestChat, { id }: TestUser): Promise<Caller> {
  const actingUser = await transact(chat.services.store, (tx) => getUser(tx, chat.realm.id, id));
  return { realm: chat.realm, actingUser };
}

/** Returns the events since the last call, except the messages that announce membership changes. */
export async function groupEvents(chat: TestChat): Promise<StoredEvent[]> {
  return (await chat.events()).filter(({ event }) => event.type !== "message");
}
