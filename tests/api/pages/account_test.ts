import assert from "node:assert/strict";
import { startMailingChat } from "@/tests/casts/join_cast.ts";
import { PASSWORD, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { type PageVisitor, visitPages } from "@/tests/helpers/pages.ts";

const NEW = "orange lantern 77 walk";

async function signIn(chat: TestChat): Promise<PageVisitor> {
  const visitor = visitPages(chat);
  assert.equal(
    (await visitor.post("/login", { username: chat.member.email, password: PASSWORD })).status,
    303,
  );
  return visitor;
}

Deno.test("the account page shows the account and its sessions", async () => {
  await using chat = await startChat();
  await signIn(chat);
  const visitor = await signIn(chat);
  const { status, html, headers } = await visitor.get("/account");
  assert.equal(status, 200);
  for (
    const text of ["Member", chat.member.email, "a member", "Gardeners", "Firefox on Linux", "This browser"]
  ) {
    assert.ok(html.includes(text), text);
  }
  assert.equal(html.split("Firefox on Linux").length - 1 >= 2, true);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.ok(!html.includes(chat.member.apiKey));
  assert.match((await visitor.get("/no/such/page")).html, />Your account</);
});

Deno.test("the account page links to the admin pages for administrators only", async () => {
  await using chat = await startChat();
  for (const [person, leads] of [[chat.owner, true], [chat.admin, true], [chat.moderator, false]] as const) {
    const visitor = visitPages(chat);
    await visitor.post("/login", { username: person.email, password: PASSWORD });
    const { html } = await visitor.get("/account");
    assert.equal(/<a [^>]*href="\/admin"[^>]*>Administration<\/a>/.test(html), leads, person.email);
  }
});

Deno.test("a new name is visible to all users; an invalid one is refused at its field", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat);
  const done = await visitor.post("/account", { action: "name", full_name: " Ben Brook " });
  assert.deepEqual([done.status, done.location], [303, "/account?done=name"]);
  assert.ok((await visitor.get("/account?done=name")).html.includes("Name saved."));
  assert.equal((await chat.call(chat.member, "GET /users/me")).body.full_name, "Ben Brook");
  const refused = await visitor.post("/account", { action: "name", full_name: "<b>`" });
  assert.equal(refused.status, 400);
  assert.ok(refused.html.includes("Invalid characters in name."));
  assert.ok(refused.html.includes("&lt;b") && !refused.html.includes("<b>`"));
});

Deno.test("a new password ends all other sessions and gives the current one a new id", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat);
  const elsewhere = await signIn(chat);
  const before = visitor.token();
  const wrong = await visitor.post("/account", { action: "password", old_password: "no", new_password: NEW });
  assert.ok(wrong.status === 400 && wrong.html.includes("Wrong password."));
  const weak = await visitor.post("/account", {
    action: "password",
    old_password: PASSWORD,
    new_password: "abc",
  });
  assert.ok(weak.status === 400 && weak.html.includes("The password is too short."));
  const done = await visitor.post("/account", {
    action: "password",
    old_password: PASSWORD,
    new_password: NEW,
  });
  assert.equal(done.location, "/account?done=password");
  assert.notEqual(visitor.token(), before);
  assert.equal((await visitor.get("/account")).status, 200);
  assert.equal((await elsewhere.get("/account")).status, 303);
  assert.equal(
    (await visitPages(chat).post("/login", { username: chat.member.email, password: NEW })).status,
    303,
  );
});

Deno.test("the API key is shown after the password, and rotating it revokes the old one", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat);
  const { member } = chat;
  const refused = await visitor.post("/account", { action: "show_key", password: "wrong" });
  assert.equal(refused.status, 401);
  assert.ok(!refused.html.includes(member.apiKey));
  assert.match(refused.html, /name="full_name"[^>]* value="Member"/, "the other forms keep their values");
  const shown = await visitor.post("/account", { action: "show_key", password: PASSWORD });
  assert.ok(shown.status === 200 && shown.html.includes(member.apiKey));
  assert.equal((await visitor.post("/account", { action: "rotate_key", password: "wrong" })).status, 401);
  assert.equal((await chat.call(member, "GET /users/me")).status, 200);
  const rotated = await visitor.post("/account", { action: "rotate_key", password: PASSWORD });
  assert.ok(rotated.status === 200 && !rotated.html.includes(member.apiKey));
  assert.equal((await chat.call(member, "GET /users/me")).status, 401);
  const apiKey = /value="([0-9A-Za-z]{32})"/.exec(rotated.html)?.[1] ?? "";
  assert.equal((await chat.call({ ...member, apiKey }, "GET /users/me")).status, 200);
  // The session continues: it does not depend on the key.
  assert.equal((await visitor.get("/account")).status, 200);
});

