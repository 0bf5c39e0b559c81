import assert from "node:assert/strict";
import { createLinksApp } from "@/lib/links/app.ts";
import { checkLinks } from "@/lib/links/check.ts";
import { blockHost } from "@/lib/links/manage/blocked_hosts.ts";
import { linkKeys } from "@/lib/links/store.ts";
import { readRecord } from "@/lib/store/key.ts";
import { listAuditRecords, readAuditParts } from "@/lib/chat/organization/audit/store.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { jsonBody, startTestApp } from "@/tests/helpers/app.ts";
import { signIn } from "@/tests/helpers/pages.ts";
import { type LinkManagers, SHORTEN_KEY, startLinkManagers } from "@/tests/casts/manage_links_cast.ts";

const OPEN = [200, 200, 200];
const GONE = [410, 410, 410];
const path = (short: string) => `/links/${encodeURIComponent(short)}`;

Deno.test("a link is managed with the shorten key or an administrator's key of the root organization", async () => {
  await using app = await startLinkManagers();
  const short = await app.create({
    title: "Handbook",
    tags: ["Docs", "docs", " Team "],
    note: "line\r\nline",
  });
  const read = await app.manage(`GET ${path(short)}`, undefined, app.adminKey);
  const { shortUrl, ...link } = await read.json();
  assert.equal(shortUrl, `http://localhost:8000/${encodeURIComponent(short)}`);
  assert.deepEqual(link, {
    short,
    url: "https://example.com/",
    title: "Handbook",
    note: "line\nline",
    tags: ["docs", "team"],
    status: "active",
    isDisabled: false,
    createdAt: "2026-11-21T11:00:00.000Z",
    createdBy: null,
    expiresAt: null,
    maxVisits: null,
    visits: 0,
    lastVisitAt: null,
  });
  const made = await app.manage("POST /links", { url: "https://example.com/b" }, app.adminKey);
  assert.equal((await made.json()).createdBy, app.admin.id);
  const member = basic(app.member.email, app.member.apiKey);
  const refused: [string | null, number][] = [[null, 401], ["Bearer wrong", 401], [member, 403], [
    "Basic !",
    401,
  ]];
  for (const [authorization, status] of refused) {
    const response = await app.manage(`GET ${path(short)}`, undefined, authorization);
    assert.equal(response.status, status, String(authorization));
    await response.body?.cancel();
  }
});

Deno.test("without a shorten key, only an administrator manages links", async () => {
  await using app = await startTestApp();
  for (const authorization of ["Bearer x", "Bearer null", "Bearer undefined"]) {
    assert.equal((await app.request("/links", { headers: { authorization } })).status, 401);
  }
});

Deno.test("a disabled link answers 410 and counts nothing until it is enabled", async () => {
  await using app = await startLinkManagers();
  const short = await app.create({});
  assert.deepEqual(await app.statuses(short), OPEN);
  const disabled = await app.manage(`PATCH ${path(short)}`, { isDisabled: true });
  assert.equal((await disabled.json()).status, "disabled");
  assert.deepEqual(await app.statuses(short), GONE);
  const response = await app.request(`/${encodeURIComponent(short)}`);
  assert.deepEqual(await response.json(), {
    statusCode: 410,
    error: "Gone",
    message: "This short link is disabled.",
  });
  await (await app.manage(`PATCH ${path(short)}`, { isDisabled: false })).body?.cancel();
  assert.deepEqual(await app.statuses(short), OPEN);
  assert.equal((await (await app.manage(`GET ${path(short)}`)).json()).visits, 2);
});

