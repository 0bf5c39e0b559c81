// GET /events while the credentials of the waiting request end
import assert from "node:assert/strict";
import { rotateApiKey } from "@/lib/chat/people/auth/api_keys.ts";
import { endUserSessions, resetUserApiKey } from "@/lib/chat/people/auth/reset_password.ts";
import { endSession, listSessions } from "@/lib/chat/people/auth/sessions.ts";
import { deactivateRealm } from "@/lib/chat/people/users/create_realm.ts";
import { getUser, readUser } from "@/lib/chat/organization/users/store.ts";
import { transact } from "@/lib/store/transact.ts";
import { registerClient, untilWaiting } from "@/tests/casts/events_cast.ts";
import { makeChannel, send } from "@/tests/casts/messages_cast.ts";
import { shareStore } from "@/tests/helpers/copied_store.ts";
import { type ApiResponse, PASSWORD, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { type PageVisitor, signIn, visitPages } from "@/tests/helpers/pages.ts";

/** A waiting request: its user, and the browser that sent it if none sent a key. */
interface Waiting {
  readonly chat: TestChat;
  readonly user: TestUser;
  readonly visitor: PageVisitor;
}

/** A way in which credentials end, and the refusal of the waiting request. */
type End = readonly [title: string, code: string, end: (waiting: Waiting) => Promise<unknown>];

async function actingIn({ services }: TestChat, { id, realm }: TestUser) {
  const user = await readUser(services.chat, realm.id, id);
  assert.ok(user !== null);
  return { realm, actingUser: user };
}

/** The services of another server on the store, of whose commits this one receives no signals. */
function elsewhere({ services }: TestChat) {
  return { ...services.chat, store: shareStore(services.store) };
}

async function resetByMail(chat: TestChat, email: string): Promise<void> {
  await visitPages(chat).post("/forgot-password", { email });
  const mails = await chat.mails();
  const link = /http:\/\/localhost:8000(\/reset-password\/\w+)/.exec(mails.at(-1)?.text ?? "")?.[1] ?? "";
  const { status } = await visitPages(chat).post(link, { new_password: "orange lantern 77 walk" });
  assert.equal(status, 303);
}

/** Ends that concern an account as a whole, however it is used. */
const COMMON: readonly End[] = [
  [
    "the account is deactivated",
    "USER_DEACTIVATED",
    ({ chat, user }) => chat.call(chat.owner, `DELETE /users/${user.id}`),
  ],
  [
    "the organization is deactivated by another process",
    "REALM_DEACTIVATED",
    ({ chat }) => deactivateRealm(elsewhere(chat), ""),
  ],
];

const KEY_ENDS: readonly End[] = [
  ["its owner replaces the key", "INVALID_API_KEY", async ({ chat, user }) => {
    assert.equal((await chat.call(user, "POST /users/me/api_key/regenerate")).status, 200);
  }],
  ["its owner replaces the key on the account page", "INVALID_API_KEY", async ({ visitor }) => {
    const { status } = await visitor.post("/account", { action: "rotate_key", password: PASSWORD });
    assert.equal(status, 200);
  }],
  ["an administrator resets the key", "INVALID_API_KEY", async ({ chat, user }) => {
    await resetUserApiKey(chat.services.chat, await actingIn(chat, chat.owner), user.id);
  }],
  ["an operator replaces the key in another process", "INVALID_API_KEY", async ({ chat, user }) => {
    const app = elsewhere(chat);
    await transact(app.store, async (tx) => {
      const before = await getUser(tx, chat.realm.id, user.id);
      await rotateApiKey({ app, tx, realm: chat.realm }, before);
    });
  }],
  [
    "the password is reset by mail",
    "INVALID_API_KEY",
    ({ chat, user }) => resetByMail(chat, user.email),
  ],
  ...COMMON,
];

const SESSION_ENDS: readonly End[] = [
  ["its browser signs out", "UNAUTHORIZED", ({ visitor }) => visitor.post("/logout", {})],
  [
    "its browser signs in as another user",
    "UNAUTHORIZED",
    ({ chat, visitor }) => visitor.post("/login", { username: chat.owner.email, password: PASSWORD }),
  ],
  ["another process ends the session", "UNAUTHORIZED", async ({ chat, user }) => {
    const { realm, actingUser } = await actingIn(chat, user);
    const [session] = await listSessions(chat.services.chat, realm, actingUser);
    assert.ok(session !== undefined);
    await endSession(elsewhere(chat), realm, { id: session.id, userId: user.id });
  }],
  [
    "its owner ends all sessions",
    "UNAUTHORIZED",
    ({ visitor }) => visitor.post("/account", { action: "end_sessions" }),
  ],
  ["an administrator ends all sessions in another process", "UNAUTHORIZED", async ({ chat, user }) => {
    await endUserSessions(elsewhere(chat), await actingIn(chat, chat.owner), user.id);
  }],
  ["the password changes", "UNAUTHORIZED", async ({ chat, user }) => {
    const params = { old_password: PASSWORD, new_password: "orange lantern 77 walk" };
    assert.equal((await chat.call(user, "PATCH /settings", params)).status, 200);
  }],
  ["the password is reset by mail", "UNAUTHORIZED", ({ chat, user }) => resetByMail(chat, user.email)],
  ["an administrator changes the address", "UNAUTHORIZED", async ({ chat, user }) => {
    const params = { new_email: "elsewhere@example.com" };
    assert.equal((await chat.call(chat.owner, `PATCH /users/${user.id}`, params)).status, 200);
  }],
  ...COMMON,
];

/** Polls with the session of a browser in place of a key. */
async function pollByCookie(
  chat: TestChat,
  visitor: PageVisitor,
  query: Record<string, string>,
): Promise<ApiResponse> {
  const headers = { cookie: `sotto_session=${visitor.token()}`, "sec-fetch-site": "same-origin" };
  const response = await chat.request(`/api/v1/events?${new URLSearchParams(query)}`, { headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

for (const by of ["key", "session"] as const) {
  for (const [title, code, end] of by === "key" ? KEY_ENDS : SESSION_ENDS) {
    for (const event_types of [null, ["message"]]) {
      const types = event_types === null ? "all events" : "messages";
      Deno.test(`a request that waits for ${types} with a ${by} is refused when ${title}`, async () => {
        await using chat = await startChat();
        const user = chat.member;
        const { queueId, last } = await registerClient(
          chat,
          user,
          event_types === null ? {} : { event_types },
        );
        const visitor = await signIn(chat, user);
        const query = { queue_id: queueId, last_event_id: String(last) };
        const pending = by === "key"
          ? chat.call(user, "GET /events", query)
          : pollByCookie(chat, visitor, query);
        await untilWaiting(chat, 1);
        await end({ chat, user, visitor });
        const { status, body } = await pending;
        assert.deepEqual([status, body.code], [401, code]);
      });
    }
  }
}

Deno.test("a bot's waiting request is refused when its owner replaces its key, with the refusal of a new request", async () => {
  await using chat = await startChat();
  const { queueId, last } = await registerClient(chat, chat.bot, { event_types: ["message"] });
  const query = { queue_id: queueId, last_event_id: last };
  const pending = chat.call(chat.bot, "GET /events", query);
  await untilWaiting(chat, 1);
  assert.equal((await chat.call(chat.member, `POST /bots/${chat.bot.id}/api_key/regenerate`)).status, 200);
  const [waiting, next] = [await pending, await chat.call(chat.bot, "GET /events", query)];
  assert.equal(waiting.status, 401);
  assert.deepEqual([waiting.status, waiting.body], [next.status, next.body]);
});

Deno.test("no message of a later commit than the end of a key is delivered, even if they arrive together", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const { queueId, last } = await registerClient(chat, chat.member, { event_types: ["message"] });
  const pending = chat.call(chat.member, "GET /events", { queue_id: queueId, last_event_id: last });
  await untilWaiting(chat, 1);
  const app = elsewhere(chat);
  await transact(app.store, async (tx) => {
    await rotateApiKey({ app, tx, realm: chat.realm }, await getUser(tx, chat.realm.id, chat.member.id));
  });
  await send(chat, chat.owner, { to, content: "one" });
  const { status, body } = await pending;
  assert.deepEqual([status, body.code, body.events], [401, "INVALID_API_KEY", undefined]);
});

Deno.test("requests with another session or the key still wait when a session ends, and the new key receives events", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "roses");
  const clients = await Promise.all([0, 1, 2].map(() => registerClient(chat, chat.member)));
  const [ended, kept] = [await signIn(chat, chat.member), await signIn(chat, chat.member)];
  const queries = clients.map(({ queueId, last }) => ({ queue_id: queueId, last_event_id: String(last) }));
  const [byEnded, byKept, byKey] = [
    pollByCookie(chat, ended, queries[0] ?? {}),
    pollByCookie(chat, kept, queries[1] ?? {}),
    chat.call(chat.member, "GET /events", queries[2]),
  ];
  await untilWaiting(chat, 3);
  await ended.post("/logout", {});
  assert.equal((await byEnded).status, 401);
  assert.equal(chat.services.events.waiting, 2);
  await send(chat, chat.owner, { to, content: "one" });
  for (const { status, body } of [await byKept, await byKey]) {
    assert.deepEqual([status, body.events.map(({ type }: { type: string }) => type)], [200, ["message"]]);
  }
});

Deno.test("a request that only waited for a heartbeat with an expired session is refused", async () => {
  await using chat = await startChat();
  const { queueId, last } = await registerClient(chat, chat.member);
  const visitor = await signIn(chat, chat.member);
  chat.services.events.maxWait.ms = 200;
  const pending = pollByCookie(chat, visitor, { queue_id: queueId, last_event_id: String(last) });
  await untilWaiting(chat, 1);
  chat.clock.time += 31 * 24 * 60 * 60_000;
  assert.equal((await pending).status, 401);
});
