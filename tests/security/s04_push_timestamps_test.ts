import assert from "node:assert/strict";
import { seal, startBouncer } from "@/tests/casts/bouncer_cast.ts";

Deno.test("S4: a push registration is dated at most a day before or after its arrival", async () => {
  await using bouncer = await startBouncer();
  const now = Math.floor(bouncer.chat.clock.now() / 1000);
  const registerAt = async (timestamp: number) => {
    const sealed = seal({ token: "abc", token_kind: "fcm", timestamp }, bouncer.keys.public_key);
    const { status, body } = await bouncer.register({ encrypted_push_registration: sealed });
    return [status, body["code"]];
  };
  for (const timestamp of [now + 86_402, now + 10 * 86_400, Number.MAX_SAFE_INTEGER]) {
    assert.deepEqual(await registerAt(timestamp), [400, "BAD_REQUEST"], String(timestamp));
  }
  assert.deepEqual(await registerAt(now - 86_402), [400, "REQUEST_EXPIRED"]);
  for (const timestamp of [now, now + 1000, now + 86_400, now - 86_400]) {
    assert.deepEqual(await registerAt(timestamp), [200, undefined], String(timestamp));
  }
});
