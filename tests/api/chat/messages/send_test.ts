import assert from "node:assert/strict";
import {
  fetchMessageIds,
  makeChannel,
  send,
  sendDirect,
  startChat,
  toMessageIds,
} from "@/tests/casts/messages_cast.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { prepareUserContent } from "@/lib/chat/messages/prepare_content.ts";
import { sendMessage } from "@/lib/chat/messages/send_message.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { indexWords } from "@/tests/casts/word_index_cast.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

Deno.test("POST /messages sends to a channel, and GET returns every field", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  await chat.events();
  const content = `Hello **world**, @**Moderator|${chat.moderator.id}**`;
  const id = await send(chat, chat.member, { to: "garden", topic: " Plans ", content });
  const { body } = await chat.call(chat.owner, `GET /messages/${id}`);
  const { message } = body;
  assert.equal(body.raw_content, content);
  assert.match(message.content, /^<p>Hello <strong>world<\/strong>, <span class="user-mention" /);
  assert.deepEqual({ ...message, content: "" }, {
    id,
    avatar_url: null,
    client: "Unspecified",
    content: "",
    content_type: "text/html",
    display_recipient: "Garden",
    flags: [],
    is_me_message: false,
    reactions: [],
    recipient_id: message.recipient_id,
    sender_email: chat.member.email,
    sender_full_name: "Member",
    sender_id: chat.member.id,
    sender_realm_str: "",
    stream_id: channel,
    subject: "Plans",
    submessages: [],
    timestamp: Math.floor(chat.clock.time / 1000),
    topic_links: [],
    type: "stream",
  });
  const raw = await chat.call(chat.moderator, `GET /messages/${id}`, { apply_markdown: false });
  assert.deepEqual([raw.body.message.content, raw.body.message.content_type], [content, "text/x-markdown"]);
  assert.deepEqual(raw.body.message.flags, ["mentioned"]);
  const [event, ...others] = await chat.events();
  assert.deepEqual(event, { event: { type: "message", message_id: id }, audience: { channel } });
  // The mentioned user and the author follow the new topic.
  assert.deepEqual(others.map(({ event, audience }) => [event.type, audience]), [
    ["user_topic", [chat.moderator.id]],
    ["user_topic", [chat.member.id]],
  ]);
});

Deno.test("POST /messages sends a direct message that only its participants see", async () => {
  await using chat = await startChat();
  const first = await sendDirect(chat, chat.member, [chat.admin], "psst");
  const second = await sendDirect(chat, chat.admin, [chat.member], "yes?");
  const { body } = await chat.call(chat.admin, `GET /messages/${first}`);
  assert.equal(body.message.type, "private");
  assert.equal(body.message.subject, "");
  assert.deepEqual(
    body.message.display_recipient.map(({ id }: { id: number }) => id).sort(),
    [chat.member.id, chat.admin.id].sort(),
  );
  const other = (await chat.call(chat.member, `GET /messages/${second}`)).body.message;
  assert.equal(other.recipient_id, body.message.recipient_id);
  for (const user of [chat.owner, chat.moderator, chat.guest, chat.bot, chat.outsider]) {
    const { status, body } = await chat.call(user, `GET /messages/${first}`);
    assert.deepEqual([status, body.msg], [400, "Invalid message(s)"]);
  }
  const toSelf = await sendDirect(chat, chat.member, [chat.member], "note");
  assert.equal(
    (await chat.call(chat.member, `GET /messages/${toSelf}`)).body.message.display_recipient.length,
    1,
  );
  const byAddress = await chat.call(chat.member, "POST /messages", {
    type: "private",
    to: `${chat.admin.email}, ${chat.owner.email}`,
    content: "both",
  });
  assert.equal(byAddress.status, 200);
});

Deno.test("POST /messages refuses invalid messages and stores nothing", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const secret = await makeChannel(chat, "Secret", { invite_only: true, subscribers: [chat.owner.id] });
  const valid = { type: "channel", to: channel, topic: "t", content: "c" };
  const refusals: [string, Record<string, unknown>, string][] = [
    ["member", { ...valid, content: " \n " }, "Message must not be empty"],
    ["member", { ...valid, content: "x".repeat(10_001) }, "content is too long (limit: 10000 characters)"],
    ["member", { ...valid, topic: "x".repeat(61) }, "topic is too long (limit: 60 characters)"],
    ["member", { ...valid, type: "letter" }, "Invalid type: Value error, Not in the list of possible values"],
    ["member", { ...valid, to: 99_999 }, "Channel with ID '99999' does not exist"],
    ["member", { ...valid, to: "nowhere" }, "Channel 'nowhere' does not exist"],
    ["member", { ...valid, to: secret }, `Channel with ID '${secret}' does not exist`],
    ["outsider", valid, `Channel with ID '${channel}' does not exist`],
    ["guest", valid, `Channel with ID '${channel}' does not exist`],
    ["member", { type: "direct", to: [], content: "c" }, "Message must have recipients"],
    ["member", { type: "direct", to: [99_999], content: "c" }, "Invalid user ID 99999"],
    ["member", { type: "direct", to: ["x@example.com"], content: "c" }, "Invalid email 'x@example.com'"],
  ];
  for (const [user, params, msg] of refusals) {
    const person = user === "member" ? chat.member : user === "guest" ? chat.guest : chat.outsider;
    const { status, body } = await chat.call(person, "POST /messages", params);
    assert.deepEqual([status, body.msg], [400, msg]);
  }
  const unknown = async (to: unknown) => {
    const { body } = await chat.call(chat.member, "POST /messages", { ...valid, to });
    return [body.code, body.stream_id, body.stream];
  };
  assert.deepEqual(await unknown(secret), ["STREAM_DOES_NOT_EXIST", secret, undefined]);
  assert.deepEqual(await unknown("nowhere"), ["STREAM_DOES_NOT_EXIST", undefined, "nowhere"]);
  const missing = await chat.call(chat.member, "POST /messages", {
    type: "channel",
    to: channel,
    content: "c",
  });
  assert.deepEqual([missing.body.code, missing.body.var_name], ["REQUEST_VARIABLE_MISSING", "topic"]);
  assert.deepEqual(await fetchMessageIds(chat, chat.owner), []);
});

