import assert from "node:assert/strict";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { type PageVisitor, signIn, visitPages } from "@/tests/helpers/pages.ts";
import { readForm } from "@/tests/casts/form_cast.ts";

const PAGES = ["/admin/users", "/admin/users?tab=bots", "/admin/users/new"];

const pathOf = ({ id }: TestUser) => `/admin/users/${id}`;

async function formOf(visitor: PageVisitor, person: TestUser) {
  return readForm((await visitor.get(pathOf(person))).html, "save");
}

/** Returns the names that a list links to, in order. */
function namesIn(html: string): string[] {
  return [...html.matchAll(/href="\/admin\/users\/\d+"><bdi>([^<]*)<\/bdi>/g)].map(([, name = ""]) => name);
}

async function show(chat: TestChat, person: TestUser) {
  const { body } = await chat.call(chat.owner, `GET /users/${person.id}`);
  return body.user;
}

Deno.test("the user pages are limited to administrators", async () => {
  await using chat = await startChat();
  const paths = [
    ...PAGES,
    pathOf(chat.member),
    `${pathOf(chat.member)}/deactivate`,
    `${pathOf(chat.member)}/reset-key`,
  ];
  for (const path of paths) {
    const { status, location } = await visitPages(chat).get(path);
    assert.deepEqual([status, location], [303, `/login?next=${encodeURIComponent(path)}`]);
  }
  for (const person of [chat.moderator, chat.member, chat.guest]) {
    const visitor = await signIn(chat, person);
    for (const path of paths) assert.equal((await visitor.get(path)).status, 403, path);
    assert.equal((await visitor.post(pathOf(chat.guest), { action: "end_sessions" })).status, 403);
  }
  const outsider = await signIn(chat, chat.outsider);
  for (const path of paths.slice(3)) assert.equal((await outsider.get(path)).status, 404, path);
  assert.deepEqual(namesIn((await outsider.get("/admin/users")).html), ["Outsider"]);
});

Deno.test("/admin/users lists users, bots and deactivated accounts by name", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const people = ["Admin", "Guest", "Member", "Moderator", "Owner"];
  assert.deepEqual(namesIn((await admin.get("/admin/users")).html), people);
  assert.deepEqual(namesIn((await admin.get("/admin/users?tab=bots")).html), ["Bot"]);
  assert.match((await admin.get("/admin/users?tab=deactivated")).html, /There are no such deactivated users/);
  await chat.call(chat.owner, `DELETE /users/${chat.member.id}`);
  assert.deepEqual(namesIn((await admin.get("/admin/users?tab=deactivated")).html), ["Bot", "Member"]);
  assert.deepEqual(
    namesIn((await admin.get("/admin/users")).html),
    people.filter((name) => name !== "Member"),
  );
});

Deno.test("/admin/users can be searched by name and address, and sorted by name, role and join date", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  await chat.call(chat.member, "PATCH /settings", { email_address_visibility: 4 });
  const namesAt = async (query: string) => namesIn((await admin.get(`/admin/users?${query}`)).html);
  assert.deepEqual(await namesAt("q=MOD"), ["Moderator"]);
  assert.deepEqual(await namesAt("q=guest%40example"), ["Guest"]);
  assert.deepEqual(await namesAt("q=member%40example"), [], "a hidden address finds nobody");
  assert.match((await admin.get("/admin/users")).html, /hidden/);
  assert.deepEqual(await namesAt("sort=name&order=descending"), [
    "Owner",
    "Moderator",
    "Member",
    "Guest",
    "Admin",
  ]);
  assert.deepEqual(await namesAt("sort=role"), ["Owner", "Admin", "Moderator", "Member", "Guest"]);
  chat.clock.time += 86_400_000;
  await chat.add("late");
  assert.deepEqual((await namesAt("sort=joined&order=descending"))[0], "Late");
  assert.deepEqual(await namesAt("sort=nonsense&page=x&tab=y"), [
    "Admin",
    "Guest",
    "Late",
    "Member",
    "Moderator",
    "Owner",
  ]);
  const { html } = await admin.get("/admin/users?q=%3Cscript%3Ealert(1)%3C/script%3E");
  assert.doesNotMatch(html, /<script>alert/);
});

