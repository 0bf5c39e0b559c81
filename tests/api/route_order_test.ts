import assert from "node:assert/strict";
import { startTestApp } from "@/tests/helpers/app.ts";

Deno.test("the route of short URLs takes no path of another route, and leaves its own sub-paths to theirs", async () => {
  await using app = await startTestApp();
  const path = await app.shorten("https://example.com/");
  const statusOf = async (asked: string, init?: RequestInit) => (await app.request(asked, init)).status;
  assert.equal(await statusOf(path), 200);
  assert.equal(await statusOf(path, { method: "HEAD" }), 200);
  assert.equal(await statusOf(path, { method: "OPTIONS" }), 204);
  assert.equal(await statusOf(path, { method: "POST" }), 405);
  assert.equal(await statusOf(`${path}/stats`), 200);
  for (const fixed of ["/health", "/stats", "/docs", "/openapi.json", "/styles.css"]) {
    assert.equal(await statusOf(fixed), 200, fixed);
  }
});

Deno.test("slashes at the end of a path are ignored, with parameters and without", async () => {
  await using app = await startTestApp();
  const path = await app.shorten("https://example.com/");
  for (
    const asked of [
      `${path}/`,
      `${path}//`,
      `${path}/?visit=false`,
      `${path}/stats/`,
      "/health/",
      "/docs//",
      "//",
    ]
  ) {
    assert.equal((await app.request(asked)).status, 200, asked);
  }
  const posted = await app.request("/api/v1/messages/1/", { method: "PATCH", body: "content=a" });
  assert.equal(posted.status, 401, "the body and the method are kept");
});

Deno.test("a page that refuses a short URL is a document of the site with the headers of every page", async () => {
  await using app = await startTestApp();
  const response = await app.request("/none", { headers: { accept: "text/html" } });
  assert.equal(response.status, 404);
  assert.match(await response.text(), /^<!DOCTYPE html><html lang="en"[^>]*><head>.*styles\.css.*<h1/s);
  assert.match(response.headers.get("content-security-policy") ?? "", /^default-src 'none'/);
  assert.notEqual(response.headers.get("x-request-id"), null);
});
