import assert from "node:assert/strict";
import { createPasswordHasher } from "@/lib/core/password.ts";
import { type ApiResponse, basic, PASSWORD, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { waitFor } from "@/tests/helpers/wait.ts";

/** More sign-ins than the queue of all clients holds. */
const ATTEMPTS = 150;
const ATTACKER = "198.51.100.1";
/** Passwords of one client that are hashed or wait. */
const ADMITTED = 33;

/** A chat behind a proxy, whose passwords take until `release` is called. */
async function startSlow(): Promise<{ chat: TestChat; release: () => void; started: () => number }> {
  const chat = await startChat({ env: { TRUSTED_PROXIES: "127.0.0.1" } });
  const gate = Promise.withResolvers<void>();
  const { passwords } = chat.services.chat;
  let started = 0;
  const slow = {
    hash: async (password: string) => {
      started++;
      await gate.promise;
      return await passwords.hash(password);
    },
    verify: async (password: string, hash: string | null) => {
      started++;
      if (password !== PASSWORD) await gate.promise;
      return await passwords.verify(password, hash);
    },
  };
  Reflect.set(chat.services.chat, "passwords", slow);
  return { chat, release: gate.resolve, started: () => started };
}

function signIn(chat: TestChat, from: string, password: string): Promise<Response> {
  return chat.request("/login", {
    method: "POST",
    body: new URLSearchParams({ username: chat.member.email, password }),
    headers: { "x-forwarded-for": from, "sec-fetch-site": "same-origin", accept: "text/html" },
  });
}

Deno.test("S2 sign-ins of one address beyond its share are refused at once, and others take their turn", async () => {
  const { chat, release, started } = await startSlow();
  await using _chat = chat;
  const statuses: number[] = [];
  const attempts = Array.from({ length: ATTEMPTS }, async (_, at) => {
    const response = await signIn(chat, ATTACKER, `wrong ${at}`);
    statuses.push(response.status);
    await response.body?.cancel();
    if (response.status === 503) assert.ok(Number(response.headers.get("retry-after")) > 0);
  });
  // Answered while the first wrong password is still being checked.
  assert.equal((await signIn(chat, "198.51.100.2", PASSWORD)).status, 303);
  const authorization = basic(chat.member.email, chat.member.apiKey);
  assert.equal((await chat.request("/api/v1/users/me", { headers: { authorization } })).status, 200);
  await waitFor("the excess is refused", () => statuses.length === ATTEMPTS - ADMITTED);
  assert.equal(started(), 2, "one password of the attacker is checked at a time");
  release();
  await Promise.all(attempts);
  const count = (status: number) => statuses.filter((one) => one === status).length;
  assert.deepEqual([count(401), count(503)], [ADMITTED, ATTEMPTS - ADMITTED]);
});

Deno.test("S2 an account cannot fill the queue with passwords that it sets or creates", async () => {
  const { chat, release, started } = await startSlow();
  await using _chat = chat;
  const password = "orange lantern 77 walk";
  const newcomer = { email: "noor@example.com", full_name: "Noor", password };
  const change = { old_password: "wrong", new_password: password };
  const answers: ApiResponse[] = [];
  const calls = Array.from({ length: 60 }, () => [
    chat.call(chat.owner, "POST /users", newcomer),
    chat.call(chat.admin, "PATCH /settings", change),
  ]).flat().map(async (call) => answers.push(await call));
  const excess = 2 * (60 - ADMITTED);
  await waitFor("the excess is refused", () => answers.length === excess);
  assert.ok(answers.every(({ status, headers }) => status === 503 && Number(headers.get("retry-after")) > 0));
  assert.equal((await signIn(chat, "198.51.100.2", PASSWORD)).status, 303);
  assert.equal(started(), 3, "each account has one password at a time");
  release();
  await Promise.all(calls);
  assert.equal(answers.filter(({ status }) => status === 503).length, excess);
});

Deno.test("S2 passwords that no account can have are refused without a hash", async () => {
  // A cost that no machine has the memory for.
  const hasher = createPasswordHasher({ logN: 40, r: 8, p: 1 });
  for (const password of ["", "x".repeat(1001)]) assert.equal(await hasher.verify(password, null), false);
  await assert.rejects(hasher.verify("x", null));
});

Deno.test("S2 the queue of passwords of all clients is bounded", async () => {
  const hasher = createPasswordHasher({ logN: 4, r: 1, p: 1 });
  const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => hasher.hash("secret")));
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  assert.equal(refused.length, 200 - 2 - 128);
  assert.ok(refused.every(({ reason }) => reason.code === "UNAVAILABLE" && reason.details.retryAfter > 0));
  assert.ok(await hasher.verify("secret", await hasher.hash("secret")));
});
