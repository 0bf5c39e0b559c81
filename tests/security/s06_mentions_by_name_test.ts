import assert from "node:assert/strict";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";

/** Returns the number of listings and single reads of accounts from the store during `work`. */
async function accountReadsBy(chat: TestChat, work: () => Promise<unknown>) {
  const { kv } = chat.services.store;
  const { reads } = chat.services.chat;
  const [list, read] = [kv.list.bind(kv), reads.read.bind(reads)];
  const count = { listings: 0, reads: 0 };
  kv.list = (selector, options) => {
    if ("prefix" in selector && selector.prefix[1] === "user") count.listings++;
    return list(selector, options);
  };
  reads.read = (key) => {
    if (key[1] === "user") count.reads++;
    return read(key);
  };
  await work();
  kv.list = list;
  reads.read = read;
  return count;
}

/** Returns the ids that a content mentions. */
async function mentionedBy(chat: TestChat, content: string): Promise<number[]> {
  const { status, body } = await chat.call(chat.member, "POST /messages/render", { content });
  assert.equal(status, 200);
  return [...body.rendered.matchAll(/data-user-id="(\d+)"/g)].map(([, id]) => Number(id));
}

Deno.test("S6: mentions by name list all accounts once, not for each message", async () => {
  await using chat = await startChat();
  for (let count = 0; count < 30; count++) await chat.add(`rose${count}`);
  const names = Array.from({ length: 30 }, (_, no) => `@**Rose${no}**`).join(" ");
  await mentionedBy(chat, names);
  const { listings, reads } = await accountReadsBy(chat, async () => {
    for (let no = 0; no < 20; no++) assert.equal((await mentionedBy(chat, names)).length, 30);
  });
  assert.equal(listings, 0);
  // Each request reads its caller.
  assert.ok(reads <= 40, `${reads} reads`);
});

Deno.test("S6: a mention by name finds new, renamed and namesake accounts at once", async () => {
  await using chat = await startChat();
  assert.deepEqual(await mentionedBy(chat, "@**Rose**"), []);
  const rose = await chat.add("rose");
  assert.deepEqual(await mentionedBy(chat, "@**Rose** @**Roses**"), [rose.id]);
  const lily = await chat.add("lily");
  assert.equal((await chat.call(rose, "PATCH /settings", { full_name: "Lily" })).status, 200);
  assert.deepEqual(await mentionedBy(chat, "@**Rose** @**Lily**"), [rose.id]);
  assert.deepEqual(await mentionedBy(chat, `@**Lily|${lily.id}** @**Lily|${rose.id}**`), [lily.id, rose.id]);
  assert.equal((await chat.call(chat.owner, `DELETE /users/${rose.id}`)).status, 200);
  assert.deepEqual(await mentionedBy(chat, "@**Lily**"), [lily.id]);
});
