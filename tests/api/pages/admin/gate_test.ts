import assert from "node:assert/strict";
import { ANY_SAMPLES, listAdminRoutes, toAdminPath } from "@/tests/helpers/admin_routes.ts";
import { closePages } from "@/tests/helpers/admin_samples.ts";
import { PASSWORD, startChat } from "@/tests/helpers/chat.ts";
import { type PageVisitor, signIn, visitPages } from "@/tests/helpers/pages.ts";

const OTHER_HOST = "other.localhost:8000";
/** No records are needed: access is checked first. */
const PAGES = listAdminRoutes().filter(({ isPage }) => isPage).map(({ pattern }) =>
  toAdminPath(pattern, ANY_SAMPLES)
);

async function opens(visitor: PageVisitor, path = "/admin"): Promise<boolean> {
  return (await visitor.get(path)).status === 200;
}

Deno.test("anonymous visitors are redirected from every admin page to sign-in, and back to the full address", async () => {
  await using chat = await startChat();
  assert.ok(PAGES.length > 4);
  for (const path of PAGES) {
    const asked = `${path}?search=a%26b&page=2`;
    const { status, location, html } = await visitPages(chat).get(asked);
    assert.deepEqual([status, location, html], [303, `/login?next=${encodeURIComponent(asked)}`, ""], path);
  }
  const visitor = visitPages(chat);
  const asked = "/admin/channel-folders?archived";
  const { location } = await visitor.get(asked);
  const form = await visitor.get(location ?? "");
  assert.ok(form.html.includes(`value="${asked}"`));
  const login = { username: chat.admin.email, password: PASSWORD, next: asked };
  const wrong = await visitor.post("/login", { ...login, password: "wrong" });
  assert.ok(wrong.html.includes(`value="${asked}"`), "a wrong password does not lose the way");
  assert.equal((await visitor.post("/login", login)).location, asked);
  assert.ok(await opens(visitor, asked));
  assert.equal((await visitor.get(`/login?next=${encodeURIComponent(asked)}`)).location, asked);
});

Deno.test("an anonymous visitor's form is dropped, and they return to its page", async () => {
  await using chat = await startChat();
  const { status, location } = await visitPages(chat).post("/admin/channel-folders", {
    action: "create",
    name: "No",
  });
  assert.deepEqual([status, location], [303, "/login?next=%2Fadmin%2Fchannel-folders"]);
  const { body } = await chat.call(chat.owner, "GET /channel_folders");
  assert.deepEqual(body["channel_folders"], []);
});

Deno.test("members, guests and moderators without permissions are refused with an error page", async () => {
  await using chat = await startChat();
  await closePages(chat);
  for (const user of [chat.member, chat.guest, chat.moderator]) {
    const visitor = await signIn(chat, user);
    for (const path of PAGES) {
      const { status, html, headers } = await visitor.get(path);
      assert.equal(status, 403, path);
      assert.ok(html.includes("Only administrators of the organization can open this page."));
      assert.match(html, /<h1[^>]*>You do not have access<\/h1>/);
      assert.equal(headers.get("cache-control"), "no-store");
      assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/);
      assert.equal((await visitor.post(path, { action: "create" })).status, 403, path);
    }
  }
});

Deno.test("an administrator's error page keeps the admin frame and links on", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const { status, html } = await visitor.get("/admin/groups/999");
  assert.equal(status, 404);
  assert.match(html, /<h1[^>]*>Page not found<\/h1>/);
  assert.match(html, /<a [^>]*href="\/admin\/channels"/);
  assert.match(html, /<a [^>]*href="\/admin"[^>]*>Go to the overview<\/a>/);
  // No script runs on this page, so it contains nothing that requires one; the search is a link.
  assert.ok(!html.includes("<script") && !html.includes("<dialog"));
  assert.match(html, /<a [^>]*href="\/admin\/find"/);
});

Deno.test("a session opens only the admin pages of its own organization", async () => {
  await using chat = await startChat();
  const outsider = await signIn(chat, chat.outsider);
  assert.ok(await opens(outsider));
  const here = visitPages(chat);
  here.setToken(outsider.token() ?? "");
  for (const path of PAGES) assert.equal((await here.get(path)).status, 303, path);
  const there = visitPages(chat, OTHER_HOST);
  there.setToken((await signIn(chat, chat.owner)).token() ?? "");
  for (const path of PAGES) assert.equal((await there.get(path)).status, 303, path);
});

