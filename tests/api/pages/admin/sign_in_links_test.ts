import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import { createSignInLink, RESET_LIFETIME_MS } from "@/lib/chat/people/auth/reset_password.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { startMailingChat } from "@/tests/casts/join_cast.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { type PageVisitor, type ShownPage, signIn, visitPages } from "@/tests/helpers/pages.ts";

const NEW = "orange lantern 77 walk";

const pathOf = ({ id }: TestUser) => `/admin/users/${id}/sign-in-link`;

function make(visitor: PageVisitor, user: TestUser): Promise<ShownPage> {
  return visitor.post(pathOf(user), { action: "make" });
}

/** Returns the path of the link in the read-only field of a page. */
function linkIn(html: string): string {
  return /value="http:\/\/localhost:8000(\/reset-password\/[a-z2-7]{32})"/.exec(html)?.[1] ?? "";
}

async function auditedActions(chat: TestChat): Promise<string> {
  return (await (await signIn(chat, chat.owner)).get("/admin/audit")).html;
}

Deno.test("a sign-in link sets a password, signs in once and ends the other sessions", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const former = await signIn(chat, chat.member);
  assert.ok((await admin.get(`/admin/users/${chat.member.id}`)).html.includes("Make sign-in link"));
  const { html, headers } = await make(admin, chat.member);
  assert.equal(headers.get("cache-control"), "no-store, no-transform");
  const link = linkIn(html);
  assert.ok(!(await admin.get(pathOf(chat.member))).html.includes(link), "the link is shown once");
  const visitor = visitPages(chat);
  const opened = await visitor.get(link);
  assert.match(opened.html, /<h1[^>]*>Sign in to Gardeners as Member<\/h1>/);
  assert.equal(opened.headers.get("referrer-policy"), "no-referrer");
  assert.equal((await former.get("/account")).status, 200, "opening the link changes nothing");
  const weak = await visitor.post(link, { new_password: "abc" });
  assert.equal(weak.status, 400);
  assert.match(weak.html, /Sign in to Gardeners as Member/);
  const { status, location } = await visitor.post(link, { new_password: NEW });
  assert.deepEqual([status, location], [303, "/account"]);
  assert.equal((await visitor.get("/account")).status, 200);
  assert.equal((await former.get("/account")).status, 303);
  assert.equal((await visitPages(chat).get(link)).status, 404);
  assert.equal((await visitPages(chat).post(link, { new_password: NEW })).status, 404);
  const signedIn = await visitPages(chat).post("/login", { username: chat.member.email, password: NEW });
  assert.equal(signedIn.status, 303);
  const audit = await auditedActions(chat);
  assert.match(audit, /Made a sign-in link for (<[^>]*>)*Member/);
  assert.match(audit, /signed in with a link and chose a password/);
  assert.ok(!audit.includes(link.split("/").at(-1) ?? ""));
});

Deno.test("a newer sign-in link replaces the older one, and each is valid for an hour", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const first = linkIn((await make(admin, chat.member)).html);
  const second = linkIn((await make(admin, chat.member)).html);
  assert.notEqual(first, second);
  assert.equal((await visitPages(chat).get(first)).status, 404);
  chat.clock.time += RESET_LIFETIME_MS - 1;
  assert.equal((await visitPages(chat).get(second)).status, 200);
  chat.clock.time += 1;
  assert.equal((await visitPages(chat).get(second)).status, 404);
  assert.equal((await visitPages(chat).post(second, { new_password: NEW })).status, 404);
  const links = await Promise.all([make(admin, chat.member), make(admin, chat.member)]);
  const opened = await Promise.all(links.map(({ html }) => visitPages(chat).get(linkIn(html))));
  assert.deepEqual(opened.map(({ status }) => status).sort(), [200, 404]);
});

Deno.test("sign-in links are made by those who may manage a user, for active people other than themselves", async () => {
  await using chat = await startChat();
  const app = chat.services.chat;
  const admin = await signIn(chat, chat.admin);
  await chat.call(chat.owner, `DELETE /users/${chat.guest.id}`);
  for (const user of [chat.owner, chat.bot, chat.guest, chat.outsider, chat.admin]) {
    const { status, html } = await make(admin, user);
    assert.ok(status >= 400 && linkIn(html) === "", user.email);
  }
  assert.ok(linkIn((await make(await signIn(chat, chat.owner), chat.admin)).html) !== "");
  const foreign = await admin.post(pathOf(chat.member), { action: "make" }, {
    origin: "http://evil.example",
    "sec-fetch-site": "cross-site",
  });
  assert.equal(foreign.status, 400);
  for (const user of [chat.moderator, chat.member]) {
    assert.equal((await make(await signIn(chat, user), chat.member)).status, 403);
    const actingUser = await readUser(app, chat.realm.id, user.id);
    assert.ok(actingUser);
    const caller = { realm: chat.realm, actingUser };
    await assert.rejects(createSignInLink(app, caller, chat.member.id), { code: "UNAUTHORIZED_PRINCIPAL" });
  }
});