Deno.test("POST and PATCH /messages take the topic under its older name, but not under both", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const params = { type: "stream", to: channel, subject: "plans", content: "c" };
  const sent = await chat.call(chat.member, "POST /messages", params);
  assert.deepEqual([sent.status, sent.body.ignored_parameters_unsupported], [200, undefined]);
  const readTopic = async () =>
    (await chat.call(chat.owner, `GET /messages/${sent.body.id}`)).body.message.subject;
  assert.equal(await readTopic(), "plans");
  const moved = await chat.call(chat.member, `PATCH /messages/${sent.body.id}`, { subject: "news" });
  assert.deepEqual([moved.status, moved.body.ignored_parameters_unsupported], [200, undefined]);
  assert.equal(await readTopic(), "news");
  for (const endpoint of ["POST /messages", `PATCH /messages/${sent.body.id}`]) {
    const { status, body } = await chat.call(chat.member, endpoint, { ...params, topic: "both" });
    assert.deepEqual([status, body], [400, {
      result: "error",
      msg: "Can't decide between 'topic' and 'subject' arguments",
      code: "REQUEST_CONFUSING_VAR",
      var_name1: "topic",
      var_name2: "subject",
    }]);
  }
  assert.equal(await readTopic(), "news");
});

Deno.test("concurrent messages get ascending ids, and none is lost", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const ids = await Promise.all(
    Array.from(
      { length: 100 },
      (_, at) =>
        send(chat, at % 2 === 0 ? chat.member : chat.owner, {
          to: channel,
          topic: `t${at % 7}`,
          content: `no. ${at}`,
        }),
    ),
  );
  assert.equal(new Set(ids).size, 100);
  const asked = { anchor: "oldest", num_before: 0, num_after: 200 };
  const { body } = await chat.call(chat.moderator, "GET /messages", asked);
  const found = toMessageIds(body.messages);
  assert.deepEqual(found, ids.toSorted((one, other) => one - other));
  assert.deepEqual([body.found_oldest, body.found_newest], [true, true]);
});

Deno.test("a message with an empty topic is in general chat", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.member, { to: channel, topic: "general chat", content: "hi" });
  const shown = await chat.call(chat.owner, `GET /messages/${id}`);
  assert.equal(shown.body.message.subject, "general chat");
  const known = await chat.call(chat.owner, `GET /messages/${id}`, { allow_empty_topic_name: true });
  assert.equal(known.body.message.subject, "");
});

Deno.test("POST /messages keeps script in a message as text", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.member, {
    to: channel,
    content: "<script>alert(1)</script> [x](javascript:alert(1))",
  });
  const { body } = await chat.call(chat.owner, `GET /messages/${id}`);
  assert.doesNotMatch(body.message.content, /<script|href="javascript/);
});

Deno.test("POST /messages lets permitted users mention a group and flags its members", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const { body } = await chat.call(chat.owner, "POST /user_groups/create", {
    name: "gardeners",
    description: "",
    members: [chat.moderator.id],
    can_mention_group: { direct_members: [chat.member.id], direct_subgroups: [] },
  });
  const id = await send(chat, chat.member, { to: channel, content: "@*gardeners* rain!" });
  const flags = async (user: typeof chat.member) =>
    (await chat.call(user, `GET /messages/${id}`)).body.message.flags;
  assert.deepEqual(await flags(chat.moderator), ["mentioned"]);
  assert.deepEqual(await flags(chat.owner), []);
  const params = { type: "channel", to: channel, topic: "plans" };
  for (const [content, name] of [["@*gardeners* hi", "gardeners"], ["@*role:members* hi", "role:members"]]) {
    const refused = await chat.call(chat.owner, "POST /messages", { ...params, content });
    assert.deepEqual([refused.status, refused.body.msg], [
      400,
      `You are not allowed to mention user group '${name}'.`,
    ]);
  }
  const silent = await chat.call(chat.owner, "POST /messages", { ...params, content: "@_*gardeners* hi" });
  assert.equal(silent.status, 200);
  assert.ok(body.group_id > 0);
});

