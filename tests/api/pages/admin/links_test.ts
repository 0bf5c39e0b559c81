import assert from "node:assert/strict";
import { checkLinks } from "@/lib/links/check.ts";
import { problemsIn, readForm } from "@/tests/casts/form_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { signIn, visitPages } from "@/tests/helpers/pages.ts";

const BROWSER = { headers: { accept: "text/html" } };

/** Returns the destinations in the list of links, row by row. */
function linksIn(html: string): string[] {
  const list = html.split('id="list"')[1] ?? "";
  return [...list.matchAll(/href="\/admin\/links\/%[^"]*" title="([^"]*)"/g)].map(([, url = ""]) => url);
}

async function shortenAll(chat: TestChat, urls: readonly string[]): Promise<string[]> {
  const shorts: string[] = [];
  for (const url of urls) {
    shorts.push(decodeURIComponent((await chat.shorten(url)).slice(1)));
    chat.clock.time += 1000;
  }
  return shorts;
}

const path = (short: string) => `/admin/links/${encodeURIComponent(short)}`;

Deno.test("/admin/links and its pages are limited to administrators of the root organization", async () => {
  await using chat = await startChat();
  const [short = ""] = await shortenAll(chat, ["https://example.com/secret"]);
  const [outsider, member] = [await signIn(chat, chat.outsider), await signIn(chat, chat.member)];
  for (
    const page of [
      "/admin/links",
      path(short),
      `${path(short)}/delete`,
      `${path(short)}/qr`,
      "/admin/links/hosts",
    ]
  ) {
    const [anonymous, refused, other] = [
      await visitPages(chat).get(page),
      await member.get(page),
      await outsider.get(page),
    ];
    assert.deepEqual([anonymous.status, refused.status, other.status], [303, 403, 403], page);
    assert.ok(!`${refused.html}${other.html}`.includes("example.com/secret"));
  }
  assert.ok(!(await outsider.get("/admin")).html.includes("/admin/links"));
});

Deno.test("/admin/links searches, sorts and filters all links, and finds a pasted one", async () => {
  await using chat = await startChat();
  const urls = [
    "https://docs.example.com/tomatoes",
    "https://example.org/beans",
    "https://docs.example.com/beans",
  ];
  const [first = "", , third = ""] = await shortenAll(chat, urls);
  await (await chat.request(`/${encodeURIComponent(first)}`)).body?.cancel();
  const visitor = await signIn(chat, chat.admin);
  const list = async (query: Readonly<Record<string, string>>) =>
    linksIn((await visitor.get(`/admin/links?${new URLSearchParams(query)}`)).html);
  assert.deepEqual(await list({}), urls.toReversed());
  assert.deepEqual(await list({ order: "oldest" }), urls);
  assert.deepEqual(await list({ order: "visits" }), [urls[0]]);
  assert.deepEqual(await list({ q: "bean" }), [urls[2], urls[1]]);
  assert.deepEqual(await list({ q: "bean", host: "example.com" }), [urls[2]]);
  assert.deepEqual(await list({ status: "disabled" }), []);
  const none = await visitor.get("/admin/links?q=nowhere");
  assert.match(none.html, /No links match/);
  const encoded = encodeURIComponent(third);
  const forms = [
    third,
    encoded,
    `/${encoded}`,
    `http://LOCALHOST:8000/${encoded}?visit=false`,
    ` ${third}\n`,
  ];
  for (const form of [...forms, `localhost:8000/${third}`]) {
    const pasted = await visitor.get(`/admin/links?q=${encodeURIComponent(form)}`);
    assert.deepEqual([pasted.status, pasted.location], [303, path(third)], JSON.stringify(form));
  }
  assert.equal((await visitor.get("/admin/links?cursor=nonsense!")).status, 400);
  const hostile = await visitor.get(`/admin/links?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
  assert.ok(!hostile.html.includes("<script>alert"));
});

Deno.test("/admin/links exports the links of its search and filters, on all pages, as CSV", async () => {
  await using chat = await startChat();
  const shorts = await shortenAll(chat, [
    ...Array.from({ length: 60 }, (_, at) => `https://example.com/many/${at}`),
    "https://example.org/other",
  ]);
  const visitor = await signIn(chat, chat.admin);
  const first = path(shorts[0] ?? "");
  const properties = { title: "=1+1", tags: "b, a", expires: "2026-12-24T18:00", max_visits: "5" };
  const stored = readForm((await visitor.get(first)).html, "save");
  assert.equal((await visitor.post(first, { ...stored, ...properties })).status, 303);
  await visitor.post("/admin/links", { action: "shorten", url: "https://example.com/many/mine" });
  await visitor.post("/admin/links", { action: "disable", short: shorts[60] ?? "" });
  const exported = async (query: string) => {
    const { headers, html } = await visitor.post(`/admin/links${query}`, { action: "export" });
    assert.match(headers.get("content-disposition") ?? "", /^attachment; filename="links-2026-11-21\.csv"$/);
    return html.replace("\ufeff", "").trim().split("\r\n");
  };
  const [titles, ...rows] = await exported("?q=many&order=oldest");
  assert.equal(
    titles,
    "short_url,url,title,tags,note,status,visits,last_visit_at,created_at,created_by,expires_at,max_visits",
  );
  assert.equal(rows.length, 61);
  assert.equal(
    rows[0],
    `http://localhost:8000/${encodeURIComponent(shorts[0] ?? "")},https://example.com/many/0,'=1+1,` +
      `"a, b",,active,0,,2026-11-21T11:00:00.000Z,,2026-12-24T18:00:00.000Z,5`,
  );
  assert.match(rows[60] ?? "", /,https:\/\/example\.com\/many\/mine,,,,active,0,,[^,]*,Admin,,$/);
  const disabled = await exported("?status=disabled&q=other&cursor=1");
  assert.match(disabled[1] ?? "", /,https:\/\/example\.org\/other,,,,disabled,/);
  assert.equal(disabled.length, 2);
  assert.equal((await exported("")).length, 63);
});

