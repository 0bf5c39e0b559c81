import assert from "node:assert/strict";
import { createApns } from "@/lib/push/providers/apns.ts";
import { apnsCredentials, fcmCredentials } from "@/lib/push/providers/credentials.ts";
import { createFcm } from "@/lib/push/providers/fcm.ts";
import { createTokenCache } from "@/lib/push/providers/provider.ts";
import { startPushProvider } from "@/tests/helpers/push_provider.ts";

const NOTIFICATION = {
  token: "abc",
  appId: "org.example.garden",
  pushKeyId: 4,
  encryptedData: "AAAA",
  priority: "high",
} as const;

Deno.test("createTokenCache() requests one token for concurrent callers, and a new one after expiry or refusal", async () => {
  const requests: number[] = [];
  let time = 0;
  const tokens = createTokenCache(() => time, () => {
    requests.push(time);
    return Promise.resolve({ token: `token ${requests.length}`, until: time + 100 });
  });
  const all = () => Promise.all(Array.from({ length: 5 }, () => tokens.get()));
  assert.deepEqual(new Set(await all()), new Set(["token 1"]));
  time = 99;
  assert.equal(await tokens.get(), "token 1");
  time = 100;
  assert.deepEqual(new Set(await all()), new Set(["token 2"]));
  tokens.invalidate("token 1");
  assert.equal(await tokens.get(), "token 2");
  tokens.invalidate("token 2");
  assert.deepEqual(new Set(await all()), new Set(["token 3"]));
  assert.deepEqual(requests, [0, 100, 100]);
});

Deno.test("createTokenCache() retries after a failure", async () => {
  let isDown = true;
  const tokens = createTokenCache(
    () => 0,
    () => isDown ? Promise.reject(new Error("down")) : Promise.resolve({ token: "t", until: 1 }),
  );
  await assert.rejects(tokens.get(), /down/);
  isDown = false;
  assert.equal(await tokens.get(), "t");
});

Deno.test("providers return the result of a delivery and never reject", async () => {
  const provider = startPushProvider();
  const now = () => Date.UTC(2026, 0, 1);
  const fcm = createFcm(fcmCredentials.parse(JSON.parse(provider.env.PUSH_FCM)), now);
  const apns = createApns(apnsCredentials.parse(JSON.parse(provider.env.PUSH_APNS)), now);
  for (const one of [fcm, apns]) {
    for (const [behavior, result] of [["take", "delivered"], ["gone", "gone"], ["fail", "later"]] as const) {
      provider.behave("abc", behavior);
      assert.equal(await one.send(NOTIFICATION), result);
    }
  }
  assert.deepEqual([provider.received.length, provider.impostors, provider.countIssuedTokens()], [2, [], 1]);
  provider.behave("abc", "take");
  assert.equal(
    await apns.send({ ...NOTIFICATION, priority: "normal" }),
    "delivered",
    "background notification",
  );
  // The provider refuses the access token, so a new one is requested the next time.
  provider.revoke();
  provider.behave("abc", "take");
  assert.equal(await fcm.send(NOTIFICATION), "later");
  assert.equal(await fcm.send(NOTIFICATION), "delivered");
  assert.equal(provider.countIssuedTokens(), 2);
  await provider[Symbol.asyncDispose]();
  assert.deepEqual([await fcm.send(NOTIFICATION), await apns.send(NOTIFICATION)], ["later", "later"]);
});