Deno.test("a link leads to a new destination at once, is found by its words, and keeps its visits", async () => {
  await using app = await startLinkManagers();
  const short = await app.create({ url: "https://example.com/tomatoes" });
  const visit = async () => (await (await app.request(`/${encodeURIComponent(short)}`)).json()).url;
  const change = (url: string, key?: string) => app.manage(`PATCH ${path(short)}`, { url }, key);
  const find = async (q: string) => (await (await app.manage(`GET /links?q=${q}`)).json()).total;
  assert.equal(await visit(), "https://example.com/tomatoes");
  assert.equal(await find("tomatoes"), 1);
  app.clock.time++;
  const changed = await (await change("https://example.org/beans", app.adminKey)).json();
  assert.deepEqual([changed.url, changed.visits], ["https://example.org/beans", 1]);
  assert.equal(await visit(), "https://example.org/beans");
  assert.deepEqual([await find("tomatoes"), await find("beans"), await find("example.org")], [0, 1, 1]);
  const stats = await (await app.request(`/${encodeURIComponent(short)}/stats`)).json();
  assert.deepEqual([stats.url, stats.visits.length], ["https://example.org/beans", 2]);
  app.clock.time++;
  await (await change("https://example.net/roses")).body?.cancel();
  const { kv } = app.services.store;
  assert.deepEqual(await readRecord(kv, linkKeys.destinations(short)), [
    {
      url: "https://example.com/tomatoes",
      until: app.clock.time - 1,
      replacedBy: { realmId: app.realm.id, userId: app.admin.id },
    },
    { url: "https://example.org/beans", until: app.clock.time, replacedBy: null },
  ]);
  const { changes: [entry] } = await listAuditRecords(app.services.chat, app.realm, {
    cursor: null,
    limit: 1,
  });
  assert.deepEqual(entry?.details, { url: ["https://example.org/beans", "https://example.net/roses"] });
  assert.deepEqual((await checkLinks(kv)).problems, []);
  await (await app.manage(`DELETE ${path(short)}?visits=keep`)).body?.cancel();
  assert.equal(await readRecord(kv, linkKeys.destinations(short)), null);
});

Deno.test("a new destination is refused like the URL of a new link", async () => {
  await using app = await startLinkManagers();
  const short = await app.create({});
  const { store, clock, links: { config } } = app.services;
  // Another process blocks the host.
  const actor = { creator: null, audit: () => {} };
  await blockHost(createLinksApp({ store, clock, config }, () => {}), "spam.example", actor);
  const refused: [string, number][] = [
    ["https://www.spam.example/x", 422],
    ["https://ada:secret@example.com/", 400],
    [`http://localhost:8000/${encodeURIComponent(short)}`, 400],
    ["javascript:alert(1)", 400],
    [`https://example.com/${"x".repeat(500)}`, 400],
    ["/relative", 400],
  ];
  for (const [url, status] of refused) {
    const response = await app.manage(`PATCH ${path(short)}`, { url });
    await response.body?.cancel();
    assert.equal(response.status, status, url);
  }
  const many = await app.manage("PATCH /links", { shorts: [short], url: "https://example.org/" });
  assert.equal(many.status, 400);
  await many.body?.cancel();
  assert.equal((await (await app.manage(`GET ${path(short)}`)).json()).url, "https://example.com/");
});

Deno.test("an expired link answers 410 from its time on", async () => {
  await using app = await startLinkManagers();
  const short = await app.create({ expiresAt: "2026-11-21T12:00:00Z" });
  app.clock.time = Date.UTC(2026, 10, 21, 11, 59, 59, 999);
  assert.deepEqual(await app.statuses(short), OPEN);
  app.clock.time++;
  assert.deepEqual(await app.statuses(short), GONE);
  await (await app.manage(`PATCH ${path(short)}`, { expiresAt: null })).body?.cancel();
  assert.deepEqual(await app.statuses(short), OPEN);
});

Deno.test("of concurrent visits exactly as many count as a link's maximum allows", async () => {
  await using app = await startLinkManagers();
  const short = await app.create({ maxVisits: 7 });
  const other = await app.create({});
  const visit = async (id: string) => {
    const { status, body } = await app.request(`/${encodeURIComponent(id)}`);
    await body?.cancel();
    return status;
  };
  const statuses = await Promise.all(
    Array.from({ length: 60 }, (_, at) => visit(at % 3 === 0 ? other : short)),
  );
  assert.equal(statuses.filter((status) => status === 410).length, 33);
  assert.deepEqual(await app.statuses(short), GONE);
  assert.equal((await (await app.manage(`GET ${path(short)}`)).json()).visits, 7);
  await (await app.manage(`PATCH ${path(short)}`, { maxVisits: 9 })).body?.cancel();
  assert.deepEqual([await visit(short), await visit(short), await visit(short)], [200, 200, 410]);
  assert.deepEqual((await checkLinks(app.services.store.kv)).problems, []);
});

