// POST /register: parameters of the queue
import assert from "node:assert/strict";
import { queueKeys, type QueueRecord } from "@/lib/chat/events/queues/model.ts";
import { readRecord } from "@/lib/kv/key.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

Deno.test("POST /register reads the idle timeout as seconds or `mobile`, and uses the default for other values", async () => {
  await using chat = await startChat();
  const week = 7 * 86_400;
  const expected: [sent: unknown, seconds: number][] = [
    ["mobile", 43_200],
    ['"mobile"', 43_200],
    [1, 1],
    [week, week],
    [week + 1, week],
    ["0", 600],
    ["-5", 600],
    ["1.5", 600],
    ["1e3", 600],
    ["", 600],
    ["desktop", 600],
    ["[60]", 600],
    ['{"a":', 600],
    ["true", 600],
    ["null", 600],
  ];
  for (const name of ["idle_queue_timeout", "queue_lifespan_secs"]) {
    for (const [sent, seconds] of expected) {
      const { queue_id } = await succeed(chat, chat.member, "POST /register", {
        [name]: sent,
        fetch_event_types: [],
      });
      const key = queueKeys.queue(chat.realm.id, queue_id);
      const queue = await readRecord<QueueRecord>(chat.services.store.kv, key);
      assert.equal(queue?.idle_timeout, seconds * 1000, `${name}=${sent}`);
    }
  }
});