Deno.test("searches of the list count as those of the search dialog, also for its files", async () => {
  await using chat = await startChat({
    env: { RATE_LIMITS: JSON.stringify({ admin_search: { points: 3, seconds: 60 } }) },
  });
  const visitor = await signIn(chat, chat.admin);
  const statusOf = async (page: Promise<{ status: number }>) => (await page).status;
  assert.equal(await statusOf(visitor.get("/admin/links?q=beans")), 200);
  assert.equal(await statusOf(visitor.get("/admin/links?host=example.com")), 200);
  assert.equal(await statusOf(visitor.post("/admin/links?q=beans", { action: "export" })), 200);
  assert.equal(await statusOf(visitor.get("/admin/links?q=beans")), 429);
  assert.equal(await statusOf(visitor.get("/admin/find/records?q=beans")), 429);
  assert.equal(await statusOf(visitor.get("/admin/links")), 200);
});

Deno.test("/admin/links pages through both orders, each link once", async () => {
  await using chat = await startChat();
  const { links } = chat.services;
  const makes = Array.from(
    { length: 130 },
    (_, at) =>
      links.creation.submit({ url: `https://example.com/${at}`, createdAt: chat.clock.time + (at >> 5) }),
  );
  const shorts = await Promise.all(makes);
  await Promise.all(shorts.map((short) => links.visits.submit({ short, at: chat.clock.time })));
  await links.compactor.catchUp();
  const visitor = await signIn(chat, chat.admin);
  for (const order of ["visits", "newest"]) {
    const seen: string[] = [];
    let path: string | undefined = `/admin/links?order=${order}`;
    while (path !== undefined) {
      const { html }: { html: string } = await visitor.get(path);
      seen.push(...linksIn(html));
      const next: string | undefined = /href="([^"]*cursor=[^"#]*)[^"]*"[^>]*>Next page/.exec(html)?.[1];
      path = next?.replaceAll("&amp;", "&");
    }
    assert.deepEqual([seen.length, new Set(seen).size], [130, 130], order);
    assert.equal((await visitor.get(`/admin/links?order=${order}&cursor=nonsense!`)).status, 400);
  }
});

Deno.test("/admin/links shortens a URL and reports problems", async () => {
  await using chat = await startChat({ env: { BLOCKED_HOSTNAMES: "spam.example" } });
  const visitor = await signIn(chat, chat.admin);
  const send = (url: string, headers?: HeadersInit) =>
    visitor.post("/admin/links", { action: "shorten", url }, headers);
  const created = await send(" https://example.com/new ");
  assert.equal(created.status, 303);
  const page = await visitor.get(created.location ?? "");
  assert.match(page.html, /https:\/\/example\.com\/new/);
  const relative = await send("/only/a/path");
  assert.equal(relative.status, 400);
  assert.match(relative.html, /must be absolute/);
  assert.match(relative.html, /value="\/only\/a\/path"/);
  assert.match((await send("javascript:alert(1)")).html, /scheme javascript: are refused/);
  const blocked = await send("https://www.spam.example/x");
  assert.equal(blocked.status, 400);
  assert.match(blocked.html, /host is blocked on this server/);
  const foreign = await send("https://example.com/", {
    "sec-fetch-site": "cross-site",
    origin: "https://evil.example",
  });
  assert.equal(foreign.status, 400);
});

