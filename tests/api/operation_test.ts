import assert from "node:assert/strict";
import { Validator } from "@seriousme/openapi-schema-validator";
import { jsonBody, startTestApp } from "@/tests/helpers/app.ts";

const PAGE = { accept: "text/html" };

Deno.test("/health and /ready return 200 when the store can be read", async () => {
  await using app = await startTestApp();
  for (const path of ["/health", "/ready"]) {
    const response = await app.request(path);
    assert.deepEqual([response.status, await response.json()], [200, { status: "ok" }]);
  }
});

Deno.test("/health and /ready return 503 when the store cannot be read", async () => {
  const app = await startTestApp();
  app.services.store.kv.close();
  for (const path of ["/health", "/ready"]) {
    const response = await app.request(path);
    assert.equal(response.status, 503, path);
    assert.equal((await response.json()).error, "Service Unavailable");
  }
});

Deno.test("/ready returns 503 while the server stops, and recovers once the store accepts writes", async () => {
  await using app = await startTestApp();
  app.services.status.isStopping = true;
  const stopping = await app.request("/ready");
  assert.deepEqual([stopping.status, stopping.headers.get("connection")], [503, "close"]);
  app.services.status.isStopping = false;
  app.services.store.tally.writable = false;
  assert.equal((await app.request("/ready")).status, 200);
  assert.equal(app.services.store.tally.writable, true);
});

Deno.test("every response has the security headers and the request id", async () => {
  await using app = await startTestApp();
  const link = await app.shorten("https://example.com/");
  const paths = [
    "/",
    link,
    `${link}/stats`,
    "/stats",
    "/health",
    "/nope",
    "/%ff",
    "/a/b",
    "/docs",
    "/styles.css",
    "/api/v1/x",
  ];
  for (const path of paths) {
    for (const headers of [{}, PAGE]) {
      const response = await app.request(path, { headers });
      const policy = response.headers.get("content-security-policy") ?? "";
      assert.match(policy, /default-src 'none'/, path);
      assert.match(policy, /frame-ancestors 'none'/, path);
      assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|upgrade-insecure-requests/, path);
      assert.equal(response.headers.get("x-content-type-options"), "nosniff", path);
      // A page without any referrer would send its own forms with the origin "null".
      const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
      assert.equal(response.headers.get("referrer-policy"), isPage ? "same-origin" : "no-referrer", path);
      assert.match(response.headers.get("x-request-id") ?? "", /^[\w-]{8,}$/, path);
      assert.equal(response.headers.get("strict-transport-security"), null);
      await response.body?.cancel();
    }
  }
});

Deno.test("with an https base URL, responses have HSTS", async () => {
  await using app = await startTestApp({ env: { BASE_URL: "https://sotto.example" } });
  assert.match((await app.request("/health")).headers.get("strict-transport-security") ?? "", /max-age=/);
  const { url } = await (await app.request("/", jsonBody({ url: "https://example.com/" }))).json();
  assert.ok(url.startsWith("https://sotto.example/%"));
});

Deno.test("a request id sent by the client is used if it is well-formed", async () => {
  await using app = await startTestApp();
  const idFor = async (given: string) => {
    const response = await app.request("/health", { headers: { "x-request-id": given } });
    return response.headers.get("x-request-id");
  };
  assert.equal(await idFor("trace-1.a"), "trace-1.a");
  assert.notEqual(await idFor('"}{'), '"}{');
  assert.notEqual(await idFor("x".repeat(65)), "x".repeat(65));
});

Deno.test("each request is logged as one JSON line without path and secrets", async () => {
  await using app = await startTestApp({ env: { SHORTEN_API_KEY: "a-key-for-shortening" } });
  await app.request("/", {
    ...jsonBody({ url: "https://secret.example/token" }),
    headers: { authorization: "Bearer a-key-for-shortening" },
  });
  await app.request("/some-short-id?secret=in-query", { headers: { "x-request-id": "abc" } });
  const log = await app.log();
  const lines = log.trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(lines.length, 2);
  const { time, ms, ...line } = lines[1];
  assert.deepEqual(line, { level: "info", id: "abc", method: "GET", route: "/:short", status: 404 });
  assert.deepEqual([time, typeof ms], ["2026-11-21T11:00:00.000Z", "number"]);
  assert.doesNotMatch(log, /a-key-for-shortening|secret|some-short-id/);
});

Deno.test("an internal error is returned without its cause, which is logged with the request id", async () => {
  await using app = await startTestApp();
  const link = await app.shorten("https://example.com/");
  Reflect.set(app.services.links.cache, "readAll", () => {
    throw new TypeError("the reason");
  });
  const response = await app.request(link, { headers: { "x-request-id": "broken-1" } });
  assert.equal(response.status, 500);
  const body = await response.text();
  assert.equal(JSON.parse(body).error, "Internal Server Error");
  assert.doesNotMatch(body, /the reason/);
  assert.match(await app.log(), /"level":"error".*"id":"broken-1".*the reason/);
});

Deno.test("an unknown method is refused and causes no server error", async () => {
  await using app = await startTestApp();
  for (const path of ["/", "/nope", "/stats"]) {
    const response = await app.request(path, { method: "PROPFIND" });
    assert.equal(response.status, 405, path);
    assert.match(response.headers.get("allow") ?? "", /GET/);
  }
});

Deno.test("beyond the limit of concurrent requests the server refuses immediately, and /health still works", async () => {
  await using app = await startTestApp({ maxInFlight: 2 });
  const gate = Promise.withResolvers<void>();
  const slowBody = () =>
    new ReadableStream<Uint8Array>({ pull: (controller) => gate.promise.then(() => controller.close()) });
  const post = () =>
    app.request("/", { method: "POST", headers: { "content-type": "application/json" }, body: slowBody() });
  const held = [post(), post()];
  const refused = await app.request("/stats");
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "1"]);
  assert.equal((await refused.json()).statusCode, 503);
  assert.equal((await app.request("/health")).status, 200);
  gate.resolve();
  for (const response of await Promise.all(held)) assert.equal(response.status, 400);
  assert.equal((await app.request("/stats")).status, 200);
});

