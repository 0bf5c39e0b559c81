import assert from "node:assert/strict";
import fc, { numberOfRuns } from "@/tests/helpers/fast_check.ts";
import { checkMessages } from "@/lib/cli/check_messages.ts";
import type { TestChat } from "@/tests/helpers/chat.ts";
import { fetchMessageIds, makeChannel, send, startChat } from "@/tests/casts/messages_cast.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const TOPICS = ["plans", "Plans", "✔ plans", "soil", ""];
const WORDS = ["rose", "tulip", "fern", "moss"];
const MODES = ["change_one", "change_later", "change_all"] as const;

const channelAt = fc.nat({ max: 1 });
const topic = fc.constantFrom(...TOPICS);
const content = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((words) =>
  words.join(" ")
);
const at = fc.nat({ max: 20 });

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("send" as const), channelAt, topic, content }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("move" as const),
      at,
      channelAt,
      topic,
      mode: fc.constantFrom(...MODES),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("edit" as const), at, content }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), at }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("read" as const), channelAt, topic: fc.option(topic) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** One message as the naive model knows it. */
interface Message {
  readonly id: number;
  /** Its first recipient. */
  readonly origin: string;
  channel: number;
  topic: string;
  content: string;
  isRead: boolean;
}

function toLocation(channel: number, topic: string): string {
  return `${channel} ${topic.toLowerCase()}`;
}

function isInTopic(message: Message, channel: number, topic: string): boolean {
  return message.channel === channel && message.topic.toLowerCase() === topic.toLowerCase();
}

/** Runs one step on server and model; the owner sends, the member reads. */
async function runStep(
  chat: TestChat,
  channels: readonly number[],
  model: Message[],
  step: Step,
): Promise<void> {
  const channel = "channelAt" in step ? channels[step.channelAt] ?? 0 : 0;
  if (step.kind === "send") {
    const { topic, content } = step;
    const id = await send(chat, chat.owner, { to: channel, topic, content });
    model.push({ id, origin: toLocation(channel, topic), channel, topic, content, isRead: false });
    return;
  }
  if (step.kind === "read") return await markRead(chat, model, { channel, topic: step.topic });
  const message = model[step.at % Math.max(1, model.length)];
  if (message === undefined) return;
  if (step.kind === "delete") {
    await succeed(chat, chat.owner, `DELETE /messages/${message.id}`);
    model.splice(model.indexOf(message), 1);
  } else if (step.kind === "edit") {
    await succeed(chat, chat.owner, `PATCH /messages/${message.id}`, { content: step.content });
    message.content = step.content;
  } else await move(chat, model, { message, channel, topic: step.topic, mode: step.mode });
}

async function markRead(
  chat: TestChat,
  model: Message[],
  { channel, topic }: { channel: number; topic: string | null },
): Promise<void> {
  if (topic === null) {
    await succeed(chat, chat.member, "POST /mark_stream_as_read", { stream_id: channel });
  } else {
    const params = { stream_id: channel, topic_name: topic };
    const { status } = await chat.call(chat.member, "POST /mark_topic_as_read", params);
    const isThere = topic === "" || model.some((message) => isInTopic(message, channel, topic));
    assert.equal(status, isThere ? 200 : 400);
  }
  for (const message of model) {
    if (topic === null ? message.channel === channel : isInTopic(message, channel, topic)) {
      message.isRead = true;
    }
  }
}

async function move(
  chat: TestChat,
  model: Message[],
  { message, channel, topic, mode }: {
    message: Message;
    channel: number;
    topic: string;
    mode: typeof MODES[number];
  },
): Promise<void> {
  if (message.channel === channel && message.topic === topic) return;
  const params = {
    stream_id: channel,
    topic,
    propagate_mode: mode,
    send_notification_to_new_thread: false,
  };
  await succeed(chat, chat.owner, `PATCH /messages/${message.id}`, params);
  const { channel: oldChannel, topic: oldTopic } = message;
  for (const other of model.filter((each) => isInTopic(each, oldChannel, oldTopic))) {
    const isMoved = other === message || mode === "change_all" ||
      (mode === "change_later" && other.id > message.id);
    // What is only written differently is the same topic, and takes the new way of writing.
    if (isMoved) Object.assign(other, { channel, topic: oldTopic === topic ? other.topic : topic });
  }
}

