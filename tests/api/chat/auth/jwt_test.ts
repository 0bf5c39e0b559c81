import { readRecord } from "@/lib/store/key.ts";
import assert from "node:assert/strict";
import { exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { realmKeys } from "@/lib/chat/organization/organizations/model.ts";
import { type ApiResponse, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { writeRows } from "@/tests/helpers/write_rows.ts";

const SECRET = "a secret that is long enough for signing";
const HS256 = { JWT_AUTH_KEYS: JSON.stringify({ "": { key: SECRET, algorithms: ["HS256"] } }) };
const ENDPOINT = "POST /jwt/fetch_api_key";
const BAD = [400, "BAD_REQUEST", "Bad JSON web token"];
const FAILED = [401, "AUTHENTICATION_FAILED", "Your username or password is incorrect"];

type Signing = Parameters<SignJWT["sign"]>[0];

function sign(claims: JWTPayload, key: Signing = encode(SECRET), alg = "HS256"): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg }).sign(key);
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function toPart(value: unknown): string {
  return encode(JSON.stringify(value)).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Fetches a key with a token and returns status, code and message. */
async function fetchError(chat: TestChat, token: string): Promise<unknown[]> {
  return toError(await chat.call(null, ENDPOINT, { token }));
}

function toError({ status, body }: ApiResponse): unknown[] {
  return [status, body.code, body.msg];
}

async function change(chat: TestChat, id: number, changes: Partial<UserRecord>): Promise<void> {
  const { store } = chat.services;
  const key = userKeys.user(chat.realm.id, id);
  await writeRows(store, [[key, { ...await readRecord<UserRecord>(store.kv, key), ...changes }]]);
}

Deno.test("POST /jwt/fetch_api_key returns the key of the token's address, ignoring case (B-jwt-01)", async () => {
  await using chat = await startChat({ env: HS256 });
  const { member } = chat;
  for (const email of [member.email, member.email.toUpperCase()]) {
    const { status, body, headers } = await chat.call(null, ENDPOINT, { token: await sign({ email }) });
    assert.equal(status, 200);
    assert.equal(headers.get("cache-control"), "no-store, no-transform");
    assert.deepEqual(body, { result: "success", msg: "", api_key: member.apiKey, email: member.email });
  }
  const own = await chat.call(member, "GET /users/me");
  assert.equal(own.body.user_id, member.id);
});

Deno.test("POST /jwt/fetch_api_key returns the user with avatar and real address on request (B-jwt-02)", async () => {
  await using chat = await startChat({ env: HS256 });
  await change(chat, chat.guest.id, { email_visibility: 4 });
  const token = await sign({ email: chat.guest.email });
  const { body } = await chat.call(null, ENDPOINT, { token, include_profile: true });
  assert.deepEqual(Object.keys(body).sort(), ["api_key", "email", "msg", "result", "user"]);
  assert.equal(body.email, chat.guest.email);
  const { user } = body;
  assert.deepEqual([user.user_id, user.role, user.is_guest, user.is_bot], [chat.guest.id, 600, true, false]);
  assert.deepEqual([user.delivery_email, user.email], [chat.guest.email, `user${chat.guest.id}@localhost`]);
  assert.match(user.avatar_url, /^http:\/\/localhost:8000\//);
  assert.equal("max_message_id" in user, false);
  const without = await chat.call(null, ENDPOINT, { token, include_profile: false });
  assert.equal("user" in without.body, false);
});

Deno.test("POST /jwt/fetch_api_key validates parameters first and lists unknown ones", async () => {
  await using chat = await startChat({ env: HS256 });
  const token = await sign({ email: chat.member.email });
  assert.deepEqual(toError(await chat.call(null, ENDPOINT, { token, include_profile: "yes" })), [
    400,
    "BAD_REQUEST",
    "include_profile is not valid JSON",
  ]);
  const { body } = await chat.call(null, ENDPOINT, { token, realm: "other" });
  assert.deepEqual(body.ignored_parameters_unsupported, ["realm"]);
  const get = await chat.call(null, "GET /jwt/fetch_api_key");
  assert.deepEqual([get.status, get.body.msg], [405, "Method Not Allowed"]);
});

Deno.test("POST /jwt/fetch_api_key refuses organizations without a signing key and hosts without an organization", async () => {
  await using chat = await startChat({ env: HS256 });
  const disabled = [400, "BAD_REQUEST", "JWT authentication is not enabled for this organization"];
  const request = async (host: string) => {
    const response = await chat.request("/api/v1/jwt/fetch_api_key", { method: "POST" }, host);
    return toError({ status: response.status, headers: response.headers, body: await response.json() });
  };
  assert.deepEqual(await request("other.localhost:8000"), disabled);
  assert.deepEqual(await request("nowhere.localhost:8000"), [
    404,
    "NONEXISTENT_SUBDOMAIN",
    "Invalid subdomain",
  ]);
  await using none = await startChat();
  assert.deepEqual(toError(await none.call(null, ENDPOINT)), disabled);
});

Deno.test("POST /jwt/fetch_api_key refuses missing, malformed, unsigned and wrongly signed tokens (B-jwt-05, B-jwt-06)", async () => {
  await using chat = await startChat({ env: HS256 });
  const { email } = chat.owner;
  const none = [400, "BAD_REQUEST", "No JSON web token passed in request"];
  assert.deepEqual(toError(await chat.call(null, ENDPOINT)), none);
  assert.deepEqual(await fetchError(chat, ""), none);
  const good = await sign({ email });
  const [head = "", body = "", signature = ""] = good.split(".");
  const bad = [
    "bad_jwt_token",
    "..",
    `${head}.${body}.`,
    `${head}.${body}`,
    `${head}.${toPart({ email: chat.admin.email })}.${signature}`,
    `${toPart({ alg: "none" })}.${body}.`,
    `${toPart({ alg: "None" })}.${body}.`,
    `${toPart({ alg: "RS256" })}.${body}.${signature}`,
    await sign({ email }, encode("another secret that is long enough to sign")),
    await sign({ email }, encode(SECRET), "HS512"),
    await new SignJWT({ email }).setProtectedHeader({ alg: "HS256", crit: ["exp"], exp: 1 }).sign(
      encode(SECRET),
    ).catch(() => "x.y.z"),
    await sign({ email, padding: "x".repeat(8192) }),
    ` ${good}`,
  ];
  for (const token of bad) assert.deepEqual(await fetchError(chat, token), BAD, token.slice(0, 80));
});

Deno.test("POST /jwt/fetch_api_key accepts a token during its lifetime by the server's clock", async () => {
  await using chat = await startChat({ env: HS256 });
  const { email } = chat.member;
  const now = chat.clock.now() / 1000;
  const bad: JWTPayload[] = [{ exp: now }, { exp: now - 1 }, { nbf: now + 61 }, { iat: now + 61 }, {
    exp: 0,
  }];
  for (const times of bad) {
    assert.deepEqual(await fetchError(chat, await sign({ email, ...times })), BAD, JSON.stringify(times));
  }
  const good: JWTPayload[] = [{ exp: now + 1 }, { nbf: now }, { iat: now }, { nbf: now + 30, iat: now + 30 }];
  for (const times of good) {
    const { status } = await chat.call(null, ENDPOINT, { token: await sign({ email, ...times }) });
    assert.equal(status, 200, JSON.stringify(times));
  }
  const token = await sign({ email, exp: now + 60 });
  chat.clock.time += 60_000;
  assert.deepEqual(await fetchError(chat, token), BAD);
});

Deno.test("POST /jwt/fetch_api_key refuses a token for another audience", async () => {
  await using chat = await startChat({ env: HS256 });
  const { email } = chat.member;
  assert.deepEqual(await fetchError(chat, await sign({ email, aud: "https://elsewhere.example" })), BAD);
  const own = ["https://elsewhere.example", "http://localhost:8000"];
  assert.equal((await chat.call(null, ENDPOINT, { token: await sign({ email, aud: own }) })).status, 200);
});

Deno.test("POST /jwt/fetch_api_key requires the real address of a user of the organization (B-jwt-09, B-jwt-11)", async () => {
  await using chat = await startChat({ env: HS256 });
  const noEmail = [400, "BAD_REQUEST", "No email specified in JSON web token claims"];
  for (const claims of [{ bar: "baz" }, { email: null }, { email: 5 }, { email: [chat.member.email] }]) {
    assert.deepEqual(await fetchError(chat, await sign(claims)), noEmail, JSON.stringify(claims));
  }
  await change(chat, chat.admin.id, { email_visibility: 4 });
  const unknown = [
    "",
    "nobody@example.com",
    `user${chat.admin.id}@localhost`,
    chat.outsider.email,
    chat.bot.email,
    ` ${chat.member.email}`,
    // The Kelvin sign, which becomes a plain k in lower case.
    "to\u212aen@example.com",
    "\ud800",
    "x".repeat(5000),
  ];
  await chat.add("token");
  for (const email of unknown) {
    assert.deepEqual(await fetchError(chat, await sign({ email })), FAILED, email.slice(0, 80));
  }
});

Deno.test("POST /jwt/fetch_api_key reveals a deactivation only after verifying the token", async () => {
  await using chat = await startChat({ env: HS256 });
  const token = await sign({ email: chat.member.email });
  await change(chat, chat.member.id, { is_active: false });
  assert.deepEqual(await fetchError(chat, token), [401, "USER_DEACTIVATED", "Account is deactivated"]);
  const realm = { ...chat.realm, is_deactivated: true };
  await writeRows(chat.services.store, [[realmKeys.realm(realm.id), realm]]);
  const over = [401, "REALM_DEACTIVATED", "This organization has been deactivated"];
  assert.deepEqual(await fetchError(chat, await sign({ email: chat.admin.email })), over);
  assert.deepEqual(await fetchError(chat, await sign({ email: "nobody@example.com" })), FAILED);
});

Deno.test("POST /jwt/fetch_api_key accepts signatures of the private key and none made with the public key's text", async () => {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const pem = await exportSPKI(publicKey);
  const algorithms = ["RS256", "HS256"];
  // Allowing both algorithms by mistake must not let anyone sign in who knows the public key.
  const env = { JWT_AUTH_KEYS: JSON.stringify({ "": { key: pem, algorithms } }) };
  await using chat = await startChat({ env });
  const { email, apiKey } = chat.owner;
  const { body } = await chat.call(null, ENDPOINT, { token: await sign({ email }, privateKey, "RS256") });
  assert.equal(body.api_key, apiKey);
  assert.deepEqual(await fetchError(chat, await sign({ email }, encode(pem))), BAD);
  assert.deepEqual(await fetchError(chat, await sign({ email }, privateKey, "PS256").catch(() => "x")), BAD);
});

Deno.test("POST /jwt/fetch_api_key never treats a shared secret as a public key, whatever algorithms are configured", async () => {
  const { privateKey } = await generateKeyPair("RS256");
  const env = { JWT_AUTH_KEYS: JSON.stringify({ "": { key: SECRET, algorithms: ["RS256"] } }) };
  await using chat = await startChat({ env });
  const { email } = chat.owner;
  assert.deepEqual(await fetchError(chat, await sign({ email }, privateKey, "RS256")), BAD);
  assert.deepEqual(await fetchError(chat, await sign({ email })), BAD);
});
