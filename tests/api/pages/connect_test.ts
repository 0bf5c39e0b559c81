import assert from "node:assert/strict";
import { makeChannel } from "@/tests/casts/messages_cast.ts";
import { PASSWORD, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { signIn, visitPages } from "@/tests/helpers/pages.ts";

const PAGE = "/connect";
const ALIASES = '{"service_feature_level":"a","service_merge_base":"b","service_version":"c"}';

async function latestMessage(chat: TestChat, user: TestUser) {
  const { body } = await chat.call(user, "GET /messages", { anchor: "newest", num_before: 1, num_after: 0 });
  return body["messages"].at(-1);
}

/** Returns the problem at each field of a page. */
function problemsIn(html: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...html.matchAll(/<p id="(?:message-)?(\w+)-problem"[^>]*>([^<]*)</g)].map((
      [, name = "", text = ""],
    ) => [name, text]),
  );
}

Deno.test("every role opens the page with its own address, and nobody else does", async () => {
  await using chat = await startChat();
  for (const user of [chat.owner, chat.admin, chat.moderator, chat.member, chat.guest]) {
    const { status, html, headers } = await (await signIn(chat, user)).get(PAGE);
    assert.equal(status, 200);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.match(html, /<h1>Connect an app<\/h1>/);
    for (const text of ["http://localhost:8000", user.email, "This address works on this computer only."]) {
      assert.ok(html.includes(text), `${user.email}: ${text}`);
    }
    assert.ok(!html.includes(user.apiKey));
    assert.equal(html.includes("/docs/configuration#server"), user === chat.owner || user === chat.admin);
  }
  const stranger = visitPages(chat);
  const login = "/login?next=%2Fconnect%3Fjoined%3D1";
  assert.equal((await stranger.get(`${PAGE}?joined=1`)).location, login);
  for (const action of ["send_message", "show_key", "download_key"]) {
    const { status, location } = await stranger.post(PAGE, { action });
    assert.deepEqual([status, location], [303, "/login?next=%2Fconnect"], action);
  }
});

Deno.test("a person who has just joined is welcomed", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.guest);
  assert.match((await visitor.get(`${PAGE}?joined=1`)).html, /<h1>Welcome to Gardeners<\/h1>/);
});

Deno.test("the page and the account page link to each other", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.member);
  assert.match((await visitor.get("/account")).html, /href="\/connect"/);
  assert.match((await visitor.get(PAGE)).html, /href="\/account"/);
});

Deno.test("a message is sent to a channel as by the API, and the page says so", async () => {
  await using chat = await startChat();
  const garden = await makeChannel(chat, "garden", { subscribers: [chat.member.id] });
  const visitor = await signIn(chat, chat.member);
  const form = { action: "send_message", channel: String(garden), topic: "hello", content: "**Here**" };
  const sent = await visitor.post(PAGE, form);
  assert.deepEqual([sent.status, sent.location], [303, `${PAGE}?sent=${garden}`]);
  assert.match((await visitor.get(sent.location ?? "")).html, /Message sent to #garden\./);
  const { client, subject, content, sender_id } = await latestMessage(chat, chat.member);
  assert.deepEqual(
    [client, subject, content, sender_id],
    ["website", "hello", "<p><strong>Here</strong></p>", chat.member.id],
  );
});

Deno.test("all problems of the message are shown at once, each at its field, and input is kept", async () => {
  await using chat = await startChat();
  const garden = await makeChannel(chat, "garden", { subscribers: [chat.member.id] });
  const other = await makeChannel(chat, "other", { subscribers: [chat.owner.id] });
  const visitor = await signIn(chat, chat.member);
  const send = (fields: Record<string, string>) =>
    visitor.post(PAGE, {
      action: "send_message",
      channel: String(garden),
      topic: "a",
      content: "b",
      ...fields,
    });
  const refused = await send({ channel: String(other), topic: "x".repeat(61), content: " " });
  assert.equal(refused.status, 400);
  assert.deepEqual(problemsIn(refused.html), {
    channel: "Choose one of your channels.",
    topic: "Topic is too long (limit: 60 characters)",
    content: "Message must not be empty",
  });
  assert.ok(refused.html.includes("x".repeat(61)));
  assert.match(refused.html, /<title>Not sent · Sotto<\/title>/);
  const long = await send({ content: "y".repeat(10_001) });
  assert.deepEqual(Object.keys(problemsIn(long.html)), ["content"]);
  const plain = await makeChannel(chat, "plain", { topics_policy: "empty_topic_only" });
  const { html } = await send({ channel: String(plain) });
  assert.deepEqual(problemsIn(html), { topic: "Only the general chat topic is allowed in this channel." });
  assert.equal((await visitor.post(PAGE, { action: "else" })).status, 400);
  assert.notEqual((await latestMessage(chat, chat.member)).client, "website");
});

Deno.test("messages of the page count towards the limit of the account", async () => {
  await using chat = await startChat({ env: { RATE_LIMITS: '{"api_user":{"points":1,"seconds":60}}' } });
  const visitor = await signIn(chat, chat.member);
  const send = () => visitor.post(PAGE, { action: "send_message", channel: "1", topic: "a", content: "b" });
  assert.equal((await send()).status, 400);
  assert.equal((await send()).status, 429);
});

Deno.test("a form of another site sends nothing and shows no key", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.member);
  for (const action of ["send_message", "show_key"]) {
    const foreign = { "sec-fetch-site": "cross-site" };
    const { status, html } = await visitor.post(PAGE, { action, password: PASSWORD }, foreign);
    assert.equal(status, 400);
    assert.ok(!html.includes(chat.member.apiKey));
  }
});

Deno.test("the key is shown after the password, in the steps too", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.guest);
  const wrong = await visitor.post(PAGE, { action: "show_key", password: "wrong" });
  assert.equal(wrong.status, 401);
  assert.deepEqual(Object.keys(problemsIn(wrong.html)), ["password"]);
  const shown = await visitor.post(PAGE, { action: "show_key", password: PASSWORD });
  assert.equal(shown.status, 200);
  assert.ok(shown.html.includes(`key=${chat.guest.apiKey}`));
  const file = await visitor.post(PAGE, { action: "download_key", password: PASSWORD });
  assert.match(file.headers.get("content-disposition") ?? "", /^attachment/);
  assert.equal((await visitor.post(PAGE, { action: "rotate_key", password: PASSWORD })).status, 400);
});

Deno.test("programs that need other names of fields say so until the server has them", async () => {
  const isNamed = async (env: Record<string, string>) => {
    await using chat = await startChat({ env });
    return (await (await signIn(chat, chat.member)).get(PAGE)).html.includes("not yet on this server");
  };
  assert.ok(await isNamed({}));
  assert.ok(!await isNamed({ COMPATIBILITY_ALIASES: ALIASES }));
});
