import assert from "node:assert/strict";
import { MAX_TIMESTAMP, scheduledMessages } from "@/lib/chat/messages/scheduled_messages/model.ts";
import type { TestParams } from "@/tests/helpers/chat.ts";
import { fetchContents, makeChannel, startChat } from "@/tests/casts/messages_cast.ts";
import { eventsOf, inSeconds, passSeconds, schedule, scheduledOf } from "@/tests/casts/scheduled_cast.ts";

Deno.test("POST /scheduled_messages stores a message with an event, and it is sent at its time and not before", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  await chat.events();
  const at = inSeconds(chat, 3600);
  const message = { type: "channel", to: channel, topic: "plans", content: "**later**" };
  const id = await schedule(chat, chat.member, message);
  const shown = {
    ...{ scheduled_message_id: id, type: "stream", to: channel, topic: "plans", content: "**later**" },
    rendered_content: "<p><strong>later</strong></p>",
    ...{ scheduled_delivery_timestamp: at, failed: false },
  };
  assert.deepEqual(await chat.events(), [{
    event: { type: "scheduled_messages", op: "add", scheduled_messages: [shown] },
    audience: [chat.member.id],
  }]);
  assert.deepEqual(await scheduledOf(chat, chat.member), [shown]);
  const { body } = await chat.call(chat.member, "POST /register", {
    fetch_event_types: ["scheduled_messages"],
  });
  assert.deepEqual(body["scheduled_messages"], [shown]);
  assert.deepEqual(await scheduledOf(chat, chat.owner), []);
  await passSeconds(chat, 3599);
  assert.deepEqual(await fetchContents(chat, chat.owner, ["topic", "plans"]), []);
  await passSeconds(chat, 1);
  await passSeconds(chat, 60);
  assert.deepEqual(await fetchContents(chat, chat.owner, ["topic", "plans"]), ["**later**"]);
  assert.deepEqual(await scheduledOf(chat, chat.member), []);
  const events = (await chat.events()).map(({ event }) => event);
  assert.deepEqual(events.map(({ type }) => type), ["scheduled_messages", "message", "user_topic"]);
  assert.deepEqual(events[0], { type: "scheduled_messages", op: "remove", scheduled_message_id: id });
});

Deno.test("scheduled direct messages are listed by time, and a bot's are sent as well", async () => {
  await using chat = await startChat();
  const to = [chat.admin.id, chat.admin.id];
  const params = { type: "direct", to, content: "hi" };
  const late = await schedule(chat, chat.bot, {
    ...params,
    scheduled_delivery_timestamp: inSeconds(chat, 90),
  });
  const early = await schedule(chat, chat.bot, {
    ...params,
    scheduled_delivery_timestamp: inSeconds(chat, 60),
  });
  const listed = await scheduledOf(chat, chat.bot);
  assert.deepEqual(listed.map((one) => one["scheduled_message_id"]), [early, late]);
  assert.deepEqual([listed[0]?.["type"], listed[0]?.["to"], listed[0]?.["topic"]], [
    "private",
    [chat.admin.id],
    undefined,
  ]);
  await passSeconds(chat, 90);
  assert.deepEqual(await fetchContents(chat, chat.admin, ["dm", String(chat.bot.email)]), ["hi", "hi"]);
});

Deno.test("PATCH /scheduled_messages/{scheduled_message_id} changes parts of a message with an event", async () => {
  await using chat = await startChat();
  const [garden, kitchen] = [await makeChannel(chat, "Garden"), await makeChannel(chat, "Kitchen")];
  const id = await schedule(chat, chat.member, { type: "stream", to: garden, topic: "a", content: "one" });
  const call = `PATCH /scheduled_messages/${id}`;
  const change = async (params: TestParams) => {
    await chat.events();
    const { status, body } = await chat.call(chat.member, call, params);
    assert.equal(status, 200, JSON.stringify(body));
    const [event, ...others] = await eventsOf(chat, "scheduled_messages");
    const [shown] = await scheduledOf(chat, chat.member);
    assert.deepEqual([event, others], [
      { type: "scheduled_messages", op: "update", scheduled_message: shown },
      [],
    ]);
    return shown;
  };
  assert.equal((await change({ content: "two" }))?.["rendered_content"], "<p>two</p>");
  assert.equal((await change({ topic: "b" }))?.["topic"], "b");
  assert.deepEqual((await change({ to: kitchen }))?.["to"], kitchen);
  const at = inSeconds(chat, 60);
  assert.equal((await change({ scheduled_delivery_timestamp: at }))?.["scheduled_delivery_timestamp"], at);
  const direct = await change({ type: "direct", to: [chat.guest.id] });
  assert.deepEqual([direct?.["type"], direct?.["to"], direct?.["topic"]], [
    "private",
    [chat.guest.id],
    undefined,
  ]);
  await passSeconds(chat, 60);
  assert.deepEqual(await fetchContents(chat, chat.guest, ["is", "dm"]), ["two"]);
});

