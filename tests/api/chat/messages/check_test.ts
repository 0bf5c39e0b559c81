import assert from "node:assert/strict";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { packIds } from "@/lib/chat/messages/word_index/store.ts";
import { indexWords } from "@/tests/casts/word_index_cast.ts";
import { makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";
import type { TestParams } from "@/tests/helpers/chat.ts";

Deno.test("checkChat() accepts sent messages and reports every inconsistent index and count", async () => {
  await using chat = await startChat();
  const { kv } = chat.services.store;
  const realmId = chat.realm.id;
  const channel = await makeChannel(chat, "Garden");
  const mention = `@**Moderator|${chat.moderator.id}**`;
  const id = await send(chat, chat.member, { to: channel, topic: "Plans", content: `Good roses ${mention}` });
  await send(chat, chat.owner, { to: channel, topic: "", content: "x ".repeat(4500) + mention.repeat(20) });
  const direct = await sendDirect(chat, chat.member, [chat.owner], "A *quiet* word");
  await indexWords(chat);
  assert.deepEqual((await checkChat(kv)).problems, []);

  const minusOne = 2n ** 64n - 1n;
  await kv.atomic()
    .delete([realmId, "channel_message", channel, id])
    .delete([realmId, "topic_message", channel, "plans", id])
    .set([realmId, "topic_message", channel, "plans", direct], true)
    .delete([realmId, "sent_message", chat.member.id, direct])
    .delete([realmId, "direct_message", chat.owner.id, direct])
    .delete([realmId, "mentioned", chat.moderator.id, id])
    .set([realmId, "word_segment", "tulips", 0], packIds([id, direct]))
    .set([realmId, "word_segment", "roses", 0], packIds([direct]))
    .delete([realmId, "word_segment", "quiet", 0])
    .set([realmId, "conversation_message", 1, 999], true)
    .set([realmId, "rendered", id, 0], "<p>")
    .sum([realmId, "topic_count", channel, "plans"], 1n)
    .sum([realmId, "named_topic_count", channel], minusOne)
    .sum([realmId, "subscriber_count", channel, "left"], 1n)
    .delete([realmId, "subscriber", channel, chat.member.id])
    .set([realmId, "group_use", 77, "channel", channel, "can_send_message_group"], true)
    .commit();
  await kv.set(["seq", "message"], direct - 1);
  const { problems } = await checkChat(kv);
  for (
    const wanted of [
      `channel_message, ${channel} ${id} is missing`,
      `topic_message, ${channel} plans ${id} is missing`,
      `topic_message, ${channel} plans ${direct} should not exist`,
      `sent_message, ${chat.member.id} ${direct} is missing`,
      `direct_message, ${chat.owner.id} ${direct} is missing`,
      `mentioned, ${chat.moderator.id} ${id} is missing`,
      `index of words, tulips ${id} should not exist`,
      `index of words, tulips ${direct} should not exist`,
      `index of words, roses ${direct} should not exist`,
      `index of words, roses ${id} is missing`,
      `index of words, quiet ${direct} is missing`,
      `conversation_message, 1 999 should not exist`,
      `the rendered text ${id} has no message`,
      `numbers of messages by topic, ${channel} plans is "2", not "1"`,
      `numbers of named topics, ${channel} is `,
      `numbers of subscribers, ${channel} is `,
      `lists of subscribers, ${channel} ${chat.member.id} is missing`,
      `uses of groups, 77 channel ${channel} can_send_message_group should not exist`,
      `message ${direct} has an id that was never assigned`,
    ]
  ) assert.ok(problems.some((problem) => problem.includes(wanted)), `${wanted} in\n${problems.join("\n")}`);
});

Deno.test("checkChat() accepts moved, edited and deleted messages", async () => {
  await using chat = await startChat();
  const { kv } = chat.services.store;
  const channel = await makeChannel(chat, "Garden");
  const other = await makeChannel(chat, "Shed");
  const mention = `@**Moderator|${chat.moderator.id}**`;
  const ids: number[] = [];
  for (const word of ["roses", "tulips", "herbs", "weeds"]) {
    ids.push(
      await send(chat, chat.owner, { to: channel, topic: "Plans", content: `Good ${word} ${mention}` }),
    );
  }
  const change = async (method: string, id: number | undefined, of: TestParams = {}) => {
    const { status, body } = await chat.call(chat.owner, `${method} /messages/${id}`, of);
    assert.equal(status, 200, `${JSON.stringify(of).slice(0, 80)}: ${JSON.stringify(body)}`);
    assert.deepEqual((await checkChat(kv)).problems, [], `${method} ${JSON.stringify(of).slice(0, 80)}`);
  };
  await change("PATCH", ids[0], { topic: "Tea", propagate_mode: "change_one" });
  await change("PATCH", ids[1], { topic: "Tea", propagate_mode: "change_all" });
  await change("PATCH", ids[2], { stream_id: other, propagate_mode: "change_all" });
  await change("PATCH", ids[2], { content: "other words " + "x ".repeat(4000) });
  await change("PATCH", ids[2], { content: `${mention} `.repeat(400) });
  await change("PATCH", ids[2], { content: "small" });
  await indexWords(chat);
  for (const id of ids) {
    await change("DELETE", id);
    await indexWords(chat);
    assert.deepEqual((await checkChat(kv)).problems, []);
  }
});
