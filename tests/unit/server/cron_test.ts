import assert from "node:assert/strict";
import { registerBackgroundWork, type RegisterCron } from "@/lib/server/run.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { makeChannel } from "@/tests/casts/messages_cast.ts";

Deno.test("the platform's schedules do the background work of a process whose workers were never started", async () => {
  await using chat = await startChat();
  const channelId = await makeChannel(chat, "garden");
  await chat.services.links.compactor.stop();
  const short = await chat.shorten("https://example.com/");
  await (await chat.request(short)).body?.cancel();
  const scheduled = await chat.call(chat.owner, "POST /scheduled_messages", {
    ...{ type: "channel", to: channelId, topic: "later", content: "It is time" },
    scheduled_delivery_timestamp: chat.clock.time / 1000 + 60,
  });
  assert.equal(scheduled.status, 200);
  const schedules = new Map<string, { schedule: string; work: () => Promise<void> }>();
  const register: RegisterCron = (name, schedule, work) => void schedules.set(name, { schedule, work });
  registerBackgroundWork(chat.services, register);
  assert.deepEqual([...schedules.values()].map(({ schedule }) => schedule), ["* * * * *", "17 * * * *"]);
  const listContents = async () => {
    const { body } = await chat.call(chat.owner, "GET /messages", {
      ...{ anchor: "newest", num_before: 10, num_after: 0, apply_markdown: false },
      narrow: [["channel", channelId], ["topic", "later"]],
    });
    return body.messages.map(({ content }: { content: string }) => content);
  };
  const { kv } = chat.services.store;
  const countVisits = async () => (await Array.fromAsync(kv.list({ prefix: ["visit_log"] }))).length;
  assert.deepEqual([await listContents(), await countVisits()], [[], 1]);
  chat.clock.time += 61_000;
  for (const { work } of schedules.values()) await work();
  // A second run finds nothing left.
  for (const { work } of schedules.values()) await work();
  assert.deepEqual([await listContents(), await countVisits()], [["It is time"], 0]);
});