Deno.test("invalid changes of scheduled messages are refused, and unknown ids are not found", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const id = await schedule(chat, chat.member, { type: "stream", to: channel, topic: "a", content: "one" });
  const refusals: [TestParams, string][] = [
    [{}, "Nothing to change"],
    [{ type: "direct" }, "Recipient required when updating type of scheduled message."],
    [{ type: "stream", to: channel }, "Topic required when updating scheduled message to channel type."],
    [{ content: " " }, "Message must not be empty"],
    [{ scheduled_delivery_timestamp: inSeconds(chat, 0) }, "Scheduled delivery time must be in the future."],
    [{ to: 99_999_999 }, "Channel with ID '99999999' does not exist"],
  ];
  for (const [params, message] of refusals) {
    const { status, body } = await chat.call(chat.member, `PATCH /scheduled_messages/${id}`, params);
    assert.deepEqual([status, body["msg"]], [400, message]);
  }
  for (const user of [chat.owner, chat.bot, chat.outsider]) {
    for (const call of [`PATCH /scheduled_messages/${id}`, `DELETE /scheduled_messages/${id}`]) {
      const { status, body } = await chat.call(user, call, { content: "x" });
      assert.deepEqual([status, body["code"], body["msg"]], [
        404,
        "BAD_REQUEST",
        "Scheduled message does not exist",
      ]);
    }
  }
  await chat.events();
  assert.equal((await chat.call(chat.member, `DELETE /scheduled_messages/${id}`)).status, 200);
  assert.deepEqual(await eventsOf(chat, "scheduled_messages"), [
    { type: "scheduled_messages", op: "remove", scheduled_message_id: id },
  ]);
  assert.equal((await chat.call(chat.member, `DELETE /scheduled_messages/${id}`)).status, 404);
  await passSeconds(chat, 4000);
  assert.deepEqual(await fetchContents(chat, chat.owner, ["topic", "a"]), []);
});

Deno.test("POST /scheduled_messages refuses what the user could not send now, the past, and too many", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Secret", { invite_only: true });
  const at = inSeconds(chat, 60);
  const ok = { type: "stream", to: channel, topic: "a", content: "x", scheduled_delivery_timestamp: at };
  const refuse = async (params: TestParams, message: string | RegExp) => {
    const { status, body } = await chat.call(chat.admin, "POST /scheduled_messages", { ...ok, ...params });
    assert.equal(status, 400);
    assert.match(body["msg"], new RegExp(message));
  };
  await refuse({}, `^Channel with ID '${channel}' does not exist$`);
  await refuse({ to: [channel, channel] }, "^Expected exactly one channel$");
  await refuse({ type: "direct", to: [99_999_999] }, "^Invalid user ID 99999999$");
  await refuse({ type: "direct", to: [] }, "^Message must have recipients$");
  await refuse({ content: "" }, "^Message must not be empty$");
  await refuse({ scheduled_delivery_timestamp: -5 }, "^Scheduled delivery time must be in the future\\.$");
  await refuse({ scheduled_delivery_timestamp: MAX_TIMESTAMP + 1 }, "scheduled_delivery_timestamp");
  const toSelf = { ...ok, type: "direct", to: [chat.admin.id] };
  for (let count = 0; count < scheduledMessages.max; count++) await schedule(chat, chat.admin, toSelf);
  await refuse({ ...toSelf }, `^You can schedule ${scheduledMessages.max} messages at most\\.$`);
  await passSeconds(chat, 60);
  await schedule(chat, chat.admin, { ...toSelf, scheduled_delivery_timestamp: inSeconds(chat, 60) });
});

Deno.test("a scheduled message whose HTML does not fit into its record keeps it, and clients register again", async () => {
  await using chat = await startChat();
  const content = "**a** ".repeat(1600);
  const id = await schedule(chat, chat.member, { type: "direct", to: [chat.member.id], content });
  const [shown] = await scheduledOf(chat, chat.member);
  assert.ok(shown?.["rendered_content"].length > 25_000);
  assert.deepEqual((await chat.events()).map(({ event }) => event), [
    { type: "queue_end", types: ["scheduled_messages"] },
  ]);
  await chat.call(chat.member, `PATCH /scheduled_messages/${id}`, { content: "short" });
  assert.equal((await scheduledOf(chat, chat.member))[0]?.["rendered_content"], "<p>short</p>");
});
