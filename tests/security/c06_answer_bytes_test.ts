import assert from "node:assert/strict";
import { sendEvent } from "@/lib/chat/organization/events/send_events.ts";
import { transact } from "@/lib/store/transact.ts";
import { makeChannel, send, startChat } from "@/tests/casts/messages_cast.ts";
import { seedMessages } from "@/tests/casts/many_messages_cast.ts";
import { measurePeakGrowth } from "@/tests/helpers/peak_memory.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { type ApiResponse, basic, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";

const MIB = 1024 * 1024;
/** Longest answer of messages, and room for the message that exceeds it. */
const MAX_ANSWER = 9 * MIB;
/** HTML of 10,000 characters of emoji, as versions up to 0.5 stored it. */
const OLD_HTML = `<p>${
  '<span aria-label="+1" class="emoji emoji-1f44d" role="img" title="+1">:+1:</span>'.repeat(2500)
}</p>`;
const LENGTH = 10_000;
/** Requests for large answers at the same time. */
const READERS = 12;
/** Memory that they may take: 485 MiB on an idle machine, more on a busy one, which collects garbage late. */
const MAX_GROWTH = READERS * 9 * MAX_ANSWER;
/** Secret of the seeded store, so that the server accepts the keys that were derived from it. */
const SECRET_KEY = "7".repeat(64);

Deno.test("C6: text whose HTML would be many times longer stays text beyond a limit", async () => {
  await using chat = await startChat();
  await chat.call(chat.owner, "POST /channels/create", { name: "a", subscribers: [chat.member.id] });
  for (
    const unit of [":+1:", "😀", ":) ", `@**|${chat.owner.id}**`, "#**a**", "<time:2026-01-01T00:00:00Z>"]
  ) {
    const content = unit.repeat(Math.floor(LENGTH / unit.length));
    const { rendered } = await succeed(chat, chat.member, "POST /messages/render", { content });
    assert.ok(rendered.length < 10 * LENGTH, `${unit}: ${rendered.length}`);
    const { rendered: alone } = await succeed(chat, chat.member, "POST /messages/render", { content: unit });
    // The beginning is as in a short message.
    assert.ok(rendered.startsWith(alone.slice(0, alone.length - "</p>".length).trimEnd()), unit);
  }
});

Deno.test("C6: a mention that stays text notifies no one", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "Garden");
  const content = `${":+1:".repeat(2400)} @**|${chat.owner.id}**`;
  const id = await send(chat, chat.member, { to, content });
  const { message } = await succeed(chat, chat.owner, `GET /messages/${id}`);
  assert.deepEqual(message.flags, []);
  assert.match(message.content, /:\+1: @\*\*\|\d+\*\*<\/p>$|:\+1: @<strong>/);
});

/** Stores messages of the member with the HTML that old versions stored, and returns their ids. */
async function seedOldMessages({ services, realm, member }: TestChat, channelId: number, count: number) {
  const target = { store: services.store, realmId: realm.id, channelId, senderId: member.id };
  return await seedMessages(target, Array.from({ length: count }, () => ({ html: OLD_HTML })));
}

/** Sends the event that sending a stored message sends. */
async function sendMessageEvent({ services, realm, clock }: TestChat, channelId: number, id: number) {
  await transact(services.store, (tx) => {
    const event = { type: "message", message_id: id };
    sendEvent(tx, { realmId: realm.id, now: clock.now() }, { event, audience: { channel: channelId } });
    return Promise.resolve();
  });
}

interface Page extends ApiResponse {
  readonly ids: readonly number[];
  readonly bytes: number;
}

async function fetchPage(chat: TestChat, params: Record<string, unknown>): Promise<Page> {
  const response = await chat.call(chat.owner, "GET /messages", params);
  const { body } = response;
  const ids = (body.messages ?? []).map(({ id }: { id: number }) => id);
  return { ...response, ids, bytes: new TextEncoder().encode(JSON.stringify(body)).length };
}

Deno.test("C6: an answer of GET /messages has a limit of bytes, and a client that pages gets every message once", async () => {
  await using chat = await startChat();
  const channelId = await makeChannel(chat, "Garden");
  const ids = await seedOldMessages(chat, channelId, 100);
  const narrow = [["channel", channelId]];
  for (const direction of ["num_after", "num_before"]) {
    const paged: number[] = [];
    let anchor: unknown = direction === "num_after" ? "oldest" : "newest";
    let pages = 0;
    for (let isEnd = false; !isEnd;) {
      const asked = { anchor, num_before: 0, num_after: 0, include_anchor: false, [direction]: 1000 };
      const page = await fetchPage(chat, { narrow, ...asked });
      assert.equal(page.status, 200);
      assert.ok(page.bytes < MAX_ANSWER, `${page.bytes} bytes`);
      isEnd = page.body[direction === "num_after" ? "found_newest" : "found_oldest"];
      assert.equal(page.body.history_limited, false);
      if (direction === "num_after") paged.push(...page.ids);
      else paged.unshift(...page.ids);
      anchor = direction === "num_after" ? page.ids.at(-1) : page.ids[0];
      pages++;
    }
    // The channel begins with the notice of its creation.
    assert.deepEqual(paged.slice(-ids.length), ids);
    assert.ok(pages > 2, `${pages} pages`);
  }
});

