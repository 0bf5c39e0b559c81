import assert from "node:assert/strict";
import { closePages } from "@/tests/helpers/admin_samples.ts";
import { storeLink } from "@/lib/links/actions.ts";
import { findLinks, listFoundLinks } from "@/lib/links/search/find_links.ts";
import { type LinkManagers, startLinkManagers } from "@/tests/casts/manage_links_cast.ts";
import { type PageVisitor, signIn, visitPages } from "@/tests/helpers/pages.ts";

interface Found {
  readonly path: string;
  readonly name: string;
  readonly about: string;
  readonly form?: Readonly<Record<string, string>>;
}

async function find(visitor: PageVisitor, text: string): Promise<readonly Found[]> {
  const { status, html } = await visitor.get(`/admin/find/records?${new URLSearchParams({ q: text })}`);
  assert.equal(status, 200);
  return JSON.parse(html).found;
}

const toPath = (short: string) => `/admin/links/${encodeURIComponent(short)}`;

async function createLink(chat: LinkManagers, body: Readonly<Record<string, unknown>>): Promise<string> {
  chat.clock.time += 1000;
  return await chat.create(body);
}

Deno.test("the search dialog finds short links by words of their URL, title and tags", async () => {
  await using chat = await startLinkManagers();
  const bulbs = await createLink(chat, { url: "https://shop.example/bulbs/tulip" });
  const rota = await createLink(chat, { url: "https://a.example/1", title: "Watering rota" });
  const seeds = await createLink(chat, { url: "https://b.example/2", tags: ["seedlings"] });
  const admin = await signIn(chat, chat.admin);
  const about = "Short link";
  const found = [
    ["TULIP shop", { path: toPath(bulbs), name: "https://shop.example/bulbs/tulip", about }],
    ["rota", { path: toPath(rota), name: "Watering rota", about }],
    ["seedl", { path: toPath(seeds), name: "https://b.example/2", about }],
    ["#seedlings", { path: toPath(seeds), name: "https://b.example/2", about }],
    [bulbs, { path: toPath(bulbs), name: "https://shop.example/bulbs/tulip", about }],
  ] as const;
  for (const [text, expected] of found) assert.deepEqual(await find(admin, text), [expected], text);
  for (const text of ["daffodil", "???", "#", "#seed"]) assert.deepEqual(await find(admin, text), [], text);

  const deleted = await chat.manage(`DELETE /links/${encodeURIComponent(bulbs)}?visits=keep`);
  assert.equal(deleted.status, 200);
  await deleted.body?.cancel();
  assert.deepEqual(await find(admin, "tulip"), []);
  assert.deepEqual(await find(admin, bulbs), []);
});

Deno.test("the search dialog lists the newest short links and leads to the others", async () => {
  await using chat = await startLinkManagers();
  for (let at = 1; at <= 7; at++) await createLink(chat, { url: `https://shop.example/${at}` });
  const admin = await signIn(chat, chat.admin);
  const found = await find(admin, "shop");
  assert.deepEqual(found.map(({ name }) => name), [
    ...[7, 6, 5, 4, 3].map((at) => `https://shop.example/${at}`),
    "All links with “shop”",
  ]);
  const all = found.at(-1) ?? assert.fail();
  assert.equal(all.about, "Short links");
  assert.match((await admin.get(all.path)).html, /https:\/\/shop\.example\/1/);
});

Deno.test("the search dialog shows short links to administrators of the root organization only", async () => {
  await using chat = await startLinkManagers();
  const short = await createLink(chat, { url: "https://shop.example/bulbs" });
  assert.equal((await find(await signIn(chat, chat.owner), "bulbs")).length, 1);
  const outsider = await signIn(chat, chat.outsider);
  for (const text of ["bulbs", short, "shop.example"]) assert.deepEqual(await find(outsider, text), []);
  assert.doesNotMatch((await outsider.get("/admin")).html, /short links, settings/);
  const member = await signIn(chat, chat.member);
  assert.deepEqual(await find(member, "bulbs"), []);
  await closePages(chat);
  assert.equal((await member.get("/admin/find/records?q=bulbs")).status, 403);
  assert.equal((await visitPages(chat).get("/admin/find/records?q=bulbs")).status, 303);
});

