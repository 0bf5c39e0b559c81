import assert from "node:assert/strict";
import { createOwnersSamples } from "@/tests/casts/admin_samples_cast.ts";
import { ANY_SAMPLES, listAdminRoutes, toAdminPath } from "@/tests/helpers/admin_routes.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { signIn, visitPages } from "@/tests/helpers/pages.ts";
import { readSources } from "@/tests/helpers/sources.ts";

const ADMIN_PAGES = listAdminRoutes().filter(({ isPage }) => isPage)
  .map(({ pattern }) => toAdminPath(pattern, ANY_SAMPLES));
const SITE_PAGES = [
  "/",
  "/docs",
  "/login",
  "/forgot-password",
  "/reset-password/none",
  "/setup",
  "/none/such",
];

/** Lists with a filter and an order, whose links clear and change them. */
const FILTERED = [
  "/admin/links?status=active&order=visits",
  "/admin/users?q=a&sort=role",
  "/admin/channels?q=o",
  "/admin/linkifiers?q=wheel",
];

/** Returns the links of a page to parts of itself that do not exist. */
function deadParts(html: string, path: string): string[] {
  return [...html.matchAll(/<a\s[^>]*href="([^"#?]*)[^"#]*#([^"]*)"/g)]
    .filter(([, target, part]) =>
      (target === "" || target === path.split("?")[0]) && !html.includes(` id="${part}"`)
    ).map(([tag]) => tag);
}

/** Returns the tags of the links that the framework marked, which it does where a page does not decide. */
function markedLinks(html: string): string[] {
  return [...html.matchAll(/<a\s[^>]*>/g)].map(([tag]) => tag).filter((tag) =>
    /data-(?:current|ancestor)/.test(tag) || !tag.includes("aria-current=")
  );
}

Deno.test("every link says itself whether it is current", async () => {
  await using chat = await startChat();
  const owner = await signIn(chat, chat.owner);
  const visits = [
    ...ADMIN_PAGES.map((path) => [owner, path] as const),
    ...SITE_PAGES.map((path) => [visitPages(chat), path] as const),
  ];
  let links = 0;
  for (const [visitor, path] of visits) {
    const { html } = await visitor.get(path);
    links += html.split("<a ").length - 1;
    assert.deepEqual(markedLinks(html), [], path);
  }
  assert.ok(links > visits.length);
});

Deno.test("every link to a part of its own page finds the part", async () => {
  await using chat = await startChat();
  const samples = await createOwnersSamples(chat);
  const visitor = await signIn(chat, chat.owner);
  const pages = listAdminRoutes().filter(({ isPage }) => isPage);
  for (const path of [...pages.map(({ pattern }) => toAdminPath(pattern, samples)), ...FILTERED]) {
    assert.deepEqual(deadParts((await visitor.get(path)).html, path), [], path);
  }
});

Deno.test("on the list of users, only the links to the list are current: of both navigations and of the first tab", async () => {
  await using chat = await startChat();
  const { html } = await (await signIn(chat, chat.owner)).get("/admin/users");
  const current = [...html.matchAll(/<a\s[^>]*>/g)].map(([tag]) => tag)
    .filter((tag) => /aria-current="(?:page|true)"/.test(tag));
  assert.deepEqual(current.map((tag) => /href="([^"]*)"/.exec(tag)?.[1]), Array(3).fill("/admin/users"));
});

Deno.test("only components/Link.tsx contains a link element", () => {
  const sources = readSources();
  const found = sources.filter(({ path, text }) =>
    /^(?:components|islands|routes)\//.test(path) && /<a[\s>]/.test(text)
  );
  assert.deepEqual(found.map(({ path }) => path), ["components/Link.tsx"]);
});
