import assert from "node:assert/strict";
import { makeChannel, send } from "@/tests/casts/messages_cast.ts";
import { createOpenChannel, startOpenChat } from "@/tests/casts/spectator_cast.ts";
import { ApiDescription, sendWalked } from "@/tests/helpers/api_walk.ts";
import { basic, startChat, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";

/** 4,000 bytes of UTF-8: twice what a key of the store can hold. */
const EMOJI = "😀".repeat(1000);
/** More letters than a key of the store can hold. */
const LETTERS = "a".repeat(10_000);
const NEWEST = { anchor: "newest", num_before: 1, num_after: 0 };

/** Sends a request together with ordinary ones of another organization, which must succeed. */
async function callAmongOthers(
  chat: TestChat,
  caller: TestUser | null,
  [endpoint, params]: [endpoint: string, params: TestParams],
) {
  const others = () =>
    Array.from({ length: 10 }, () => chat.call(chat.outsider, "GET /messages", { ...NEWEST, narrow: [] }));
  const [before, answer, after] = await Promise.all([
    Promise.all(others()),
    chat.call(caller, endpoint, params),
    Promise.all(others()),
  ]);
  assert.deepEqual(new Set([...before, ...after].map(({ status }) => status)), new Set([200]));
  return [answer.status, answer.body.code, answer.body.msg];
}

Deno.test("C1: a channel name of 2,000 characters in a narrow is refused and no other request fails", async () => {
  await using chat = await startOpenChat();
  await createOpenChannel(chat, "Garden");
  for (const name of [EMOJI, "a".repeat(2000), "a".repeat(61), "😀".repeat(61)]) {
    const narrow = [["channel", name], ["channels", "web-public"]];
    for (const caller of [null, chat.member, chat.guest]) {
      const answer = await callAmongOthers(chat, caller, ["GET /messages", { ...NEWEST, narrow }]);
      assert.deepEqual(answer, [400, "BAD_NARROW", "Invalid narrow operator: unknown channel"]);
    }
  }
});

Deno.test("C1: a topic of 2,000 characters in a narrow matches nothing and no other request fails", async () => {
  await using chat = await startOpenChat();
  const channel = await createOpenChannel(chat, "Garden");
  for (const topic of [EMOJI, "a".repeat(2000)]) {
    for (const narrow of [[["topic", topic]], [["channel", channel], ["topic", topic]]]) {
      const params = { ...NEWEST, narrow };
      assert.deepEqual(await callAmongOthers(chat, chat.member, ["GET /messages", params]), [
        200,
        undefined,
        "",
      ]);
      const { body } = await chat.call(chat.member, "GET /messages", params);
      assert.deepEqual(body.messages, []);
    }
  }
});

Deno.test("C1: a narrow by 500 participants matches nothing and no other request fails", async () => {
  await using chat = await startChat();
  const users = Array.from({ length: 500 }, (_, no) => 1_000_000_000_000 + no);
  const narrow = [["dm", users]];
  const answer = await callAmongOthers(chat, chat.member, ["GET /messages", { ...NEWEST, narrow }]);
  assert.deepEqual(answer, [200, undefined, ""]);
});

Deno.test("C1: a message to a channel name of 1,000 emoji is refused and no other message fails", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const sendTo = (to: unknown) =>
    chat.call(chat.member, "POST /messages", { type: "channel", to, topic: "plans", content: "hi" });
  for (const name of [EMOJI, LETTERS]) {
    const answers = await Promise.all([channel, name, channel, [name], channel].map(sendTo));
    assert.deepEqual(answers.map(({ status }) => status), [200, 400, 200, 400, 200]);
    assert.equal(answers[1]?.body.msg, `Channel '${name}' does not exist`);
    const direct = await callAmongOthers(chat, chat.member, [
      "POST /messages",
      { type: "direct", to: [name], content: "hi" },
    ]);
    assert.deepEqual(direct, [400, "BAD_REQUEST", `Invalid email '${name}'`]);
  }
});

