// GET /admin/events
import assert from "node:assert/strict";
import { CLIENT_CAPABILITIES } from "@/lib/chat/register/events/queues.ts";
import { deactivateRealm } from "@/lib/chat/people/users/create_realm.ts";
import { MAX_WAITING, MAX_WAITING_PER_USER } from "@/lib/chat/register/events/hub.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { registerClient } from "@/tests/casts/events_cast.ts";
import { makeChannel, send } from "@/tests/casts/messages_cast.ts";
import { closePages } from "@/tests/helpers/admin_samples.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { StreamReader } from "@/tests/helpers/event_stream.ts";
import { type PageVisitor, signIn, visitPages } from "@/tests/helpers/pages.ts";
import { waitFor } from "@/tests/helpers/wait.ts";

const HOUR = 60 * 60_000;
const OTHER_HOST = "other.localhost:8000";

/** Requests the stream with a user's session. */
function openStream(
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
  const stream = new StreamReader(await openStream(chat, visitor, { query }));
  assert.equal((await stream.any())?.type, "here");
  return stream;
}

async function resume(chat: TestChat, visitor: PageVisitor, id: string, query = ""): Promise<StreamReader> {
  return new StreamReader(await openStream(chat, visitor, { query, headers: { "last-event-id": id } }));
}

async function createFolder(chat: TestChat, name: string, user: TestUser = chat.owner): Promise<void> {
  const { status } = await chat.call(user, "POST /channel_folders/create", { name, description: "" });
  assert.equal(status, 200);
}

/** Waits until no request waits. */
async function untilNoneWaits({ services: { events, status } }: TestChat): Promise<void> {
  const isMet = ([inHub, inStatus]: number[]) => inHub === 0 && inStatus === 0;
  await waitFor("no request waits", () => [events.waiting, status.waiting], { isMet });
}

Deno.test("GET /admin/events is limited to signed-in users who may open a page, and to pages of this site", async () => {
  await using chat = await startChat();
  await closePages(chat);
  const anonymous = await visitPages(chat).get("/admin/events");
  assert.deepEqual([anonymous.status, anonymous.location], [303, "/login?next=%2Fadmin%2Fevents"]);
  for (const user of [chat.moderator, chat.member, chat.guest]) {
    const refused = await openStream(chat, await signIn(chat, user));
    assert.equal(refused.status, 403);
    await refused.body?.cancel();
  }
  const outsider = await signIn(chat, chat.outsider);
  const elsewhere = await openStream(chat, outsider);
  assert.equal(elsewhere.status, 303);
  const visitor = await signIn(chat, chat.admin);
  for (
    const headers of [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }, {
      origin: "https://evil.example",
    }]
  ) {
    const refused = await openStream(chat, visitor, { headers });
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /Only pages of this site can receive these events\./);
  }
  for (const headers of [{}, { "sec-fetch-site": "same-origin" }, { origin: "http://localhost:8000" }]) {
    const stream = new StreamReader(await openStream(chat, visitor, { headers }));
    assert.equal((await stream.any())?.type, "here");
    await stream.leave();
  }
  await untilNoneWaits(chat);
});

Deno.test("/admin/events answers HEAD and OPTIONS, and refuses other methods", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const head = await openStream(chat, visitor, { method: "HEAD" });
  assert.deepEqual([head.status, head.body, head.headers.get("content-type")], [
    200,
    null,
    "text/event-stream",
  ]);
  assert.equal(head.headers.get("cache-control"), "no-store");
  assert.equal(head.headers.get("x-accel-buffering"), "no");
  const options = await openStream(chat, visitor, { method: "OPTIONS" });
  assert.deepEqual([options.status, options.headers.get("allow")], [204, "GET, HEAD, OPTIONS"]);
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const refused = await openStream(chat, visitor, { method });
    assert.deepEqual([refused.status, refused.headers.get("allow")], [405, "GET, HEAD, OPTIONS"], method);
    await refused.body?.cancel();
  }
  assert.equal(chat.services.events.waiting, 0);
});

