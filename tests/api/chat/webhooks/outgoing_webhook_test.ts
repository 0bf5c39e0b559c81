import assert from "node:assert/strict";
import { fetchContents, makeChannel, send, sendDirect } from "@/tests/casts/messages_cast.ts";
import { startWebhookChat } from "@/tests/casts/webhooks_cast.ts";
import { waitFor } from "@/tests/helpers/wait.ts";

const SECOND_MS = 1000;

Deno.test("a message that mentions an outgoing webhook bot is posted to its address, and the answer to the topic", async () => {
  await using chat = await startWebhookChat();
  const bot = await chat.createBot("Echo");
  const channel = await makeChannel(chat, "Garden");
  chat.server.answer = ({ body }) => Response.json({ content: `You said: ${body.data.length} characters` });
  const id = await send(chat, chat.moderator, { to: channel, content: "@**Echo** how *are* you?" });
  const [request, ...others] = await chat.deliver();
  assert.deepEqual(others, []);
  assert.ok(request);
  assert.equal(request.path, "/echo");
  assert.equal(request.headers.get("content-type"), "application/json");
  const { token, message, ...payload } = request.body;
  assert.deepEqual(payload, {
    bot_email: bot.email,
    bot_full_name: "Echo",
    data: "@**Echo** how *are* you?",
    trigger: "mention",
  });
  const [own] = (await chat.call(chat.member, "GET /bots")).body.bots.slice(-1);
  assert.deepEqual(own.services, [{ base_url: `${chat.server.url}/echo`, interface: 1, token }]);
  const { rendered_content, sender_email, ...fields } = message;
  assert.match(rendered_content, /user-mention.*<em>are<\/em>/);
  assert.equal(sender_email, chat.moderator.email);
  const sentAt = Math.floor(chat.clock.time / 1000);
  assert.deepEqual(
    [fields.id, fields.content, fields.type, fields.subject, fields.stream_id, fields.display_recipient],
    [id, "@**Echo** how *are* you?", "stream", "plans", channel, "Garden"],
  );
  assert.deepEqual([fields.timestamp, fields.flags], [sentAt, undefined]);
  assert.deepEqual((await fetchContents(chat, chat.member, ["topic", "plans"])).slice(1), [
    "You said: 24 characters",
  ]);
  const [delivery] = await chat.deliveries(bot);
  assert.deepEqual(delivery, {
    message_id: id,
    trigger: "mention",
    status: "delivered",
    attempts: 1,
    http_status: 200,
    error: null,
    answer_message_id: delivery?.answer_message_id,
    queued_at: sentAt,
    updated_at: sentAt,
  });
  const answer = (await chat.call(chat.member, `GET /messages/${delivery?.answer_message_id}`)).body.message;
  assert.deepEqual([answer.sender_id, answer.subject, answer.client], [bot.id, "plans", "webhook"]);
});

Deno.test("direct messages to outgoing webhook bots are answered in the conversation", async () => {
  await using chat = await startWebhookChat();
  const [echo, log] = [await chat.createBot("Echo"), await chat.createBot("Log")];
  const botUser = (bot: typeof echo) => ({ ...chat.bot, id: bot.id });
  chat.server.answer = ({ path }) => Response.json(path === "/echo" ? { content: "Hello both" } : {});
  await sendDirect(chat, chat.moderator, [chat.owner, botUser(echo), botUser(log)], "Hi");
  const requests = await chat.deliver();
  assert.deepEqual(requests.map(({ path, body }) => [path, body.trigger]).sort(), [
    ["/echo", "direct_message"],
    ["/log", "direct_message"],
  ]);
  const people = requests[0]?.body.message.display_recipient.map(({ id }: { id: number }) => id);
  const all = [chat.owner.id, chat.moderator.id, echo.id, log.id].sort((one, other) => one - other);
  assert.deepEqual(people, all);
  const dm = `${echo.email},${log.email},${chat.moderator.email}`;
  assert.deepEqual(await fetchContents(chat, chat.owner, ["dm", dm]), ["Hi", "Hello both"]);
});

