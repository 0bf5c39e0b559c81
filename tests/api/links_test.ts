import assert from "node:assert/strict";
import { jsonBody, startTestApp } from "@/tests/helpers/app.ts";

const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const UNKNOWN = `/${encodeURIComponent("\u200c\u200d\u200c\u200d\u200c\u200d\u200c")}`;

Deno.test("POST / returns the invisible id and the short link", async () => {
  await using app = await startTestApp();
  const response = await app.request("/", jsonBody({ url: "https://example.com/a" }));
  assert.equal(response.status, 201);
  const { short, url, ...others } = await response.json();
  assert.match(short, /^[\u200c\u200d\u{e0061}-\u{e007a}\u{e007f}]{7}$/u);
  assert.equal(url, `http://localhost:8000/${encodeURIComponent(short)}`);
  assert.deepEqual(others, {});
});

Deno.test("POST / creates a new id each time, even for the same URL", async () => {
  await using app = await startTestApp();
  assert.notEqual(await app.shorten("https://example.com/"), await app.shorten("https://example.com/"));
});

Deno.test("POST / names the field when it refuses a URL, and creates nothing", async () => {
  await using app = await startTestApp();
  const refused: [unknown, RegExp][] = [
    [{}, /must be a string/],
    [{ url: 5 }, /must be a string/],
    [{ url: "" }, /empty/],
    [{ url: "   " }, /empty/],
    [{ url: "/relative" }, /absolute/],
    [{ url: "example.com/a" }, /absolute/],
    [{ url: "example.com:8080/path" }, /absolute/],
    [{ url: "localhost:3000" }, /absolute/],
    [{ url: "Example.COM:/" }, /absolute/],
    [{ url: "blog:8080/x//y" }, /absolute/],
    [{ url: "nosuchscheme:x" }, /absolute/],
    [{ url: "https://" }, /absolute/],
    [{ url: "https://example.com:99999/" }, /absolute/],
    [{ url: "https://example.com/\u0000" }, /control/],
    [{ url: "https://example.com/\n" }, /control/],
    [{ url: "https://example.com/\u0085" }, /control/],
    [{ url: " https://example.com/" }, /blank/],
    [{ url: "https://example.com/\ud800" }, /surrogate/],
    [{ url: "https://example.com/?".padEnd(501, "a") }, /500/],
    [{ url: "https://example.com/?" + "\u{1f600}".repeat(480) }, /500/],
    [{ url: "JavaScript:alert(1)" }, /javascript:/],
    [{ url: "data:text/html,x" }, /data:/],
    [{ url: "vbscript:x" }, /vbscript:/],
    [{ url: "blob:https://example.com/x" }, /blob:/],
    [{ url: "file:///etc/passwd" }, /file:/],
  ];
  for (const [body, reason] of refused) {
    const response = await app.request("/", jsonBody(body));
    const { statusCode, error, message, errors } = await response.json();
    assert.deepEqual([response.status, statusCode, error], [400, 400, "Bad Request"], JSON.stringify(body));
    assert.match(message, reason, JSON.stringify(body));
    assert.deepEqual(errors[0].path, ["url"]);
  }
  assert.deepEqual(await (await app.request("/stats")).json(), { urls: 0, visits: 0 });
});

Deno.test("POST / accepts URLs of up to 500 code points", async () => {
  await using app = await startTestApp();
  const url = "https://example.com/?" + "\u{1f600}".repeat(479);
  const path = await app.shorten(url);
  assert.deepEqual(await (await app.request(`${path}?visit=false`)).json(), { url });
});

Deno.test("POST / accepts schemes that exist, and any scheme before two slashes", async () => {
  await using app = await startTestApp();
  for (
    const url of [
      "mailto:a@example.com",
      "ftp://example.com/x",
      "TEL:+3612345",
      "magnet:?xt=urn:btih:x",
      "web+tea:green",
      "unheard-of://example.com/x",
    ]
  ) {
    assert.equal((await app.request("/", jsonBody({ url }))).status, 201, url);
  }
});

