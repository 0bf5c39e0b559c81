// GET /messages for spectators, where there is much that is not for them.
import assert from "node:assert/strict";
import { findMessages } from "@/lib/chat/messages/find.ts";
import { readRealmBySubdomain } from "@/lib/chat/realm/realm.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/group_world.ts";
import type { TestChat } from "@/tests/helpers/chat.ts";
import { idsIn, makeChannel, send } from "./messages_cast.ts";
import { askOpen, makeOpenChannel, openIds, startOpenChat } from "./spectator_cast.ts";

async function findAll(chat: TestChat, reach: { left: number }): Promise<number> {
  const app = chat.services.chat;
  const open = { kind: "channels", which: "web-public", negated: false } as const;
  const finding = { user: null, terms: [open], reach };
  const walk = { from: 0, isUp: true };
  const realm = await readRealmBySubdomain(app, chat.realm.subdomain);
  assert.ok(realm !== null);
  let count = 0;
  for await (const _ of findMessages(app, await peekPermissionContext(app, realm), { finding, walk })) {
    count++;
  }
  return count;
}

Deno.test("messages of several open channels come in their order, page by page, both ways", async () => {
  await using chat = await startOpenChat();
  const open = [
    await makeOpenChannel(chat, "roses"),
    await makeOpenChannel(chat, "lawn"),
    await makeOpenChannel(chat, "empty"),
  ];
  const closed = await makeChannel(chat, "shed");
  const sent: number[] = [];
  for (let at = 0; at < 24; at++) {
    const to = at % 4 === 3 ? closed : open[at % 3 === 0 ? 0 : 1] ?? closed;
    const id = await send(chat, chat.owner, { to, content: `message ${at}` });
    if (to !== closed) sent.push(id);
  }
  assert.deepEqual(await openIds(chat), sent);
  const page = async (params: object) => {
    const { body } = await askOpen(chat, [], { num_before: 0, num_after: 0, ...params });
    return { ids: idsIn(body.messages), isOldest: body.found_oldest, isNewest: body.found_newest };
  };
  const middle = sent[9] ?? 0;
  const around = await page({ anchor: middle, num_before: 4, num_after: 4 });
  assert.deepEqual(around, { ids: sent.slice(5, 14), isOldest: false, isNewest: false });
  const up = await page({ anchor: sent[14], num_after: 20 });
  assert.deepEqual(up, { ids: sent.slice(14), isOldest: up.isOldest, isNewest: true });
  const down = await page({ anchor: sent[3], num_before: 20 });
  assert.deepEqual([down.ids, down.isOldest], [sent.slice(0, 4), true]);
});

Deno.test("of more open channels than are walked side by side, all messages are still found", async () => {
  await using chat = await startOpenChat();
  const sent: number[] = [];
  for (let at = 0; at < 32; at++) {
    const to = await makeOpenChannel(chat, `bed ${at}`);
    if (at % 8 === 0) sent.push(await send(chat, chat.owner, { to, content: "here" }));
  }
  await send(chat, chat.owner, { to: await makeChannel(chat, "shed"), content: "hidden" });
  assert.deepEqual(await openIds(chat), sent);
});

Deno.test("a search that is limited ends, and says that it was not enough", async () => {
  await using chat = await startOpenChat();
  const to = await makeOpenChannel(chat, "roses");
  for (let at = 0; at < 30; at++) await send(chat, chat.owner, { to, content: "more" });
  const reach = { left: 25 };
  assert.equal(await findAll(chat, reach) <= 25, true);
  assert.ok(reach.left < 0);
  const enough = { left: 1000 };
  assert.ok(await findAll(chat, enough) >= 30);
  assert.ok(enough.left > 0);
  assert.equal((await askOpen(chat)).body.history_limited, false);
});
