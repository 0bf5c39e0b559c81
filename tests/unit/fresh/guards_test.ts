import assert from "node:assert/strict";
import { h } from "preact";
import { App, csp } from "fresh";
import { client } from "@/tests/casts/fresh_project_cast.ts";

/** Returns the policy of a page behind csp() with nonces, and the page's nonce. */
async function nonceCase(
  directives: string[],
  change: (response: Response) => Response = (response) => response,
): Promise<{ policy: string; nonce: string }> {
  const app = new App().use(csp({ csp: directives, useNonce: true }))
    .use(async (ctx) => change(await ctx.next()))
    .route("/", { handler: (ctx) => ctx.render(h("style", null, "a{}")) });
  const response = await client(app).get("/");
  const nonce = /nonce="([^"]+)"/.exec(await response.text())?.[1] ?? "none";
  return { policy: response.headers.get("content-security-policy") ?? "", nonce };
}

Deno.test("csp() with a nonce puts it in place of 'unsafe-inline' in every directive about inline code", async () => {
  const names = [
    "default-src",
    "script-src",
    "script-src-elem",
    "style-src",
    "style-src-elem",
    "style-src-attr",
  ];
  const { policy, nonce } = await nonceCase(names.map((name) => `${name} 'unsafe-inline'`));
  for (const name of names) assert.ok(policy.includes(`${name} 'nonce-${nonce}'`), `${name}: ${policy}`);
  const other = await nonceCase(["script-src-attr 'unsafe-inline'"]);
  assert.ok(other.policy.includes("script-src-attr 'unsafe-inline'"), other.policy);
});

Deno.test("csp() sets a strict policy, which can be extended", async () => {
  const { policy } = await nonceCase(["frame-src 'none'"]);
  assert.match(policy, /^default-src 'self'; script-src .*; frame-src 'none'$/);
});

Deno.test("directives given to csp() follow the default ones, and all of one name are kept", async () => {
  const { policy } = await nonceCase(["img-src 'self'", "img-src data:"]);
  assert.match(policy, /; upgrade-insecure-requests; img-src 'self'; img-src data:$/);
});

Deno.test("a page's nonce belongs to its response: one made of its parts has none", async () => {
  const { policy } = await nonceCase([], ({ body, headers }) => new Response(body, { headers }));
  assert.match(policy, /script-src 'self' 'unsafe-inline'/);
  const nonces: unknown[] = [];
  const { nonce } = await nonceCase([], (response) => {
    nonces.push(Reflect.get(response, Symbol.for("__freshNonce")));
    return response;
  });
  assert.deepEqual(nonces, [nonce]);
});
