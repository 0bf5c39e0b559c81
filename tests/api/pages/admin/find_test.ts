import assert from "node:assert/strict";
import { findLinks } from "@/lib/links/search/find_links.ts";
import { type LinkManagers, startLinkManagers } from "@/tests/casts/manage_links_cast.ts";
import { type PageVisitor, signIn, visitPages } from "@/tests/helpers/pages.ts";

interface Found {
  readonly path: string;
  readonly name: string;
  readonly about: string;
}

async function find(visitor: PageVisitor, text: string): Promise<readonly Found[]> {
  const { status, html } = await visitor.get(`/admin/find?${new URLSearchParams({ q: text })}`);
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
  assert.doesNotMatch((await outsider.get("/admin")).html, /short links and settings/);
  const member = await signIn(chat, chat.member);
  assert.equal((await member.get("/admin/find?q=bulbs")).status, 403);
  assert.equal((await visitPages(chat).get("/admin/find?q=bulbs")).status, 303);
});

Deno.test("searches of the dialog are rate limited", async () => {
  await using chat = await startLinkManagers({
    env: { RATE_LIMITS: JSON.stringify({ admin_search: { points: 2, seconds: 60 } }) },
  });
  const admin = await signIn(chat, chat.admin);
  const statuses: number[] = [];
  for (let at = 0; at < 3; at++) statuses.push((await admin.get("/admin/find?q=bulbs")).status);
  assert.deepEqual(statuses, [200, 200, 429]);
});

Deno.test("findLinks() reads no more links than its bounds allow, and says that there are others", async () => {
  await using chat = await startLinkManagers();
  for (let at = 1; at <= 4; at++) await createLink(chat, { url: `https://shop.example/${at}` });
  const search = {
    filter: { text: "shop" },
    order: "newest",
    cursor: null,
    limit: 10,
  } as const;
  const { links } = chat.services;
  const full = await findLinks(links, search);
  assert.deepEqual([full.links.length, full.isComplete], [4, true]);
  for (const bounds of [{ ids: 10, links: 2 }, { ids: 2, links: 2 }]) {
    const bounded = await findLinks(links, { ...search, bounds });
    assert.deepEqual([bounded.links.length, bounded.isComplete], [2, false]);
  }
});
