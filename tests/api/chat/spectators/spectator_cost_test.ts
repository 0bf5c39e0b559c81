import assert from "node:assert/strict";
import { makeChannel, send } from "@/tests/casts/messages_cast.ts";
import { createOpenChannel, listOpenMessageIds, startOpenChat } from "@/tests/casts/spectator_cast.ts";
import type { TestChat } from "@/tests/helpers/chat.ts";

/** Returns the number of messages read from the store during `work`. */
async function messagesReadBy(chat: TestChat, work: () => Promise<unknown>): Promise<number> {
  const { reads } = chat.services.chat;
  const read = reads.read.bind(reads);
  let count = 0;
  reads.read = (key) => {
    if (key[1] === "message") count++;
    return read(key);
  };
  await work();
  reads.read = read;
  return count;
}

Deno.test("GET /messages reads no closed messages for spectators where the channel is known from an index", async () => {
  await using chat = await startOpenChat();
  const [garden, meadow] = [await createOpenChannel(chat, "Garden"), await createOpenChannel(chat, "Meadow")];
  const closed = await makeChannel(chat, "Shed");
  const sendRose = (to: number, no: number) =>
    send(chat, chat.member, { to, topic: "roses", content: `rose ${no}` });
  const open: number[] = [];
  for (let no = 0; no < 60; no++) {
    await sendRose(closed, no);
    if (no % 10 === 0) open.push(await sendRose(no % 20 === 0 ? garden : meadow, no));
  }
  const narrows = [
    [],
    [{ operator: "search", operand: "rose" }],
    [{ operator: "sender", operand: chat.member.id }],
    [{ operator: "topic", operand: "roses" }],
    [{ operator: "has", operand: "link", negated: true }],
    [{ operator: "channel", operand: closed, negated: true }],
  ];
  for (const narrow of narrows) {
    const count = await messagesReadBy(
      chat,
      async () => assert.deepEqual(await listOpenMessageIds(chat, narrow), open),
    );
    assert.ok(count <= 20, `${JSON.stringify(narrow)}: ${count}`);
  }
  for (const more of [[], [{ operator: "topic", operand: "roses" }]]) {
    const narrow = [{ operator: "channel", operand: closed }, ...more];
    const count = await messagesReadBy(
      chat,
      async () => assert.deepEqual(await listOpenMessageIds(chat, narrow), []),
    );
    assert.equal(count, 0);
  }
});