Deno.test("the search finds pages, settings, permissions and commands by their names and other words", async () => {
  await using chat = await startLinkManagers();
  const admin = await signIn(chat, chat.admin);
  const expected = [
    ["emoji", "/admin/organization/emoji", "Custom emoji"],
    ["status", "/admin/organization/status", "Status"],
    ["mail", "/admin/organization/status#mail", "Email"],
    ["bots", "/admin/users?tab=bots", "Bots"],
    ["bot", "/admin/bots/new", "Create bot"],
    ["retention", "/admin/channels", "Channels"],
    ["read receipts", "/admin/organization#enable_read_receipts", "Show who has read a message"],
    ["welcome", "/admin/organization#welcome", "Welcome"],
    ["MULTIUSE reusable", "", ""],
    [
      "reusable links create",
      "/admin/organization/permissions#create_multiuse_invite_group",
      "Create reusable invitation links",
    ],
    ["resolve topics", "/admin/organization/permissions#can_resolve_topics_group", "Resolve topics"],
    [
      "mention the group",
      "/admin/organization/permissions/who?permission=user_group.can_mention_group",
      "Mention the group",
    ],
    ["blocked", "/admin/links/hosts", "Blocked hosts"],
    ["shortcuts", "/admin/shortcuts", "Keyboard shortcuts"],
    ["close organization", "/admin/organization/deactivate", "Deactivate organization"],
    ["api key", "/account#api-key", "API key"],
    ["export", "/admin/users/export", "Export Users (CSV)"],
    ["dark", "/admin/theme", "Dark theme"],
    ["sign out", "/logout", "Sign out"],
    ["log out", "/logout", "Sign out"],
  ] as const;
  for (const [text, path, name] of expected) {
    const found = await find(admin, text);
    if (path === "") assert.deepEqual(found, [], text);
    else {assert.ok(
        found.some((one) => one.path === path && one.name === name),
        `${text}: ${JSON.stringify(found)}`,
      );}
  }
  assert.deepEqual((await find(admin, "statistics"))[0]?.name, "Statistics", "the best match is first");
  const outsider = await signIn(chat, chat.outsider);
  assert.ok((await find(outsider, "short links")).every(({ path }) => !/^\/admin\/(links|stats)/.test(path)));
  const files = await find(admin, "export data");
  for (const { path, form } of files) {
    const answer = form === undefined ? await admin.get(path) : await admin.post(path, form);
    assert.match(answer.headers.get("content-disposition") ?? "", /csv/, path);
  }
  assert.equal(files.length, 7);
});

Deno.test("the search finds what administrators call by other words", async () => {
  await using chat = await startLinkManagers();
  const owner = await signIn(chat, chat.owner);
  const expected = {
    "/admin": "backup, checklist",
    "/admin/users":
      "delete user, user list, remove account, change role, moderator, password reset, suspend, ban user, avatar",
    "/admin/users/new": "add user, new user, new member",
    "/admin/users?tab=bots": "webhooks, integration",
    "/admin/users/import": "bulk invite, csv",
    "/admin/bulk-actions": "undo, reactivate",
    "/admin/bots/new": "new bot, incoming webhook, integration",
    "/admin/channels": "streams, archive, retention, default channels, private channels",
    "/admin/channels/new": "new channel, add channel, new stream",
    "/admin/groups/new": "new group, add group, new team",
    "/admin/linkifiers": "regex, jira, auto link",
    "/admin/playgrounds": "snippets",
    "/admin/profile-fields": "custom fields, pronouns",
    "/admin/organization#profile": "rename organization, organization description",
    "/admin/organization#domains": "email domains",
    "/admin/organization#welcome_message_custom_text": "welcome bot",
    "/admin/organization#message_content_delete_limit_seconds": "unsend",
    "/admin/organization#moderation_request_channel_id": "flagged, report",
    "/admin/organization/permissions": "roles, guests",
    "/admin/organization/permissions#can_mention_many_users_group": "@all, @everyone",
    "/admin/organization/permissions#direct_message_permission_group": "dm, dms",
    "/admin/organization/status#mail": "smtp, outgoing mail",
    "/admin/organization/status#sign-in": "sso, login, authentication, jwt",
    "/admin/organization/status#push": "mobile, phone",
    "/admin/organization/status#video": "zoom, jitsi, meeting",
    "/admin/organization/status#uploads": "storage, quota, upload limit, file size, attachments, disk",
    "/admin/organization/status#limits": "throttle, brute force",
    "/admin/organization/status#address": "https, tls, certificate, base url, host name",
    "/admin/organization/status#version": "version, update, upgrade",
    "/admin/activity": "analytics, usage, reports",
    "/admin/audit": "revert, undo, log, who changed",
    "/admin/links": "shorten, url, qr, expire, tag",
    "/admin/links/hosts": "phishing, block domain, abuse",
    "/admin/stats": "analytics, clicks, badge",
    "/account": "my name, my account",
    "/account#time-zone": "timezone, clock",
    "/account#password": "lost password, forgot password",
    "/docs/admin/overview": "help, manual, documentation",
    "/logout": "logout, log out, sign out",
  };
  const missing: string[] = [];
  for (const [path, texts] of Object.entries(expected)) {
    for (const text of texts.split(", ")) {
      const found = await find(owner, text);
      if (!found.some((one) => one.path === path)) missing.push(`${text} → ${path}`);
    }
  }
  assert.deepEqual(missing, []);
});