Deno.test("a requested address takes effect when it is confirmed by the mailed link", async () => {
  await using chat = await startMailingChat();
  const visitor = await signIn(chat);
  await visitor.post("/account", { action: "email", email: "ben@example.com", current_password: PASSWORD });
  assert.ok((await visitor.get("/account")).html.includes("ben@example.com"));
  assert.equal((await chat.call(chat.member, "GET /users/me")).body.delivery_email, chat.member.email);
  const text = (await chat.mails()).map(({ text }) => text).join("\n");
  const link = /http:\/\/localhost:8000(\/\S*confirm-email\/\w+)/.exec(text)?.[1] ?? "";
  assert.equal((await visitPages(chat).get(link)).status, 200);
  assert.equal((await visitPages(chat).post(link, {})).status, 200);
  const { body } = await chat.call({ ...chat.member, email: "ben@example.com" }, "GET /users/me");
  assert.equal(body.delivery_email, "ben@example.com");
});

Deno.test("a user can end one session or all of them", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat);
  const elsewhere = await signIn(chat);
  const { html } = await elsewhere.get("/account");
  const ids = [...html.matchAll(/name="session_id" value="(\w+)"/g)].map(([, id]) => id ?? "");
  assert.equal(ids.length, 1);
  await elsewhere.post("/account", { action: "end_session", session_id: ids[0] ?? "" });
  assert.equal((await visitor.get("/account")).status, 303);
  assert.equal(
    (await elsewhere.post("/account", { action: "end_sessions" })).location,
    "/login?notice=everywhere",
  );
  assert.equal((await elsewhere.get("/account")).status, 303);
});

Deno.test("a user cannot end another user's session", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat);
  const admin = visitPages(chat);
  await admin.post("/login", { username: chat.admin.email, password: PASSWORD });
  const { html } = await (await signIn(chat)).get("/account");
  const id = /name="session_id" value="(\w+)"/.exec(html)?.[1] ?? "";
  await admin.post("/account", { action: "end_session", session_id: id });
  assert.equal((await visitor.get("/account")).status, 200);
});

Deno.test("forms from other sites change nothing, and unknown forms are refused", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat);
  const form = { action: "name", full_name: "Mallory" };
  const foreign: HeadersInit[] = [
    { "sec-fetch-site": "cross-site", origin: "http://localhost:8000" },
    { "sec-fetch-site": "same-site" },
    { origin: "https://evil.example" },
    { origin: "null" },
    {},
  ];
  for (const headers of foreign) assert.equal((await visitor.post("/account", form, headers)).status, 400);
  assert.equal((await visitor.post("/logout", {}, { origin: "https://evil.example" })).status, 400);
  assert.equal((await visitor.post("/account", { action: "drop" })).status, 400);
  assert.equal((await chat.call(chat.member, "GET /users/me")).body.full_name, "Member");
  assert.equal((await visitor.get("/account")).status, 200);
});

Deno.test("the key file contains what a command-line program needs, and asks for the password", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat);
  const refused = await visitor.post("/account", { action: "download_key", password: "wrong" });
  assert.ok(refused.status === 401 && !refused.html.includes(chat.member.apiKey));
  const file = await visitor.post("/account", { action: "download_key", password: PASSWORD });
  assert.equal(file.headers.get("content-disposition"), 'attachment; filename="sottorc"');
  assert.match(file.headers.get("cache-control") ?? "", /no-store/);
  assert.deepEqual(file.html.trim().split("\n"), [
    "[api]",
    `email=${chat.member.email}`,
    `key=${chat.member.apiKey}`,
    "site=http://localhost:8000",
  ]);
});

Deno.test("a time zone is chosen on the account page, and times are in it", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat);
  assert.match((await visitor.get("/account")).html, /Signed in [^<]*11:00 AM/);
  const done = await visitor.post("/account", { action: "timezone", timezone: "America/Bogota" });
  assert.deepEqual([done.status, done.location], [303, "/account?done=timezone"]);
  const { html } = await visitor.get("/account?done=timezone");
  assert.match(html, /Signed in [^<]*6:00 AM/);
  assert.match(html, /<option value="America\/Bogota" selected/);
  const refused = await visitor.post("/account", { action: "timezone", timezone: "Moon/Crater" });
  assert.equal(refused.status, 400);
});

Deno.test("a former name of a time zone stays selected on the account page", async () => {
  await using chat = await startChat();
  await chat.call(chat.member, "PATCH /settings", { timezone: "US/Pacific" });
  const visitor = await signIn(chat);
  const { html } = await visitor.get("/account");
  assert.match(html, /Signed in [^<]*3:00 AM/);
  const selected = [...html.matchAll(/<option value="([^"]*)" selected/g)].map(([, name]) => name);
  assert.ok(selected.includes("US/Pacific") && !selected.includes(""));
});
