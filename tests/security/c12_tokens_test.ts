import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";

const SECRET = "a secret that is long enough for signing";
const JWT_AUTH_KEYS = JSON.stringify({ "": { key: SECRET, algorithms: ["HS256"] } });

/** Signs claims given as JSON text, which can hold numbers that no library would write. */
function sign(claims: string): string {
  const toPart = (text: string) =>
    new TextEncoder().encode(text).toBase64({ alphabet: "base64url", omitPadding: true });
  const content = `${toPart('{"alg":"HS256"}')}.${toPart(claims)}`;
  return `${content}.${createHmac("sha256", SECRET).update(content).digest("base64url")}`;
}

/** Returns the status and message of a request with the member's address and these further claims. */
async function fetchWith(chat: TestChat, claims: string): Promise<[number, string]> {
  const token = sign(`{"email":"member@example.com"${claims === "" ? "" : `,${claims}`}}`);
  const { status, body } = await chat.call(null, "POST /jwt/fetch_api_key", { token });
  return [status, body["msg"]];
}

const BAD = [400, "Bad JSON web token"];

Deno.test("C12: times that are not finite or beyond any calendar make a token invalid", async () => {
  await using chat = await startChat({ env: { JWT_AUTH_KEYS } });
  for (
    const claims of ['"exp":1e400', '"exp":1e300', '"iat":-1e400', '"nbf":-1e400', '"exp":99999999999999']
  ) {
    assert.deepEqual(await fetchWith(chat, claims), BAD, claims);
  }
  for (const claims of ["", '"exp":4102444800', '"exp":253402300799']) {
    assert.deepEqual(await fetchWith(chat, claims), [200, ""], claims);
  }
});

Deno.test("C12: an address that the issuer has not verified is refused", async () => {
  await using chat = await startChat({ env: { JWT_AUTH_KEYS } });
  for (const value of ["false", '"false"', "0", "null", '"no"']) {
    assert.deepEqual(await fetchWith(chat, `"email_verified":${value}`), BAD, value);
  }
  for (const value of ["true", '"true"']) {
    assert.deepEqual(await fetchWith(chat, `"email_verified":${value}`), [200, ""], value);
  }
});

Deno.test("C12: JWT_MAX_AGE_SECONDS limits the age of tokens, which need a time of issue then", async () => {
  await using chat = await startChat({ env: { JWT_AUTH_KEYS, JWT_MAX_AGE_SECONDS: "300" } });
  const now = chat.clock.time / 1000;
  for (const claims of ["", `"exp":${now + 1000}`, `"iat":${now - 301}`, `"iat":0`]) {
    assert.deepEqual(await fetchWith(chat, claims), BAD, claims);
  }
  for (const claims of [`"iat":${now}`, `"iat":${now - 300}`]) {
    assert.deepEqual(await fetchWith(chat, claims), [200, ""], claims);
  }
});
