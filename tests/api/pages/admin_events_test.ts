// GET /admin/events
import assert from "node:assert/strict";
import { CLIENT_CAPABILITIES } from "@/lib/chat/register/queue.ts";
import { deactivateRealm } from "@/lib/chat/organizations/deactivate.ts";
import { MAX_WAITING, MAX_WAITING_PER_USER } from "@/lib/chat/event_queues/hub.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { listen } from "@/tests/api/chat/events_cast.ts";
import { makeChannel, send } from "@/tests/api/chat/messages_cast.ts";
import { type Person, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { StreamReader } from "@/tests/helpers/event_stream.ts";
import { type PageVisitor, signIn, visitPages } from "@/tests/helpers/pages.ts";
import { waitFor } from "@/tests/helpers/wait.ts";

const HOUR = 60 * 60_000;
const OTHER_HOST = "other.localhost:8000";

/** Asks for the stream with somebody's session. */
function ask(
  chat: TestChat,
  visitor: PageVisitor,
  { query = "", method = "GET", headers = {}, host }: {
    query?: string;
    method?: string;
    headers?: Record<string, string>;
    host?: string;
  } = {},
): Promise<Response> {
  const cookie = `sotto_session=${visitor.token()}`;
  return chat.request(`/admin/events${query}`, { method, headers: { cookie, ...headers } }, host);
}

async function open(chat: TestChat, visitor: PageVisitor, query = ""): Promise<StreamReader> {
  const stream = new StreamReader(await ask(chat, visitor, { query }));
  assert.equal((await stream.any())?.type, "here");
  return stream;
}

async function resume(chat: TestChat, visitor: PageVisitor, id: string, query = ""): Promise<StreamReader> {
  return new StreamReader(await ask(chat, visitor, { query, headers: { "last-event-id": id } }));
}

async function makeFolder(chat: TestChat, name: string, who: Person = chat.owner): Promise<void> {
  const { status } = await chat.call(who, "POST /channel_folders/create", { name, description: "" });
  assert.equal(status, 200);
}

/** Waits until no request waits any more. */
async function emptied({ services: { events, status } }: TestChat): Promise<void> {
  const isMet = ([inHub, inStatus]: number[]) => inHub === 0 && inStatus === 0;
  await waitFor("no request waits", () => [events.waiting, status.waiting], { isMet });
}

Deno.test("GET /admin/events is for administrators who are signed in, and their own pages", async () => {
  await using chat = await startChat();
  const stranger = await visitPages(chat).get("/admin/events");
  assert.deepEqual([stranger.status, stranger.location], [303, "/login?next=%2Fadmin%2Fevents"]);
  for (const who of [chat.moderator, chat.member, chat.guest]) {
    const refused = await ask(chat, await signIn(chat, who));
    assert.equal(refused.status, 403);
    await refused.body?.cancel();
  }
  const outsider = await signIn(chat, chat.outsider);
  const elsewhere = await ask(chat, outsider);
  assert.equal(elsewhere.status, 303);
  const visitor = await signIn(chat, chat.admin);
  for (
    const headers of [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }, {
      origin: "https://evil.example",
    }]
  ) {
    const refused = await ask(chat, visitor, { headers });
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /These events are told to the pages of this site\./);
  }
  for (const headers of [{}, { "sec-fetch-site": "same-origin" }, { origin: "http://localhost:8000" }]) {
    const stream = new StreamReader(await ask(chat, visitor, { headers }));
    assert.equal((await stream.any())?.type, "here");
    await stream.leave();
  }
  await emptied(chat);
});

Deno.test("/admin/events answers HEAD and OPTIONS, and refuses other methods", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const head = await ask(chat, visitor, { method: "HEAD" });
  assert.deepEqual([head.status, head.body, head.headers.get("content-type")], [
    200,
    null,
    "text/event-stream",
  ]);
  assert.equal(head.headers.get("cache-control"), "no-store");
  assert.equal(head.headers.get("x-accel-buffering"), "no");
  const options = await ask(chat, visitor, { method: "OPTIONS" });
  assert.deepEqual([options.status, options.headers.get("allow")], [204, "GET, HEAD, OPTIONS"]);
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const refused = await ask(chat, visitor, { method });
    assert.deepEqual([refused.status, refused.headers.get("allow")], [405, "GET, HEAD, OPTIONS"], method);
    await refused.body?.cancel();
  }
  assert.equal(chat.services.events.waiting, 0);
});

