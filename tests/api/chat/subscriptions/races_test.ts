import assert from "node:assert/strict";
import { readSubscriberCount } from "@/lib/chat/channels/subscriptions/store.ts";
import { editSubscriptions } from "@/lib/chat/channels/subscriptions/edit_subscriptions.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { putChannel, readSubscription } from "@/tests/casts/subscriptions_cast.ts";
import { asOtherProcess, callerOf } from "@/tests/casts/user_groups_cast.ts";

Deno.test("the subscriber count is right after concurrent changes in two processes", async () => {
  await using chat = await startChat();
  const id = await putChannel(chat, { name: "open" });
  const users = [chat.owner, chat.admin, chat.moderator, chat.member, chat.bot];
  const callers = await Promise.all(users.map((caller) => callerOf(chat, caller)));
  const apps = [chat.services.chat, asOtherProcess(chat)];
  const open = [{ name: "open" }];
  await Promise.all(
    Array.from(
      { length: 10 },
      (_, round) =>
        callers.flatMap((caller) =>
          apps.map((app, at) =>
            editSubscriptions(app, caller, (round + at) % 2 ? { add: open } : { remove: open })
          )
        ),
    ).flat(),
  );
  const records = await Promise.all(users.map((caller) => readSubscription(chat, caller, id)));
  const count = records.filter((record) => record?.is_active).length;
  assert.equal(await readSubscriberCount(chat.services.chat, chat.realm.id, id), count);
  const members = await chat.call(chat.owner, `GET /streams/${id}/members`);
  assert.equal(members.body.subscribers.length, count);
  assert.ok(apps[0]?.store.tally.conflicts, "the two processes never met");
});

Deno.test("of two concurrent requests for a missing channel, one creates it and the other is refused or subscribes", async () => {
  await using chat = await startChat();
  const callers = [await callerOf(chat, chat.member), await callerOf(chat, chat.moderator)];
  const apps = [chat.services.chat, asOtherProcess(chat)];
  for (let round = 0; round < 20; round++) {
    const name = `channel ${round}`;
    const outcomes = await Promise.allSettled(callers.map((caller, at) => {
      const app = apps[at];
      assert.ok(app !== undefined);
      return editSubscriptions(app, caller, { add: [{ name }] });
    }));
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    assert.ok(refused.length < 2, `round ${round}`);
    for (const { reason } of refused) assert.equal(reason.message, `Channel '${name}' already exists`);
  }
});
