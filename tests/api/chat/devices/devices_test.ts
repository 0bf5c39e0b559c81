// POST /register_client_device and POST /remove_client_device
import { pushJobKeys } from "@/lib/chat/messages/push_jobs.ts";
import assert from "node:assert/strict";
import { devices, listReachableDevices, REGISTRATIONS } from "@/lib/chat/devices/devices.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { readRecord } from "@/lib/store/key.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import {
  addDevice,
  keyGroup,
  pushKey,
  readDeviceEvents,
  readDevices,
  refusal,
  register,
  registeredDevice,
  ScriptedBouncer,
  startPushChat,
  tokenGroup,
  tokenId,
} from "@/tests/casts/devices_cast.ts";

const NEW = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

function reachableCount(chat: TestChat): Promise<number | null> {
  return readRecord<number>(chat.services.store.kv, pushJobKeys.reachableDevices(chat.realm.id));
}

Deno.test("POST /register_client_device creates a device with a unique id, even without push notifications", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, outsider } = chat;
  const ids = new Set<number>();
  for (const person of [owner, admin, moderator, member, member, guest, outsider]) {
    const { status, body } = await chat.call(person, "POST /register_client_device", { name: "phone" });
    assert.equal(status, 200);
    const { device_id, ...rest } = body;
    assert.deepEqual(rest, { result: "success", msg: "", ignored_parameters_unsupported: ["name"] });
    ids.add(device_id);
    assert.deepEqual((await readDevices(chat, person))[device_id], NEW);
  }
  assert.equal(ids.size, 7);
  assert.deepEqual(Object.keys(await readDevices(chat, member)).length, 2);
  const bot = await chat.call(chat.bot, "POST /register_client_device");
  assert.deepEqual([bot.status, bot.body["msg"]], [400, "This endpoint does not accept bot requests."]);
  assert.deepEqual(await readDevices(chat, chat.bot), {});
  assert.equal((await chat.call(null, "POST /register_client_device")).status, 401);
});

Deno.test("events about new and removed devices are sent to their owner only", async () => {
  await using chat = await startChat();
  const id = await addDevice(chat, chat.member);
  assert.deepEqual(await readDeviceEvents(chat), [
    { event: { type: "device", op: "add", device_id: id }, audience: [chat.member.id] },
  ]);
  const { status, body } = await chat.call(chat.member, "POST /remove_client_device", { device_id: id });
  assert.deepEqual([status, body], [200, { result: "success", msg: "" }]);
  assert.deepEqual(await readDeviceEvents(chat), [
    { event: { type: "device", op: "remove", device_id: id }, audience: [chat.member.id] },
  ]);
  assert.deepEqual(await readDevices(chat, chat.member), {});
});

Deno.test("POST /remove_client_device accepts only devices of the caller", async () => {
  await using chat = await startChat();
  const id = await addDevice(chat, chat.member);
  await chat.events();
  const remove = async (person: typeof chat.member | null, params = {}) => {
    const { status, body } = await chat.call(person, "POST /remove_client_device", params);
    return [status, body["code"], body["msg"]];
  };
  const unknown = refusal("Invalid `device_id`");
  for (const person of [chat.owner, chat.admin, chat.guest, chat.outsider]) {
    assert.deepEqual(await remove(person, { device_id: id }), unknown);
  }
  assert.deepEqual(await remove(chat.member, { device_id: id + 1 }), unknown);
  assert.deepEqual(await remove(chat.member, { device_id: -1 }), unknown);
  assert.deepEqual(await remove(chat.member, { device_id: "x" }), refusal("device_id is not valid JSON"));
  assert.deepEqual(await remove(chat.member, { device_id: "1.5" }), refusal("device_id is not an integer"));
  assert.deepEqual(await remove(chat.member), [
    400,
    "REQUEST_VARIABLE_MISSING",
    "Missing 'device_id' argument",
  ]);
  assert.deepEqual(
    await remove(chat.bot, { device_id: id }),
    refusal("This endpoint does not accept bot requests."),
  );
  assert.equal((await remove(null, { device_id: id }))[0], 401);
  assert.deepEqual(await readDeviceEvents(chat), []);
  assert.deepEqual(await readDevices(chat, chat.member), { [id]: NEW });
});

Deno.test("an account has at most 100 devices, even if they are created concurrently", async () => {
  await using chat = await startChat();
  const answers = await Promise.all(
    Array.from({ length: 103 }, () => chat.call(chat.member, "POST /register_client_device")),
  );
  const refused = answers.filter(({ status }) => status === 400);
  assert.equal(refused.length, 3);
  assert.equal(refused[0]?.body["msg"], "You can have 100 devices at most. Remove one first.");
  const ids = Object.keys(await readDevices(chat, chat.member));
  assert.equal(ids.length, 100);
  const [first = ""] = ids;
  await chat.call(chat.member, "POST /remove_client_device", { device_id: first });
  await addDevice(chat, chat.member);
  assert.equal((await chat.call(chat.member, "POST /register_client_device")).status, 400);
  await addDevice(chat, chat.admin);
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});

