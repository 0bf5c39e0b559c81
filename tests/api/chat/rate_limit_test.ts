import assert from "node:assert/strict";
import { type ApiResponse, basic, PASSWORD, startChat, type TestChat } from "@/tests/helpers/chat.ts";

const FAILED = [401, "AUTHENTICATION_FAILED"];
const LIMITED = [429, "RATE_LIMIT_HIT"];

/** A chat with these limits and otherwise the usual ones. */
function startLimited(limits: Record<string, number>, remoteAddress?: string): Promise<TestChat> {
  const rules = Object.entries(limits).map(([name, points]) => [name, { points, seconds: 60 }]);
  const env = { RATE_LIMITS: JSON.stringify(Object.fromEntries(rules)), TRUSTED_PROXIES: "10.0.0.1" };
  return startChat({ env, remoteAddress: remoteAddress ?? "127.0.0.1" });
}

function toCode({ status, body }: ApiResponse): unknown[] {
  return [status, body.code];
}

function limitsOf({ headers }: { headers: Headers }): unknown[] {
  return ["limit", "remaining"].map((name) => headers.get(`x-ratelimit-${name}`)).map(Number);
}

/** Fetches a key from an address behind the trusted proxy. */
async function signIn(chat: TestChat, address: string, username: string, password = "wrong") {
  const response = await chat.request("/api/v1/fetch_api_key", {
    method: "POST",
    headers: { "x-forwarded-for": address },
    body: new URLSearchParams({ username, password }),
  });
  return [response.status, (await response.json()).code];
}

Deno.test("every response to a user includes the remaining requests, refusals too", async () => {
  await using chat = await startLimited({ api_user: 4 });
  const answers = [
    await chat.call(chat.member, "GET /users/me"),
    await chat.call(chat.member, "PATCH /realm"),
    await chat.call(chat.member, "GET /users/me"),
  ];
  assert.deepEqual(answers.map(({ status }) => status), [200, 400, 200]);
  assert.deepEqual(answers.map(limitsOf), [[4, 3], [4, 2], [4, 1]]);
  const reset = Number(answers[0]?.headers.get("x-ratelimit-reset"));
  const ahead = reset - chat.clock.now() / 1000;
  assert.ok(Number.isInteger(reset) && ahead > 0 && ahead <= 60, `${ahead} seconds ahead`);
});

Deno.test("exceeding the limit returns 429 with the waiting time in header and body", async () => {
  await using chat = await startLimited({ api_user: 3 });
  for (let at = 0; at < 3; at++) assert.equal((await chat.call(chat.member, "GET /users/me")).status, 200);
  const answer = await chat.call(chat.member, "PATCH /realm", { name: "" });
  assert.deepEqual(toCode(answer), LIMITED);
  assert.deepEqual(Object.keys(answer.body).sort(), ["code", "msg", "result", "retry-after"]);
  assert.match(answer.body.msg, /^API usage exceeded rate limit/);
  const wait: number = answer.body["retry-after"];
  assert.ok(wait > 0 && wait <= 60);
  assert.equal(answer.headers.get("retry-after"), String(Math.ceil(wait)));
  assert.deepEqual(limitsOf(answer), [3, 0]);
  assert.ok(Number(answer.headers.get("x-ratelimit-reset")) > 0);
});

Deno.test("each account has its own limit, independent of address and organization", async () => {
  await using chat = await startLimited({ api_user: 1 });
  for (const person of [chat.member, chat.bot, chat.admin, chat.outsider]) {
    assert.equal((await chat.call(person, "GET /users/me")).status, 200);
    assert.deepEqual(toCode(await chat.call(person, "GET /users/me")), LIMITED);
  }
});

Deno.test("the hourly limit also applies, and requests refused by the minute limit do not count against it", async () => {
  await using chat = await startLimited({ api_user: 2, api_user_hour: 3 });
  const call = () => chat.call(chat.member, "GET /users/me");
  assert.deepEqual(limitsOf(await call()), [2, 1]);
  assert.deepEqual(limitsOf(await call()), [2, 0]);
  for (let at = 0; at < 5; at++) assert.deepEqual(limitsOf(await call()), [2, 0]);
  await chat.services.limiter?.forget("api_user", `${chat.realm.id} ${chat.member.id}`);
  assert.deepEqual(limitsOf(await call()), [3, 0]);
  assert.deepEqual(toCode(await call()), LIMITED);
});

Deno.test("anonymous requests are counted by address", async () => {
  await using chat = await startLimited({ api_address: 2 }, "10.0.0.1");
  const ask = async (forwarded: string) => {
    const headers = { "x-forwarded-for": forwarded };
    const response = await chat.request("/api/v1/server_settings", { headers });
    await response.body?.cancel();
    return [response.status, ...limitsOf(response)];
  };
  assert.deepEqual(await ask("192.0.2.1"), [200, 2, 1]);
  assert.deepEqual(await ask("192.0.2.1"), [200, 2, 0]);
  assert.deepEqual(await ask("192.0.2.1"), [429, 2, 0]);
  // What stands further left was written by the client.
  assert.deepEqual(await ask("198.51.100.7, 192.0.2.1"), [429, 2, 0]);
  assert.deepEqual(await ask("192.0.2.2"), [200, 2, 1]);
  assert.deepEqual(await ask("2001:db8::1"), [200, 2, 1]);
  assert.deepEqual(await ask("2001:db8::ffff"), [200, 2, 0]);
});

