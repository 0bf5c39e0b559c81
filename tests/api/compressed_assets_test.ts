import assert from "node:assert/strict";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { startTestApp, type TestApp } from "@/tests/helpers/app.ts";
import { listPageAssets } from "@/tests/helpers/page_assets.ts";

async function read(app: TestApp, path: string, headers: Record<string, string> = {}, method = "GET") {
  const { status, headers: answered, body } = await app.request(path, { method, headers });
  return { status, headers: answered, bytes: await new Response(body).bytes() };
}

Deno.test("style sheets and scripts are sent in an encoding that the client accepts, each with its own ETag", async () => {
  await using app = await startTestApp();
  const html = await (await app.request("/", { headers: { accept: "text/html" } })).text();
  const { styles, scripts } = await listPageAssets(app, html);
  assert.ok(styles.length > 0 && scripts.length > 1);
  for (const path of [...styles, ...scripts]) {
    const plain = await read(app, path);
    assert.deepEqual([plain.status, plain.headers.get("content-encoding")], [200, null], path);
    const etags = new Set([plain.headers.get("etag")]);
    for (const [coding, decompress] of [["br", brotliDecompressSync], ["gzip", gunzipSync]] as const) {
      const { headers, bytes } = await read(app, path, { "accept-encoding": coding });
      assert.equal(headers.get("content-encoding"), coding, path);
      assert.equal(headers.get("content-length"), String(bytes.length));
      assert.match(headers.get("vary") ?? "", /Accept-Encoding/);
      for (const name of ["cache-control", "content-type"]) {
        assert.equal(headers.get(name), plain.headers.get(name), name);
      }
      assert.ok(bytes.length < plain.bytes.length, path);
      assert.deepEqual(new Uint8Array(decompress(bytes)), plain.bytes);
      etags.add(headers.get("etag"));
    }
    assert.equal(etags.size, 3);
    assert.match(plain.headers.get("vary") ?? "", /Accept-Encoding/);
  }
});

Deno.test("the encoding of an asset follows the weights of Accept-Encoding", async () => {
  await using app = await startTestApp();
  const rows = [
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0.5, gzip;q=0.8", "gzip"],
    ["br;q=0, *", "gzip"],
    ["gzip;q=0, br;q=0", null],
    ["deflate", null],
    ["identity, br;q=0.9", null],
    ["", null],
  ] as const;
  for (const [accepted, coding] of rows) {
    const { status, headers } = await read(app, "/styles.css", { "accept-encoding": accepted });
    assert.deepEqual([status, headers.get("content-encoding")], [200, coding], accepted);
  }
});

Deno.test("HEAD of an asset has the headers of GET, and a known ETag is answered with 304", async () => {
  await using app = await startTestApp();
  for (const accepted of ["br", "gzip", "identity"]) {
    const got = await read(app, "/styles.css", { "accept-encoding": accepted });
    const head = await read(app, "/styles.css", { "accept-encoding": accepted }, "HEAD");
    const known = ["content-encoding", "content-length", "etag", "vary", "cache-control"];
    assert.deepEqual(known.map((name) => head.headers.get(name)), known.map((name) => got.headers.get(name)));
    assert.deepEqual([head.status, head.bytes.length], [200, 0]);
    const etag = got.headers.get("etag") ?? "";
    const again = await read(app, "/styles.css", { "accept-encoding": accepted, "if-none-match": etag });
    assert.deepEqual([again.status, again.bytes.length], [304, 0], accepted);
    assert.equal(again.headers.get("content-encoding"), null);
  }
  const other = (await read(app, "/styles.css", { "accept-encoding": "gzip" })).headers.get("etag") ?? "";
  const plain = await read(app, "/styles.css", { "if-none-match": other });
  assert.equal(plain.status, 200, "the ETag of another encoding is not that of the plain form");
});

Deno.test("a request for a range of an asset is answered with the whole, as without compression", async () => {
  await using app = await startTestApp();
  for (const accepted of ["br", "identity"]) {
    const whole = await read(app, "/styles.css", { "accept-encoding": accepted });
    const ranged = await read(app, "/styles.css", { "accept-encoding": accepted, range: "bytes=0-9" });
    assert.deepEqual([ranged.status, ranged.bytes.length], [200, whole.bytes.length]);
  }
});

Deno.test("fonts and pictures, which are compressed already, are sent as they are", async () => {
  await using app = await startTestApp();
  for (const path of ["/icon.png", "/vendor/inter-5.3.0.woff2"]) {
    const { status, headers } = await read(app, path, { "accept-encoding": "br, gzip" });
    assert.deepEqual([status, headers.get("content-encoding")], [200, null], path);
  }
});
