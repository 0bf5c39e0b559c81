import { ownerOf } from "@/lib/chat/organization/collection.ts";
import { pushJobKeys } from "@/lib/chat/messages/push_jobs.ts";
import assert from "node:assert/strict";
import { createNotifier } from "@/lib/chat/devices/push_notifications/notifier.ts";
import { type DeviceRecord, devices, PUSH_KEY_PURPOSE } from "@/lib/chat/devices/devices.ts";
import { createSealer } from "@/lib/core/seal.ts";
import { readRecord } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import { ScriptedBouncer } from "@/tests/casts/devices_cast.ts";
import { type PushChat, startPushChat } from "@/tests/casts/push_notifications_cast.ts";
import { sendDirect } from "@/tests/casts/messages_cast.ts";

/** Returns the keys of all unfinished jobs. */
async function listJobKeys({ services }: PushChat): Promise<Deno.KvKey[]> {
  const { kv } = services.store;
  const queues = [kv.list({ prefix: ["push_message"] }), kv.list({ prefix: ["push_send"] })];
  return (await Promise.all(queues.map((queue) => Array.fromAsync(queue)))).flat().map(({ key }) => key);
}

Deno.test("a failed notification is retried with growing delays and given up after an hour", async () => {
  await using chat = await startPushChat();
  const device = await chat.device(chat.member);
  chat.provider.behave(device.token, "fail");
  await sendDirect(chat, chat.moderator, [chat.member], "first");
  assert.deepEqual(await chat.received(device), []);
  const pauses: number[] = [];
  for (let [next] = await listJobKeys(chat); next !== undefined; [next] = await listJobKeys(chat)) {
    const due = Number(next[1]);
    pauses.push((due - chat.clock.time) / 1000);
    chat.clock.time = due;
    assert.deepEqual(await chat.received(device), []);
  }
  assert.deepEqual(pauses.slice(0, 8), [5, 15, 30, 60, 120, 300, 600, 600]);
  assert.ok(pauses.reduce((sum, pause) => sum + pause, 0) < 3600);
  assert.match(await chat.log(), /notifications not delivered/);
  chat.provider.behave(device.token, "take");
  await sendDirect(chat, chat.moderator, [chat.member], "second");
  assert.deepEqual((await chat.received(device)).map(({ content }) => content), ["second"]);
});

Deno.test("a device that its provider no longer knows loses its token, and its owner receives an event", async () => {
  await using chat = await startPushChat();
  const [device, other] = [await chat.device(chat.member), await chat.device(chat.member)];
  chat.provider.behave(device.token, "gone");
  await chat.events();
  await sendDirect(chat, chat.moderator, [chat.member], "hello");
  assert.equal((await chat.received(other)).length, 1);
  const { kv } = chat.services.store;
  const record = await readRecord<DeviceRecord>(
    kv,
    devices.key({ realm: chat.realm, actingUser: chat.member }, device.id),
  );
  assert.equal(record?.push_token_id, null);
  assert.equal(await readRecord<number>(kv, pushJobKeys.reachableDevices(chat.realm.id)), 1);
  const events = (await chat.events()).filter(({ event }) => event.type === "device");
  assert.deepEqual(
    events.map(({ event, audience }) => [event["device_id"], event["push_token_id"], audience]),
    [
      [device.id, null, [chat.member.id]],
    ],
  );
  assert.deepEqual(await listJobKeys(chat), []);
});

Deno.test("a notification for a provider without credentials is logged and not retried", async () => {
  await using chat = await startPushChat({ PUSH_APNS: "" });
  const device = await chat.device(chat.member, "apns");
  await sendDirect(chat, chat.moderator, [chat.member], "hello");
  assert.deepEqual(await chat.received(device), []);
  assert.deepEqual(await listJobKeys(chat), []);
  const log = await chat.log();
  assert.match(log, /not configured.*PUSH_APNS/);
  assert.match(log, /the bouncer is not configured for their provider/);
});