Deno.test("a deleted link answers 410, its id is never assigned again, and totals stay exact", async () => {
  await using app = await startLinkManagers({
    env: { SHORT_CHARS: '["a","b"]', SHORT_LENGTH: "1" },
  });
  const [first, second] = [await app.create({ tags: ["x"] }), await app.create({})];
  await app.statuses(first);
  await app.statuses(second);
  const kept = await app.manage(`DELETE ${path(first)}?visits=keep`);
  assert.deepEqual(await kept.json(), { changed: [first], unchanged: [], missing: [] });
  assert.deepEqual(await app.statuses(first), GONE);
  const full = await app.manage("POST /links", { url: "https://example.com/" });
  assert.equal(full.status, 503);
  await full.body?.cancel();
  assert.deepEqual(await (await app.request("/stats")).json(), { urls: 1, visits: 2 });
  await (await app.manage(`DELETE ${path(second)}?visits=delete`)).body?.cancel();
  assert.equal(await app.services.links.visitRemover.sweep(), 1);
  assert.deepEqual(await (await app.request("/stats")).json(), { urls: 0, visits: 1 });
  const report = await checkLinks(app.services.store.kv);
  assert.deepEqual(report, { urls: 0, visits: 1, problems: [] });
  assert.equal((await app.manage(`DELETE ${path(second)}?visits=keep`)).status, 404);
});

Deno.test("properties that are not valid are refused with their field, and nothing changes", async () => {
  await using app = await startLinkManagers();
  const short = await app.create({ title: "Stays" });
  const refused: [object, string][] = [
    [{ title: "x".repeat(101) }, "title"],
    [{ title: "a\u0007b" }, "title"],
    [{ title: "\ud800" }, "title"],
    [{ note: "\u0000" }, "note"],
    [{ note: "x".repeat(1001) }, "note"],
    [{ tags: Array.from({ length: 11 }, (_, at) => `t${at}`) }, "tags"],
    [{ tags: Array.from({ length: 101 }, (_, at) => `t${at}`) }, "tags"],
    [{ tags: ["x".repeat(41)] }, "tags"],
    [{ tags: ["a,b"] }, "tags"],
    [{ tags: ["a\nb"] }, "tags"],
    [{ expiresAt: "2026-11-21T10:59:59Z" }, "expiresAt"],
    [{ expiresAt: "tomorrow" }, "expiresAt"],
    [{ maxVisits: 0 }, "maxVisits"],
    [{ maxVisits: 1.5 }, "maxVisits"],
    [{ isDisabled: "yes" }, "isDisabled"],
  ];
  for (const [changes, field] of refused) {
    const response = await app.manage(`PATCH ${path(short)}`, changes);
    const { errors } = await response.json();
    assert.deepEqual([response.status, errors[0].path[0]], [400, field], JSON.stringify(changes));
  }
  assert.equal((await app.manage(`PATCH ${path(short)}`, { unknown: 1 })).status, 400);
  const { title, tags } = await (await app.manage(`GET ${path(short)}`)).json();
  assert.deepEqual([title, tags], ["Stays", []]);
});

Deno.test("texts of any length are refused without ordering long rows of marks, which takes time by the square of the length", async () => {
  await using app = await startLinkManagers();
  const short = await app.create({});
  const { normalize } = String.prototype;
  let longest = 0;
  String.prototype.normalize = function (form) {
    for (const [{ length }] of this.matchAll(/(?:(?!\u034f)\p{M})+/gu)) longest = Math.max(longest, length);
    return normalize.call(this, form);
  };
  try {
    // Two marks in the wrong order.
    const text = `a${"\u0301\u0316".repeat(10_000)}`;
    for (const changes of [{ title: text }, { note: text }, { tags: [text] }, { addedTags: [text] }]) {
      const { status, body } = await app.manage("PATCH /links", { shorts: [short], ...changes });
      await body?.cancel();
      assert.equal(status, 400);
    }
  } finally {
    String.prototype.normalize = normalize;
  }
  assert.ok(longest > 0 && longest <= 256, `a row of ${longest} marks was normalized`);
  // The four code points of the longest composed character.
  const composed = await app.manage(`PATCH ${path(short)}`, { title: "\u1f82".normalize("NFD").repeat(100) });
  assert.equal((await composed.json()).title, "\u1f82".repeat(100));
});

Deno.test("up to 500 links are changed and deleted in one request", async () => {
  await using app = await startLinkManagers();
  const shorts = await Promise.all(Array.from({ length: 120 }, () => app.create({})));
  const changed = await app.manage("PATCH /links", {
    shorts: [...shorts, "missing"],
    addedTags: ["spring"],
    isDisabled: true,
  });
  const outcome = await changed.json();
  assert.deepEqual([outcome.changed.length, outcome.missing], [120, ["missing"]]);
  const again = await (await app.manage("PATCH /links", { shorts, isDisabled: true })).json();
  assert.equal(again.unchanged.length, 120);
  assert.deepEqual(await app.statuses(shorts[77] ?? ""), GONE);
  const deleted = await app.manage("DELETE /links", { shorts, visits: "delete" });
  assert.equal((await deleted.json()).changed.length, 120);
  await app.services.links.visitRemover.sweep();
  assert.deepEqual((await checkLinks(app.services.store.kv)).problems, []);
  const tooMany = await app.manage("PATCH /links", { shorts: new Array(501).fill("x"), isDisabled: true });
  assert.equal(tooMany.status, 400);
});