Deno.test("/admin/links creates a link with its creator, and disables and enables it", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const refused = await visitor.post("/admin/links", { action: "shorten", url: "/relative" });
  assert.deepEqual([refused.status, problemsIn(refused.html).length], [400, 1]);
  const created = await visitor.post("/admin/links", { action: "shorten", url: " https://example.com/new " });
  const page = await visitor.get(created.location ?? "");
  assert.match(page.html, /by Admin/);
  const onHome = await visitor.post("/", { url: "https://example.com/home" });
  const [, made = ""] = (onHome.location ?? "").split("short=");
  assert.match((await visitor.get(`/admin/links/${made}`)).html, /by Admin/);
  // A form of another site does not act for its visitor.
  const foreign = await visitor.post("/", { url: "https://example.com/x" }, {
    "sec-fetch-site": "cross-site",
  });
  const [, other = ""] = (foreign.location ?? "").split("short=");
  assert.doesNotMatch((await visitor.get(`/admin/links/${other}`)).html, /by Admin/);
  const short = decodeURIComponent(created.location?.split("/").at(-1) ?? "");
  const visit = async () => (await chat.request(`/${encodeURIComponent(short)}`, BROWSER)).status;
  assert.equal(await visit(), 302);
  await visitor.post("/admin/links", { action: "disable", short });
  assert.equal(await visit(), 410);
  assert.match(
    (await visitor.get(path(short))).html,
    /This link is disabled\. It leads nowhere until you enable it\./,
  );
  await visitor.post(path(short), { action: "enable", short });
  assert.equal(await visit(), 302);
  assert.equal((await visitor.post("/admin/links", { action: "disable", short: "none" })).status, 400);
});

Deno.test("a link's page changes its properties and names the field of each problem", async () => {
  await using chat = await startChat();
  const [short = ""] = await shortenAll(chat, ["https://example.com/a"]);
  const visitor = await signIn(chat, chat.admin);
  const form = async () => readForm((await visitor.get(path(short))).html, "save");
  const changes = {
    title: "Handbook & <b",
    tags: "Docs, team docs",
    note: "For\nall",
    expires: "2026-12-24T18:00",
    max_visits: "5",
  };
  assert.equal((await visitor.post(path(short), { ...await form(), ...changes })).status, 303);
  const { seen: _seen, ...stored } = await form();
  assert.deepEqual(stored, {
    action: "save",
    url: "https://example.com/a",
    ...changes,
    tags: "docs, team docs",
  });
  const { html } = await visitor.get(path(short));
  assert.ok(!html.includes("Handbook & <b"));
  assert.match(html, /0 of 5/);
  const refusals: [Readonly<Record<string, string>>, RegExp][] = [
    [{ expires: "2020-01-01T00:00" }, /must be in the future/],
    [{ expires: "soon" }, /Enter a date and a time/],
    [{ max_visits: "many" }, /Enter a whole number/],
    [{ max_visits: "0" }, /whole number from 1/],
    [{ title: "x".repeat(101) }, /longer than 100/],
    [{ tags: "a\u0000b" }, /control character/],
    [{ url: "/relative" }, /must be absolute/],
    [{ url: `http://localhost:8000/${encodeURIComponent(short)}` }, /short link of this server/],
  ];
  for (const [wrong, reason] of refusals) {
    const refused = await visitor.post(path(short), { ...await form(), ...wrong });
    assert.equal(refused.status, 400);
    assert.match(problemsIn(refused.html).join(), reason);
  }
  const both = await visitor.post(path(short), { ...await form(), expires: "soon", max_visits: "many" });
  assert.equal(problemsIn(both.html).length, 2, "every field is refused at once");
  const outdated = await visitor.post(path(short), { ...await form(), seen: "older" });
  assert.match(outdated.html, /Someone else changed this/);
});

