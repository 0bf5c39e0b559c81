import assert from "node:assert/strict";
import { inviteKeys } from "@/lib/chat/joining/invites/model.ts";
import { createBulkAction } from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import { ROLE } from "@/lib/chat/organization/users/model.ts";
import { completeJoin, writePendingJoin } from "@/lib/chat/joining/invites/complete_join.ts";
import { transact } from "@/lib/store/transact.ts";
import { Cache } from "@/lib/store/cache.ts";
import { invite } from "@/tests/casts/join_cast.ts";
import { addChannel, channelsOf, directTexts, findPerson } from "@/tests/casts/newcomer_cast.ts";
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

Deno.test("an imported user joins the default channels and is welcomed once, whichever call of the store fails", async () => {
  const faulty = await FaultyStore.open();
  await using chat = await startChat({ store: faulty.store });
  const { chat: app, bulkActions, joinFinisher } = chat.services;
  await addChannel(chat, "news", { is_default_stream: true });
  await chat.call(chat.owner, "PATCH /realm", { welcome_message_custom_text: "Mind the bees." });
  const { user: actingUser } = await findPerson(chat, chat.admin.email);
  await createBulkAction(app, { realm: chat.realm, actingUser }, {
    change: { kind: "import" },
    items: [["Noor", "noor@example.com", ROLE.member]],
  });
  await faulty.takeSnapshot();
  let tried = 0;
  for (let hasFailed = true; hasFailed; tried++) {
    faulty.arm({ at: [tried], kind: "failure" });
    await bulkActions.sweep();
    ({ hasFailed } = faulty.disarm());
    await bulkActions.sweep();
    if (!hasFailed) {
      const left = app.store.kv.list({ prefix: [...inviteKeys.joinings] });
      assert.deepEqual(await Array.fromAsync(left), [], "nothing is left to the next server");
    }
    chat.clock.time += 60_000;
    await joinFinisher.sweep();
    const noor = await findPerson(chat);
    assert.deepEqual(await channelsOf(chat, noor), ["news"], `after a failure of call ${tried}`);
    assert.deepEqual(await directTexts(chat, noor), ["Mind the bees."], `after a failure of call ${tried}`);
    await faulty.restore();
    Object.assign(app, { cache: new Cache() });
  }
  assert.ok(tried > 10);
});
