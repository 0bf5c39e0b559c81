// PATCH /messages/{message_id}: notices about moved messages and resolved topics
import assert from "node:assert/strict";
import { makeChannel, NO_AUTOMATIC_POLICIES, send, startChat } from "@/tests/casts/messages_cast.ts";
import { setSpectatorAccess } from "@/tests/casts/spectator_cast.ts";
import type { TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** Starts a chat with two public channels, and the ids of three messages in a topic of the first. */
async function startWithTopic() {
  const chat = await startChat();
  const garden = await makeChannel(chat, "Garden");
  const kitchen = await makeChannel(chat, "Kitchen");
  const ids: number[] = [];
  for (const content of ["a", "b", "c"]) {
    ids.push(await send(chat, chat.owner, { to: garden, topic: "plans", content }));
  }
  return { ...chat, chat, garden, kitchen, ids };
}

/** Returns the Markdown of the notification bot's messages in a topic, oldest first. */
async function noticesIn(chat: TestChat, channel: number, topic: string): Promise<string[]> {
  const narrow = [{ operator: "channel", operand: channel }, { operator: "topic", operand: topic }];
  const asked = { anchor: "newest", num_before: 100, num_after: 0, apply_markdown: false, narrow };
  const { messages } = await succeed(chat, chat.owner, "GET /messages", asked);
  return messages.filter(({ sender_full_name }: Record<string, string>) =>
    sender_full_name === "Notification Bot"
  )
    .map(({ content }: Record<string, string>) => content);
}

function patch(chat: TestChat, id: number | undefined, params: TestParams, user: TestUser = chat.owner) {
  return succeed(chat, user, `PATCH /messages/${id}`, params);
}

const BOTH = { send_notification_to_old_thread: true, send_notification_to_new_thread: true };

Deno.test("a moved topic is announced in the new topic, and on request in the old one", async () => {
  await using chat = await startWithTopic();
  const { garden, kitchen, ids: [id], owner } = chat;
  const by = `by @_**Owner|${owner.id}**.`;
  await patch(chat, id, { topic: "trees", propagate_mode: "change_all" });
  assert.deepEqual(await noticesIn(chat, garden, "trees"), [
    `This topic was moved here from #**Garden>plans** ${by}`,
  ]);
  assert.deepEqual(await noticesIn(chat, garden, "plans"), []);
  await patch(chat, id, { stream_id: kitchen, topic: "pans", propagate_mode: "change_all", ...BOTH });
  assert.equal(
    (await noticesIn(chat, kitchen, "pans")).at(-1),
    `This topic was moved here from #**Garden>trees** ${by}`,
  );
  assert.deepEqual(await noticesIn(chat, garden, "trees"), [
    `This topic was moved to #**Kitchen>pans** ${by}`,
  ]);
  const silent = { send_notification_to_new_thread: false };
  await patch(chat, id, { topic: "pots", propagate_mode: "change_all", ...silent });
  assert.equal((await noticesIn(chat, kitchen, "pots")).length, 2);
});

Deno.test("moved messages are counted, and one of them is linked", async () => {
  await using chat = await startWithTopic();
  const { garden, ids: [first, second, third], owner } = chat;
  const by = `by @_**Owner|${owner.id}**.`;
  await patch(chat, second, { topic: "trees", ...BOTH });
  const link = `/#narrow/channel/${garden}-Garden/topic/trees/near/${second}`;
  assert.deepEqual(await noticesIn(chat, garden, "trees"), [
    `[A message](${link}) was moved here from #**Garden>plans** ${by}`,
  ]);
  assert.deepEqual(await noticesIn(chat, garden, "plans"), [
    `A message was moved from this topic to #**Garden>trees** ${by}`,
  ]);
  await patch(chat, third, { topic: "", propagate_mode: "change_later", ...BOTH });
  assert.equal(
    (await noticesIn(chat, garden, "plans")).at(-1),
    `2 messages were moved from this topic to #**Garden>** ${by}`,
  );
  await patch(chat, first, { topic: "trees", propagate_mode: "change_later", ...BOTH });
  assert.equal(
    (await noticesIn(chat, garden, "trees")).at(-1),
    `2 messages were moved here from #**Garden>plans** ${by}`,
  );
  assert.deepEqual(await noticesIn(chat, garden, "plans"), [
    `This topic was moved to #**Garden>trees** ${by}`,
  ]);
});

Deno.test("resolving and unresolving are announced, and undoing one removes its notice", async () => {
  await using chat = await startWithTopic();
  const { garden, ids: [id], owner, member } = chat;
  const all = { propagate_mode: "change_all" };
  const resolved = `@_**Owner|${owner.id}** has marked this topic as resolved.`;
  await patch(chat, id, { topic: "✔ plans", ...all });
  assert.deepEqual(await noticesIn(chat, garden, "✔ plans"), [resolved]);
  await patch(chat, id, { topic: "plans", ...all }, member);
  assert.deepEqual(await noticesIn(chat, garden, "plans"), []);
  await patch(chat, id, { topic: "✔ plans", ...all });
  chat.clock.time += 61_000;
  await patch(chat, id, { topic: "plans", ...all }, member);
  assert.deepEqual(await noticesIn(chat, garden, "plans"), [
    resolved,
    `@_**Member|${member.id}** has marked this topic as unresolved.`,
  ]);
  await send(chat, owner, { to: garden, topic: "plans", content: "d" });
  await patch(chat, id, { topic: "✔ plans", ...all });
  assert.equal((await noticesIn(chat, garden, "✔ plans")).length, 3);
  await patch(chat, id, { topic: "plans", ...all, content: "edited", send_notification_to_old_thread: true });
  assert.equal((await noticesIn(chat, garden, "plans")).length, 3);
  assert.deepEqual(await noticesIn(chat, garden, "✔ plans"), [
    `This topic was moved to #**Garden>plans** by @_**Owner|${owner.id}**.`,
  ]);
});

Deno.test("a notice does not name a channel that its readers may not know", async () => {
  await using chat = await startWithTopic();
  const { garden, ids: [id], owner } = chat;
  const secret = { invite_only: true, history_public_to_subscribers: true, subscribers: [owner.id] };
  const cellar = await makeChannel(chat, "Cellar", secret);
  const attic = await makeChannel(chat, "Attic", secret);
  const by = `by @_**Owner|${owner.id}**.`;
  const all = { propagate_mode: "change_all", ...BOTH };
  await patch(chat, id, { stream_id: cellar, ...all });
  assert.deepEqual(await noticesIn(chat, garden, "plans"), [`This topic was moved to another channel ${by}`]);
  assert.deepEqual(await noticesIn(chat, cellar, "plans"), [
    `This topic was moved here from #**Garden>plans** ${by}`,
  ]);
  await patch(chat, id, { stream_id: attic, ...all });
  assert.equal(
    (await noticesIn(chat, attic, "plans")).at(-1),
    `This topic was moved here from another channel ${by}`,
  );
  await patch(chat, id, { stream_id: garden, topic: "back", ...all });
  assert.equal(
    (await noticesIn(chat, garden, "back")).at(-1),
    `This topic was moved here from another channel ${by}`,
  );
});

Deno.test("a notice that spectators can read does not name the former topic", async () => {
  await using chat = await startWithTopic();
  const { garden, ids: [first, , third], owner } = chat;
  await setSpectatorAccess(chat.chat, true);
  await succeed(chat, owner, `PATCH /streams/${garden}`, { is_web_public: true });
  await patch(chat, third, { topic: "trees", ...BOTH });
  const by = `by @_**Owner|${owner.id}**.`;
  const link = `/#narrow/channel/${garden}-Garden/topic/trees/near/${third}`;
  assert.deepEqual(await noticesIn(chat, garden, "trees"), [
    `[A message](${link}) was moved here from another topic ${by}`,
  ]);
  assert.deepEqual(await noticesIn(chat, garden, "plans"), [
    `A message was moved from this topic to #**Garden>trees** ${by}`,
  ]);
  await patch(chat, first, { stream_id: chat.kitchen, propagate_mode: "change_all", ...BOTH });
  assert.deepEqual(
    (await noticesIn(chat, garden, "plans")).at(-1),
    `This topic was moved to another channel ${by}`,
  );
});

Deno.test("a notice mentions nobody and is read by the user who moved the messages", async () => {
  await using chat = await startWithTopic();
  const { ids: [id], owner, member } = chat;
  for (const user of [owner, member]) {
    await succeed(chat, user, "PATCH /settings", NO_AUTOMATIC_POLICIES);
  }
  await patch(chat, id, { topic: "trees", propagate_mode: "change_all" });
  const asked = { anchor: "newest", num_before: 1, num_after: 0 };
  const flagsOf = async (user: TestUser) =>
    (await succeed(chat, user, "GET /messages", asked)).messages.at(-1)?.flags;
  assert.deepEqual([await flagsOf(owner), await flagsOf(member)], [["read"], []]);
});

Deno.test("a notice that cannot be posted does not undo the move", async () => {
  await using chat = await startWithTopic();
  const { garden, kitchen, ids: [id], owner } = chat;
  await patch(chat, id, { stream_id: kitchen, topic: "pans", propagate_mode: "change_one" });
  await succeed(chat, owner, `PATCH /streams/${garden}`, { topics_policy: "disable_empty_topic" });
  const general = await send(chat, owner, { to: kitchen, topic: "", content: "d" });
  await succeed(chat, owner, `PATCH /streams/${kitchen}`, { topics_policy: "disable_empty_topic" });
  await patch(chat, general, { topic: "pans", propagate_mode: "change_all", ...BOTH });
  assert.equal((await succeed(chat, owner, `GET /messages/${general}`)).message.subject, "pans");
  assert.deepEqual(await noticesIn(chat, kitchen, ""), []);
});
