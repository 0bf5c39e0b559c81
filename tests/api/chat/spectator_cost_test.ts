import assert from "node:assert/strict";
import type { TestChat } from "@/tests/helpers/chat.ts";
import { makeChannel, send } from "./messages_cast.ts";
import { makeOpenChannel, openIds, startOpenChat } from "./spectator_cast.ts";

/** How many messages are read from the store while something is done. */
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

Deno.test("what is not open is not even looked at for spectators, wherever they can be told apart by their channels", async () => {
  await using chat = await startOpenChat();
  const [garden, meadow] = [await makeOpenChannel(chat, "Garden"), await makeOpenChannel(chat, "Meadow")];
  const closed = await makeChannel(chat, "Shed");
  const say = (to: number, no: number) =>
    send(chat, chat.member, { to, topic: "roses", content: `rose ${no}` });
  const open: number[] = [];
  for (let no = 0; no < 60; no++) {
    await say(closed, no);
    if (no % 10 === 0) open.push(await say(no % 20 === 0 ? garden : meadow, no));
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
    const count = await messagesReadBy(chat, async () => assert.deepEqual(await openIds(chat, narrow), open));
    assert.ok(count <= 20, `${JSON.stringify(narrow)}: ${count}`);
  }
  for (const more of [[], [{ operator: "topic", operand: "roses" }]]) {
    const narrow = [{ operator: "channel", operand: closed }, ...more];
    const count = await messagesReadBy(chat, async () => assert.deepEqual(await openIds(chat, narrow), []));
    assert.equal(count, 0);
  }
});