Deno.test("a stream sends the events of GET /events for a client with all capabilities, with the same ids", async () => {
  await using chat = await startChat();
  const client_capabilities = Object.fromEntries(CLIENT_CAPABILITIES.map((name) => [name, true]));
  const client = await registerClient(chat, chat.admin, { client_capabilities });
  const stream = await open(chat, await signIn(chat, chat.admin));
  await client.receive();
  const to = await makeChannel(chat, "roses", { subscribers: [chat.admin.id, chat.member.id] });
  const secret = await makeChannel(chat, "secret", { invite_only: true });
  await send(chat, chat.member, { to, content: "Hello, @**Admin**" });
  await send(chat, chat.member, { to: secret, content: "not for all" });
  // Except the sender of a message, whose data is current at the time of delivery.
  await chat.call(chat.moderator, "PATCH /settings", { full_name: "Mo Derator", color_scheme: 2 });
  await chat.call(chat.owner, "POST /invites", { invitee_emails: "new@example.com", stream_ids: [] });
  await chat.call(chat.owner, "POST /user_groups/create", { name: "pruners", description: "", members: [] });
  await createFolder(chat, "Beds");
  await chat.call(chat.outsider, "POST /channel_folders/create", { name: "Elsewhere", description: "" });
  await chat.call(chat.owner, "PATCH /realm", { description: "Of gardens" });
  const events = await client.receive();
  assert.ok(events.length > 8, `${events.length}`);
  assert.ok(events.some(({ type }) => type === "message"));
  assert.deepEqual(await stream.take(events.length), events);
  assert.ok(!JSON.stringify(events).includes("Elsewhere") && !JSON.stringify(events).includes("not for all"));
  await stream.leave();
});

Deno.test("a flash message appears on the next page, even if a stream opens first", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const cookie = `sotto_session=${visitor.token()}; sotto_done=Done.`;
  const stream = new StreamReader(await openStream(chat, visitor, { headers: { cookie } }));
  assert.deepEqual(stream.response.headers.getSetCookie(), []);
  await stream.leave();
  const page = await chat.request("/admin", { headers: { cookie } });
  assert.match(await page.text(), /Done\./);
  assert.match(page.headers.getSetCookie().join(), /sotto_done=;/);
});

Deno.test("a stream can be limited to event types and to the events of a page", async () => {
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
  await createFolder(chat, "Beds");
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
    const refused = await openStream(chat, visitor, { query });
    assert.equal(refused.status, 400, query);
    await refused.body?.cancel();
  }
  await Promise.all([typed, page, both].map((stream) => stream.leave()));
});

Deno.test("a client that resumes with its last id receives missed events once and in order", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const first = await open(chat, visitor);
  for (const name of ["one", "two", "three"]) await createFolder(chat, name);
  const sent = await first.take(2);
  const { last } = first;
  await first.leave();
  for (let number = 0; number < 30; number++) await createFolder(chat, `number ${number}`);
  const names = ["three", ...Array.from({ length: 30 }, (_, number) => `number ${number}`)];
  const byHeader = await resume(chat, visitor, last);
  const received = await byHeader.take(31);
  assert.deepEqual(received.map(({ channel_folder: { name } }) => name), names);
  assert.ok(received.every(({ id }, at) => id > (received[at - 1]?.id ?? sent[1].id)));
  const byQuery = new StreamReader(
    await openStream(chat, visitor, { query: `?last_event_id=${received[29]?.id}` }),
  );
  assert.deepEqual((await byQuery.take(1)).map(({ channel_folder: { name } }) => name), ["number 29"]);
  // A browser that reconnects on its own sends both ids; the header is the newer one.
  const both = await resume(chat, visitor, String(received[28]?.id), `?last_event_id=${last}`);
  assert.deepEqual((await both.take(2)).map(({ id }) => id), [received[29]?.id, received[30]?.id]);
  await createFolder(chat, "last");
  for (const stream of [byHeader, byQuery, both]) {
    assert.equal((await stream.take(1))[0].channel_folder.name, "last");
    await stream.leave();
  }
});

