// Requests to the bouncer after POST /mobile_push/register has responded.
import assert from "node:assert/strict";
import { createPushRegistrar } from "@/lib/chat/devices/push_registrar.ts";
import { removePushToken } from "@/lib/chat/devices/devices.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { basic, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { settled } from "@/tests/helpers/wait.ts";
import {
  addDevice,
  keyGroup,
  listDueTimes,
  OK,
  readDeviceEvents,
  readDevices,
  register,
  registeredDevice,
  ScriptedBouncer,
  tokenGroup,
  tokenId,
} from "@/tests/casts/devices_cast.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** Creates a device with a pending registration and skips its events. */
async function pendingDevice(chat: TestChat, fill = 1): Promise<number> {
  const device_id = await addDevice(chat, chat.member);
  assert.deepEqual(
    await register(chat, chat.member, { device_id, ...keyGroup(fill), ...tokenGroup(fill) }),
    OK,
  );
  await chat.events();
  return device_id;
}

async function readState(chat: TestChat, id: number): Promise<(string | null)[]> {
  const found = (await readDevices(chat, chat.member))[id];
  return [found.push_token_id, found.pending_push_token_id, found.push_registration_error_code];
}

/** Sweeps twice and returns the count of the first sweep. The second must have nothing to do. */
async function sweep({ services }: TestChat): Promise<number> {
  const count = await services.pushRegistrar.sweep();
  assert.equal(await services.pushRegistrar.sweep(), 0);
  return count;
}

/** Creates the registrar of another server on the same store. */
function anotherServer({ services }: TestChat) {
  const registrar = createPushRegistrar(services.chat, (error) => assert.fail(String(error)));
  return { registrar, [Symbol.asyncDispose]: () => registrar.stop() };
}

Deno.test("a registration is sent once with the server's credentials, and an accepted token becomes active", async () => {
  await using bouncer = new ScriptedBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const device_id = await pendingDevice(chat);
  assert.equal(bouncer.requests.length, 0);
  assert.equal(await sweep(chat), 1);
  assert.deepEqual(bouncer.requests, [{
    path: "/api/v1/remotes/push/e2ee/register",
    authorization: basic("org", "quiet"),
    fields: {
      realm_uuid: chat.realm.uuid,
      token_id: tokenId(),
      bouncer_public_key: "a public key",
      encrypted_push_registration: "a sealed box",
    },
  }]);
  assert.deepEqual(await readState(chat, device_id), [tokenId(), null, null]);
  assert.deepEqual(await readDeviceEvents(chat), [{
    event: {
      type: "device",
      op: "update",
      device_id,
      push_token_id: tokenId(),
      pending_push_token_id: null,
    },
    audience: [chat.member.id],
  }]);
  assert.deepEqual(await listDueTimes(chat), []);
});

Deno.test("a final refusal of the bouncer is stored as an error, and the device can register again", async () => {
  await using bouncer = new ScriptedBouncer();
  await using chat = await startChat({ env: bouncer.env });
  for (const code of ["INVALID_BOUNCER_PUBLIC_KEY", "BAD_REQUEST", "REQUEST_EXPIRED"]) {
    bouncer.refuse(code);
    const device_id = await pendingDevice(chat);
    assert.equal(await sweep(chat), 1);
    assert.deepEqual(await readState(chat, device_id), [null, tokenId(), code]);
    const event = { type: "device", op: "update", device_id };
    assert.deepEqual((await readDeviceEvents(chat)).map(({ event }) => event), [
      { ...event, push_registration_error_code: code },
    ]);
    assert.deepEqual(await listDueTimes(chat), []);
    chat.clock.time += SECOND;
    assert.deepEqual(await register(chat, chat.member, { device_id, ...tokenGroup() }), OK);
    assert.deepEqual((await readDeviceEvents(chat)).map(({ event }) => event), [{
      ...event,
      push_token_last_updated_timestamp: Math.floor(chat.clock.time / 1000),
      push_registration_error_code: null,
    }]);
    bouncer.answer = () => Response.json({ result: "success", msg: "" });
    assert.equal(await sweep(chat), 1);
    assert.deepEqual(await readState(chat, device_id), [tokenId(), null, null]);
    await chat.events();
  }
});