Deno.test("a deactivated or demoted administrator loses access at once", async () => {
  await using chat = await startChat();
  await closePages(chat);
  const [visitor, second] = await Promise.all([signIn(chat, chat.admin), signIn(chat, chat.admin)]);
  assert.ok(await opens(visitor));
  const asked = Array.from({ length: 50 }, (_, at) => (at % 2 ? visitor : second).get("/admin"));
  const { status } = await chat.call(chat.owner, `PATCH /users/${chat.admin.id}`, { role: 400 });
  assert.equal(status, 200);
  for (const { status } of await Promise.all(asked)) assert.ok([200, 403].includes(status));
  for (const path of PAGES) assert.equal((await visitor.get(path)).status, 403, path);
  await chat.call(chat.owner, `PATCH /users/${chat.admin.id}`, { role: 200 });
  assert.ok(await opens(visitor));

  const during = Array.from({ length: 50 }, (_, at) => (at % 2 ? visitor : second).get("/admin"));
  assert.equal((await chat.call(chat.owner, `DELETE /users/${chat.admin.id}`)).status, 200);
  await Promise.all(during);
  for (const path of PAGES) assert.equal((await visitor.get(path)).status, 303, path);
  assert.equal((await chat.call(chat.owner, `POST /users/${chat.admin.id}/reactivate`)).status, 200);
  assert.equal(await opens(visitor), false);
  assert.equal(await opens(second), false);
});

Deno.test("signing in starts a new session, whatever cookie was sent", async () => {
  await using chat = await startChat();
  const planted = "A".repeat(43);
  const visitor = visitPages(chat);
  visitor.setToken(planted);
  await visitor.post("/login", { username: chat.owner.email, password: PASSWORD, next: "/admin" });
  const first = visitor.token() ?? "";
  assert.notEqual(first, planted);
  const thief = visitPages(chat);
  thief.setToken(planted);
  assert.equal(await opens(thief), false);
  await visitor.post("/login", { username: chat.admin.email, password: PASSWORD });
  assert.notEqual(visitor.token(), first);
  await visitor.post("/logout", {});
  thief.setToken(visitor.token() ?? "");
  assert.equal(await opens(thief), false);
});

Deno.test("sign-in continues to a page of this site, or to the page of the role", async () => {
  await using chat = await startChat();
  const login = { username: chat.owner.email, password: PASSWORD };
  const goes = async (next: string) => (await visitPages(chat).post("/login", { ...login, next })).location;
  const follows = async (next: string) => {
    const visitor = await signIn(chat, chat.owner);
    return (await visitor.get(`/login?next=${encodeURIComponent(next)}`)).location;
  };
  const elsewhere = [
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https:evil.example",
    "https://evil.example/admin",
    "http:/\\evil.example",
    "/\t/evil.example",
    "\t//evil.example",
    "/\n/evil.example",
    " //evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "admin",
    "?next=//evil.example",
    "@evil.example",
  ];
  for (const next of elsewhere) {
    assert.equal(await goes(next), "/admin", JSON.stringify(next));
    assert.equal(await follows(next), "/admin", JSON.stringify(next));
  }
  for (
    const next of ["/%2f%2fevil.example", "/%5cevil.example", "/admin/..//evil.example", "/a#//evil.example"]
  ) {
    const location = await goes(next) ?? "";
    assert.equal(new URL(location, "http://localhost:8000/login").host, "localhost:8000", location);
  }
});

Deno.test("a script without a session is redirected to sign-in, too", async () => {
  await using chat = await startChat();
  const answer = await chat.request("/admin/channel-folders", {
    method: "POST",
    headers: { accept: "application/json", "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ action: "create", name: "No" }),
  });
  await answer.body?.cancel();
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get("location"), "/login?next=%2Fadmin%2Fchannel-folders");
});

Deno.test("a visitor returns to the page without its query when that is long", async () => {
  await using chat = await startChat();
  const { location } = await visitPages(chat).get(`/admin/users?q=${"<".repeat(10_000)}`);
  assert.equal(location, "/login?next=%2Fadmin%2Fusers");
});