Deno.test("POST / refuses a body that is not a JSON object", async () => {
  await using app = await startTestApp();
  const post = (body: BodyInit, type = "application/json") =>
    app.request("/", { method: "POST", headers: { "content-type": type }, body });
  for (const body of ['{"url":', "", "null", "1", '"x"', "[]", "[".repeat(60_000)]) {
    const response = await post(body);
    assert.equal(response.status, 400, body.slice(0, 20));
    assert.equal((await response.json()).statusCode, 400);
  }
  assert.equal((await post(new Uint8Array([0x7b, 0xff, 0x7d]))).status, 400);
  const good = '{"url":"https://example.com/"}';
  assert.equal((await post(good, "text/plain")).status, 415);
  assert.equal((await post(good, "application/json; charset=latin1")).status, 415);
  assert.equal((await post("url=https://example.com/", "application/x-www-form-urlencoded")).status, 415);
  assert.equal((await post(good, "Application/JSON; charset=UTF-8")).status, 201);
});

Deno.test("POST / refuses a body over 64 kB by its declared and its actual length", async () => {
  await using app = await startTestApp();
  const large = JSON.stringify({ url: "https://example.com/", more: "x".repeat(70_000) });
  const response = await app.request("/", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: large,
  });
  assert.equal(response.status, 413);
  const chunks = ReadableStream.from([large.slice(0, 40_000), large.slice(40_000)]).pipeThrough(
    new TextEncoderStream(),
  );
  const streamed = await app.request("/", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: chunks,
  });
  assert.equal(streamed.status, 413);
});

Deno.test("GET /{short} returns the long URL byte for byte and counts a visit", async () => {
  await using app = await startTestApp();
  const path = await app.shorten("HTTPS://EXAMPLE.com");
  const response = await app.request(path);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.deepEqual(await response.json(), { url: "HTTPS://EXAMPLE.com" });
  assert.deepEqual(await (await app.request(`${path}/stats`)).json(), {
    url: "HTTPS://EXAMPLE.com",
    visits: ["2026-11-21T11:00:00.000Z"],
  });
});

Deno.test("GET /{short} with visit=false and HEAD count nothing", async () => {
  await using app = await startTestApp();
  const path = await app.shorten("https://example.com/");
  assert.equal((await app.request(`${path}?visit=false`)).status, 200);
  assert.equal((await app.request(`${path}?visit=false`, { headers: BROWSER })).status, 200);
  const head = await app.request(path, { method: "HEAD" });
  assert.deepEqual([head.status, await head.text()], [200, ""]);
  assert.equal((await app.request(path, { method: "HEAD", headers: BROWSER })).status, 302);
  assert.equal((await app.request(`${path}?visit=perhaps`)).status, 400);
  assert.deepEqual((await (await app.request(`${path}/stats`)).json()).visits, []);
  assert.deepEqual(await (await app.request("/stats")).json(), { urls: 1, visits: 0 });
});

Deno.test("GET /{short} redirects a browser to web addresses and counts the visit", async () => {
  await using app = await startTestApp();
  const locations: [url: string, location: string][] = [
    ["https://example.com/x?y=1#z", "https://example.com/x?y=1#z"],
    ["https://example.com", "https://example.com"],
    ["https://example.com/ü", "https://example.com/%C3%BC"],
    ["http:example.com", "http://example.com/"],
    ["https:\\\\example.com\\x", "https://example.com/x"],
  ];
  for (const [url, location] of locations) {
    const path = await app.shorten(url);
    const response = await app.request(path, { headers: BROWSER });
    assert.equal(response.status, 302, url);
    assert.equal(response.headers.get("location"), location, url);
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.equal((await (await app.request(`${path}/stats`)).json()).visits.length, 1, url);
  }
});

