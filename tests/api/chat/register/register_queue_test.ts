// POST /register: parameters of the queue
import assert from "node:assert/strict";
import { queueKeys, type QueueRecord } from "@/lib/chat/register/events/queues.ts";
import { readRecord } from "@/lib/store/key.ts";
import { makeChannel, sendDirect } from "@/tests/casts/messages_cast.ts";
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

Deno.test("POST /register folds what happens while the state is read into it, and returns it in no event", async () => {
  await using chat = await startChat({ env: { RATE_LIMITS: "off" } });
  const { owner, member } = chat;
  const groups = new Set<number>();
  for (let round = 0; round < 6; round++) {
    const sent: number[] = [];
    await succeed(chat, member, "POST /mark_all_as_read");
    const [state] = await Promise.all([
      succeed(chat, member, "POST /register", {
        fetch_event_types: ["message", "update_message_flags", "realm_user_groups"],
      }),
      ...Array.from({ length: 3 }, async (_, at) => {
        sent.push(await sendDirect(chat, owner, [member], `${round}.${at}`));
      }),
      succeed(chat, owner, "POST /user_groups/create", { name: `g${round}`, description: "", members: [] }),
    ]);
    const { events } = await succeed(chat, member, "GET /events", {
      queue_id: state.queue_id,
      last_event_id: state.last_event_id,
      dont_block: true,
    });
    const inState: number[] = state.unread_msgs.pms.flatMap((
      { unread_message_ids: ids }: { unread_message_ids: number[] },
    ) => ids);
    const received: { type: string; op?: string; message: { id: number }; group: { id: number } }[] = events;
    const inEvents = received.filter(({ type }) => type === "message").map(({ message }) => message.id);
    const all = [...inState, ...inEvents];
    const ascending = (ids: readonly number[]) => ids.toSorted((one, other) => one - other);
    assert.deepEqual(ascending(all), ascending(sent), `round ${round}: each message is there once`);
    const known: number[] = state.realm_user_groups.map(({ id }: { id: number }) => id);
    const added = received.filter(({ type, op }) => type === "user_group" && op === "add");
    assert.deepEqual(added.filter(({ group }) => known.includes(group.id)), [], `round ${round}`);
    for (const id of [...known, ...added.map(({ group }) => group.id)]) groups.add(id);
  }
  assert.equal(groups.size, 8 + 6);
});