Deno.test("jobs leased by a killed server are sent when the lease ends", async () => {
  await using chat = await startPushChat();
  const device = await chat.device(chat.member);
  await sendDirect(chat, chat.moderator, [chat.member], "hello");
  const [key] = await listJobKeys(chat);
  assert.ok(key !== undefined);
  const { kv } = chat.services.store;
  const { value } = await kv.get(key);
  // The state after the lease was taken.
  await kv.atomic().delete(key).set([...key.slice(0, 1), chat.clock.time + 30_000, ...key.slice(2)], value)
    .commit();
  assert.deepEqual(await chat.received(device), []);
  chat.clock.time += 30_000;
  assert.equal((await chat.received(device)).length, 1);
});

Deno.test("two servers on one store notify every device once", async () => {
  await using chat = await startPushChat();
  const { chat: app, pushDelivery } = chat.services;
  const devices = await Promise.all(Array.from({ length: 5 }, () => chat.device(chat.member)));
  const count = 20;
  for (let at = 0; at < count; at++) await sendDirect(chat, chat.moderator, [chat.member], `message ${at}`);
  const other = createNotifier({ app, delivery: pushDelivery, report: () => {} });
  while ((await listJobKeys(chat)).length > 0) {
    await Promise.all([chat.services.notifier.sweep(), other.sweep()]);
  }
  for (const device of devices) {
    const ids = (await chat.received(device)).map(({ message_id }) => message_id);
    assert.deepEqual([ids.length, new Set(ids).size], [count, count]);
  }
  assert.equal(chat.provider.countIssuedTokens(), 1);
});

Deno.test("a server that continues the fan-out of a killed one notifies only the remaining users", async () => {
  await using chat = await startPushChat();
  const people = [chat.owner, chat.member, chat.guest];
  const devices = await Promise.all(people.map((person) => chat.device(person)));
  await sendDirect(chat, chat.moderator, people, "hello");
  const [key] = await listJobKeys(chat);
  assert.ok(key !== undefined);
  // The state after a server was killed between two commits.
  await chat.services.store.kv.set(key, { after: chat.member.id });
  const counts = await Promise.all(devices.map(async (device) => (await chat.received(device)).length));
  assert.deepEqual(counts, people.map(({ id }) => Number(id > chat.member.id)));
});

Deno.test("one message notifies hundreds of devices, each once", async () => {
  await using bouncer = new ScriptedBouncer();
  await using chat = await startPushChat(bouncer.env);
  const { store, secretKey } = chat.services.chat;
  const sealed = await createSealer(secretKey, PUSH_KEY_PURPOSE).seal(
    new Uint8Array(33).fill(0x31).toBase64(),
  );
  const people = [chat.owner, chat.admin, chat.member, chat.guest, await chat.add("another")];
  const each = 90;
  for (const { id: userId } of people) {
    await transact(store, (tx) => {
      for (let id = 1; id <= each; id++) {
        const device: DeviceRecord = {
          id,
          created_at: 0,
          push_key_id: id,
          push_key: sealed,
          push_token_id: `${userId}-${id}`,
          token_kind: "fcm",
          token_updated_at: 0,
          pending: null,
          error_code: null,
        };
        tx.set(devices.key(ownerOf(chat.realm.id, userId), id), device);
      }
      tx.set(pushJobKeys.reachableDevices(chat.realm.id), each * people.length);
      return Promise.resolve();
    });
  }
  const taken: string[] = [];
  bouncer.answer = () => {
    const requests: { token_id: string }[] = JSON.parse(
      bouncer.requests.at(-1)?.fields["push_requests"] ?? "[]",
    );
    const delivered = requests.map(({ token_id }) => token_id);
    taken.push(...delivered);
    return Response.json({ delivered, gone: [], failed: [] });
  };
  await sendDirect(chat, chat.moderator, people, "hello");
  await chat.services.notifier.sweep();
  assert.deepEqual([taken.length, new Set(taken).size], [each * people.length, each * people.length]);
  assert.deepEqual(await listJobKeys(chat), []);
});
