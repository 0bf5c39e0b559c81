import assert from "node:assert/strict";
import { h } from "preact";
import { App } from "fresh";
import { client } from "@/tests/casts/fresh_project_cast.ts";

/** Returns the attributes that a page at `path` gives a link, without `href`, in alphabetical order. */
async function attributesOf(path: string, props: Record<string, unknown>): Promise<string> {
  const app = new App().route(new URL(path, "http://localhost").pathname, {
    handler: (ctx) => ctx.render(h(() => h("a", props, "link"), {})),
  });
  const html = await client(app).text(path);
  const attributes = /<a([^>]*)>/.exec(html)?.[1]?.trim().split(" ") ?? ["none"];
  return attributes.filter((attribute) => !attribute.startsWith("href=")).sort().join(" ");
}

const CURRENT = `aria-current="page" data-current="true"`;
const ANCESTOR = `aria-current="true" data-ancestor="true"`;

const CASES: readonly [path: string, href: string, expected: string][] = [
  ["/users", "/users", CURRENT],
  ["/users/", "/users", CURRENT],
  ["/users", "/users/", CURRENT],
  ["/users?page=2", "/users", CURRENT],
  ["/users?page=2", "/users?page=2", CURRENT],
  ["/users?page=2", "/users?page=3", ANCESTOR],
  ["/users", "/users?page=3", ANCESTOR],
  ["/users/7", "/users", ANCESTOR],
  ["/users", "/", ANCESTOR],
  ["/", "/", CURRENT],
  ["/users", "/use", ""],
  ["/users", "/users/7", ""],
  ["/users", "https://example.com/users", ""],
  ["/users", "#content", ""],
];

for (const [path, href, expected] of CASES) {
  Deno.test(`on ${path}, a link to ${href} gets ${expected || "no attribute"}`, async () => {
    assert.equal(await attributesOf(path, { href }), expected);
  });
}

Deno.test("a link with aria-current of its own is not changed", async () => {
  assert.equal(
    await attributesOf("/users", { href: "/users", "aria-current": "false" }),
    `aria-current="false"`,
  );
  assert.equal(
    await attributesOf("/users/7", { href: "/users", "aria-current": "page" }),
    `aria-current="page"`,
  );
});

Deno.test("aria-current that is undefined counts as not set, null as set", async () => {
  assert.equal(await attributesOf("/users", { href: "/users", "aria-current": undefined }), CURRENT);
  assert.equal(await attributesOf("/users", { href: "/users", "aria-current": null }), "");
});
