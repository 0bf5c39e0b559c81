import assert from "node:assert/strict";
import { jsonBody, startTestApp, type TestApp } from "@/tests/helpers/app.ts";
import { visitPages } from "@/tests/helpers/pages.ts";

async function refuse(app: TestApp, url: string): Promise<string> {
  const response = await app.request("/", jsonBody({ url }));
  const body = await response.json();
  assert.deepEqual([response.status, body.statusCode, body.error], [400, 400, "Bad Request"], url);
  assert.deepEqual(body.errors, [{ code: "invalid_value", path: ["url"], message: body.message }]);
  return body.message;
}

async function accept(app: TestApp, url: string): Promise<void> {
  const response = await app.request("/", jsonBody({ url }));
  assert.equal(response.status, 201, `${url} ${await response.text()}`);
}

Deno.test("C15: a URL with a password is not shortened", async () => {
  await using app = await startTestApp();
  for (
    const url of ["http://user:pass@host.example/", "https://:pass@host.example/", "ftp://a:b@host.example/x"]
  ) {
    assert.match(await refuse(app, url), /password/);
  }
  for (
    const url of [
      "https://user@example.com/userinfo",
      "ssh://git@example.com:22/team/repo.git",
      "https://example.com/?a:b@c",
      "mailto:a:b@example.com",
    ]
  ) await accept(app, url);
  const page = await visitPages(app).post("/", { url: "http://user:pass@host.example/" });
  assert.deepEqual([page.status, page.html.includes("password")], [400, true]);
});

Deno.test("C15: a short link of this server is not shortened again, in any spelling", async () => {
  await using app = await startTestApp({ env: { BASE_URL: "https://sotto.example" } });
  const first = await app.request("/", jsonBody({ url: "https://example.com/" }));
  const { short, url } = await first.json();
  const spellings = [
    url,
    `https://sotto.example/${short}`,
    `http://sotto.example/${encodeURIComponent(short)}`,
    `HTTPS://SOTTO.EXAMPLE./${encodeURIComponent(short)}?visit=false#top`,
    `https://other.sotto.example/${encodeURIComponent(short)}`,
    `https://sotto.example/x/../${encodeURIComponent(short)}`,
    `${url}/`,
    `${url}//`,
    `https://sotto.example//${encodeURIComponent(short)}`,
    `https://sotto.example/\\${short}`,
    `https://sotto.example///${encodeURIComponent(short)}///?x`,
  ];
  for (const spelling of spellings) assert.match(await refuse(app, spelling), /short link of this server/);
  const others = ["https://sotto.example/", "https://sotto.example/admin", `https://example.org/${short}`];
  for (const other of others) await accept(app, other);
  assert.equal((await (await app.request("/stats")).json()).urls, 4);
});