Deno.test("changes of links and blocked hosts enter the audit log with their actor", async () => {
  await using app = await startLinkManagers();
  const short = await app.create({});
  const requests: [string, unknown, string?][] = [
    [`PATCH ${path(short)}`, { title: "New" }, app.adminKey],
    [`PATCH ${path(short)}`, { isDisabled: true }],
    ["POST /blocked-hosts", { host: "https://Evil.example/x" }, app.adminKey],
    [`DELETE ${path(short)}?visits=keep`, undefined, app.adminKey],
  ];
  for (const request of requests) {
    app.clock.time++;
    await (await app.manage(...request)).body?.cancel();
  }
  const { changes } = await listAuditRecords(app.services.chat, app.realm, { cursor: null, limit: 4 });
  assert.deepEqual(
    changes.toReversed().map(({ action, acting_user_id, details }) => [action, acting_user_id, details]),
    [
      ["link_changed", app.admin.id, { title: ["", "New"] }],
      ["link_disabled", null, {}],
      ["blocked_host_added", app.admin.id, {}],
      ["link_deleted", app.admin.id, { visits_deleted: "false" }],
    ],
  );
});

/** Lists the links that an audit entry names. */
async function listNamedLinks({ services: { chat }, realm }: LinkManagers, entryId: string) {
  return (await readAuditParts(chat, realm.id, { id: entryId })).flatMap(({ after: { links } }) => {
    assert.ok(Array.isArray(links));
    return links;
  });
}

Deno.test("a change of many links has one audit entry with what changed of each", async () => {
  await using app = await startLinkManagers();
  const shorts: string[] = [];
  for (let at = 0; at < 30; at++) {
    shorts.push(await app.create({ url: `https://example.com/${at}`, tags: at === 0 ? ["old"] : [] }));
  }
  app.clock.time++;
  // The links are changed in several commits, and one of them already has the tag.
  await app.manage(`PATCH ${path(shorts[29] ?? "")}`, { tags: ["new"] }, app.adminKey);
  app.clock.time++;
  await (await app.manage("PATCH /links", { shorts, addedTags: ["new"] }, app.adminKey)).body?.cancel();
  app.clock.time++;
  const some = shorts.slice(0, 3);
  await (await app.manage("PATCH /links", { shorts: some, isDisabled: true })).body?.cancel();
  app.clock.time++;
  await (await app.manage("DELETE /links", { shorts: some, visits: "delete" }, app.adminKey)).body?.cancel();
  app.clock.time++;
  // Of several, only one exists any more.
  await (await app.manage("DELETE /links", { shorts: shorts.slice(2, 4), visits: "keep" })).body?.cancel();

  const { chat } = app.services;
  const { changes } = await listAuditRecords(chat, app.realm, { cursor: null, limit: 5 });
  const entries = changes.map(({ action, acting_user_id, target: { id }, details }) =>
    [action, acting_user_id, id, details] as const
  );
  assert.deepEqual(entries, [
    ["link_deleted", null, encodeURIComponent(shorts[3] ?? ""), { visits_deleted: "false" }],
    ["links_deleted", app.admin.id, 0, { count: "3", visits_deleted: "true" }],
    ["links_disabled", null, 0, { count: "3" }],
    ["links_changed", app.admin.id, 0, { count: "29" }],
    ["link_changed", app.admin.id, encodeURIComponent(shorts[29] ?? ""), { tags: ["", "new"] }],
  ]);
  const links = await listNamedLinks(app, changes[3]?.id ?? "");
  assert.deepEqual([links.length, ...links.slice(0, 2)], [
    29,
    {
      id: encodeURIComponent(shorts[0] ?? ""),
      name: "https://example.com/0",
      details: { tags: ["old", "new, old"] },
    },
    {
      id: encodeURIComponent(shorts[1] ?? ""),
      name: "https://example.com/1",
      details: { tags: ["", "new"] },
    },
  ]);
});