Deno.test("GET /{short} shows a browser a page with a target that is no web address, and counts the visit", async () => {
  await using app = await startTestApp();
  const targets: [url: string, effect: string][] = [
    ["mailto:a@example.com?subject=%22%3C&body=x", "starts an email message"],
    ["TEL:+3612345", "calls the number"],
    ["sms:+3612345", "starts a text message"],
    ["ftp://example.com/x", "another program"],
    ["magnet:?xt=urn:btih:x", "another program"],
  ];
  for (const [url, effect] of targets) {
    const path = await app.shorten(url);
    const response = await app.request(path, { headers: BROWSER });
    assert.deepEqual([response.status, response.headers.get("location")], [200, null], url);
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
    assert.equal(response.headers.get("cache-control"), "no-store");
    const html = await response.text();
    assert.ok(html.includes(`href="${url.replaceAll("&", "&amp;")}"`), html);
    assert.ok(html.includes(effect), html);
    assert.equal((await (await app.request(`${path}/stats`)).json()).visits.length, 1, url);
    assert.deepEqual(await (await app.request(path)).json(), { url });
  }
});

Deno.test("GET /{short} gives robots what a browser gets, and counts neither them nor prefetches", async () => {
  await using app = await startTestApp();
  const web = await app.shorten("https://example.com/");
  const mail = await app.shorten("mailto:a@example.com");
  const robots = [
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "facebookexternalhit/1.1 Facebot Twitterbot/1.0",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "TelegramBot (like TwitterBot)",
    "WhatsApp/2.23.20.0",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  ];
  for (const agent of robots) {
    const headers = { "user-agent": agent, accept: "*/*" };
    const response = await app.request(web, { headers });
    assert.deepEqual(
      [response.status, response.headers.get("location")],
      [302, "https://example.com/"],
      agent,
    );
    assert.match((await app.request(mail, { headers })).headers.get("content-type") ?? "", /html/, agent);
  }
  const prefetches = [{ "sec-purpose": "prefetch;prerender" }, { purpose: "prefetch" }, {
    "x-moz": "prefetch",
  }];
  for (const purpose of prefetches) {
    assert.equal((await app.request(web, { headers: { ...BROWSER, ...purpose } })).status, 302);
    assert.equal((await app.request(web, { headers: purpose })).status, 200);
  }
  assert.deepEqual((await (await app.request(`${web}/stats`)).json()).visits, []);
  const programs = [
    "curl/8.5.0",
    "python-requests/2.32",
    "Mozilla/5.0 (Linux; Android 9; CUBOT X19) Chrome/99.0",
    "",
  ];
  for (const agent of programs) {
    assert.equal((await app.request(web, { headers: { "user-agent": agent } })).status, 200, agent);
  }
  assert.equal((await (await app.request(`${web}/stats`)).json()).visits.length, programs.length);
  assert.deepEqual(await (await app.request("/stats")).json(), { urls: 2, visits: programs.length });
});

Deno.test("GET /{short} returns JSON to clients that accept any type", async () => {
  await using app = await startTestApp();
  const path = await app.shorten("https://example.com/");
  for (const accept of ["*/*", "application/json", "application/json, text/html;q=0.5", "image/png"]) {
    assert.equal((await app.request(path, { headers: { accept } })).status, 200, accept);
  }
});

Deno.test("unknown, truncated and extended ids are not found", async () => {
  await using app = await startTestApp();
  const path = await app.shorten("https://example.com/");
  const short = decodeURIComponent(path.slice(1));
  const others = [
    [...short].slice(0, -1).join(""),
    short + "\u200c",
    "\u200b" + short,
    short + "\ufeff",
    short + ".",
    encodeURIComponent(short),
    "nope",
    "x".repeat(5000),
  ];
  for (const other of others) {
    const response = await app.request(`/${encodeURIComponent(other)}`);
    assert.equal(response.status, 404, encodeURIComponent(other).slice(0, 80));
    const { statusCode, error } = await response.json();
    assert.deepEqual([statusCode, error], [404, "Not Found"]);
  }
  for (
    const other of [
      UNKNOWN,
      `${UNKNOWN}/stats`,
      "/a%2Fb",
      "/health/stats",
      "/stats/badges",
      "/stats/badges/nope",
      "/a/b/c",
    ]
  ) {
    assert.equal((await app.request(other)).status, 404, other);
  }
});