Deno.test("wrong keys are counted by address and do not block valid ones", async () => {
  await using chat = await startLimited({ api_address: 3 });
  const { member } = chat;
  const guess = { ...member, apiKey: "x".repeat(32) };
  const codes = [];
  for (let at = 0; at < 3; at++) codes.push(toCode(await chat.call(guess, "GET /users/me")));
  assert.deepEqual(codes, Array.from({ length: 3 }, () => [401, "INVALID_API_KEY"]));
  assert.deepEqual(toCode(await chat.call(guess, "GET /users/me")), LIMITED);
  assert.deepEqual(toCode(await chat.call(null, "GET /users/me")), LIMITED);
  assert.equal((await chat.call(member, "GET /users/me")).status, 200);
  const headers = { authorization: basic(member.email, "short") };
  const malformed = await chat.request("/api/v1/users/me", { headers });
  assert.deepEqual([malformed.status, (await malformed.json()).result], [429, "error"]);
});

Deno.test("repeated wrong passwords block sign-in for a while, even with the right password", async () => {
  await using chat = await startLimited({ sign_in: 3 });
  const { email } = chat.member;
  const attempt = (password: string) =>
    chat.call(null, "POST /fetch_api_key", { username: ` ${email.toUpperCase()} `, password });
  for (let at = 0; at < 3; at++) assert.deepEqual(toCode(await attempt("wrong")), FAILED);
  const limited = await attempt(PASSWORD);
  assert.deepEqual(toCode(limited), LIMITED);
  assert.ok(limited.body["retry-after"] > 0);
  const other = { username: chat.admin.email, password: PASSWORD };
  assert.equal((await chat.call(null, "POST /fetch_api_key", other)).status, 200);
  assert.equal((await chat.call(chat.member, "GET /users/me")).status, 200, "the key goes on working");
});

Deno.test("a successful sign-in resets the account's failures", async () => {
  await using chat = await startLimited({ sign_in: 2 });
  const { email } = chat.member;
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(await signIn(chat, "192.0.2.1", email), FAILED);
    assert.deepEqual(await signIn(chat, "192.0.2.1", email, PASSWORD), [200, undefined]);
  }
});

Deno.test("unknown accounts are blocked in the same way, so that blocking reveals nothing", async () => {
  await using chat = await startLimited({ sign_in: 2 });
  for (const email of [chat.member.email, "nobody@example.com"]) {
    const codes = [];
    for (let at = 0; at < 3; at++) codes.push(await signIn(chat, "192.0.2.1", email));
    assert.deepEqual(codes, [FAILED, FAILED, LIMITED]);
  }
});

Deno.test("failures from other addresses do not block an account's owner", async () => {
  await using chat = await startLimited({ sign_in: 2 }, "10.0.0.1");
  const { email } = chat.owner;
  for (let at = 0; at < 6; at++) await signIn(chat, "192.0.2.66", email);
  assert.deepEqual(await signIn(chat, "192.0.2.66", email, PASSWORD), LIMITED);
  assert.deepEqual(await signIn(chat, "192.0.2.1", email, PASSWORD), [200, undefined]);
});

Deno.test("an address that fails for several accounts is blocked for all accounts", async () => {
  await using chat = await startLimited({ sign_in_address: 3 }, "10.0.0.1");
  for (const name of ["a", "b", "c"]) {
    assert.deepEqual(await signIn(chat, "2001:db8::1", `${name}@example.com`), FAILED);
  }
  assert.deepEqual(await signIn(chat, "2001:db8::2", chat.member.email, PASSWORD), LIMITED);
  assert.deepEqual(await signIn(chat, "2001:db8:0:1::1", chat.member.email, PASSWORD), [200, undefined]);
});

Deno.test("concurrent attempts are counted individually", async () => {
  await using chat = await startLimited({ sign_in: 3 });
  const attempts = Array.from({ length: 12 }, () => signIn(chat, "192.0.2.1", chat.member.email));
  const codes = (await Promise.all(attempts)).map(([status]) => status);
  // Their order is undefined.
  assert.deepEqual(codes.sort(), [401, 401, 401, ...Array.from({ length: 9 }, () => 429)]);
});

Deno.test("concurrent attempts with the right password all succeed", async () => {
  await using chat = await startLimited({ sign_in: 2 });
  const attempts = Array.from({ length: 8 }, () => signIn(chat, "192.0.2.1", chat.member.email, PASSWORD));
  assert.deepEqual((await Promise.all(attempts)).map(([status]) => status), Array(8).fill(200));
});
