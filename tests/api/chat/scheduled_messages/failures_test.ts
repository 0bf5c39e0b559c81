import assert from "node:assert/strict";
import { dueQueue } from "@/lib/chat/organization/collection.ts";
import { reminders } from "@/lib/chat/messages/reminders.ts";
import { scheduledMessages } from "@/lib/chat/messages/scheduled_messages/model.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { fetchContents, makeChannel, startChat } from "@/tests/casts/messages_cast.ts";
import { eventsOf, inSeconds, passSeconds, schedule, scheduledOf } from "@/tests/casts/scheduled_cast.ts";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** Schedules a message, makes a change, and requires that the message is kept as failed and was not sent. */
async function failAfter(
  chat: TestChat,
  author: TestUser,
  change: (channel: number) => Promise<unknown>,
): Promise<string[]> {
  const channel = await makeChannel(chat, `Garden ${chat.clock.time}`, { invite_only: true });
  const id = await schedule(chat, author, { type: "stream", to: channel, topic: "plans", content: "lost" });
  await change(channel);
  await chat.events();
  await passSeconds(chat, 3600);
  await passSeconds(chat, 5);
  const [failed, ...others] = await scheduledOf(chat, author);
  assert.deepEqual([failed?.["scheduled_message_id"], failed?.["failed"], others], [id, true, []]);
  assert.deepEqual(await eventsOf(chat, "scheduled_messages"), [
    { type: "scheduled_messages", op: "update", scheduled_message: failed },
  ]);
  assert.deepEqual(await fetchContents(chat, chat.owner, ["topic", "plans"]), []);
  const notices = await fetchContents(chat, author, ["is", "dm"]);
  await succeed(chat, author, `DELETE /scheduled_messages/${id}`);
  return notices;
}

Deno.test("a scheduled message that its author may not send any more is kept as failed, with one notice", async () => {
  await using chat = await startChat();
  const archived = await failAfter(
    chat,
    chat.member,
    (channel) => succeed(chat, chat.owner, `DELETE /streams/${channel}`),
  );
  assert.equal(archived.length, 1);
  assert.match(
    archived[0] ?? "",
    /^A message that you scheduled in \*\*#Garden \d+\*\* was not sent: Not authorized/,
  );
  const removed = await failAfter(chat, chat.moderator, () => {
    const subscriptions = [`Garden ${chat.clock.time}`];
    return succeed(chat, chat.moderator, "DELETE /users/me/subscriptions", { subscriptions });
  });
  assert.match(
    removed[0] ?? "",
    /^A message that you scheduled in a channel was not sent: Channel with ID '\d+' does not exist/,
  );
  const renamed = await failAfter(chat, chat.moderator, async (channel) => {
    const subscriptions = [`Garden ${chat.clock.time}`];
    await succeed(chat, chat.moderator, "DELETE /users/me/subscriptions", { subscriptions });
    await succeed(chat, chat.owner, `PATCH /streams/${channel}`, { new_name: "Secret plans" });
  });
  assert.doesNotMatch(renamed.join(), /Secret/);
});

Deno.test("a failed message waits again once it has a new time", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const id = await schedule(chat, chat.member, {
    type: "stream",
    to: channel,
    topic: "plans",
    content: "again",
  });
  await succeed(chat, chat.owner, `DELETE /streams/${channel}`);
  await passSeconds(chat, 3600);
  await succeed(chat, chat.owner, `PATCH /streams/${channel}`, { is_archived: false });
  const unchanged = await chat.call(chat.member, `PATCH /scheduled_messages/${id}`, { content: "again" });
  assert.equal(unchanged.body["msg"], "Scheduled delivery time must be in the future.");
  const at = inSeconds(chat, 60);
  await succeed(chat, chat.member, `PATCH /scheduled_messages/${id}`, { scheduled_delivery_timestamp: at });
  assert.equal((await scheduledOf(chat, chat.member))[0]?.["failed"], false);
  await passSeconds(chat, 60);
  assert.deepEqual(await fetchContents(chat, chat.owner, ["topic", "plans"]), ["again"]);
});

Deno.test("a deactivated author's message is kept as failed without a notice", async () => {
  await using chat = await startChat();
  await schedule(chat, chat.member, { type: "direct", to: [chat.owner.id], content: "gone" });
  await succeed(chat, chat.owner, `DELETE /users/${chat.member.id}`);
  await passSeconds(chat, 3600);
  await succeed(chat, chat.owner, `POST /users/${chat.member.id}/reactivate`);
  const [failed] = await scheduledOf(chat, chat.member);
  assert.equal(failed?.["failed"], true);
  assert.deepEqual(await fetchContents(chat, chat.member, ["is", "dm"]), []);
  assert.deepEqual(await fetchContents(chat, chat.owner, ["is", "dm"]), []);
});

Deno.test("a message that is ten minutes late is not sent, and the number of due messages is measured", async () => {
  await using chat = await startChat();
  const params = { type: "direct", to: [chat.owner.id] };
  await schedule(chat, chat.member, {
    ...params,
    content: "late",
    scheduled_delivery_timestamp: inSeconds(chat, 1),
  });
  await schedule(chat, chat.member, {
    ...params,
    content: "in time",
    scheduled_delivery_timestamp: inSeconds(chat, 2),
  });
  chat.clock.time += 602_000;
  assert.match(await (await chat.request("/metrics")).text(), /^sotto_scheduled_due 2$/m);
  await passSeconds(chat, 0);
  assert.deepEqual(await fetchContents(chat, chat.owner, ["is", "dm"]), ["in time"]);
  assert.deepEqual((await scheduledOf(chat, chat.member)).map((one) => one["failed"]), [true]);
  assert.match(await (await chat.request("/metrics")).text(), /^sotto_scheduled_due 0$/m);
});

Deno.test("check reports counts and due rows that disagree with scheduled messages and reminders", async () => {
  await using chat = await startChat();
  const { kv } = chat.services.store;
  await schedule(chat, chat.member, { type: "direct", to: [chat.owner.id], content: "x" });
  assert.deepEqual((await checkChat(kv)).problems, []);
  const due = dueQueue("scheduled_message");
  for await (const { key } of kv.list({ prefix: [...due] })) await kv.delete(key);
  await kv.set(scheduledMessages.countKey({ realm: chat.realm, actingUser: chat.member }), 2);
  await kv.set(reminders.dueKey({ due: 5, realmId: chat.realm.id, userId: 1, id: 9 }), true);
  const problems = (await checkChat(kv)).problems.join("\n");
  assert.match(problems, new RegExp(`counts of scheduled messages, ${chat.member.id} is 2, not 1`));
  assert.match(problems, /due rows of scheduled messages, \d+ \d+ \d+ is missing/);
  assert.match(problems, /due rows of reminders, 5 1 9 should not exist/);
});
