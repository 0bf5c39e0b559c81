import assert from "node:assert/strict";
import { createKeyChecker, deriveApiKey } from "@/lib/chat/people/auth/api_keys.ts";

const SECRET = new Uint8Array(32).fill(7);
const ADA = { id: 8, key_generation: 1 };

Deno.test("isKeyOf() accepts an account's key again and again, and no other", () => {
  const keys = createKeyChecker(SECRET);
  const key = deriveApiKey({ secretKey: SECRET }, 1, ADA);
  for (let time = 0; time < 2; time++) {
    assert.equal(keys.isKeyOf(1, ADA, key), true);
    assert.equal(keys.isKeyOf(1, ADA, key.replace(/.$/, (last) => last === "a" ? "b" : "a")), false);
    assert.equal(keys.isKeyOf(2, ADA, key), false);
    assert.equal(keys.isKeyOf(1, { ...ADA, id: 9 }, key), false);
    assert.equal(keys.isKeyOf(1, null, key), false);
  }
});

Deno.test("isKeyOf() refuses the key of an earlier generation", () => {
  const keys = createKeyChecker(SECRET);
  const key = deriveApiKey({ secretKey: SECRET }, 1, ADA);
  assert.equal(keys.isKeyOf(1, ADA, key), true);
  assert.equal(keys.isKeyOf(1, { ...ADA, key_generation: 2 }, key), false);
});

Deno.test("isKeyOf() accepts no key of a missing account", () => {
  const keys = createKeyChecker(SECRET);
  const key = deriveApiKey({ secretKey: SECRET }, 1, { id: 0, key_generation: 0 });
  for (let time = 0; time < 2; time++) assert.equal(keys.isKeyOf(1, null, key), false);
});