Deno.test("a link's page lists its earlier destinations, and times are in the user's time zone", async () => {
  await using chat = await startChat();
  const [short = ""] = await shortenAll(chat, ["https://example.com/a"]);
  await chat.call(chat.admin, "PATCH /settings", { timezone: "Asia/Tokyo" });
  const visitor = await signIn(chat, chat.admin);
  const form = async () => readForm((await visitor.get(path(short))).html, "save");
  const changes = { url: "https://example.org/b", expires: "2026-12-24T18:00" };
  assert.equal((await visitor.post(path(short), { ...await form(), ...changes })).status, 303);
  const { html } = await visitor.get(path(short));
  assert.match(html, /Earlier destinations.*8:00.*by Admin/s);
  assert.equal((await form()).expires, changes.expires);
  const stored = await chat.services.links.cache.read(short);
  assert.deepEqual([stored?.url, stored?.expiresAt], [changes.url, Date.UTC(2026, 11, 24, 9)]);
  const former = await visitor.get(`/admin/stats/${encodeURIComponent(short)}?days=7`);
  assert.deepEqual([former.status, former.location], [303, `${path(short)}?days=7`]);
});

Deno.test("several links are changed and deleted in one form", async () => {
  await using chat = await startChat();
  const urls = Array.from({ length: 60 }, (_, at) => `https://example.com/${at < 55 ? "many" : "few"}/${at}`);
  const shorts = await shortenAll(chat, urls);
  const visitor = await signIn(chat, chat.admin);
  const send = (fields: Readonly<Record<string, string | readonly string[]>>, query = "") =>
    visitor.post(`/admin/links${query}`, { action: "change_selected", ...fields });
  const problem = async (fields: Readonly<Record<string, string | readonly string[]>>) =>
    problemsIn((await send(fields)).html).join();
  const some = shorts.slice(0, 3);
  assert.match(await problem({ change: "disable" }), /Select at least one link/);
  assert.match(await problem({ change: "delete", short: "x".repeat(3000) }), /Select at least one link/);
  assert.match(await problem({ change: "add_tag", short: some, tag: " " }), /Enter a tag/);
  assert.match(await problem({ change: "add_tag", short: some, tag: "x".repeat(41) }), /longer than 40/);
  assert.equal((await send({ change: "add_tag", short: some, tag: "Spring" })).status, 303);
  assert.equal(linksIn((await visitor.get("/admin/links?q=%23spring")).html).length, 3);
  // All links of a search, more than a page shows.
  await send({ change: "disable", all: "true" }, "?q=many");
  assert.equal(linksIn((await visitor.get("/admin/links?status=disabled&q=few")).html).length, 0);
  assert.match((await visitor.get("/admin/links?status=disabled")).html, /55 links found/);
  await (await chat.request(`/${encodeURIComponent(some[0] ?? "")}`)).body?.cancel();
  await send({ change: "enable", short: some });
  await (await chat.request(`/${encodeURIComponent(some[0] ?? "")}`)).body?.cancel();
  const asked = await send({ change: "delete", short: some });
  assert.match(asked.html, /Delete 3 links\?.*1 visit is removed from all totals/s);
  for (const at of [0, 1, 2]) assert.ok(asked.html.includes(`example.com/many/${at}`), "the links are named");
  assert.match(asked.html, /href="\/admin\/links"[^>]*>Cancel/);
  const many = await send({ change: "delete", all: "true" }, "?q=many&order=oldest");
  assert.match(many.html, /href="\/admin\/links\?q=many&amp;order=oldest"[^>]*>Cancel/);
  assert.match(many.html, /Delete 55 links\?.*and 35 others/s);
  assert.match((await visitor.get("/admin/links?status=disabled")).html, /52 links found/);
  await visitor.post("/admin/links", { action: "delete_selected", short: some, visits: "delete" });
  assert.match((await visitor.get("/admin/links?status=disabled")).html, /52 links found/);
  await chat.services.links.visitRemover.sweep();
  assert.deepEqual((await checkLinks(chat.services.store.kv)).problems, []);
  // One entry for each change, with the first links of it.
  const log = withoutTags((await visitor.get("/admin/audit")).html);
  assert.match(
    log,
    /Deleted 3 short links Visits deleted: Yes Short links: https:\/\/example\.com\/many\/0, /,
  );
  assert.match(log, /Enabled 3 short links Short links: /);
  assert.match(
    log,
    /Disabled 55 short links Short links: https:\/\/example\.com\/many\/54, .*, and 43 others/,
  );
  assert.match(
    log,
    /Changed 3 short links Short links: https:\/\/example\.com\/many\/0 \(Tags: none → spring\), /,
  );
  const found = withoutTags((await visitor.get("/admin/audit?text=many/20")).html);
  assert.match(found, /Disabled 55 short links/);
  assert.doesNotMatch(found, /Enabled 3 short links/);
});

