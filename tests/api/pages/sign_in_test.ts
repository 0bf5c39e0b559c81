import assert from "node:assert/strict";
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from "@/lib/chat/people/auth/sessions.ts";
import { putUser } from "@/lib/chat/people/put_user.ts";
import { userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readRecord } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import { PASSWORD, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { cookiesOf, type PageVisitor, visitPages } from "@/tests/helpers/pages.ts";

async function signedIn(chat: TestChat, user: TestUser = chat.member): Promise<PageVisitor> {
  const visitor = visitPages(chat);
  const { status, location } = await visitor.post("/login", { username: user.email, password: PASSWORD });
  assert.deepEqual([status, location], [303, "/account"]);
  return visitor;
}

async function isSignedIn(visitor: PageVisitor): Promise<boolean> {
  return (await visitor.get("/account")).status === 200;
}

async function change(chat: TestChat, caller: TestUser, changed: (user: UserRecord) => Partial<UserRecord>) {
  const { store } = chat.services;
  const user = await readRecord<UserRecord>(store.kv, userKeys.user(chat.realm.id, caller.id));
  assert.ok(user !== null);
  await transact(store, (tx) => putUser(tx, chat.realm.id, { ...user, ...changed(user) }));
}

Deno.test("sign-in sets a session cookie that is HttpOnly and not sent by other sites", async () => {
  await using chat = await startChat();
  const visitor = visitPages(chat);
  const shown = await visitor.post("/login", {
    username: ` ${chat.member.email.toUpperCase()} `,
    password: PASSWORD,
  });
  const [cookie, ...others] = cookiesOf(shown.headers);
  assert.match(cookie?.value ?? "", /^[\w-]{43}$/);
  const attributes = { path: "/", maxAge: 2_592_000, httpOnly: true, sameSite: "lax" };
  assert.deepEqual([{ ...cookie, value: "" }, ...others], [{
    name: "sotto_session",
    value: "",
    ...attributes,
  }]);
  assert.ok(await isSignedIn(visitor));
  // The store does not contain the token itself.
  const token = visitor.token() ?? "";
  for await (const { key, value } of chat.services.store.kv.list({ start: [], end: [true] })) {
    assert.ok(
      !JSON.stringify([key, value], (_, part) => typeof part === "bigint" ? `${part}` : part).includes(token),
    );
  }
  assert.ok(!(await chat.log()).includes(token));
});

Deno.test("with TLS the cookie is Secure and bound to its host", async () => {
  await using chat = await startChat({ env: { BASE_URL: "https://localhost:8000" } });
  const { headers } = await visitPages(chat).post("/login", {
    username: chat.member.email,
    password: PASSWORD,
  });
  const [cookie, ...others] = cookiesOf(headers);
  assert.deepEqual(
    [cookie?.name, cookie?.path, cookie?.secure, cookie?.domain],
    ["__Host-sotto_session", "/", true, undefined],
  );
  assert.deepEqual(others, []);
});

Deno.test("a wrong password and an unknown address are refused with the same text", async () => {
  await using chat = await startChat();
  for (const username of [chat.member.email, "nobody@example.com", "", chat.outsider.email, chat.bot.email]) {
    const { status, html, headers } = await visitPages(chat).post("/login", { username, password: "wrong" });
    assert.equal(status, 401);
    assert.ok(html.includes("Your email address or password is incorrect."));
    assert.deepEqual(headers.getSetCookie(), []);
  }
});

Deno.test("sign-in replaces an existing session", async () => {
  await using chat = await startChat();
  const visitor = visitPages(chat);
  visitor.setToken("fixed-by-somebody-else");
  await visitor.post("/login", { username: chat.member.email, password: PASSWORD });
  assert.notEqual(visitor.token(), "fixed-by-somebody-else");
  assert.ok(await isSignedIn(visitor));
  const other = visitPages(chat);
  other.setToken("fixed-by-somebody-else");
  assert.equal(await isSignedIn(other), false);
});

Deno.test("sign-in continues only to pages of this site", async () => {
  await using chat = await startChat();
  const login = { username: chat.member.email, password: PASSWORD };
  const goes = async (next: string) => (await visitPages(chat).post("/login", { ...login, next })).location;
  assert.equal(await goes("/admin/users?page=2"), "/admin/users?page=2");
  const elsewhere = [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "https:evil.example",
    "/\t/evil.example",
    "evil",
    "javascript:alert(1)",
    "/%5c%5cevil.example/..//evil.example/\n",
  ];
  for (const next of elsewhere) assert.equal(await goes(next), "/account", next);
});

Deno.test("administrators land on the overview, also when they are signed in already", async () => {
  await using chat = await startChat();
  const landings = [
    [chat.owner, "/admin"],
    [chat.admin, "/admin"],
    [chat.moderator, "/account"],
    [chat.guest, "/account"],
  ] as const;
  for (const [user, landing] of landings) {
    const visitor = visitPages(chat);
    const login = { username: user.email, password: PASSWORD };
    assert.equal((await visitor.post("/login", login)).location, landing);
    assert.equal((await visitor.get("/login")).location, landing);
    assert.equal((await visitor.post("/login", { ...login, next: "/docs" })).location, "/docs");
    assert.equal((await visitor.get("/login?next=%2Fdocs")).location, "/docs");
  }
});

Deno.test("pages that need a session redirect to sign-in and back", async () => {
  await using chat = await startChat();
  const { status, location } = await visitPages(chat).get("/account");
  assert.deepEqual([status, location], [303, "/login?next=%2Faccount"]);
});

Deno.test("sign-out deletes the stored session", async () => {
  await using chat = await startChat();
  const visitor = await signedIn(chat);
  const token = visitor.token() ?? "";
  assert.equal((await visitor.get("/logout")).status, 303);
  assert.ok(await isSignedIn(visitor));
  assert.equal((await visitor.post("/logout", {})).location, "/login?notice=out");
  visitor.setToken(token);
  assert.equal(await isSignedIn(visitor), false);
});

Deno.test("a session ends after a week without use, and after thirty days in any case", async () => {
  await using chat = await startChat();
  const idle = await signedIn(chat);
  chat.clock.time += SESSION_IDLE_MS;
  assert.equal(await isSignedIn(idle), false);
  const busy = await signedIn(chat);
  const day = SESSION_LIFETIME_MS / 30;
  for (let days = 1; days < 30; days++) {
    chat.clock.time += day;
    assert.ok(await isSignedIn(busy), `day ${days}`);
  }
  chat.clock.time += day;
  assert.equal(await isSignedIn(busy), false);
});

Deno.test("deactivation and a new password end every session, also under concurrent changes", async () => {
  await using chat = await startChat();
  const visitors = await Promise.all([signedIn(chat), signedIn(chat)]);
  await Promise.all([
    change(
      chat,
      chat.member,
      ({ session_epoch }) => ({ is_active: false, session_epoch: session_epoch + 1 }),
    ),
    ...Array.from({ length: 50 }, (_, at) => visitors[at % 2]?.get("/account")),
  ]);
  for (const visitor of visitors) assert.equal(await isSignedIn(visitor), false);
  await change(chat, chat.member, () => ({ is_active: true }));
  for (const visitor of visitors) assert.equal(await isSignedIn(visitor), false);
});

Deno.test("a session of one organization is invalid in another", async () => {
  await using chat = await startChat();
  const visitor = await signedIn(chat);
  const other = visitPages(chat, "other.localhost:8000");
  other.setToken(visitor.token() ?? "");
  assert.equal((await other.get("/account")).status, 303);
});

Deno.test("the API accepts a session only with proof that a page of this site sent the request", async () => {
  await using chat = await startChat();
  const visitor = await signedIn(chat);
  const cookie = `sotto_session=${visitor.token()}`;
  const ask = async (headers: HeadersInit, init: RequestInit = {}) => {
    const response = await chat.request("/api/v1/users/me", { ...init, headers: { cookie, ...headers } });
    await response.body?.cancel();
    return response.status;
  };
  assert.equal(await ask({ "sec-fetch-site": "same-origin" }), 200);
  assert.equal(await ask({ origin: "http://localhost:8000" }), 200);
  assert.equal(await ask({}), 401);
  assert.equal(await ask({ "sec-fetch-site": "cross-site", origin: "http://localhost:8000" }), 401);
  assert.equal(await ask({ "sec-fetch-site": "same-site" }), 401);
  assert.equal(await ask({ "sec-fetch-site": "none" }), 401);
  assert.equal(await ask({ origin: "https://evil.example" }), 401);
  assert.equal(await ask({ origin: "null" }), 401);
});