Deno.test("a long backlog is sent in several batches", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  await createFolder(chat, "Beds");
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

Deno.test("unknown and malformed ids are stale", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  for (const id of ["-1", "1.5", "x", "9".repeat(15), "9".repeat(40), "NaN", "1e3", "0x10", "' OR 1"]) {
    const stream = await resume(chat, visitor, id);
    const stale = await stream.next();
    assert.deepEqual([stale?.type, stale?.data], ["stale", {}], id);
    await createFolder(chat, `after ${id}`);
    const [event] = await stream.take(1);
    assert.equal(event.channel_folder.name, `after ${id}`);
    assert.ok(event.id > Number(stale?.id));
    await stream.leave();
  }
  const empty = await open(chat, visitor, "?last_event_id=&away=x");
  await empty.leave();
});

Deno.test("an id older than forgotten events is stale; one from the last hour is not", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  await createFolder(chat, "long ago");
  const { last } = await open(chat, visitor);
  chat.clock.time += HOUR / 2;
  await createFolder(chat, "lately");
  const within = await resume(chat, visitor, last);
  assert.equal((await within.take(1))[0].channel_folder.name, "lately");
  chat.clock.time += HOUR / 2 + 1000;
  const beyond = await resume(chat, visitor, last);
  assert.equal((await beyond.next())?.type, "stale");
  const newer = await resume(chat, visitor, within.last);
  assert.equal((await newer.any())?.type, "here");
  for (const stream of [within, beyond, newer]) await stream.leave();
});

Deno.test("the time of the last connection decides where ids are inconclusive", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  await createFolder(chat, "long ago");
  const { last } = await open(chat, visitor);
  chat.clock.time += 3 * HOUR;
  await createFolder(chat, "now");
  const lately = await resume(chat, visitor, last, "?away=60");
  assert.equal((await lately.take(1))[0].channel_folder.name, "now");
  const longAgo = await resume(chat, visitor, last, "?away=3600");
  assert.equal((await longAgo.next())?.type, "stale");
  for (const stream of [lately, longAgo]) await stream.leave();
});

Deno.test("a waiting stream uses no request slot and is counted as waiting", async () => {
  await using chat = await startChat();
  const stream = await open(chat, await signIn(chat, chat.admin));
  const { status, events } = chat.services;
  assert.deepEqual([status.inFlight, status.waiting, events.waiting], [0, 1, 1]);
  await stream.leave();
  await untilNoneWaits(chat);
});

Deno.test("a stream is refused when too many of its account are open, and accepted when one has ended", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const other = await open(chat, await signIn(chat, chat.owner));
  const streams: StreamReader[] = [];
  for (let number = 0; number < MAX_WAITING_PER_USER; number++) {
    streams.push(await open(chat, visitor, '?types=["realm"]'));
  }
  const refused = await openStream(chat, visitor);
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "5"]);
  await refused.body?.cancel();
  await streams.pop()?.leave();
  const isMet = (waiting: number) => waiting === MAX_WAITING_PER_USER;
  await waitFor("a stream has ended", () => chat.services.events.waiting, { isMet });
  const newest = await open(chat, visitor);
  await createFolder(chat, "Beds");
  for (const stream of [newest, other]) assert.equal((await stream.take(1)).length, 1);
  for (const stream of [...streams, newest, other]) await stream.leave();
  await untilNoneWaits(chat);
});

Deno.test("a stream is refused when too many wait, and accepted when one has ended", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const { events } = chat.services;
  const waiters = Array.from({ length: MAX_WAITING }, (_, number) => {
    const { signal: client } = new AbortController();
    return events.enter({ realmId: chat.realm.id, userId: 1000 + number, queueId: `${number}`, client });
  });
  const refused = await openStream(chat, visitor);
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "5"]);
  await refused.body?.cancel();
  waiters.pop()?.[Symbol.dispose]();
  const stream = await open(chat, visitor);
  await stream.leave();
  for (const waiter of waiters) waiter[Symbol.dispose]();
  await untilNoneWaits(chat);
});