/** Returns the text of a page with single blanks. */
function withoutTags(html: string): string {
  return html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

Deno.test("a link is deleted after a confirmation that says what happens to its visits", async () => {
  await using chat = await startChat();
  const [kept = "", dropped = ""] = await shortenAll(chat, [
    "https://example.com/a",
    "https://example.com/b",
  ]);
  for (const short of [kept, dropped]) {
    await (await chat.request(`/${encodeURIComponent(short)}`)).body?.cancel();
  }
  const visitor = await signIn(chat, chat.admin);
  const { html } = await visitor.get(`${path(kept)}/delete`);
  assert.match(html, /1 visit stays in the totals.*1 visit is removed from all totals/s);
  assert.deepEqual(readForm(html, "delete"), { action: "delete", visits: "keep" });
  await visitor.post(`${path(kept)}/delete`, { action: "delete", visits: "keep" });
  await visitor.post(`${path(dropped)}/delete`, { action: "delete", visits: "delete" });
  await chat.services.links.visitRemover.sweep();
  assert.deepEqual(await (await chat.request("/stats")).json(), { urls: 0, visits: 1 });
  assert.deepEqual([
    (await visitor.get(path(kept))).status,
    (await visitor.get(`${path(kept)}/delete`)).status,
  ], [404, 404]);
});

Deno.test("hosts are blocked and unblocked on their page", async () => {
  await using chat = await startChat({ env: { BLOCKED_HOSTNAMES: "always.example" } });
  const [short = ""] = await shortenAll(chat, ["https://www.spam.example/x"]);
  const visitor = await signIn(chat, chat.admin);
  const send = (action: string, host: string, confirmed = "") =>
    visitor.post("/admin/links/hosts", { action, host, confirmed });
  assert.match(problemsIn((await send("block", "not a host")).html).join(), /not a host name/);
  const asked = await send("block", "https://Spam.example/", "other.example");
  assert.equal(asked.status, 200);
  assert.match(asked.html, /Block spam\.example\?.*1 short link leads to this host or its subdomains\./s);
  assert.match(asked.html, /name="confirmed" value="spam\.example"/);
  assert.match((await send("block", "unused.example")).html, /0 short links lead to this host/);
  assert.equal((await chat.request(`/${encodeURIComponent(short)}?visit=false`)).status, 200);
  assert.equal((await send("block", "spam.example", "spam.example")).status, 303);
  const { html } = await visitor.get("/admin/links/hosts");
  assert.match(html, /always\.example.*by BLOCKED_HOSTNAMES.*spam\.example.*Unblock/s);
  assert.equal((await chat.request(`/${encodeURIComponent(short)}`)).status, 410);
  assert.match((await visitor.get(path(short))).html, /The host of this link is blocked/);
  assert.equal((await send("unblock", "always.example")).status, 404);
  assert.equal((await send("unblock", "spam.example")).status, 303);
  assert.equal((await chat.request(`/${encodeURIComponent(short)}?visit=false`)).status, 200);
});

Deno.test("a link's QR code is downloaded as SVG and as PNG", async () => {
  await using chat = await startChat();
  const [short = ""] = await shortenAll(chat, ["https://example.com/a"]);
  const visitor = await signIn(chat, chat.admin);
  const svg = await visitor.get(`${path(short)}/qr?format=svg`);
  assert.deepEqual([svg.headers.get("content-type"), svg.html.slice(0, 4)], ["image/svg+xml", "<svg"]);
  const png = await visitor.get(`${path(short)}/qr?format=png`);
  assert.equal(png.headers.get("content-type"), "image/png");
  assert.match(png.headers.get("content-disposition") ?? "", /short-link\.png/);
  assert.match(png.html.slice(0, 8), /PNG/);
});

Deno.test("the audit log links changed short links, and names deleted ones only", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.owner);
  const path = `/admin/links${await chat.shorten("https://example.com/garden")}`;
  await visitor.post(path, { ...readForm((await visitor.get(path)).html, "save"), title: "Garden" });
  const isLinked = async () =>
    (await visitor.get("/admin/audit")).html.match(/<a [^>]*href="\/admin\/links\/[^"]+"/g)?.length;
  assert.equal(await isLinked(), 1);
  assert.equal((await visitor.post(`${path}/delete`, { action: "delete" })).status, 303);
  assert.equal(await isLinked(), 1, "the earlier change");
});
