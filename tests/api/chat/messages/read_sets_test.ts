// What a user has read, which a server keeps in memory, on a store that another server changes.
import assert from "node:assert/strict";
import { makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";
import { startTestApp } from "@/tests/helpers/app.ts";
import { shareStore } from "@/tests/helpers/copied_store.ts";
import { callApi, type TestChat, type TestParams } from "@/tests/helpers/chat.ts";

/** Number of topics, of which one request lists all sets. */
const TOPICS = 25;
const NEWEST = { anchor: "newest", num_before: 100, num_after: 0 };

/** Returns the ids of the owner's unread messages among the newest ones. */
async function fetchUnread(chat: TestChat, of: TestParams = {}): Promise<number[]> {
  const { status, body } = await chat.call(chat.owner, "GET /messages", { ...NEWEST, ...of });
  assert.equal(status, 200, JSON.stringify(body));
  const messages: { id: number; flags: string[] }[] = body.messages;
  return messages.filter(({ flags }) => !flags.includes("read")).map(({ id }) => id);
}

Deno.test("a kept read state never outlives a change that another server on the store makes", async () => {
  await using chat = await startChat();
  await using other = await startTestApp({ store: shareStore(chat.services.store) });
  const [garden, kitchen] = [await makeChannel(chat, "Garden"), await makeChannel(chat, "Kitchen")];
  const toTopic = (at: number) => `topic ${at}`;
  const sent: number[] = [];
  for (let at = 0; at < TOPICS; at++) {
    const to = at % 2 === 0 ? garden : kitchen;
    sent.push(await send(chat, chat.member, { to, topic: toTopic(at), content: "sow" }));
  }
  const direct = await sendDirect(chat, chat.member, [chat.owner], "water");
  const expected = new Set([...sent, direct]);
  const requireExpected = async () => {
    assert.deepEqual(await fetchUnread(chat), [...expected].sort((one, two) => one - two));
    // A request for few topics reads their sets singly.
    const narrow = [["channel", garden], ["topic", toTopic(2)]];
    assert.deepEqual(await fetchUnread(chat, { narrow }), [sent[2]].filter((id) => expected.has(id ?? 0)));
  };
  const change = async (path: string, params: TestParams, read: readonly (number | undefined)[]) => {
    const { status, body } = await callApi(other, chat.owner, `POST ${path}`, params);
    assert.equal(status, 200, JSON.stringify(body));
    for (const id of read) expected.delete(id ?? 0);
    await requireExpected();
  };
  await requireExpected();
  await change("/mark_topic_as_read", { stream_id: garden, topic_name: toTopic(4) }, [sent[4]]);
  await change("/messages/flags", { op: "add", flag: "read", messages: [sent[2], sent[3]] }, [
    sent[2],
    sent[3],
  ]);
  await change("/messages/flags", { op: "add", flag: "read", messages: [direct] }, [direct]);
  expected.add(sent[3] ?? 0);
  await change("/messages/flags", { op: "remove", flag: "read", messages: [sent[3]] }, []);
  await change("/mark_stream_as_read", { stream_id: garden }, sent.filter((_, at) => at % 2 === 0));
  await change("/mark_all_as_read", {}, sent);
});