Deno.test("@**all** in a channel with more than 15 subscribers needs a permission", async () => {
  await using chat = await startChat();
  const others = await Promise.all(Array.from({ length: 12 }, (_, at) => chat.add(`reader${at}`)));
  const subscribers = [chat.owner, chat.member, chat.moderator, ...others].map(({ id }) => id);
  const to = await makeChannel(chat, "Garden", { subscribers });
  const post = (user: typeof chat.member, content: string) =>
    chat.call(user, "POST /messages", { type: "channel", to, topic: "plans", content });
  assert.equal((await post(chat.member, "@**all** of fifteen")).status, 200);
  await chat.call(chat.admin, "POST /users/me/subscriptions", { subscriptions: [{ name: "Garden" }] });
  const refusal = {
    result: "error",
    msg: "You do not have permission to use channel wildcard mentions in this channel.",
    code: "STREAM_WILDCARD_MENTION_NOT_ALLOWED",
  };
  for (const user of [chat.moderator, chat.member]) {
    const { status, body } = await post(user, "@**all** of sixteen");
    assert.deepEqual([status, body], [400, refusal]);
  }
  assert.equal((await post(chat.member, "@_**all** silently")).status, 200);
  assert.equal((await post(chat.admin, "@**all** of sixteen")).status, 200);
  const { body: { id } } = await post(chat.member, "plain");
  assert.deepEqual(
    (await chat.call(chat.member, `PATCH /messages/${id}`, { content: "@**everyone**" })).body,
    refusal,
  );
  const setting = { new: { direct_members: [chat.member.id], direct_subgroups: [] } };
  await chat.call(chat.admin, "PATCH /realm", { can_mention_many_users_group: setting });
  assert.equal((await post(chat.member, "@**all** of sixteen")).status, 200);
});

Deno.test("emoticons become emoji when their author enabled it", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const show = async (id: number) =>
    (await chat.call(chat.owner, `GET /messages/${id}`)).body.message.content;
  const plain = await send(chat, chat.member, { to: channel, content: "rain :)" });
  await chat.call(chat.member, "PATCH /settings", { translate_emoticons: true });
  const drawn = await send(chat, chat.member, { to: channel, content: "rain :)" });
  assert.equal(await show(plain), "<p>rain :)</p>");
  assert.match(await show(drawn), /class="emoji emoji-/);
  await chat.call(chat.member, `PATCH /messages/${plain}`, { content: "sun :)" });
  assert.match(await show(plain), /sun <span [^>]*class="emoji emoji-/);
});

Deno.test("POST /messages accepts the longest message of emoji only and shows most of it as text", async () => {
  await using chat = await startChat();
  const content = "🌱".repeat(10_000);
  const id = await sendDirect(chat, chat.member, [chat.admin], content);
  const { body } = await chat.call(chat.admin, `GET /messages/${id}`);
  assert.equal(body.raw_content, content);
  const [, text = ""] =
    /^<p>(?:<span [^>]*>:seedling:<\/span>)+((?:🌱)+)<\/p>$/u.exec(body.message.content) ?? [];
  const shown = body.message.content.match(/<span /g)?.length + text.length / "🌱".length;
  assert.ok(text.length > content.length / 2);
  assert.equal(shown, 10_000);
});

Deno.test("a message to a topic whose last message is deleted meanwhile creates the topic again", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "Garden");
  const last = await send(chat, chat.owner, { to, topic: "plans", content: "last" });
  const sender = await readUser(chat.services.chat, chat.realm.id, chat.owner.id);
  assert.ok(sender);
  let runs = 0;
  await sendMessage(chat.services.chat, {
    ...{ realm: chat.realm, sender, client: "Test" },
    target: { kind: "channel", channel: to, topic: "plans" },
    prepared: await prepareUserContent(chat.services.chat, { realm: chat.realm, author: sender }, "next"),
    alongside: async () => {
      // The message has found its topic, and is not committed yet.
      if (runs++ === 0) await succeed(chat, chat.owner, `DELETE /messages/${last}`);
    },
  });
  assert.equal(runs, 2);
  await indexWords(chat);
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});

Deno.test("64 messages to as many topics are checked by at most nine keys in a commit", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "Garden");
  const sendAll = () =>
    Promise.all(
      Array.from({ length: 64 }, (_, at) =>
        send(chat, chat.owner, { to, topic: `plans ${at}`, content: "Hello" })),
    );
  await sendAll();
  const { kv } = chat.services.store;
  const checks: number[] = [];
  const createAtomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const atomic = createAtomic();
    const check = atomic.check.bind(atomic);
    const at = checks.push(0) - 1;
    atomic.check = (...added) => {
      checks[at] = (checks[at] ?? 0) + added.length;
      return check(...added);
    };
    return atomic;
  };
  await sendAll();
  assert.ok(Math.max(...checks) <= 9, `checks: ${checks}`);
});
