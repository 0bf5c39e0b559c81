import assert from "node:assert/strict";
import { createApns } from "@/lib/push/providers/apns.ts";
import { apnsCredentials, fcmCredentials } from "@/lib/push/providers/credentials.ts";
import { createFcm } from "@/lib/push/providers/fcm.ts";
import { createTokenKeeper } from "@/lib/push/providers/provider.ts";
import { startPushProvider } from "@/tests/helpers/push_provider.ts";

const DELIVERY = {
  token: "abc",
  appId: "org.example.garden",
  pushKeyId: 4,
  encryptedData: "AAAA",
  priority: "high",
} as const;

Deno.test("createTokenKeeper() makes one token for all who come together, and another when it ends or is refused", async () => {
  const made: number[] = [];
  let time = 0;
  const keeper = createTokenKeeper(() => time, () => {
    made.push(time);
    return Promise.resolve({ token: `token ${made.length}`, until: time + 100 });
  });
  const all = () => Promise.all(Array.from({ length: 5 }, () => keeper.get()));
  assert.deepEqual(new Set(await all()), new Set(["token 1"]));
  time = 99;
  assert.equal(await keeper.get(), "token 1");
  time = 100;
  assert.deepEqual(new Set(await all()), new Set(["token 2"]));
  keeper.forget("token 1");
  assert.equal(await keeper.get(), "token 2");
  keeper.forget("token 2");
  assert.deepEqual(new Set(await all()), new Set(["token 3"]));
  assert.deepEqual(made, [0, 100, 100]);
});

Deno.test("createTokenKeeper() tries again after a failure", async () => {
  let isDown = true;
  const keeper = createTokenKeeper(
    () => 0,
    () => isDown ? Promise.reject(new Error("down")) : Promise.resolve({ token: "t", until: 1 }),
  );
  await assert.rejects(keeper.get(), /down/);
  isDown = false;
  assert.equal(await keeper.get(), "t");
});

Deno.test("providers give what became of a delivery, and never reject", async () => {
  const provider = startPushProvider();
  const now = () => Date.UTC(2026, 0, 1);
  const fcm = createFcm(fcmCredentials.parse(JSON.parse(provider.env.PUSH_FCM)), now);
  const apns = createApns(apnsCredentials.parse(JSON.parse(provider.env.PUSH_APNS)), now);
  for (const one of [fcm, apns]) {
    for (const [behaviour, result] of [["take", "delivered"], ["gone", "gone"], ["fail", "later"]] as const) {
      provider.behave("abc", behaviour);
      assert.equal(await one.send(DELIVERY), result);
    }
  }
  assert.deepEqual([provider.received.length, provider.impostors, provider.tokensGiven()], [2, [], 1]);
  provider.behave("abc", "take");
  assert.equal(await apns.send({ ...DELIVERY, priority: "normal" }), "delivered", "shown to nobody");
  // The provider no longer takes the access token: another one is asked for the next time.
  provider.revoke();
  provider.behave("abc", "take");
  assert.equal(await fcm.send(DELIVERY), "later");
  assert.equal(await fcm.send(DELIVERY), "delivered");
  assert.equal(provider.tokensGiven(), 2);
  await provider[Symbol.asyncDispose]();
  assert.deepEqual([await fcm.send(DELIVERY), await apns.send(DELIVERY)], ["later", "later"]);
});
