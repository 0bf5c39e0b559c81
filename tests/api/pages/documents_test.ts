import assert from "node:assert/strict";
import { startTestApp } from "@/tests/helpers/app.ts";
import { visitPages } from "@/tests/helpers/pages.ts";

Deno.test("a document is shown as a page, with anchors and links to other documents", async () => {
  await using app = await startTestApp();
  const { status, html } = await visitPages(app).get("/docs/clients");
  assert.equal(status, 200);
  assert.match(html, /<title>Clients · Sotto<\/title>/);
  assert.match(html, /<h3 id="http2-without-tls">HTTP\/2 without TLS<\/h3>/);
  assert.match(html, /href="\/docs\/operating#push-notifications"/);
  assert.doesNotMatch(html, /Written by/);
  const decision = await visitPages(app).get("/docs/decisions/0050-compression");
  assert.match(decision.html, /href="\/docs\/weight#compressed-answers"/);
  assert.doesNotMatch((await visitPages(app).get("/docs/bots")).html, /href="[^"]*README/);
});

Deno.test("a document shows its pictures, and its quotation marks as on other pages", async () => {
  await using app = await startTestApp();
  const { html } = await visitPages(app).get("/docs/admin/people");
  assert.match(html, /administrator’s guide.*“Forgot your password\?”/s);
  const [, source = ""] = /<img src="([^"]+)"/.exec(html) ?? [];
  const response = await app.request(new URL(source, "http://localhost:8000/docs/admin/people").pathname);
  assert.equal(response.headers.get("content-type"), "image/png");
  const file = await Deno.readFile(new URL("../../../docs/images/admin-users.png", import.meta.url));
  assert.deepEqual(await response.bytes(), file);
});

Deno.test("only documents of the project are shown", async () => {
  await using app = await startTestApp();
  const visitor = visitPages(app);
  for (
    const name of [
      "none",
      "..%2fREADME",
      "%2e%2e/deno",
      "decisions",
      "images/none.png",
      "images/..%2fbots.png",
    ]
  ) {
    assert.equal((await visitor.get(`/docs/${name}`)).status, 404, name);
  }
});