Deno.test("a stream ends immediately with its session, whatever ends it", async () => {
  await using chat = await startChat();
  await closePages(chat);
  const ends: readonly [string, (visitor: PageVisitor) => Promise<unknown>][] = [
    ["signed out", (visitor) => visitor.post("/logout", {})],
    ["signed out everywhere", (visitor) => visitor.post("/account", { action: "end_sessions" })],
    ["may open no page", () => chat.call(chat.owner, `PATCH /users/${chat.admin.id}`, { role: 300 })],
    ["deactivated", () => chat.call(chat.owner, `DELETE /users/${chat.admin.id}`)],
  ];
  for (const [name, end] of ends) {
    const visitor = await signIn(chat, chat.admin);
    const streams = [await open(chat, visitor), await open(chat, visitor, '?types=["channel_folder"]')];
    await end(visitor);
    await createFolder(chat, `after ${name}`);
    const rest = (await Promise.all(streams.map((stream) => stream.rest()))).flat();
    assert.ok(!JSON.stringify(rest).includes("after"), `${name}: ${JSON.stringify(rest)}`);
    const user = await readUser(chat.services.chat, chat.realm.id, chat.admin.id);
    if (user?.role === 300) await chat.call(chat.owner, `PATCH /users/${chat.admin.id}`, { role: 200 });
  }
  await untilNoneWaits(chat);
});

Deno.test("a holder of a permission gets the events that concern their page, while they may open it", async () => {
  await using chat = await startChat();
  await closePages(chat);
  const name = async (setting: string, ...members: readonly number[]) => {
    const value = { new: { direct_members: members, direct_subgroups: [] } };
    assert.equal((await chat.call(chat.owner, "PATCH /realm", { [setting]: value })).status, 200);
  };
  await name("can_invite_users_group", chat.member.id);
  const visitor = await signIn(chat, chat.member);
  const invitations = "?page=/admin/invitations";
  assert.match((await visitor.get("/admin/invitations")).html, /id="page-news"/);
  for (const query of ["?page=/admin/users", "?page=/admin/groups"]) {
    const refused = await openStream(chat, visitor, { query });
    assert.equal(refused.status, 400, query);
    await refused.body?.cancel();
  }
  const stream = await open(chat, visitor, invitations);
  const invite = (user: TestUser, email: string) =>
    chat.call(user, "POST /invites", { invitee_emails: email, stream_ids: [] });
  await invite(chat.owner, "theirs@example.com");
  await createFolder(chat, "elsewhere");
  await invite(chat.member, "mine@example.com");
  assert.deepEqual((await stream.take(1)).map(({ type }) => type), ["invites_changed"]);
  await name("can_invite_users_group");
  await chat.call(chat.owner, "DELETE /invites/2");
  assert.deepEqual(await stream.rest(), []);
  await untilNoneWaits(chat);
});

Deno.test("a stream ends without an event when its organization is deactivated", async () => {
  await using chat = await startChat();
  const streams = [
    await open(chat, await signIn(chat, chat.admin)),
    await open(chat, await signIn(chat, chat.owner), '?types=["channel_folder"]'),
  ];
  await deactivateRealm(chat.services.chat, "");
  assert.deepEqual((await Promise.all(streams.map((stream) => stream.rest()))).flat(), []);
});

Deno.test("signing in as another user in the same browser ends the old stream", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const stream = await open(chat, visitor);
  await visitor.post("/login", { username: chat.owner.email, password: "a quiet garden wall" });
  await createFolder(chat, "Beds");
  const rest = await stream.rest();
  assert.ok(!JSON.stringify(rest).includes("Beds"), JSON.stringify(rest));
});

Deno.test("a stream sends only events of the administrator's own organization", async () => {
  await using chat = await startChat();
  const outsider = await signIn(chat, chat.outsider);
  const there = new StreamReader(await openStream(chat, outsider, { host: OTHER_HOST }));
  await there.any();
  await createFolder(chat, "Here");
  await createFolder(chat, "There", chat.outsider);
  assert.equal((await there.take(1))[0].channel_folder.name, "There");
  await there.leave();
});

Deno.test("streams end when the server stops, and none is accepted afterwards", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const streams = [await open(chat, visitor), await open(chat, visitor)];
  chat.services.events.stop();
  for (const stream of streams) assert.deepEqual(await stream.rest(), []);
  const late = new StreamReader(await openStream(chat, visitor));
  assert.deepEqual(await late.rest(), []);
  await untilNoneWaits(chat);
});
