import assert from "node:assert/strict";
import { startTestApp } from "@/tests/helpers/app.ts";
import { basic, PASSWORD, startChat } from "@/tests/helpers/chat.ts";

/** Requests that the limit of refused requests allows here. */
const REFUSED = 2;

function limit(rules: Readonly<Record<string, number>>): Readonly<Record<string, string>> {
  const entries = Object.entries(rules).map(([name, points]) => [name, { points, seconds: 60 }]);
  return { RATE_LIMITS: JSON.stringify(Object.fromEntries(entries)) };
}

function post(body: BodyInit, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return { method: "POST", body, headers: { "sec-fetch-site": "same-origin", ...headers } };
}

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const LONG = "a".repeat(70_000);

const REFUSALS: readonly (readonly [title: string, status: number, path: string, init?: RequestInit])[] = [
  ["a path that cannot be decoded", 400, "/%ff"],
  ["a method that no path supports", 405, "/", { method: "PROPFIND" }],
  ["a method that the path does not support", 405, "/login", { method: "DELETE" }],
  ["a method that the endpoint does not support", 405, "/api/v1/users", { method: "DELETE" }],
  ["a page that does not exist", 404, "/no/such/page"],
  ["an endpoint that does not exist", 404, "/api/v1/nothing"],
  ["an id that is no number", 404, "/api/v1/messages/x"],
  ["another scheme than Basic", 400, "/api/v1/users", { headers: { authorization: "Bearer x" } }],
  ["a form of another site", 400, "/forgot-password", post("email=a", { "sec-fetch-site": "cross-site" })],
  ["a form that is too long", 413, "/login", post(LONG, FORM)],
  ["a form with a content encoding", 415, "/login", post("a=b", { ...FORM, "content-encoding": "gzip" })],
  ["a form that is no UTF-8", 400, "/login", post(new Uint8Array([0xff]), FORM)],
  ["an upload with a deferred length", 411, "/api/v1/tus", post("", { "upload-defer-length": "1" })],
];

Deno.test("every kind of refused request without an account counts towards a limit of its address", async (t) => {
  for (const [title, status, path, init] of REFUSALS) {
    await t.step(title, async () => {
      await using chat = await startChat({ env: limit({ refused: REFUSED }) });
      const send = async () => {
        const response = await chat.request(path, init);
        await response.body?.cancel();
        return response;
      };
      for (let at = 0; at < REFUSED; at++) assert.equal((await send()).status, status);
      const last = await send();
      assert.equal(last.status, 429);
      assert.ok(Number(last.headers.get("retry-after")) > 0);
    });
  }
});

Deno.test("refused requests to the shortener count like accepted ones", async () => {
  await using app = await startTestApp({ env: limit({ shorten: 4, refused: 1 }) });
  const json = { "content-type": "application/json" };
  const bodies = [
    post("{", json),
    post(LONG, json),
    post("{}", { "content-type": "text/plain" }),
    post("{}", json),
  ];
  const statuses: number[] = [];
  for (const init of [...bodies, post('{"url":"https://example.com/"}', json)]) {
    statuses.push((await app.request("/", init)).status);
  }
  assert.deepEqual(statuses, [400, 413, 415, 400, 429]);
});

Deno.test("refused requests of an account count towards its limit, not towards that of its address", async () => {
  await using chat = await startChat({ env: limit({ api_user: 5, refused: 1 }) });
  const authorization = basic(chat.member.email, chat.member.apiKey);
  const send = async (init: RequestInit) =>
    (await chat.request("/api/v1/messages", {
      ...init,
      headers: { ...FORM, ...init.headers, authorization },
    }))
      .status;
  const statuses = [
    await send(post("type=channel")),
    await send(post("a".repeat(1_100_000))),
    await send(post("a=b", { "content-encoding": "gzip" })),
    (await chat.call(chat.member, "PATCH /realm", { name: "Growers" })).status,
    (await chat.call(chat.member, "GET /messages/999")).status,
    (await chat.call(chat.member, "GET /users/me")).status,
  ];
  assert.deepEqual(statuses, [400, 413, 415, 400, 400, 429]);
});

Deno.test("a client that has used up its refusals gets no form read, but pages and its account's API", async () => {
  await using chat = await startChat({ env: limit({ refused: 1 }) });
  for (let at = 0; at < 3; at++) await chat.request("/no/such/page");
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++;
      controller.enqueue(new Uint8Array(1000));
    },
  }, { highWaterMark: 0 });
  assert.equal((await chat.request("/login", post(body, FORM))).status, 429);
  assert.equal(pulled, 0);
  assert.equal((await chat.request("/login")).status, 200);
  assert.equal((await chat.call(chat.member, "GET /users/me")).status, 200);
  assert.equal((await chat.call(null, "GET /server_settings")).status, 200);
});

Deno.test("accepted requests do not count as refused", async () => {
  await using chat = await startChat({ env: limit({ refused: 1 }) });
  const { email } = chat.member;
  const signIn = () =>
    chat.request("/login", post(new URLSearchParams({ username: email, password: PASSWORD })));
  for (let at = 0; at < 3; at++) {
    assert.equal((await signIn()).status, 303);
    assert.equal((await chat.request("/login")).status, 200);
  }
  assert.equal((await chat.request("/no/such/page")).status, 404);
});