Deno.test("/metrics counts requests, conflicts and queues, and is limited to loopback", async () => {
  await using app = await startTestApp();
  await app.request("/stats");
  const response = await app.request("/metrics");
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-type") ?? "", /^text\/plain/);
  const text = await response.text();
  assert.match(text, /sotto_request_duration_seconds_count\{method="GET",route="\/stats",status="200"\} 1/);
  for (const name of ["sotto_store_conflicts_total", "sotto_visit_queue_depth", "sotto_requests_in_flight"]) {
    assert.match(text, new RegExp(`^${name} \\d`, "m"));
  }
  const proxied = await app.request("/metrics", { headers: { "x-forwarded-for": "203.0.113.9" } });
  assert.equal(proxied.status, 401);
  await using remote = await startTestApp({ remoteAddress: "203.0.113.9" });
  assert.equal((await remote.request("/metrics")).status, 401);
});

Deno.test("/metrics requires the token if one is configured", async () => {
  await using app = await startTestApp({
    env: { METRICS_TOKEN: "a-long-enough-token" },
    remoteAddress: "203.0.113.9",
  });
  const read = (authorization: string) => app.request("/metrics", { headers: { authorization } });
  assert.equal((await app.request("/metrics")).status, 401);
  assert.equal((await read("Bearer another-long-token")).status, 401);
  assert.equal((await read("Bearer a-long-enough-token")).status, 200);
});

Deno.test("shortening is limited by client address, regardless of forwarding headers", async () => {
  await using app = await startTestApp({ env: { RATE_LIMITS: '{"shorten":{"points":2,"seconds":60}}' } });
  const post = (forwarded: string) => {
    const init = jsonBody({ url: "https://example.com/" });
    return app.request("/", {
      ...init,
      headers: { "content-type": "application/json", "x-forwarded-for": forwarded },
    });
  };
  const first = await post("198.51.100.1");
  assert.deepEqual([first.headers.get("x-ratelimit-limit"), first.headers.get("x-ratelimit-remaining")], [
    "2",
    "1",
  ]);
  assert.equal((await post("198.51.100.2")).status, 201);
  const refused = await post("198.51.100.3");
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  assert.equal((await refused.json()).error, "Too Many Requests");
  assert.deepEqual(await (await app.request("/stats")).json(), { urls: 2, visits: 0 });
});

Deno.test("behind a trusted proxy each client has its own limit", async () => {
  await using app = await startTestApp({
    env: { RATE_LIMITS: '{"shorten":{"points":1,"seconds":60}}', TRUSTED_PROXIES: "127.0.0.0/8" },
  });
  const post = async (forwarded: string) => {
    const headers = { "content-type": "application/json", "x-forwarded-for": forwarded };
    return (await app.request("/", { ...jsonBody({ url: "https://example.com/" }), headers })).status;
  };
  assert.deepEqual([await post("198.51.100.1"), await post("198.51.100.2")], [201, 201]);
  assert.equal(await post("spoofed, 198.51.100.1"), 429);
});

Deno.test("/openapi.json is a valid OpenAPI 3.1 description of every endpoint", async () => {
  await using app = await startTestApp();
  const description = await (await app.request("/openapi.json")).json();
  const result = await new Validator().validate(structuredClone(description));
  assert.deepEqual([result.valid, result.errors], [true, undefined]);
  assert.equal(description.openapi, "3.1.1");
  const paths = [
    "/",
    "/{short}",
    "/{short}/stats",
    "/stats",
    "/stats/badges/version",
    "/stats/badges/urls",
    "/stats/badges/visits",
    "/health",
  ];
  for (const path of paths) assert.ok(path in description.paths, path);
  const { LongUrl } = description.components.schemas;
  assert.deepEqual([LongUrl.properties.url.format, LongUrl.properties.url.maxLength], ["uri", 500]);
  assert.deepEqual(Object.keys(description.paths["/stats/badges/urls"].get.responses), [
    ...["400", "503", "default"],
  ]);
  assert.deepEqual(description.paths["/"].post.requestBody.required, true);
});

Deno.test("responses match the schemas of /openapi.json", async () => {
  await using app = await startTestApp();
  const { paths, components } = await (await app.request("/openapi.json")).json();
  const link = await app.shorten("https://example.com/");
  await app.request(link);
  const answers: [path: string, operation: string][] = [
    [link, "/{short}"],
    [`${link}/stats`, "/{short}/stats"],
    ["/stats", "/stats"],
    ["/health", "/health"],
  ];
  for (const [path, operation] of answers) {
    const { $ref } = paths[operation].get.responses["200"].content["application/json"].schema;
    const { required, properties } = components.schemas[$ref.split("/").at(-1)];
    const answer = await (await app.request(path)).json();
    assert.deepEqual(Object.keys(answer).sort(), Object.keys(properties).sort(), operation);
    assert.deepEqual([...required].sort(), Object.keys(properties).sort(), operation);
  }
});

Deno.test("browsers receive errors as pages", async () => {
  await using app = await startTestApp();
  for (const [path, status] of [["/nope", 404], ["/a/b/c", 404]] as const) {
    const response = await app.request(path, { headers: PAGE });
    assert.equal(response.status, status, path);
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
    assert.equal(response.headers.get("cache-control"), "no-store");
    const html = await response.text();
    assert.match(html, /<h1/);
    assert.doesNotMatch(html, /<script/);
  }
});
