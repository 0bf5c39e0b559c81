import assert from "node:assert/strict";
import { startTestApp } from "@/tests/helpers/app.ts";

Deno.test("S5 /metrics without a token refuses what a proxy on the same machine forwards", async () => {
  await using app = await startTestApp({ env: { BASE_URL: "https://sotto.example" } });
  const read = async (host: string, headers: Record<string, string> = {}) => {
    const response = await app.request("/metrics", { headers }, host);
    await response.body?.cancel();
    return response.status;
  };
  for (const host of ["localhost:8000", "127.0.0.1:8000", "127.0.0.2", "[::1]:8000"]) {
    assert.equal(await read(host), 200, host);
  }
  for (const host of ["sotto.example", "other.sotto.example", "192.0.2.1:8000", "localhost.example"]) {
    assert.equal(await read(host), 401, host);
  }
  const forwarding = [
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
    "x-client-ip",
    "x-original-forwarded-for",
    "cdn-connecting-ip",
  ];
  for (const name of forwarding) {
    assert.equal(await read("localhost:8000", { [name]: "127.0.0.1" }), 401, name);
  }
});

Deno.test("S5 /metrics with a token needs it on the same machine too", async () => {
  await using app = await startTestApp({ env: { METRICS_TOKEN: "a-long-enough-token" } });
  assert.equal((await app.request("/metrics")).status, 401);
  const headers = { authorization: "Bearer a-long-enough-token" };
  assert.equal((await app.request("/metrics", { headers }, "sotto.example")).status, 200);
});