Deno.test("a sign-in link ends when its user is promoted above its maker, or its maker loses the role", async () => {
  await using chat = await startChat();
  const link = linkIn((await make(await signIn(chat, chat.admin), chat.member)).html);
  const works = async () => (await visitPages(chat).get(link)).status === 200;
  const change = (user: TestUser, role: number) => chat.call(chat.owner, `PATCH /users/${user.id}`, { role });
  assert.ok(await works());
  await change(chat.member, 100);
  assert.ok(!await works());
  assert.equal((await visitPages(chat).post(link, { new_password: NEW })).status, 404);
  await change(chat.member, 400);
  await change(chat.admin, 400);
  assert.ok(!await works());
  await change(chat.admin, 200);
  assert.ok(await works());
  await chat.call(chat.owner, `DELETE /users/${chat.member.id}`);
  assert.ok(!await works());
});

async function importUsers(chat: TestChat, visitor: PageVisitor, content: string): Promise<string> {
  const form = new FormData();
  form.set("action", "upload");
  form.set("file", new File([content], "users.csv", { type: "text/csv" }));
  const path = (await visitor.post("/admin/users/import", form)).location ?? "";
  assert.ok(!(await visitor.get(path)).html.includes("sign-in links"));
  assert.equal((await visitor.post(path, { action: "start" })).status, 303);
  await chat.services.bulkActions.sweep();
  return path;
}

Deno.test("imported users without a password get sign-in links in one file", async () => {
  await using chat = await startChat();
  const owner = await signIn(chat, chat.owner);
  const people = Array.from({ length: 60 }, (_, at) => `person${at}@example.com,Person ${at},`).join("\n");
  const file = `email,full_name,role\nada@example.com,=Ada,owner\n${people}\n`;
  const path = await importUsers(chat, owner, file);
  chat.clock.time++;
  assert.match((await owner.get(path)).html, /61 imported users have no password yet/);
  const download = await owner.post(path, { action: "sign_in_links" });
  assert.equal(download.headers.get("content-type"), "text/csv; charset=utf-8");
  assert.equal(download.headers.get("cache-control"), "no-store");
  const [columns, ...rows]: string[][] = parse(download.html, { bom: true });
  assert.deepEqual(columns, ["name", "email", "link", "expires"]);
  assert.equal(rows.length, 61);
  const [name, email, url = "", expires = ""] = rows.find(([one]) => one === "Person 7") ?? [];
  assert.deepEqual([name, email], ["Person 7", "person7@example.com"]);
  assert.equal(Date.parse(expires), chat.clock.time + RESET_LIFETIME_MS);
  const visitor = visitPages(chat);
  const { status, location } = await visitor.post(new URL(url).pathname, { new_password: NEW });
  assert.deepEqual([status, location], [303, "/connect?joined=1"]);
  assert.equal((await visitor.get("/account")).status, 200);
  // Administrators who are not owners get none for owners, and nobody for users who have a password by now.
  const admin = await signIn(chat, chat.admin);
  const again: string[][] = parse((await admin.post(path, { action: "sign_in_links" })).html, { bom: true });
  assert.equal(again.length, 1 + 59);
  assert.ok(!again.flat().some((cell) => cell.includes("Ada") || cell === "Person 7"));
  const former = rows.find(([one]) => one === "Person 8")?.[2] ?? "";
  assert.equal((await visitPages(chat).get(new URL(former).pathname)).status, 404);
  assert.equal((await auditedActions(chat)).match(/Made sign-in links for imported users/g)?.length, 2);
});

Deno.test("an import without users who need a link offers none", async () => {
  await using chat = await startMailingChat();
  const admin = await signIn(chat, chat.admin);
  const path = await importUsers(chat, admin, "email,full_name\nbob@example.com,Bob\n");
  await visitPages(chat).post("/forgot-password", { email: "bob@example.com" });
  const reset = /\/reset-password\/\w+/.exec((await chat.mails()).at(-1)?.text ?? "")?.[0] ?? "";
  const mailed = await visitPages(chat).post(reset, { new_password: NEW });
  assert.deepEqual([mailed.status, mailed.location], [303, "/login?notice=reset"]);
  assert.ok(!(await admin.get(path)).html.includes("Download sign-in links"));
  const { status, html } = await admin.post(path, { action: "sign_in_links" });
  assert.equal(status, 400);
  assert.match(html, /No imported user needs a sign-in link anymore\./);
});
