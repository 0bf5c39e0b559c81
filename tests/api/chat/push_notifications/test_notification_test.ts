import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import { ScriptedBouncer } from "@/tests/casts/devices_cast.ts";
import { startPushChat } from "@/tests/casts/push_notifications_cast.ts";
import { assertRefusal } from "@/tests/casts/user_groups_cast.ts";

const CALL = "POST /mobile_push/e2ee/test_notification";

Deno.test("POST /mobile_push/e2ee/test_notification notifies all devices of the caller, or a selected one", async () => {
  await using chat = await startPushChat();
  const { member } = chat;
  const [phone, tablet] = [await chat.device(member), await chat.device(member, "apns")];
  const others = await chat.device(chat.owner);
  const { status, body } = await chat.call(member, CALL, { mood: "good" });
  assert.deepEqual([status, body], [200, {
    result: "success",
    msg: "",
    ignored_parameters_unsupported: ["mood"],
  }]);
  assert.equal((await chat.call(member, CALL, { device_id: tablet.id })).status, 200);
  const expected = {
    type: "test",
    realm_url: "http://localhost:8000",
    realm_name: "Gardeners",
    user_id: member.id,
    time: Math.floor(chat.clock.now() / 1000),
  };
  assert.deepEqual(await chat.received(phone), [expected]);
  assert.deepEqual(await chat.received(tablet), [expected, expected]);
  assert.deepEqual(await chat.received(others), []);
});

Deno.test("POST /mobile_push/e2ee/test_notification refuses devices of other users and unregistered ones", async () => {
  await using chat = await startPushChat();
  const { member, owner } = chat;
  const none = await chat.call(member, CALL);
  assert.deepEqual([none.status, none.body["code"], none.body["msg"]], [
    400,
    "NO_ACTIVE_PUSH_DEVICE",
    "No active registered push device",
  ]);
  const others = await chat.device(owner);
  const { body } = await chat.call(member, "POST /register_client_device");
  for (const device_id of [others.id, body["device_id"] + 1, -1, 2 ** 53 - 1]) {
    assertRefusal(await chat.call(member, CALL, { device_id }), "Invalid `device_id`");
  }
  const unregistered = await chat.call(member, CALL, { device_id: body["device_id"] });
  assert.equal(unregistered.body["code"], "NO_ACTIVE_PUSH_DEVICE");
  assertRefusal(await chat.call(member, CALL, { device_id: "x" }), "device_id is not valid JSON");
  assert.equal((await chat.call(null, CALL)).status, 401);
  assertRefusal(await chat.call(chat.bot, CALL), "This endpoint does not accept bot requests.");
  assert.equal(
    (await chat.call(chat.outsider, CALL, { device_id: others.id })).body["msg"],
    "Invalid `device_id`",
  );
  assert.deepEqual(chat.provider.received, []);
});

Deno.test("POST /mobile_push/e2ee/test_notification reports a failed delivery, and removes the token of a device that is gone", async () => {
  await using chat = await startPushChat();
  const device = await chat.device(chat.member);
  chat.provider.behave(device.token, "fail");
  const failed = await chat.call(chat.member, CALL);
  assert.deepEqual([failed.status, failed.body["result"]], [503, "error"]);
  chat.provider.behave(device.token, "gone");
  assert.equal((await chat.call(chat.member, CALL)).body["code"], "NO_ACTIVE_PUSH_DEVICE");
  chat.provider.behave(device.token, "take");
  assert.equal((await chat.call(chat.member, CALL)).body["code"], "NO_ACTIVE_PUSH_DEVICE");
  assert.deepEqual(chat.provider.received, []);
});

Deno.test("POST /mobile_push/e2ee/test_notification needs a push service", async () => {
  await using chat = await startChat();
  const { status, body } = await chat.call(chat.member, CALL);
  assert.deepEqual([status, body["code"], body["msg"]], [
    400,
    "PUSH_SERVICE_NOT_CONFIGURED",
    "Server is not configured to use push notification service.",
  ]);
});

Deno.test("notifications are sent to a remote bouncer with the server's credentials, and its answer is applied", async () => {
  await using bouncer = new ScriptedBouncer();
  await using chat = await startPushChat(bouncer.env);
  const device = await chat.device(chat.member);
  bouncer.answer = () => Response.json({ result: "success", msg: "", delivered: [device.tokenId], gone: [] });
  assert.equal((await chat.call(chat.member, CALL)).status, 200);
  const call = bouncer.requests.at(-1);
  assert.equal(call?.path, "/api/v1/remotes/push/e2ee/notify");
  assert.equal(call?.authorization, `Basic ${btoa("org:quiet")}`);
  assert.equal(call?.fields["realm_uuid"], chat.realm.uuid);
  const [request, ...more] = JSON.parse(call?.fields["push_requests"] ?? "[]");
  assert.deepEqual([request.token_id, request.push_key_id, request.priority, more], [
    device.tokenId,
    device.pushKeyId,
    "high",
    [],
  ]);
  bouncer.refuse("MISSING_REMOTE_REALM", 403);
  assert.equal((await chat.call(chat.member, CALL)).status, 503);
  bouncer.answer = () => Response.json({ result: "success", msg: "", delivered: [], gone: [device.tokenId] });
  assert.equal((await chat.call(chat.member, CALL)).body["code"], "NO_ACTIVE_PUSH_DEVICE");
});