async function assertEqualsModel(chat: TestChat, channels: readonly number[], model: readonly Message[]) {
  const problems: string[] = [];
  await checkMessages(
    chat.services.store.kv,
    { realmId: chat.realm.id, channelIds: new Set(await allChannels(chat)) },
    (problem) => void problems.push(problem),
  );
  assert.deepEqual(problems, []);
  const ids = (holds: (message: Message) => boolean) =>
    model.filter(holds).map(({ id }) => id).toSorted((one, other) => one - other);
  const ours = new Set(ids(() => true));
  const found = async (...narrow: { operator: string; operand: unknown }[]) =>
    (await fetchMessageIds(chat, chat.member, { narrow })).filter((id) => ours.has(id));
  await Promise.all(
    channels.flatMap((channel) =>
      TOPICS.map(async (topic) => {
        const narrow = [{ operator: "channel", operand: channel }, { operator: "topic", operand: topic }];
        assert.deepEqual(await found(...narrow), ids((message) => isInTopic(message, channel, topic)));
      })
    ),
  );
  await Promise.all(WORDS.map(async (word) => {
    const wanted = ids(({ content }) => content.split(" ").includes(word));
    assert.deepEqual(await found({ operator: "search", operand: word }), wanted);
  }));
  assert.deepEqual(await found({ operator: "is", operand: "unread" }), ids(({ isRead }) => !isRead));
  const away = model.map(({ id, origin, channel, topic }) => ({
    id,
    origin,
    now: toLocation(channel, topic),
  }))
    .filter(({ origin, now }) => origin !== now);
  assert.deepEqual(await rowsBelow(chat, "moved_into"), away.map(({ id, now }) => `${now} ${id}`).sort());
  assert.deepEqual(
    await rowsBelow(chat, "moved_out"),
    away.map(({ id, origin }) => `${origin} ${id}`).sort(),
  );
}

async function rowsBelow(chat: TestChat, name: string): Promise<string[]> {
  const rows: string[] = [];
  for await (const { key } of chat.services.store.kv.list({ prefix: [chat.realm.id, name] })) {
    rows.push(key.slice(2).join(" "));
  }
  return rows.sort();
}

async function allChannels(chat: TestChat): Promise<number[]> {
  const { body } = await chat.call(chat.owner, "GET /streams");
  return body.streams.map(({ stream_id }: { stream_id: number }) => stream_id);
}

Deno.test("a move without a rename keeps each message's spelling of the topic", async () => {
  await using chat = await startChat();
  const channels = [await makeChannel(chat, "Garden"), await makeChannel(chat, "Kitchen")];
  const model: Message[] = [];
  const send = { kind: "send", channelAt: 0, content: "rose" } as const;
  await runStep(chat, channels, model, { ...send, topic: "plans" });
  await runStep(chat, channels, model, { ...send, topic: "Plans" });
  await runStep(chat, channels, model, {
    kind: "move",
    at: 0,
    channelAt: 1,
    topic: "plans",
    mode: "change_all",
  });
  for (const { id, topic } of model) {
    const { body } = await chat.call(chat.owner, `GET /messages/${id}`);
    assert.equal(body["message"].subject, topic);
  }
  assert.deepEqual(model.map(({ topic }) => topic), ["plans", "Plans"]);
});

Deno.test("any message operations keep indexes, counters and narrows equal to a naive model", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: "max" }), async (steps) => {
      await using chat = await startChat();
      const channels = [await makeChannel(chat, "Garden"), await makeChannel(chat, "Kitchen")];
      const model: Message[] = [];
      for (const each of steps) {
        chat.clock.time += 1000;
        await runStep(chat, channels, model, each);
      }
      await assertEqualsModel(chat, channels, model);
    }),
    numberOfRuns(45),
  );
});