Deno.test("the search finds groups and channels that the user can see, also on its page", async () => {
  await using chat = await startLinkManagers();
  const { body } = await chat.call(chat.owner, "POST /user_groups/create", {
    name: "Çacti lovers",
    description: "",
    members: [],
  });
  const path = `/admin/groups/${body["group_id"]}`;
  const admin = await signIn(chat, chat.admin);
  assert.deepEqual(await find(admin, "lovers cacti"), [{ path, name: "Çacti lovers", about: "Groups" }]);

  const { html } = await admin.get("/admin/find?q=cacti");
  assert.ok(html.includes(`href="${path}"`));
  assert.match((await admin.get("/admin/find?q=dark")).html, /<form method="post" action="\/admin\/theme">/);
  assert.match((await admin.get("/admin/find?q=nobody+calls+this")).html, /No results\. Check the spelling/);
  assert.match(html, /channels, groups and short links\./);
  assert.match(
    (await admin.get("/admin")).html,
    /<a [^>]*href="\/admin\/find"/,
    "the page is reached without scripts",
  );
});

Deno.test("signing out makes the browser forget what was found", async () => {
  await using chat = await startLinkManagers();
  const { headers } = await (await signIn(chat, chat.admin)).post("/logout", {});
  assert.equal(headers.get("clear-site-data"), '"storage"');
});

Deno.test("searches of the dialog are rate limited", async () => {
  await using chat = await startLinkManagers({
    env: { RATE_LIMITS: JSON.stringify({ admin_search: { points: 2, seconds: 60 } }) },
  });
  const admin = await signIn(chat, chat.admin);
  const statuses: number[] = [];
  for (let at = 0; at < 3; at++) statuses.push((await admin.get("/admin/find/records?q=bulbs")).status);
  assert.deepEqual(statuses, [200, 200, 429]);
});

Deno.test("listFoundLinks() yields each link of a search once, also when the order changes meanwhile", async () => {
  await using chat = await startLinkManagers();
  const { links } = chat.services;
  const made = await Promise.all(
    Array.from({ length: 1100 }, (_, at) => storeLink(links, { url: `https://shop.example/${at}` }, null)),
  );
  const shorts = made.map(({ short }) => short);
  const visit = (short: string) => links.visits.submit({ short, at: chat.clock.time });
  const [last = "", ...visited] = shorts;
  await Promise.all(visited.map(visit));
  const found: string[] = [];
  for await (const { short } of listFoundLinks(links, { q: "shop", order: "visits", limit: 5000 })) {
    if (found.push(short) === 1) await Promise.all([last, last].map(visit));
  }
  assert.deepEqual(found.toSorted(), shorts.toSorted());
});

Deno.test("findLinks() reads no more links than its bounds allow, and says that there are others", async () => {
  await using chat = await startLinkManagers();
  for (let at = 1; at <= 4; at++) await createLink(chat, { url: `https://shop.example/${at}` });
  const search = { q: "shop", limit: 10 };
  const { links } = chat.services;
  const full = await findLinks(links, search);
  assert.deepEqual([full.links.length, full.isComplete], [4, true]);
  const bounded = await findLinks(links, { ...search, maxCompared: 2 });
  assert.deepEqual([bounded.links.length, bounded.isComplete], [2, false]);
});