Deno.test("an outgoing webhook bot learns only of messages of people that address it and that it can read", async () => {
  await using chat = await startWebhookChat();
  const [echo, log] = [await chat.createBot("Echo"), await chat.createBot("Log")];
  const channel = await makeChannel(chat, "Garden", { subscribers: [chat.bot.id, chat.member.id] });
  const secret = await makeChannel(chat, "Secret", { invite_only: true });
  const all = { ...chat.bot, id: echo.id };
  await send(chat, chat.member, { to: channel, content: "hello @**all**" });
  await send(chat, chat.member, { to: secret, content: "@**Echo** secret" });
  await send(chat, chat.bot, { to: channel, content: "@**Echo** from a bot" });
  await sendDirect(chat, chat.bot, [all], "from a bot");
  assert.deepEqual(await chat.deliver(), []);
  assert.deepEqual(await chat.deliveries(echo), []);
  chat.server.answer = () => Response.json({ content: "@**Echo** @**Log** a loop" });
  await send(chat, chat.member, { to: channel, content: "@**Echo** hello" });
  assert.equal((await chat.deliver()).length, 1);
  assert.deepEqual(await chat.deliver(), []);
  assert.deepEqual(await chat.deliveries(log), []);
  await chat.call(chat.member, `DELETE /bots/${echo.id}`);
  await send(chat, chat.member, { to: channel, content: "@**Echo** are you there?" });
  await send(chat, chat.member, { to: channel, content: "@**Log** this" });
  await chat.call(chat.member, `DELETE /bots/${log.id}`);
  assert.deepEqual(await chat.deliver(), []);
});

Deno.test("a failed delivery is repeated with growing delays and then given up", async () => {
  await using chat = await startWebhookChat();
  const bot = await chat.createBot("Echo");
  await sendDirect(chat, chat.member, [bot], "Hi");
  chat.server.answer = () => new Response("busy", { status: 503 });
  assert.equal((await chat.deliver()).length, 1);
  for (const seconds of [5, 30, 120, 600, 1800]) {
    const [waiting] = await chat.deliveries(bot);
    assert.deepEqual([waiting?.status, waiting?.error], ["waiting", "The answer has the status 503."]);
    chat.clock.time += seconds * SECOND_MS - 1;
    assert.deepEqual(await chat.deliver(), []);
    chat.clock.time += 1;
    assert.equal((await chat.deliver()).length, 1);
  }
  const [given] = await chat.deliveries(bot);
  assert.deepEqual([given?.status, given?.attempts, given?.http_status], ["failed", 6, 503]);
  chat.clock.time += 24 * 3600 * SECOND_MS;
  assert.deepEqual(await chat.deliver(), []);
  await sendDirect(chat, chat.member, [bot], "Again");
  chat.server.answer = () => new Response(null, { status: 429 });
  await chat.deliver();
  chat.server.answer = () => Response.json({ content: "At last" });
  chat.clock.time += 5 * SECOND_MS;
  await chat.deliver();
  const [delivered] = await chat.deliveries(bot);
  assert.deepEqual([delivered?.status, delivered?.attempts, delivered?.error], ["delivered", 2, null]);
  assert.deepEqual(await fetchContents(chat, chat.member, ["dm", bot.email]), ["Hi", "Again", "At last"]);
});

