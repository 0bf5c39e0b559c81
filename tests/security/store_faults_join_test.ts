import assert from "node:assert/strict";
import { completeJoin, writePendingJoin } from "@/lib/chat/joining/invites/complete_join.ts";
import { transact } from "@/lib/store/transact.ts";
import { Cache } from "@/lib/store/cache.ts";
import { invite } from "@/tests/casts/join_cast.ts";
import { makeGroup, readGroup } from "@/tests/casts/user_groups_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { FaultyStore } from "@/tests/helpers/faulty_store.ts";

Deno.test("a new user joins every offered group, whichever call of the store fails at first", async () => {
  const faulty = await FaultyStore.open();
  await using chat = await startChat({ store: faulty.store });
  const { chat: app } = chat.services;
  const groupId = await makeGroup(chat, chat.owner, { name: "Pruners" });
  const { id: offerId } = await invite(chat, { group_ids: [groupId], inviter_id: chat.owner.id });
  const newcomer = await chat.add("newcomer");
  const record = {
    realm_id: chat.realm.id,
    user_id: newcomer.id,
    inviter_id: chat.owner.id,
    offer_id: offerId,
  };
  const pending = { ...record, group_ids: [groupId], channel_ids: [] };
  const key = await transact(
    app.store,
    (tx) => Promise.resolve(writePendingJoin(tx, chat.clock.now(), pending)),
  );
  await faulty.takeSnapshot();
  let tried = 0;
  for (let hasFailed = true; hasFailed; tried++) {
    faulty.arm({ at: [tried], kind: "failure" });
    await completeJoin(app, key).catch(() => {});
    ({ hasFailed } = faulty.disarm());
    await completeJoin(app, key);
    const { members } = await readGroup(chat, groupId);
    assert.ok(members.includes(newcomer.id), `after a failure of call ${tried}`);
    await faulty.restore();
    // The version of the groups returns to an earlier number, for which the cache has other groups.
    Object.assign(app, { cache: new Cache() });
  }
  assert.ok(tried > 10);
});
