// POST /register: parameters of the queue
import assert from "node:assert/strict";
import { queueKeys, type QueueRecord } from "@/lib/chat/events/queues/model.ts";
import { readRecord } from "@/lib/kv/key.ts";
import { makeChannel } from "@/tests/casts/messages_cast.ts";
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

Deno.test("POST /register takes include_subscribers as a bare word and as JSON", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const listKeys = async (include_subscribers: unknown) => {
    const { subscriptions } = await succeed(chat, chat.member, "POST /register", {
      fetch_event_types: ["subscription"],
      include_subscribers,
    });
    const own = subscriptions.find(({ stream_id }: { stream_id: number }) => stream_id === channel);
    return Object.keys(own).filter((name) => /^(partial_)?subscribers$/.test(name));
  };
  for (const sent of ["true", "partial", '"partial"', true]) {
    assert.deepEqual(await listKeys(sent), ["subscribers"], String(sent));
  }
  for (const sent of ["false", false]) assert.deepEqual(await listKeys(sent), [], String(sent));
  const { status, body } = await chat.call(chat.member, "POST /register", { include_subscribers: "all" });
  assert.deepEqual([status, body.msg], [400, "include_subscribers is not a boolean"]);
});

Deno.test("POST /register refuses a narrow with an unknown operator", async () => {
  await using chat = await startChat();
  const terms = [["nonsense", "x"], { operator: "nonsense", operand: "x" }, {
    operator: "nonsense",
    operand: "",
  }];
  for (const term of terms) {
    const { status, body } = await chat.call(chat.member, "POST /register", { narrow: [["is", "dm"], term] });
    assert.deepEqual([status, body.code, body.msg], [
      400,
      "BAD_REQUEST",
      "Operator nonsense not supported.",
    ]);
  }
  await succeed(chat, chat.member, "POST /register", {
    narrow: [["stream", "Unknown"], { operator: "topic", operand: "tea", negated: true }],
    fetch_event_types: [],
  });
});