Deno.test("reachable devices are listed with their keys and counted exactly", async () => {
  await using bouncer = new ScriptedBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const { member, guest, realm, services } = chat;
  const reachable = (userId: number) => listReachableDevices(services.chat, realm.id, userId);
  const unregistered = await addDevice(chat, member);
  assert.equal(await reachableCount(chat), null);
  const first = await registeredDevice(chat, member, 1);
  const second = await registeredDevice(chat, member, 2);
  await registeredDevice(chat, guest, 3);
  await register(chat, chat.outsider, {
    device_id: await addDevice(chat, chat.outsider),
    ...keyGroup(),
    ...tokenGroup(),
  });
  await services.pushRegistrar.sweep();
  assert.equal(await reachableCount(chat), 3);
  const ofToken = (id: number, fill: number) => ({
    id,
    push_key_id: fill,
    push_key: Uint8Array.fromBase64(pushKey(fill)),
    push_token_id: tokenId(fill),
    token_kind: "fcm",
  });
  assert.deepEqual(await reachable(member.id), [ofToken(first, 1), ofToken(second, 2)]);
  assert.deepEqual(await reachable(chat.admin.id), []);
  for (const id of [unregistered, first]) {
    await chat.call(member, "POST /remove_client_device", { device_id: id });
  }
  assert.equal(await reachableCount(chat), 2);
  assert.deepEqual(await reachable(member.id), [ofToken(second, 2)]);
  assert.deepEqual((await checkChat(services.store.kv)).problems, []);
});

Deno.test("a deactivated account keeps its devices, which are not reachable until it is reactivated", async () => {
  await using bouncer = new ScriptedBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const { member, realm, services } = chat;
  const id = await registeredDevice(chat, member);
  const ids = async () =>
    (await listReachableDevices(services.chat, realm.id, member.id)).map((device) => device.id);
  assert.equal((await chat.call(chat.owner, `DELETE /users/${member.id}`)).status, 200);
  assert.deepEqual(await ids(), []);
  assert.equal((await chat.call(chat.owner, `POST /users/${member.id}/reactivate`)).status, 200);
  assert.deepEqual(await ids(), [id]);
});

Deno.test("push keys are stored sealed", async () => {
  await using chat = await startPushChat();
  const key = pushKey(65);
  const device_id = await addDevice(chat, chat.member);
  await register(chat, chat.member, { device_id, push_key: key, push_key_id: 1, ...tokenGroup() });
  const { kv } = chat.services.store;
  for await (const entry of kv.list({ prefix: [chat.realm.id, "device"] })) {
    const text = Deno.inspect(entry.value, { iterableLimit: 1000, depth: 9 });
    assert.ok(!text.includes(key) && !text.includes("65, 65, 65"), text);
  }
});

Deno.test("clients can read whether push notifications are configured", async () => {
  await using bouncer = new ScriptedBouncer();
  const { PUSH_ORG_KEY: _, ...half } = bouncer.env;
  const keys = JSON.stringify([{ public_key: btoa("1".repeat(32)), private_key: btoa("2".repeat(32)) }]);
  const settings = [[{}, false], [half, false], [bouncer.env, true], [
    { PUSH_BOUNCER_KEYS: keys },
    true,
  ]] as const;
  for (const [env, isConfigured] of settings) {
    await using chat = await startChat({ env });
    const { body } = await chat.call(null, "GET /server_settings");
    assert.equal(body["push_notifications_enabled"], isConfigured);
    const registered = await chat.call(chat.member, "POST /register", { fetch_event_types: ["realm"] });
    assert.equal(registered.body["realm_push_notifications_enabled"], isConfigured);
    assert.equal(registered.body["realm_push_notifications_enabled_end_timestamp"], null);
    assert.equal(registered.body["devices"], undefined);
  }
});

Deno.test("admin check reports wrong device counts and registrations that are not queued", async () => {
  await using chat = await startPushChat();
  const { kv } = chat.services.store;
  const device_id = await addDevice(chat, chat.member);
  await register(chat, chat.member, { device_id, ...keyGroup(), ...tokenGroup() });
  assert.deepEqual((await checkChat(kv)).problems, []);
  await kv.set(pushJobKeys.reachableDevices(chat.realm.id), 1);
  await kv.set(devices.countKey({ realm: chat.realm, actingUser: chat.member }), 2);
  for await (const { key } of kv.list({ prefix: [...REGISTRATIONS] })) await kv.delete(key);
  const { problems } = await checkChat(kv);
  assert.equal(problems.length, 3, problems.join("\n"));
  assert.match(problems.join("\n"), /counts of devices.*\n.*reachable devices is 1.*0.*\n.*not queued/s);
});