Deno.test("an active token stays active if the next one is refused, and can then be sent again", async () => {
  await using bouncer = new ScriptedBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const device_id = await registeredDevice(chat, chat.member);
  bouncer.refuse("BAD_REQUEST");
  await register(chat, chat.member, { device_id, ...tokenGroup(2) });
  await sweep(chat);
  assert.deepEqual(await readState(chat, device_id), [tokenId(), tokenId(2), "BAD_REQUEST"]);
  assert.deepEqual(await register(chat, chat.member, { device_id, ...tokenGroup() }), OK);
  assert.deepEqual(await readState(chat, device_id), [tokenId(), tokenId(), null]);
});

Deno.test("other failures are retried with growing delays for a day", async () => {
  await using bouncer = new ScriptedBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const answers: [string, () => Response][] = [
    ["500", () => new Response("down", { status: 500 })],
    ["429 RATE_LIMIT_HIT", () => Response.json({ code: "RATE_LIMIT_HIT" }, { status: 429 })],
    ["403 MISSING_REMOTE_REALM", () => Response.json({ code: "MISSING_REMOTE_REALM" }, { status: 403 })],
    ["401 INVALID_API_KEY", () => Response.json({ code: "INVALID_API_KEY" }, { status: 401 })],
    ["302", () => Response.redirect("http://127.0.0.1:1/")],
    ["200", () => new Response("<html>a proxy's page</html>")],
    ["200", () => Response.json({ result: "error" })],
    ["500 BAD_REQUEST", () => Response.json({ code: "BAD_REQUEST" }, { status: 500 })],
  ];
  const device_id = await pendingDevice(chat);
  const start = chat.clock.time;
  const pauses: number[] = [];
  for (const [reason, answer] of answers) {
    bouncer.answer = answer;
    assert.equal(await sweep(chat), 1);
    assert.match(await chat.log(), new RegExp(`it answered ${reason}`));
    const [pause = 0] = await listDueTimes(chat);
    pauses.push(pause / SECOND);
    chat.clock.time += pause - 1;
    assert.equal(await sweep(chat), 0);
    chat.clock.time += 1;
  }
  assert.deepEqual(pauses, [30, 60, 120, 300, 900, 1800, 1800, 1800]);
  assert.deepEqual([await readState(chat, device_id), await readDeviceEvents(chat)], [
    [null, tokenId(), null],
    [],
  ]);
  chat.clock.time = start + DAY - MINUTE;
  assert.equal(await sweep(chat), 1);
  assert.deepEqual(await listDueTimes(chat), [MINUTE], "the last retry is not after the end");
  chat.clock.time += MINUTE;
  const count = bouncer.requests.length;
  assert.equal(await sweep(chat), 0);
  assert.equal(bouncer.requests.length, count, "an expired registration is not sent");
  assert.deepEqual(await readState(chat, device_id), [null, tokenId(), "REQUEST_EXPIRED"]);
  assert.equal((await readDeviceEvents(chat)).length, 1);
  assert.deepEqual(await listDueTimes(chat), []);
});

Deno.test("registrations stay queued while the bouncer cannot be reached", async () => {
  const bouncer = new ScriptedBouncer();
  const { env } = bouncer;
  await bouncer[Symbol.asyncDispose]();
  await using chat = await startChat({ env });
  const ids = [await pendingDevice(chat, 1), await pendingDevice(chat, 2)];
  assert.equal(await sweep(chat), 2);
  const lines = (await chat.log()).split("\n").filter((line) => line.includes("device not registered"));
  assert.equal(lines.length, 1, "the problem is reported once");
  assert.ok(!lines[0]?.includes("quiet"));
  assert.deepEqual(await listDueTimes(chat), [30 * SECOND, 30 * SECOND]);
  assert.deepEqual(await readState(chat, ids[0] ?? 0), [null, tokenId(1), null]);
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});

