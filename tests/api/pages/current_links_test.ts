import assert from "node:assert/strict";
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