Deno.test("C6: both sides of the anchor are shortened alike, and one uses what the other leaves", async () => {
  await using chat = await startChat();
  const channelId = await makeChannel(chat, "Garden");
  const ids = await seedOldMessages(chat, channelId, 100);
  const around = async (at: number, params: Record<string, unknown> = {}) => {
    const anchor = ids[at] ?? 0;
    const asked = { anchor, num_before: 500, num_after: 500, narrow: [["channel", channelId]], ...params };
    const page = await fetchPage(chat, asked);
    const { found_oldest, found_newest, found_anchor } = page.body;
    assert.ok(page.bytes < MAX_ANSWER);
    return {
      found: [found_oldest, found_anchor, found_newest],
      hasAnchor: page.ids.includes(anchor),
      before: page.ids.filter((id) => id < anchor).length,
      after: page.ids.filter((id) => id > anchor).length,
    };
  };
  const middle = await around(50);
  assert.deepEqual([middle.hasAnchor, middle.found], [true, [false, true, false]]);
  assert.ok(Math.abs(middle.before - middle.after) <= 2, JSON.stringify(middle));
  const late = await around(95);
  assert.deepEqual([late.after, late.found], [4, [false, true, true]]);
  assert.ok(late.before > middle.before + 10, JSON.stringify(late));
  const early = await around(4);
  assert.deepEqual([early.found], [[true, true, false]]);
  assert.ok(early.after > middle.after + 10, JSON.stringify(early));
  assert.equal((await around(50, { include_anchor: false })).hasAnchor, false);
});

Deno.test("C6: messages by id are refused where they exceed the limit", async () => {
  await using chat = await startChat();
  const channelId = await makeChannel(chat, "Garden");
  const ids = await seedOldMessages(chat, channelId, 60);
  const { status, body } = await chat.call(chat.owner, "GET /messages", { message_ids: ids });
  assert.deepEqual([status, body.msg], [
    400,
    "These messages are too large for one request. Request fewer.",
  ]);
  assert.deepEqual((await fetchPage(chat, { message_ids: ids.slice(0, 20) })).ids, ids.slice(0, 20));
});

Deno.test("C6: matches of a narrow are refused where they exceed the limit", async () => {
  await using chat = await startChat();
  const channelId = await makeChannel(chat, "Garden");
  const ids = await seedOldMessages(chat, channelId, 60);
  const match = (msg_ids: readonly number[]) =>
    chat.call(chat.owner, "GET /messages/matches_narrow", { msg_ids, narrow: [["channel", channelId]] });
  assert.equal((await match(ids)).status, 400);
  assert.equal(Object.keys((await match(ids.slice(0, 20))).body.messages).length, 20);
});

Deno.test("C6: an answer of GET /events has a limit of bytes, and the next one continues", async () => {
  await using chat = await startChat();
  const channelId = await makeChannel(chat, "Garden");
  const asked = { event_types: ["message"], apply_markdown: true };
  const { queue_id } = await succeed(chat, chat.owner, "POST /register", asked);
  const ids = await seedOldMessages(chat, channelId, 60);
  for (const id of ids) await sendMessageEvent(chat, channelId, id);
  const received: number[] = [];
  let answers = 0;
  for (let last_event_id = -1; received.length < ids.length; answers++) {
    const body = await succeed(chat, chat.owner, "GET /events", {
      queue_id,
      last_event_id,
      dont_block: true,
    });
    assert.ok(JSON.stringify(body).length < 11 * MIB);
    assert.ok(body.events.length > 0);
    received.push(...body.events.map(({ message }: { message: { id: number } }) => message.id));
    last_event_id = body.events.at(-1).id;
  }
  assert.deepEqual(received, ids);
  assert.ok(answers > 1);
});

Deno.test("C6: the history of a message leaves out what exceeds the limit", async () => {
  await using chat = await startChat();
  const channelId = await makeChannel(chat, "Garden");
  const target = { store: chat.services.store, realmId: chat.realm.id, channelId, senderId: chat.owner.id };
  const [id = 0] = await seedMessages(target, [{ html: OLD_HTML }]);
  // 46 versions of OLD_HTML exceed the limit.
  const MOVES = 45;
  for (let at = 0; at < MOVES; at++) {
    const topic = { topic: `plans ${at}`, send_notification_to_new_thread: false };
    await succeed(chat, chat.owner, `PATCH /messages/${id}`, topic);
  }
  const { message_history } = await succeed(chat, chat.owner, `GET /messages/${id}/history`);
  assert.equal(message_history.length, MOVES + 1);
  assert.ok(JSON.stringify(message_history).length < MAX_ANSWER);
  assert.equal(message_history.at(-1).rendered_content, OLD_HTML);
  assert.equal(message_history[1].rendered_content, "");
});

Deno.test("C6: concurrent requests for large answers do not exhaust memory", async () => {
  await using folder = await createTestFolder();
  const path = `${folder.path}/sotto.kv`;
  const owner = await seedStore(path);
  await using server = await TestServer.start({ folder: folder.path, env: { SECRET_KEY } });
  const headers = { authorization: basic(owner.email, owner.apiKey) };
  const fetchAll = async () => {
    const query = "anchor=oldest&num_before=0&num_after=1200";
    const { body } = await server.fetch(`/api/v1/messages?${query}`, { headers });
    let bytes = 0;
    for await (const piece of body ?? []) bytes += piece.length;
    assert.ok(bytes > MIB && bytes < MAX_ANSWER, `${bytes} bytes`);
  };
  const growth = await measurePeakGrowth(
    server.pid,
    () => Promise.all(Array.from({ length: READERS }, fetchAll)),
  );
  assert.ok(growth < MAX_GROWTH, `memory grew by ${Math.round(growth / MIB)} MiB`);
});

/** Fills a new store with 300 messages of OLD_HTML and returns the credentials of the owner. */
async function seedStore(path: string): Promise<TestUser> {
  await using chat = await startChat({ env: { KV_URL: path, SECRET_KEY } });
  const channelId = await makeChannel(chat, "Garden");
  await seedOldMessages(chat, channelId, 300);
  return chat.owner;
}