Deno.test("a stream tells what a client with all capabilities is told by GET /events, with the same ids", async () => {
  await using chat = await startChat();
  const client_capabilities = Object.fromEntries(CLIENT_CAPABILITIES.map((name) => [name, true]));
  const client = await listen(chat, chat.admin, { client_capabilities });
  const stream = await open(chat, await signIn(chat, chat.admin));
  await client.hear();
  const to = await makeChannel(chat, "roses", { subscribers: [chat.admin.id, chat.member.id] });
  const secret = await makeChannel(chat, "secret", { invite_only: true });
  await send(chat, chat.member, { to, content: "Hello, @**Admin**" });
  await send(chat, chat.member, { to: secret, content: "not for all" });
  // Not of who sent a message: what is told of that is as it is when it is told.
  await chat.call(chat.moderator, "PATCH /settings", { full_name: "Mo Derator", color_scheme: 2 });
  await chat.call(chat.owner, "POST /invites", { invitee_emails: "new@example.com", stream_ids: [] });
  await chat.call(chat.owner, "POST /user_groups/create", { name: "pruners", description: "", members: [] });
  await makeFolder(chat, "Beds");
  await chat.call(chat.outsider, "POST /channel_folders/create", { name: "Elsewhere", description: "" });
  await chat.call(chat.owner, "PATCH /realm", { description: "Of gardens" });
  const events = await client.hear();
  assert.ok(events.length > 8, `${events.length}`);
  assert.ok(events.some(({ type }) => type === "message"));
  assert.deepEqual(await stream.take(events.length), events);
  assert.ok(!JSON.stringify(events).includes("Elsewhere") && !JSON.stringify(events).includes("not for all"));
  await stream.leave();
});

Deno.test("what was done is said on the next page, though a stream is opened before", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const cookie = `sotto_session=${visitor.token()}; sotto_done=Done.`;
  const stream = new StreamReader(await ask(chat, visitor, { headers: { cookie } }));
  assert.deepEqual(stream.response.headers.getSetCookie(), []);
  await stream.leave();
  const page = await chat.request("/admin", { headers: { cookie } });
  assert.match(await page.text(), /Done\./);
  assert.match(page.headers.getSetCookie().join(), /sotto_done=;/);
});

Deno.test("a stream is narrowed to types and to what a page shows", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const typed = await open(chat, visitor, '?types=["user_group"]');
  const page = await open(chat, visitor, `?page=/admin/users/${chat.member.id}`);
  const both = await open(
    chat,
    visitor,
    '?page=/admin/channel-folders&types=["channel_folder","user_group"]',
  );
  await chat.call(chat.guest, "PATCH /settings", { full_name: "Gu Est" });
  await makeFolder(chat, "Beds");
  await chat.call(chat.member, "PATCH /settings", { full_name: "Mem Ber" });
  const params = { name: "pruners", description: "", members: [chat.member.id] };
  await chat.call(chat.owner, "POST /user_groups/create", params);
  assert.deepEqual((await typed.take(1)).map(({ type }) => type), ["user_group"]);
  assert.deepEqual((await both.take(1)).map(({ type }) => type), ["channel_folder"]);
  const [event] = await page.take(1);
  assert.deepEqual(event.person, { user_id: chat.member.id, full_name: "Mem Ber" });
  for (
    const query of [
      "?types=x",
      "?types=[1]",
      "?page=/admin/nothing",
      "?page=/admin/users/%25E0%25A4%25A",
      "?page=/admin/users/new",
    ]
  ) {
    const refused = await ask(chat, visitor, { query });
    assert.equal(refused.status, 400, query);
    await refused.body?.cancel();
  }
  await Promise.all([typed, page, both].map((stream) => stream.leave()));
});