Deno.test("answers that hold no message are recorded and not repeated", async (t) => {
  await using chat = await startWebhookChat();
  const bot = await chat.createBot("Echo");
  const outcomes: [string, () => Response, string, string | null][] = [
    ["an empty body", () => new Response(null, { status: 204 }), "delivered", null],
    [
      "response_not_required",
      () => Response.json({ response_not_required: true, content: "no" }),
      "delivered",
      null,
    ],
    ["blank content", () => Response.json({ content: " " }), "delivered", null],
    ["another status", () => new Response(null, { status: 404 }), "failed", "The answer has the status 404."],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { location: chat.server.url } }),
      "failed",
      "The answer has the status 302.",
    ],
    ["text", () => new Response("ok"), "failed", "The answer is not a JSON object."],
    ["a number", () => Response.json({ content: 7 }), "failed", "The answer's content is not a text."],
    [
      "a long text",
      () => Response.json({ content: "x".repeat(10_001) }),
      "failed",
      "The answer's content is too long (limit: 10000 characters).",
    ],
    [
      "a large body",
      () => Response.json("x".repeat(140_000)),
      "failed",
      "The answer is larger than 128 KiB.",
    ],
  ];
  for (const [name, answer, status, error] of outcomes) {
    await t.step(name, async () => {
      chat.server.answer = answer;
      await sendDirect(chat, chat.member, [bot], "Hi");
      assert.equal((await chat.deliver()).length, 1);
      const [delivery] = await chat.deliveries(bot);
      assert.deepEqual([delivery?.status, delivery?.error], [status, error]);
      assert.equal(delivery?.answer_message_id, null);
    });
  }
  chat.clock.time += 3600 * SECOND_MS;
  assert.deepEqual(await chat.deliver(), []);
});

Deno.test("an answer that the bot may not post is recorded as a failure", async () => {
  await using chat = await startWebhookChat();
  const bot = await chat.createBot("Echo");
  const channel = await makeChannel(chat, "Garden", {
    can_send_message_group: { direct_members: [chat.member.id], direct_subgroups: [] },
  });
  chat.server.answer = () => Response.json({ content: "No" });
  await send(chat, chat.member, { to: channel, content: "@**Echo** hello" });
  await chat.deliver();
  const [delivery] = await chat.deliveries(bot);
  assert.deepEqual([delivery?.status, delivery?.error], [
    "failed",
    "The answer was not posted: Not authorized to send to channel 'Garden'",
  ]);
  await send(chat, chat.member, { to: channel, content: "@**Echo** hello again" });
  await chat.call(chat.owner, `PATCH /streams/${channel}`, { is_private: true });
  await chat.deliver();
  assert.deepEqual((await chat.deliveries(bot)).length, 1);
});

Deno.test("a message that waited for a day is no longer posted", async () => {
  await using chat = await startWebhookChat();
  const bot = await chat.createBot("Echo");
  await sendDirect(chat, chat.member, [bot], "Hi");
  chat.clock.time += 24 * 3600 * SECOND_MS;
  assert.deepEqual(await chat.deliver(), []);
  const [delivery] = await chat.deliveries(bot);
  assert.deepEqual([delivery?.status, delivery?.error], ["failed", "The message is too old."]);
});

Deno.test("an answer whose channel was made inaccessible while it was written is not posted", async () => {
  await using chat = await startWebhookChat();
  const bot = await chat.createBot("Echo");
  const channel = await makeChannel(chat, "Garden");
  chat.server.answer = async () => {
    await chat.call(chat.owner, `PATCH /streams/${channel}`, { is_private: true });
    return Response.json({ content: "Too late" });
  };
  await send(chat, chat.member, { to: channel, content: "@**Echo** hello" });
  assert.equal((await chat.deliver()).length, 1);
  const [delivery] = await chat.deliveries(bot);
  assert.equal(delivery?.status, "failed");
  assert.match(delivery?.error, /^The answer was not posted: Channel .* does not exist$/);
});

Deno.test("a slow address does not delay the messages of other bots", async () => {
  await using chat = await startWebhookChat();
  const [slow, quick] = [await chat.createBot("Slow"), await chat.createBot("Quick")];
  const release = Promise.withResolvers<Response>();
  chat.server.answer = ({ path }) =>
    path === "/slow" ? release.promise.then((response) => response.clone()) : Response.json({});
  const countOf = (path: string) => chat.server.received.filter((one) => one.path === path).length;
  chat.services.webhookSender.start();
  for (const text of ["1", "2", "3", "4"]) await sendDirect(chat, chat.member, [slow], text);
  await waitFor("the slow address has two requests", () => countOf("/slow") === 2);
  await sendDirect(chat, chat.member, [quick], "Hi");
  await waitFor("the other address has a request", () => countOf("/quick") === 1);
  assert.equal(countOf("/slow"), 2);
  release.resolve(Response.json({}));
  await waitFor("the slow address has all requests", () => countOf("/slow") === 4);
});