Deno.test("a path that cannot be decoded is refused and causes no server error", async () => {
  await using app = await startTestApp();
  for (const path of ["/%ff", "/%E0%A4%A", "/%", "/%zz/stats", "/%ED%A0%80", "/stats/%c0%80"]) {
    const response = await app.request(path);
    assert.equal(response.status, 400, path);
    assert.equal((await response.json()).error, "Bad Request");
  }
});

Deno.test("ids are found with lowercase percent-encoding", async () => {
  await using app = await startTestApp();
  const path = await app.shorten("https://example.com/");
  assert.equal((await app.request(path.toLowerCase())).status, 200);
});

Deno.test("SHORT_REWRITES restores characters that other programs replaced in an id", async () => {
  await using app = await startTestApp({
    env: { SHORT_CHARS: '["a","b"]', SHORT_REWRITES: '{"A":"a","B":"b"}' },
  });
  const path = await app.shorten("https://example.com/");
  assert.equal((await app.request(path.toUpperCase())).status, 200);
  assert.equal((await (await app.request(`${path}/stats`)).json()).visits.length, 1);
});

Deno.test("a blocked host and its subdomains are refused in every spelling", async () => {
  await using app = await startTestApp({
    env: { BLOCKED_HOSTNAMES: "blocked.example, Bücher.example, 127.0.0.1, *.wild.example, .dotted.example" },
  });
  const blocked = [
    "https://blocked.example/x",
    "https://a.b.BLOCKED.example./",
    "ftp://user:pass@blocked.example:21/",
    "https://xn--bcher-kva.example/",
    "https://BÜCHER.example/",
    "http://127.1/",
    "custom://Blocked.Example/x",
    "https://wild.example/",
    "https://a.wild.example/",
    "https://dotted.example/",
    "https://.dotted.example/",
  ];
  for (const url of blocked) {
    const response = await app.request("/", jsonBody({ url }));
    assert.equal(response.status, 422, url);
    assert.equal((await response.json()).error, "Unprocessable Entity");
  }
  for (
    const url of ["https://notblocked.example/", "https://blocked.example.org/", "mailto:x@blocked.example"]
  ) {
    assert.equal((await app.request("/", jsonBody({ url }))).status, 201, url);
  }
  assert.equal((await (await app.request("/stats")).json()).urls, 3);
});

Deno.test("SHORTEN_API_KEY restricts shortening to requests with the key", async () => {
  await using app = await startTestApp({ env: { SHORTEN_API_KEY: "a-key-for-shortening" } });
  const post = (authorization?: string) => {
    const init = jsonBody({ url: "https://example.com/" });
    return app.request("/", {
      ...init,
      headers: {
        "content-type": "application/json",
        ...(authorization === undefined ? {} : { authorization }),
      },
    });
  };
  for (
    const authorization of [
      undefined,
      "Bearer wrong",
      "Basic a-key-for-shortening",
      "Bearer a-key-for-shortening2",
    ]
  ) {
    const response = await post(authorization);
    assert.equal(response.status, 401, authorization ?? "no header");
    assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer/);
  }
  assert.equal((await post("Bearer a-key-for-shortening")).status, 201);
  assert.equal((await post("bearer a-key-for-shortening")).status, 201);
});

Deno.test("shortening returns 503 when every id is taken", async () => {
  await using app = await startTestApp({ env: { SHORT_CHARS: '["a","b"]', SHORT_LENGTH: "1" } });
  const paths = await Promise.all([
    app.shorten("https://example.com/1"),
    app.shorten("https://example.com/2"),
  ]);
  assert.deepEqual(paths.sort(), ["/a", "/b"]);
  const response = await app.request("/", jsonBody({ url: "https://example.com/3" }));
  assert.equal(response.status, 503);
  assert.ok(Number(response.headers.get("retry-after")) > 0);
  assert.match((await response.json()).message, /All short IDs are taken/);
  assert.deepEqual(await (await app.request("/stats")).json(), { urls: 2, visits: 0 });
});

