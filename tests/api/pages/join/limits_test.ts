import assert from "node:assert/strict";
import {
  groupKeys,
  type GroupRecord,
  MAX_GROUP_MEMBERS,
} from "@/lib/chat/organization/user_groups/model/group.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { transact } from "@/lib/store/transact.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { visitPages } from "@/tests/helpers/pages.ts";
import { createLink, invite, JOIN_FORM, startMailingChat } from "@/tests/casts/join_cast.ts";

Deno.test("a full or deactivated group does not prevent joining", async () => {
  await using chat = await startChat();
  const { store } = chat.services;
  const created = await chat.call(chat.admin, "POST /user_groups/create", {
    name: "full",
    description: "",
    members: [],
  });
  const id: number = created.body.group_id;
  const members = Array.from({ length: MAX_GROUP_MEMBERS }, (_, at) => 1000 + at);
  await transact(store, async (tx) => {
    const key = groupKeys.group(chat.realm.id, id);
    const group = await tx.get<GroupRecord>(key);
    assert.ok(group);
    tx.set(key, { ...group, members });
  });
  await chat.events();
  const { path } = await invite(chat, { group_ids: [id, 999_999] });
  assert.equal((await visitPages(chat).post(path, JOIN_FORM)).status, 303);
  assert.ok(!(await chat.events()).some(({ event }) => event["group_id"] === id));
});

Deno.test("users who join by one link concurrently get an account each", async () => {
  await using chat = await startMailingChat();
  const { path } = await createLink(chat);
  const addresses = Array.from({ length: 25 }, (_, at) => `person${at}@example.com`);
  const asked = await Promise.all(addresses.map((email) => visitPages(chat).post(path, { email })));
  assert.ok(asked.every(({ status }) => status === 200));
  const mails = await chat.mails();
  const paths = mails.map(({ text }) => /http:\/\/localhost:8000(\/join\/\S+)/.exec(text ?? "")?.[1] ?? "");
  assert.equal(new Set(paths).size, addresses.length);
  const joined = await Promise.all(paths.map((at) => visitPages(chat).post(at, JOIN_FORM)));
  assert.deepEqual(new Set(joined.map(({ status }) => status)), new Set([303]));
  const { members } = (await chat.call(chat.owner, "GET /users")).body;
  const emails = new Set(members.map(({ delivery_email }: { delivery_email: string }) => delivery_email));
  assert.ok(addresses.every((address) => emails.has(address)));
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});

Deno.test("a thousand guesses from one address are refused long before the last", async () => {
  await using chat = await startChat({ env: { RATE_LIMITS: "on" } });
  const statuses = new Map<number, number>();
  for (let guess = 0; guess < 1000; guess++) {
    const { status } = await chat.request(`/join/i1-${String(guess).replaceAll(/\d/g, "a").padEnd(32, "b")}`);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  assert.deepEqual([...statuses], [[404, 60], [429, 940]]);
});
