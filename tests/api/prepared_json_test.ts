import assert from "node:assert/strict";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { startTestApp, type TestApp } from "@/tests/helpers/app.ts";
import { compareMedians } from "@/tests/helpers/measure.ts";

async function read(app: TestApp, headers: Record<string, string> = {}) {
  const response = await app.request("/openapi.json", { headers });
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
}

Deno.test("/openapi.json is sent in an encoding that the client accepts, each with its own ETag", async () => {
  await using app = await startTestApp();
  const { response: plain, bytes } = await read(app);
  assert.deepEqual([plain.status, plain.headers.get("content-encoding")], [200, null]);
  const etags = new Set([plain.headers.get("etag")]);
  const forms = [["br", brotliDecompressSync], ["gzip", gunzipSync]] as const;
  for (const [coding, decompress] of forms) {
    const { response, bytes: compressed } = await read(app, { "accept-encoding": `identity, ${coding}` });
    assert.equal(response.headers.get("content-encoding"), coding);
    assert.equal(response.headers.get("vary"), "accept-encoding");
    assert.ok(
      compressed.length < bytes.length / 8,
      `${coding} takes ${compressed.length} of ${bytes.length} bytes`,
    );
    assert.deepEqual(new Uint8Array(decompress(compressed)), bytes);
    etags.add(response.headers.get("etag"));
  }
  assert.equal(etags.size, 3);
});

Deno.test("/openapi.json returns 304 to a client that has the accepted encoding", async () => {
  await using app = await startTestApp();
  for (const coding of ["br", "gzip", "identity", "br;q=0, gzip;q=0.5"]) {
    const accepted = { "accept-encoding": coding };
    const etag = (await read(app, accepted)).response.headers.get("etag") ?? "";
    const again = await read(app, { ...accepted, "if-none-match": `"other", W/${etag}` });
    assert.deepEqual([again.response.status, again.bytes.length], [304, 0], coding);
    assert.equal(again.response.headers.get("etag"), etag);
  }
  const other = (await read(app, { "accept-encoding": "br" })).response.headers.get("etag") ?? "";
  assert.equal((await read(app, { "if-none-match": other })).response.status, 200);
});

Deno.test("/openapi.json is built once, not for each request", async () => {
  await using app = await startTestApp();
  const ask = async (path: string) => await (await app.request(path)).body?.cancel();
  await ask("/openapi.json");
  // Describing the API takes hundreds of times what a badge takes.
  await compareMedians(() => ask("/openapi.json"), () => ask("/stats/badges/version"), {
    samples: 21,
    accept: (ratio) => ratio < 20,
  });
});

Deno.test("each server's /openapi.json contains its own address", async () => {
  for (const baseUrl of ["https://one.example", "https://two.example"]) {
    await using app = await startTestApp({ env: { BASE_URL: baseUrl } });
    const { servers } = JSON.parse(new TextDecoder().decode((await read(app)).bytes));
    assert.deepEqual(servers, [{ url: baseUrl }]);
  }
});
