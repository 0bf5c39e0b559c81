// GET /messages for spectators with many closed messages.
import assert from "node:assert/strict";
import { findMessages } from "@/lib/chat/messages/read/find_messages.ts";
import { readRealmBySubdomain } from "@/lib/chat/organization/organizations/model.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { makeChannel, send, toMessageIds } from "@/tests/casts/messages_cast.ts";
import {
  createOpenChannel,
  fetchOpenMessages,
  listOpenMessageIds,
  startOpenChat,
} from "@/tests/casts/spectator_cast.ts";
import type { TestChat } from "@/tests/helpers/chat.ts";

async function findAll(chat: TestChat, budget: { left: number }): Promise<number> {
  const app = chat.services.chat;
  const open = { kind: "channels", which: "web-public", negated: false } as const;
  const query = { user: null, terms: [open], budget };
  const scan = { from: 0, isAscending: true };
  const realm = await readRealmBySubdomain(app, chat.realm.subdomain);
  assert.ok(realm !== null);
  let count = 0;
  for await (
    const _ of findMessages(app, permissionsOf(await app.readOrganization(realm.id), app.clock), {
      query,
      scan,
    })
  ) {
    count++;
  }
  return count;
}

Deno.test("messages of several open channels are paged in order, in both directions", async () => {
  await using chat = await startOpenChat();
  const open = [
    await createOpenChannel(chat, "roses"),
    await createOpenChannel(chat, "lawn"),
    await createOpenChannel(chat, "empty"),
  ];
  const closed = await makeChannel(chat, "shed");
  const sent: number[] = [];
  for (let at = 0; at < 24; at++) {
    const to = at % 4 === 3 ? closed : open[at % 3 === 0 ? 0 : 1] ?? closed;
    const id = await send(chat, chat.owner, { to, content: `message ${at}` });
    if (to !== closed) sent.push(id);
  }
  assert.deepEqual(await listOpenMessageIds(chat), sent);
  const page = async (params: object) => {
    const { body } = await fetchOpenMessages(chat, [], { num_before: 0, num_after: 0, ...params });
    return { ids: toMessageIds(body.messages), isOldest: body.found_oldest, isNewest: body.found_newest };
  };
  const middle = sent[9] ?? 0;
  const around = await page({ anchor: middle, num_before: 4, num_after: 4 });
  assert.deepEqual(around, { ids: sent.slice(5, 14), isOldest: false, isNewest: false });
  const up = await page({ anchor: sent[14], num_after: 20 });
  assert.deepEqual(up, { ids: sent.slice(14), isOldest: up.isOldest, isNewest: true });
  const down = await page({ anchor: sent[3], num_before: 20 });
  assert.deepEqual([down.ids, down.isOldest], [sent.slice(0, 4), true]);
});

Deno.test("messages of more open channels than are merged at once are all found", async () => {
  await using chat = await startOpenChat();
  const sent: number[] = [];
  for (let at = 0; at < 32; at++) {
    const to = await createOpenChannel(chat, `bed ${at}`);
    if (at % 8 === 0) sent.push(await send(chat, chat.owner, { to, content: "here" }));
  }
  await send(chat, chat.owner, { to: await makeChannel(chat, "shed"), content: "hidden" });
  assert.deepEqual(await listOpenMessageIds(chat), sent);
});

Deno.test("a limited search ends, and reports that it is incomplete", async () => {
  await using chat = await startOpenChat();
  const to = await createOpenChannel(chat, "roses");
  for (let at = 0; at < 30; at++) await send(chat, chat.owner, { to, content: "more" });
  const budget = { left: 25 };
  assert.equal(await findAll(chat, budget) <= 25, true);
  assert.ok(budget.left < 0);
  const enough = { left: 1000 };
  assert.ok(await findAll(chat, enough) >= 30);
  assert.ok(enough.left > 0);
  assert.equal((await fetchOpenMessages(chat)).body.history_limited, false);
});