Deno.test("an answer about a removed device is ignored", async () => {
  await using bouncer = new ScriptedBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const { member, services } = chat;
  const gone = await pendingDevice(chat);
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  bouncer.answer = () => {
    ask();
    return held.then(() => Response.json({ result: "success" }));
  };
  const running = services.pushRegistrar.sweep();
  await isAsked;
  assert.equal((await chat.call(member, "POST /remove_client_device", { device_id: gone })).status, 200);
  release();
  await running;
  assert.deepEqual(await readDevices(chat, member), {});
  // Removed before its registration is sent.
  const early = await pendingDevice(chat);
  await chat.call(member, "POST /remove_client_device", { device_id: early });
  const count = bouncer.requests.length;
  assert.equal(await sweep(chat), 0);
  assert.deepEqual([bouncer.requests.length, await listDueTimes(chat)], [count, []]);
  assert.deepEqual((await checkChat(services.store.kv)).problems, []);
});

Deno.test("an attempt whose lease has ended does not affect a newer registration", async () => {
  await using bouncer = new ScriptedBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const { member, services, clock } = chat;
  const device_id = await pendingDevice(chat);
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  bouncer.answer = () => {
    ask();
    return held.then(() => Response.json({ result: "success" }));
  };
  const slow = services.pushRegistrar.sweep();
  await isAsked;
  clock.time += 15 * SECOND;
  bouncer.refuse("BAD_REQUEST");
  await using other = anotherServer(chat);
  assert.equal(await other.registrar.sweep(), 1);
  assert.deepEqual(await register(chat, member, { device_id, ...tokenGroup(2) }), OK);
  release();
  await slow;
  assert.deepEqual(await readState(chat, device_id), [null, tokenId(2), null]);
  bouncer.answer = () => Response.json({ result: "success" });
  assert.equal(await sweep(chat), 1);
  assert.deepEqual(await readState(chat, device_id), [tokenId(2), null, null]);
});

Deno.test("two servers on one store register each device once, eight at a time", async () => {
  await using bouncer = new ScriptedBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const { services } = chat;
  for (let fill = 1; fill <= 60; fill++) await pendingDevice(chat, fill);
  let now = 0;
  let max = 0;
  const both = Promise.withResolvers<void>();
  // The first requests are held until both servers have reached their number of concurrent requests.
  bouncer.answer = async () => {
    max = Math.max(max, ++now);
    if (now === 16) both.resolve();
    await settled("16 registrations are in flight", both.promise, { explain: () => `${now} are` });
    now--;
    return Response.json({ result: "success" });
  };
  await using other = anotherServer(chat);
  const counts = await Promise.all([services.pushRegistrar.sweep(), other.registrar.sweep()]);
  assert.equal((counts[0] ?? 0) + (counts[1] ?? 0), 60);
  const tokens = bouncer.requests.map(({ fields }) => fields["token_id"]);
  assert.deepEqual([tokens.length, new Set(tokens).size], [60, 60]);
  assert.equal(max, 16);
  assert.deepEqual((await checkChat(services.store.kv)).problems, []);
});

Deno.test("a started registrar sends a registration immediately, and a stopped one sends none", async () => {
  await using bouncer = new ScriptedBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const { pushRegistrar } = chat.services;
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
  bouncer.answer = () => {
    ask();
    return Response.json({ result: "success" });
  };
  pushRegistrar.start();
  const id = await pendingDevice(chat);
  await isAsked;
  await pushRegistrar.stop();
  assert.deepEqual(await readState(chat, id), [tokenId(), null, null]);
  const later = await pendingDevice(chat, 2);
  assert.equal(await pushRegistrar.sweep(), 0);
  assert.deepEqual(await readState(chat, later), [null, tokenId(2), null]);
});

Deno.test("removePushToken() removes a token only from the device that has it, and sends an event", async () => {
  await using bouncer = new ScriptedBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const id = await registeredDevice(chat, chat.member);
  await chat.events();
  const device = { realmId: chat.realm.id, userId: chat.member.id, id };
  await removePushToken(chat.services.chat, device, tokenId(2));
  assert.deepEqual(await readDeviceEvents(chat), []);
  await removePushToken(chat.services.chat, device, tokenId(1));
  await removePushToken(chat.services.chat, { ...device, id: 99 }, tokenId(1));
  assert.deepEqual((await readDeviceEvents(chat)).map(({ event }) => event), [
    { type: "device", op: "update", device_id: id, push_token_id: null },
  ]);
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
  assert.deepEqual(await register(chat, chat.member, { device_id: id, ...tokenGroup() }), OK);
});