Deno.test("who comes back with the last id is told what came since, each once and in order", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const first = await open(chat, visitor);
  for (const name of ["one", "two", "three"]) await makeFolder(chat, name);
  const told = await first.take(2);
  const { last } = first;
  await first.leave();
  for (let number = 0; number < 30; number++) await makeFolder(chat, `number ${number}`);
  const names = ["three", ...Array.from({ length: 30 }, (_, number) => `number ${number}`)];
  const byHeader = await resume(chat, visitor, last);
  const heard = await byHeader.take(31);
  assert.deepEqual(heard.map(({ channel_folder: { name } }) => name), names);
  assert.ok(heard.every(({ id }, at) => id > (heard[at - 1]?.id ?? told[1].id)));
  const byQuery = new StreamReader(await ask(chat, visitor, { query: `?last_event_id=${heard[29]?.id}` }));
  assert.deepEqual((await byQuery.take(1)).map(({ channel_folder: { name } }) => name), ["number 29"]);
  // A browser that goes on by itself has both; its own is the newer one.
  const both = await resume(chat, visitor, String(heard[28]?.id), `?last_event_id=${last}`);
  assert.deepEqual((await both.take(2)).map(({ id }) => id), [heard[29]?.id, heard[30]?.id]);
  await makeFolder(chat, "last");
  for (const stream of [byHeader, byQuery, both]) {
    assert.equal((await stream.take(1))[0].channel_folder.name, "last");
    await stream.leave();
  }
});

Deno.test("more than is told at once comes after one another", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  await makeFolder(chat, "Beds");
  const first = await open(chat, visitor);
  await first.leave();
  for (let number = 0; number < 620; number++) {
    chat.clock.time++;
    await chat.call(chat.member, "POST /typing", { type: "direct", op: "start", to: [chat.admin.id] });
  }
  const stream = await resume(chat, visitor, first.last, '?types=["typing"]');
  assert.equal(new Set((await stream.take(620)).map(({ id }) => id)).size, 620);
  await stream.leave();
});

Deno.test("ids of which nothing can be said are stale, and do no harm", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  for (const id of ["-1", "1.5", "x", "9".repeat(15), "9".repeat(40), "NaN", "1e3", "0x10", "' OR 1"]) {
    const stream = await resume(chat, visitor, id);
    const stale = await stream.next();
    assert.deepEqual([stale?.type, stale?.data], ["stale", {}], id);
    await makeFolder(chat, `after ${id}`);
    const [event] = await stream.take(1);
    assert.equal(event.channel_folder.name, `after ${id}`);
    assert.ok(event.id > Number(stale?.id));
    await stream.leave();
  }
  const empty = await open(chat, visitor, "?last_event_id=&away=x");
  await empty.leave();
});

Deno.test("an id since which something is forgotten is stale; one of less than an hour ago is not", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  await makeFolder(chat, "long ago");
  const { last } = await open(chat, visitor);
  chat.clock.time += HOUR / 2;
  await makeFolder(chat, "lately");
  const within = await resume(chat, visitor, last);
  assert.equal((await within.take(1))[0].channel_folder.name, "lately");
  chat.clock.time += HOUR / 2 + 1000;
  const beyond = await resume(chat, visitor, last);
  assert.equal((await beyond.next())?.type, "stale");
  const newer = await resume(chat, visitor, within.last);
  assert.equal((await newer.any())?.type, "here");
  for (const stream of [within, beyond, newer]) await stream.leave();
});

Deno.test("who says that he was there lately is believed where ids say nothing", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  await makeFolder(chat, "long ago");
  const { last } = await open(chat, visitor);
  chat.clock.time += 3 * HOUR;
  await makeFolder(chat, "now");
  const lately = await resume(chat, visitor, last, "?away=60");
  assert.equal((await lately.take(1))[0].channel_folder.name, "now");
  const longAgo = await resume(chat, visitor, last, "?away=3600");
  assert.equal((await longAgo.next())?.type, "stale");
  for (const stream of [lately, longAgo]) await stream.leave();
});

Deno.test("a waiting stream takes no place from requests, and is counted among those that wait", async () => {
  await using chat = await startChat();
  const stream = await open(chat, await signIn(chat, chat.admin));
  const { status, events } = chat.services;
  assert.deepEqual([status.inFlight, status.waiting, events.waiting], [0, 1, 1]);
  await stream.leave();
  await emptied(chat);
});

