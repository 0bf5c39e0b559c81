import assert from "node:assert/strict";
import { startPushChat } from "@/tests/casts/push_notifications_cast.ts";
import { assertRefusal } from "@/tests/casts/user_groups_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";

const CALL = "POST /mobile_push/test_notification";

Deno.test("POST /mobile_push/test_notification notifies all devices of the caller", async () => {
  await using chat = await startPushChat();
  const { member } = chat;
  const none = await chat.call(member, CALL);
  assert.deepEqual([none.status, none.body["code"]], [400, "NO_ACTIVE_PUSH_DEVICE"]);
  const [phone, tablet] = [await chat.device(member), await chat.device(member, "apns")];
  const others = await chat.device(chat.owner);
  const { status, body } = await chat.call(member, CALL);
  assert.deepEqual([status, body], [200, { result: "success", msg: "" }]);
  for (const device of [phone, tablet]) {
    const received = await chat.received(device);
    assert.deepEqual(received.map(({ type, user_id }) => [type, user_id]), [["test", member.id]]);
  }
  assert.deepEqual(await chat.received(others), []);
  assertRefusal(await chat.call(chat.bot, CALL), "This endpoint does not accept bot requests.");
  assert.equal((await chat.call(null, CALL)).status, 401);
});

Deno.test("POST /mobile_push/test_notification recognizes no token of an older app", async () => {
  await using chat = await startPushChat();
  const device = await chat.device(chat.member);
  for (const token of ["abc", "", device.tokenId]) {
    const { status, body } = await chat.call(chat.member, CALL, { token });
    const refusal = [400, "INVALID_PUSH_DEVICE_TOKEN", "Device not recognized"];
    assert.deepEqual([status, body["code"], body["msg"]], refusal);
  }
  assert.deepEqual(await chat.received(device), []);
});

Deno.test("POST /mobile_push/test_notification needs a push service", async () => {
  await using chat = await startChat();
  const { status, body } = await chat.call(chat.member, CALL);
  assert.deepEqual([status, body["code"]], [400, "PUSH_SERVICE_NOT_CONFIGURED"]);
});