Deno.test("an audit entry of links of which some were disabled already says which were not", async () => {
  await using app = await startLinkManagers();
  const shorts = [await app.create({ isDisabled: true }), await app.create({})];
  app.clock.time++;
  await (await app.manage("PATCH /links", { shorts, isDisabled: true, title: "New" })).body?.cancel();
  const { chat } = app.services;
  const { changes: [entry] } = await listAuditRecords(chat, app.realm, { cursor: null, limit: 1 });
  assert.deepEqual([entry?.action, entry?.details], ["links_changed", { count: "2" }]);
  const named = await listNamedLinks(app, entry?.id ?? "");
  assert.deepEqual(named.map(({ details }) => details), [
    { title: ["", "New"] },
    { disabled: "true", title: ["", "New"] },
  ]);
  const { html } = await (await signIn(app, app.owner)).get("/admin/audit");
  assert.match(html, /\(Title: none → New\).*\(Disabled: Yes; Title: none → New\)/s);
});

Deno.test("an audit entry of very many links names all of them", async () => {
  await using app = await startLinkManagers();
  const { links } = app.services;
  const url = (at: number) => `https://example.com/${at}/${"x".repeat(400)}`;
  const shorts = await Promise.all(
    Array.from(
      { length: 400 },
      (_, at) => links.creation.submit({ url: url(at), createdAt: app.clock.time }),
    ),
  );
  app.clock.time++;
  await (await app.manage("PATCH /links", { shorts, isDisabled: true })).body?.cancel();
  const { chat } = app.services;
  const { changes: [entry] } = await listAuditRecords(chat, app.realm, { cursor: null, limit: 1 });
  assert.deepEqual([entry?.action, entry?.details], ["links_disabled", { count: "400" }]);
  const named = (await listNamedLinks(app, entry?.id ?? "")).map(({ id }) => id);
  assert.deepEqual(named, shorts.map(encodeURIComponent));
  const visitor = await signIn(app, app.owner);
  assert.match((await visitor.get("/admin/audit")).html, /388 others/);
  const last = "/admin/audit?text=example.com/399/";
  assert.match((await visitor.get(last)).html, /400 short links/);
  assert.doesNotMatch((await visitor.get("/admin/audit?text=example.com/400/")).html, /400 short links/);
});

Deno.test("a blocked host closes its links and refuses new ones at once, until it is unblocked", async () => {
  await using app = await startLinkManagers({ env: { BLOCKED_HOSTNAMES: "always.example" } });
  const short = await app.create({ url: "https://docs.evil.example/x" });
  assert.deepEqual(await app.statuses(short), OPEN);
  const blocked = await app.manage("POST /blocked-hosts", { host: "EVIL.example." });
  assert.deepEqual([blocked.status, (await blocked.json()).host], [201, "evil.example"]);
  assert.deepEqual(await app.statuses(short), GONE);
  const refused = await app.request("/", {
    ...jsonBody({ url: "https://evil.example/" }),
    headers: { "content-type": "application/json", authorization: `Bearer ${SHORTEN_KEY}` },
  });
  assert.equal(refused.status, 422);
  assert.equal((await app.manage("POST /links", { url: "https://evil.example/" })).status, 422);
  const pattern = await app.manage("POST /blocked-hosts", { host: "*.evil.example" });
  assert.equal((await pattern.json()).host, "evil.example");
  const { hosts } = await (await app.manage("GET /blocked-hosts")).json();
  assert.deepEqual(hosts, [
    { host: "always.example", blockedAt: null },
    { host: "evil.example", blockedAt: "2026-11-21T11:00:00.000Z" },
  ]);
  assert.equal((await app.manage("DELETE /blocked-hosts/always.example")).status, 404);
  await (await app.manage("DELETE /blocked-hosts/evil.example")).body?.cancel();
  assert.deepEqual(await app.statuses(short), OPEN);
  for (const host of ["", " ", "a b", "http://", "x".repeat(300)]) {
    assert.equal((await app.manage("POST /blocked-hosts", { host })).status, 400, host);
  }
});

Deno.test("a host that an earlier version stored with its wildcard is unblocked by the name in the list", async () => {
  await using app = await startLinkManagers();
  const short = await app.create({ url: "https://docs.evil.example/x" });
  const stored = { host: "*.evil.example", blockedAt: app.clock.now() };
  await app.services.store.kv.set(linkKeys.blockedHost(stored.host), stored);
  await blockHost(app.services.links, "evil.example", { creator: null, audit: () => {} });
  assert.deepEqual(await app.statuses(short), GONE);
  for (const host of [stored.host, "evil.example"]) {
    const response = await app.manage(`DELETE /blocked-hosts/${host}`);
    assert.deepEqual([response.status, (await response.json()).host], [200, host]);
  }
  assert.deepEqual(await app.statuses(short), OPEN);
});
