import assert from "node:assert/strict";
import { createSetupToken } from "@/lib/chat/people/auth/confirmations.ts";
import { providerEnv } from "@/tests/casts/calls_cast.ts";
import { createLink } from "@/tests/casts/join_cast.ts";
import { startTestApp } from "@/tests/helpers/app.ts";
import { basic, PASSWORD, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { visitPages } from "@/tests/helpers/pages.ts";

const POINTS = 3;
const RULE = { points: POINTS, seconds: 600 };
const WRONG = "x".repeat(32);
/** Limits that count guesses of a secret. */
const GUESSES = ["api_address", "mailed_link", "join", "sign_in_address", "shorten", "remote_server"];

function startLimited(env: Record<string, string> = {}): Promise<TestChat> {
  const rules = Object.fromEntries(GUESSES.map((name) => [name, RULE]));
  return startChat({ env: { RATE_LIMITS: JSON.stringify(rules), ...env }, remoteAddress: "203.0.113.7" });
}

/** Returns the statuses of four requests, each with another secret. */
async function statusesOf(request: (guess: number) => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (let guess = 0; guess <= POINTS; guess++) {
    const response = await request(guess);
    await response.body?.cancel();
    statuses.push(response.status);
    if (response.status === 429) assert.ok(Number(response.headers.get("retry-after")) > 0);
  }
  return statuses;
}

/** Requests with a wrong secret, by the secret, and the status of their refusal. */
const ATTEMPTS: Record<string, { refusal: number; path: (guess: number) => string; init?: RequestInit }> = {
  "a key at /calls/videoprovider/register": {
    refusal: 401,
    path: () => "/calls/videoprovider/register",
    init: { headers: { authorization: basic("member@example.com", WRONG) } },
  },
  "a key at /api/v1/calls/videoprovider/complete": {
    refusal: 401,
    path: () => "/api/v1/calls/videoprovider/complete?code=a&state=b",
    init: { headers: { authorization: basic("member@example.com", WRONG) } },
  },
  "a key at /api/v1/users/me": {
    refusal: 401,
    path: () => "/api/v1/users/me",
    init: { headers: { authorization: basic("member@example.com", WRONG) } },
  },
  "a key in the address of a file": {
    refusal: 401,
    path: () => `/user_uploads/1/ab/c.txt?api_key=${WRONG}`,
  },
  "a temporary link to a file": {
    refusal: 400,
    path: (guess) => `/user_uploads/temporary/${WRONG}${guess}/c.txt`,
  },
  "a key of a resumable upload": {
    refusal: 401,
    path: () => "/api/v1/tus",
    init: { method: "POST", headers: { authorization: basic("member@example.com", WRONG) } },
  },
  "a key of a registered server": {
    refusal: 401,
    path: () => "/api/v1/remotes/push/e2ee/notify",
    init: { method: "POST", headers: { authorization: basic(crypto.randomUUID(), WRONG) } },
  },
  "a signed token": {
    refusal: 400,
    path: () => "/api/v1/jwt/fetch_api_key",
    init: { method: "POST", body: new URLSearchParams({ token: "a.b.c" }) },
  },
  "a link that confirms an address": {
    refusal: 404,
    path: (guess) => `/account/confirm-email/${WRONG}${guess}`,
  },
  "a link that resets a password": { refusal: 404, path: (guess) => `/reset-password/${WRONG}${guess}` },
  "the setup link": { refusal: 404, path: (guess) => `/setup?token=${WRONG}${guess}` },
  "an invitation": { refusal: 404, path: (guess) => `/join/i1-${WRONG}${guess}` },
  "the metrics token": {
    refusal: 401,
    path: () => "/metrics",
    init: { headers: { authorization: `Bearer ${WRONG}` } },
  },
  "the key of the shortener": {
    refusal: 401,
    path: () => "/",
    init: {
      method: "POST",
      body: '{"url":"https://example.com/"}',
      headers: { "content-type": "application/json", authorization: `Bearer ${WRONG}` },
    },
  },
};

for (const [secret, { refusal, path, init }] of Object.entries(ATTEMPTS)) {
  Deno.test(`C10 guesses of ${secret} are limited for each address`, async () => {
    const env = { METRICS_TOKEN: "a-long-enough-token", SHORTEN_API_KEY: "the-key-of-the-shortener" };
    await using chat = await startLimited({ ...env, ...providerEnv("http://127.0.0.1:9") });
    const statuses = await statusesOf((guess) => chat.request(path(guess), init));
    assert.deepEqual(statuses, [refusal, refusal, refusal, 429]);
  });
}

Deno.test("C10 forms that take a link's key are limited like the link", async () => {
  for (const path of ["/reset-password/abc", "/setup", "/join/i1-abc"]) {
    await using chat = await startLimited();
    const visitor = visitPages(chat);
    const statuses: number[] = [];
    for (let guess = 0; guess <= POINTS; guess++) {
      statuses.push((await visitor.post(path, { token: "a", new_password: "b" })).status);
    }
    assert.deepEqual(statuses.at(-1), 429, path);
  }
});

Deno.test("C10 the right secret is accepted beyond the limit of wrong ones", async () => {
  await using chat = await startLimited(providerEnv("http://127.0.0.1:9"));
  const wrong = { authorization: basic(chat.member.email, WRONG) };
  for (let guess = 0; guess <= POINTS; guess++) {
    await (await chat.request("/calls/videoprovider/register", { headers: wrong })).body?.cancel();
  }
  const right = { authorization: basic(chat.member.email, chat.member.apiKey) };
  assert.equal((await chat.request("/calls/videoprovider/register", { headers: right })).status, 302);
  const { path } = await createLink(chat);
  assert.equal((await chat.request(path)).status, 200);
  const login = { username: chat.member.email, password: PASSWORD };
  assert.equal((await visitPages(chat).post("/login", login)).status, 303);
});

Deno.test("C10 the setup link still works after some wrong ones", async () => {
  await using app = await startTestApp({ env: { RATE_LIMITS: "on" } });
  const token = await createSetupToken(app.services.chat);
  assert.equal((await app.request("/setup?token=wrong")).status, 404);
  assert.equal((await app.request(`/setup?token=${token}`)).status, 200);
});