Deno.test("/admin/users has pages, and an address beyond the last one leads to it", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  for (let at = 0; at < 55; at++) await chat.add(`p${String(at).padStart(2, "0")}`);
  const first = await admin.get("/admin/users");
  assert.equal(namesIn(first.html).length, 50);
  assert.match(first.html, /1–50 of 60 users/);
  const next = /href="([^"#]*page=2)#list"/.exec(first.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const second = await admin.get(next);
  assert.equal(namesIn(second.html).length, 10);
  assert.deepEqual(new Set([...namesIn(first.html), ...namesIn(second.html)]).size, 60);
  assert.match(second.html, /51–60 of 60 users.*Previous page/s);
  assert.doesNotMatch(second.html, /Next page/);
  assert.deepEqual(namesIn((await admin.get("/admin/users?page=99")).html), namesIn(second.html));
});

Deno.test("/admin/users/new creates an account, or reports problems at each field", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const good = {
    action: "create",
    full_name: "Dora",
    email: "dora@example.com",
    password: "violet kettle seldom 42",
  };
  const refusals = [
    [{ ...good, full_name: "" }, "full_name", "Name must not be empty."],
    [{ ...good, email: "dora" }, "email", "Enter a valid email address."],
    [{ ...good, email: chat.member.email }, "email", "already in use"],
    [
      { ...good, password: "password" },
      "password",
      "This password is on lists of common passwords. Choose another one.",
    ],
  ] as const;
  for (const [fields, field, message] of refusals) {
    const shown = await admin.post("/admin/users/new", fields);
    assert.equal(shown.status, 400);
    const problem = new RegExp(`id="${field}-problem"[^>]*>([^<]*)`).exec(shown.html)?.[1] ?? "";
    assert.ok(problem.includes(message), `${field}: ${problem}`);
    assert.doesNotMatch(shown.html, /violet kettle/);
  }
  const { status, location } = await admin.post("/admin/users/new", good);
  assert.equal(status, 303);
  const shown = await admin.get(location ?? "");
  assert.match(shown.html, /User Dora created\./);
  assert.match(shown.html, /value="dora@example.com"/);
  const foreign = await admin.post("/admin/users/new", { ...good, email: "e@example.com" }, {
    "sec-fetch-site": "cross-site",
    origin: "http://evil.example",
  });
  assert.equal(foreign.status, 400);
  assert.equal((await chat.call(chat.owner, "GET /users/e@example.com")).status, 400);
});

Deno.test("/admin/users/{id} changes name, address and role, and refuses what the API refuses", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const form = await formOf(admin, chat.member);
  const wanted = { ...form, full_name: "Dilip", email: "dilip@example.com", role: "300" };
  assert.equal((await admin.post(pathOf(chat.member), wanted)).status, 303);
  const { full_name, delivery_email, role } = await show(chat, chat.member);
  assert.deepEqual([full_name, delivery_email, role], ["Dilip", "dilip@example.com", 300]);
  const fresh = await formOf(admin, chat.member);
  const grant = await admin.post(pathOf(chat.member), { ...wanted, ...fresh, role: "100" });
  assert.equal(grant.status, 400);
  assert.match(grant.html, /id="role-problem"[^>]*>Must be an organization owner/);
  const stale = await admin.post(pathOf(chat.member), { ...wanted, full_name: "Late" });
  assert.match(stale.html, /Someone else changed this while you were editing/);
  assert.match(stale.html, /value="Late"/);
  assert.match((await admin.get(pathOf(chat.owner))).html, /Only owners can change/);
  const forbidden = await admin.post(pathOf(chat.owner), { action: "end_sessions" });
  assert.match(forbidden.html, /Must be an organization owner/);
});

Deno.test("/admin/users/{id} explains why the last owner keeps their role and account", async () => {
  await using chat = await startChat();
  const owner = await signIn(chat, chat.owner);
  const { html } = await owner.get(pathOf(chat.owner));
  assert.match(html, /The only owner cannot change to another role/);
  assert.match(html, /The only owner cannot be deactivated/);
  const form = { ...await formOf(owner, chat.owner), role: "200" };
  const shown = await owner.post(pathOf(chat.owner), form);
  assert.match(shown.html, /id="role-problem"[^>]*>The owner permission cannot be removed/);
  const ended = await owner.post(`${pathOf(chat.owner)}/deactivate`, { action: "deactivate" });
  assert.match(ended.html, /Cannot deactivate the only organization owner/);
  await chat.call(chat.owner, `PATCH /users/${chat.admin.id}`, { role: 100 });
  assert.doesNotMatch((await owner.get(pathOf(chat.owner))).html, /The only owner/);
});