Deno.test("C1: mentions of long names stay text and no other request fails", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const long = "😀".repeat(900);
  const content = [`#**${long}**`, `@**${long}**`, `@*${long}*`, `#**${long}>${long}**`, `:${long}:`].join(
    "\n",
  );
  const [status] = await callAmongOthers(chat, chat.member, ["POST /messages/render", { content }]);
  assert.equal(status, 200);
  await send(chat, chat.member, { to: channel, content });
});

Deno.test("C1: a host label of 2,500 characters belongs to no organization and no other request fails", async () => {
  await using chat = await startChat();
  const hosts = [`${"a".repeat(2500)}.localhost:8000`, `${"a.".repeat(1250)}localhost:8000`];
  const paths = ["/", "/login", "/stats", "/api/v1/server_settings", "/api/v1/messages", "/join/x"];
  for (const host of hosts) {
    for (const path of paths) {
      const authorization = basic(chat.member.email, chat.member.apiKey);
      const [long, other] = await Promise.all([
        chat.request(path, { headers: { authorization } }, host),
        chat.call(chat.member, "GET /users/me"),
      ]);
      assert.ok(long.status < 500, `${path} ${long.status}`);
      assert.equal(other.status, 200);
      await long.body?.cancel();
    }
  }
});

Deno.test("C1: paths, credentials and cookies of any length never fail on the server's side", async () => {
  await using chat = await startChat();
  for (const text of [EMOJI, "a".repeat(3000), LETTERS]) {
    const sent = encodeURIComponent(text);
    const paths = [
      ...[`/${sent}`, `/${sent}/stats`, `/${sent}?visit=false`],
      ...[`/join/${sent}`, `/reset-password/${sent}`, `/confirm-email/${sent}`, `/setup?token=${sent}`],
      ...[
        `/avatar/1/${sent}`,
        `/emoji/1/${sent}`,
        `/user_uploads/1/${sent}`,
        `/user_uploads/1/00/${sent}/a.png`,
        `/user_uploads/thumbnail/1/00/${sent}/a.png/840x560.webp`,
        `/user_uploads/thumbnail/1/00/a.png/${sent}`,
      ],
      ...[`/user_uploads/temporary/${sent}/a.png`, `/api/v1/tus/${sent}`, `/admin/links/${sent}`],
    ];
    const headers: HeadersInit[] = [
      {},
      { authorization: basic(chat.owner.email, chat.owner.apiKey) },
      { authorization: basic(text, chat.owner.apiKey), "user-agent": LETTERS },
      { authorization: basic(chat.owner.email, text) },
      { cookie: `session=${sent}; __Host-session=${sent}; flash=${sent}` },
    ];
    for (const path of paths) {
      for (const each of headers) {
        const response = await chat.request(path, { headers: each });
        assert.ok(response.status < 500, `${path.slice(0, 40)} ${response.status}`);
        await response.body?.cancel();
      }
    }
  }
});

Deno.test("C1: no operation of /openapi.json fails with a text parameter of 1,000 emoji or 10,000 letters", async () => {
  await using chat = await startOpenChat();
  const description = await ApiDescription.read();
  const stream_id = await createOpenChannel(chat, "Garden");
  const message_id = await send(chat, chat.owner, { to: stream_id, content: "hello" });
  const usual = {
    ...{ stream_id, message_id, user_id: chat.member.id, user: chat.member.id, bot_id: chat.bot.id },
    ...{ to: stream_id, muted_user_id: chat.member.id, principals: [chat.member.id], anchor: "newest" },
    subscriptions: [{ name: "Garden" }],
  };
  for (const text of [EMOJI, LETTERS]) {
    const requests = description.listRequests("text", { text, integer: 1 }, usual);
    assert.ok(requests.length > 150, `${requests.length} requests`);
    const problems: string[] = [];
    for (const walked of requests) {
      for (const caller of [chat.owner, null]) {
        const { status, body } = await sendWalked(chat, caller, walked);
        await body?.cancel();
        const { method, path } = walked.operation;
        if (status >= 500) problems.push(`${method} ${path} ${walked.probed}: ${status}`);
      }
    }
    assert.deepEqual(problems, []);
  }
  assert.equal((await chat.call(chat.owner, "GET /users/me")).status, 200);
  assert.equal(chat.services.store.tally.failures, 0);
});