Deno.test("ids that equal a path of the server are never generated, and all others are", async () => {
  await using app = await startTestApp({ env: { SHORT_CHARS: '["d","o","c","s"]', SHORT_LENGTH: "4" } });
  const all = 4 ** 4;
  const urls = Array.from({ length: all - 1 }, (_, at) => `https://example.com/${at}`);
  const paths = new Set(await Promise.all(urls.map((url) => app.shorten(url))));
  assert.equal(paths.size, all - 1);
  assert.ok(!paths.has("/docs"));
  assert.equal((await app.request("/", jsonBody({ url: "https://example.com/" }))).status, 503);
});

Deno.test("/stats and the badges return exact counts", async () => {
  await using app = await startTestApp();
  const path = await app.shorten("https://example.com/");
  for (let visit = 0; visit < 3; visit++) await app.request(path);
  assert.deepEqual(await (await app.request("/stats")).json(), { urls: 1, visits: 3 });
  const badge = { schemaVersion: 1, color: "informational", cacheSeconds: 300 };
  assert.deepEqual(await (await app.request("/stats/badges/urls")).json(), {
    ...badge,
    label: "urls",
    message: "1",
  });
  assert.deepEqual(await (await app.request("/stats/badges/visits")).json(), {
    ...badge,
    label: "visits",
    message: "3",
  });
  const version = await (await app.request("/stats/badges/version")).json();
  assert.match(version.message, /^v\d+\.\d+\.\d+$/);
});

Deno.test("badges have an ETag and return 304 to clients that have them", async () => {
  await using app = await startTestApp();
  const first = await app.request("/stats/badges/urls");
  const etag = first.headers.get("etag") ?? "";
  assert.equal(first.headers.get("cache-control"), "public, max-age=300");
  const second = await app.request("/stats/badges/urls", {
    headers: { "if-none-match": `"other", W/${etag}` },
  });
  assert.deepEqual([second.status, await second.text()], [304, ""]);
  await app.shorten("https://example.com/");
  assert.equal((await app.request("/stats/badges/urls", { headers: { "if-none-match": etag } })).status, 200);
});

Deno.test("unsupported methods are refused with the allowed ones", async () => {
  await using app = await startTestApp();
  const cases: [method: string, path: string, allow: string][] = [
    ["PUT", "/", "GET, HEAD, OPTIONS, POST"],
    ["DELETE", UNKNOWN, "GET, HEAD, OPTIONS"],
    ["POST", "/stats", "GET, HEAD, OPTIONS"],
    ["PATCH", "/stats/badges/urls", "GET, HEAD, OPTIONS"],
    ["POST", "/health", "GET, HEAD, OPTIONS"],
  ];
  for (const [method, path, allow] of cases) {
    const response = await app.request(path, { method });
    assert.deepEqual([response.status, response.headers.get("allow")], [405, allow], `${method} ${path}`);
    assert.equal((await response.json()).error, "Method Not Allowed");
  }
});

Deno.test("pages of other origins can use the shortener and nothing else", async () => {
  await using app = await startTestApp();
  const path = await app.shorten("https://example.com/");
  const origin = { origin: "https://other.example" };
  for (
    const open of [path, `${path}/stats`, "/stats", "/stats/badges/visits", "/stats/badges/nope", "/nope"]
  ) {
    const response = await app.request(open, { headers: origin });
    assert.equal(response.headers.get("access-control-allow-origin"), "*", open);
    assert.equal(response.headers.get("access-control-allow-credentials"), null);
  }
  const preflight = await app.request("/", {
    method: "OPTIONS",
    headers: {
      ...origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    },
  });
  assert.equal(preflight.status, 204);
  assert.match(preflight.headers.get("access-control-allow-methods") ?? "", /POST/);
  assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /content-type/);
  for (const closed of ["/ready", "/metrics", "/api/v1/users", "/api/v1/nope", "/admin/nope"]) {
    const response = await app.request(closed, { headers: origin });
    assert.equal(response.headers.get("access-control-allow-origin"), null, closed);
  }
});