Deno.test("an account's oldest stream makes room for the newest", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const other = await open(chat, await signIn(chat, chat.owner));
  const streams: StreamReader[] = [];
  for (let number = 0; number < MAX_WAITING_PER_USER; number++) {
    streams.push(await open(chat, visitor, '?types=["realm"]'));
  }
  const newest = await open(chat, visitor);
  assert.deepEqual(await streams[0]?.rest(), []);
  assert.equal(chat.services.events.waiting, MAX_WAITING_PER_USER + 1);
  await makeFolder(chat, "Beds");
  for (const stream of [newest, other]) assert.equal((await stream.take(1)).length, 1);
  for (const stream of [...streams, newest, other]) await stream.leave();
  await emptied(chat);
});

Deno.test("a stream is refused when too many wait, and has a place again when one is gone", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const { events } = chat.services;
  const waiters = Array.from({ length: MAX_WAITING }, (_, number) => {
    const { signal: client } = new AbortController();
    return events.enter({ realmId: chat.realm.id, userId: 1000 + number, queueId: `${number}`, client });
  });
  const refused = await ask(chat, visitor);
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "5"]);
  await refused.body?.cancel();
  waiters.pop()?.[Symbol.dispose]();
  const stream = await open(chat, visitor);
  await stream.leave();
  for (const waiter of waiters) waiter[Symbol.dispose]();
  await emptied(chat);
});

Deno.test("a stream ends at once when its session does, however that ends", async () => {
  await using chat = await startChat();
  const ends: readonly [string, (visitor: PageVisitor) => Promise<unknown>][] = [
    ["signed out", (visitor) => visitor.post("/logout", {})],
    ["signed out everywhere", (visitor) => visitor.post("/account", { action: "end_sessions" })],
    ["no administrator", () => chat.call(chat.owner, `PATCH /users/${chat.admin.id}`, { role: 300 })],
    ["deactivated", () => chat.call(chat.owner, `DELETE /users/${chat.admin.id}`)],
  ];
  for (const [name, end] of ends) {
    const visitor = await signIn(chat, chat.admin);
    const streams = [await open(chat, visitor), await open(chat, visitor, '?types=["channel_folder"]')];
    await end(visitor);
    await makeFolder(chat, `after ${name}`);
    const told = (await Promise.all(streams.map((stream) => stream.rest()))).flat();
    assert.ok(!JSON.stringify(told).includes("after"), `${name}: ${JSON.stringify(told)}`);
    const user = await readUser(chat.services.chat, chat.realm.id, chat.admin.id);
    if (user?.role === 300) await chat.call(chat.owner, `PATCH /users/${chat.admin.id}`, { role: 200 });
  }
  await emptied(chat);
});

Deno.test("a stream ends when its organization is closed, and tells nothing of it", async () => {
  await using chat = await startChat();
  const streams = [
    await open(chat, await signIn(chat, chat.admin)),
    await open(chat, await signIn(chat, chat.owner), '?types=["channel_folder"]'),
  ];
  await deactivateRealm(chat.services.chat, "");
  assert.deepEqual((await Promise.all(streams.map((stream) => stream.rest()))).flat(), []);
});

Deno.test("who signs in as somebody else with the same browser is not told on in the old line", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const stream = await open(chat, visitor);
  await visitor.post("/login", { username: chat.owner.email, password: "a quiet garden wall" });
  await visitor.post("/logout", {});
  await makeFolder(chat, "Beds");
  assert.equal((await stream.take(1)).length, 1, "the older session still holds");
  await stream.leave();
});

Deno.test("another organization's administrator is told of his own alone", async () => {
  await using chat = await startChat();
  const outsider = await signIn(chat, chat.outsider);
  const there = new StreamReader(await ask(chat, outsider, { host: OTHER_HOST }));
  await there.any();
  await makeFolder(chat, "Here");
  await makeFolder(chat, "There", chat.outsider);
  assert.equal((await there.take(1))[0].channel_folder.name, "There");
  await there.leave();
});

Deno.test("streams end at once when the server stops, and none begins then", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const streams = [await open(chat, visitor), await open(chat, visitor)];
  chat.services.events.stop();
  for (const stream of streams) assert.deepEqual(await stream.rest(), []);
  const late = new StreamReader(await ask(chat, visitor));
  assert.deepEqual(await late.rest(), []);
  await emptied(chat);
});
