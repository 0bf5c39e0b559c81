// What the bouncer is told of devices after POST /mobile_push/register has answered.
import assert from "node:assert/strict";
import { createPushRegistrar } from "@/lib/chat/devices/push_registrar.ts";
import { forgetToken } from "@/lib/chat/devices/forget_token.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { basic, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { settled } from "@/tests/helpers/wait.ts";
import {
  addDevice,
  deviceEvents,
  devicesOf,
  dueTimes,
  keyGroup,
  OK,
  register,
  registeredDevice,
  tokenGroup,
  tokenId,
  ToldBouncer,
} from "./devices_cast.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** A device whose registration waits, with no events yet. */
async function pendingDevice(chat: TestChat, fill = 1): Promise<number> {
  const device_id = await addDevice(chat, chat.member);
  assert.deepEqual(
    await register(chat, chat.member, { device_id, ...keyGroup(fill), ...tokenGroup(fill) }),
    OK,
  );
  await chat.events();
  return device_id;
}

async function statesOf(chat: TestChat, id: number): Promise<(string | null)[]> {
  const found = (await devicesOf(chat, chat.member))[id];
  return [found.push_token_id, found.pending_push_token_id, found.push_registration_error_code];
}

/** Tells what is due, and again right away, which must find nothing. */
async function sweep({ services }: TestChat): Promise<number> {
  const count = await services.pushRegistrar.sweep();
  assert.equal(await services.pushRegistrar.sweep(), 0);
  return count;
}

/** What another server on the same store tells the bouncer with. */
function anotherServer({ services }: TestChat) {
  const registrar = createPushRegistrar(services.chat, (error) => assert.fail(String(error)));
  return { registrar, [Symbol.asyncDispose]: () => registrar.stop() };
}

Deno.test("the bouncer is told once, in this server's name, and a token that it took is active", async () => {
  await using bouncer = new ToldBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const device_id = await pendingDevice(chat);
  assert.equal(bouncer.asked.length, 0);
  assert.equal(await sweep(chat), 1);
  assert.deepEqual(bouncer.asked, [{
    path: "/api/v1/remotes/push/e2ee/register",
    authorization: basic("org", "quiet"),
    fields: {
      realm_uuid: chat.realm.uuid,
      token_id: tokenId(),
      bouncer_public_key: "a public key",
      encrypted_push_registration: "a sealed box",
    },
  }]);
  assert.deepEqual(await statesOf(chat, device_id), [tokenId(), null, null]);
  assert.deepEqual(await deviceEvents(chat), [{
    event: {
      type: "device",
      op: "update",
      device_id,
      push_token_id: tokenId(),
      pending_push_token_id: null,
    },
    audience: [chat.member.id],
  }]);
  assert.deepEqual(await dueTimes(chat), []);
});

Deno.test("what the bouncer refuses for good is kept as an error, and the device may try again", async () => {
  await using bouncer = new ToldBouncer();
  await using chat = await startChat({ env: bouncer.env });
  for (const code of ["INVALID_BOUNCER_PUBLIC_KEY", "BAD_REQUEST", "REQUEST_EXPIRED"]) {
    bouncer.refuse(code);
    const device_id = await pendingDevice(chat);
    assert.equal(await sweep(chat), 1);
    assert.deepEqual(await statesOf(chat, device_id), [null, tokenId(), code]);
    const event = { type: "device", op: "update", device_id };
    assert.deepEqual((await deviceEvents(chat)).map((told) => told.event), [
      { ...event, push_registration_error_code: code },
    ]);
    assert.deepEqual(await dueTimes(chat), []);
    chat.clock.time += SECOND;
    assert.deepEqual(await register(chat, chat.member, { device_id, ...tokenGroup() }), OK);
    assert.deepEqual((await deviceEvents(chat)).map((told) => told.event), [{
      ...event,
      push_token_last_updated_timestamp: Math.floor(chat.clock.time / 1000),
      push_registration_error_code: null,
    }]);
    bouncer.answer = () => Response.json({ result: "success", msg: "" });
    assert.equal(await sweep(chat), 1);
    assert.deepEqual(await statesOf(chat, device_id), [tokenId(), null, null]);
    await chat.events();
  }
});

Deno.test("an active token stays active where the next one is refused, and can then be sent anew", async () => {
  await using bouncer = new ToldBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const device_id = await registeredDevice(chat, chat.member);
  bouncer.refuse("BAD_REQUEST");
  await register(chat, chat.member, { device_id, ...tokenGroup(2) });
  await sweep(chat);
  assert.deepEqual(await statesOf(chat, device_id), [tokenId(), tokenId(2), "BAD_REQUEST"]);
  assert.deepEqual(await register(chat, chat.member, { device_id, ...tokenGroup() }), OK);
  assert.deepEqual(await statesOf(chat, device_id), [tokenId(), tokenId(), null]);
});

Deno.test("everything else is tried again, with growing pauses, for a day", async () => {
  await using bouncer = new ToldBouncer();
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
  const begun = chat.clock.time;
  const pauses: number[] = [];
  for (const [reason, answer] of answers) {
    bouncer.answer = answer;
    assert.equal(await sweep(chat), 1);
    assert.match(await chat.log(), new RegExp(`it answered ${reason}`));
    const [pause = 0] = await dueTimes(chat);
    pauses.push(pause / SECOND);
    chat.clock.time += pause - 1;
    assert.equal(await sweep(chat), 0);
    chat.clock.time += 1;
  }
  assert.deepEqual(pauses, [30, 60, 120, 300, 900, 1800, 1800, 1800]);
  assert.deepEqual([await statesOf(chat, device_id), await deviceEvents(chat)], [
    [null, tokenId(), null],
    [],
  ]);
  chat.clock.time = begun + DAY - MINUTE;
  assert.equal(await sweep(chat), 1);
  assert.deepEqual(await dueTimes(chat), [MINUTE], "the end is not put off");
  chat.clock.time += MINUTE;
  const asked = bouncer.asked.length;
  assert.equal(await sweep(chat), 0);
  assert.equal(bouncer.asked.length, asked, "then nobody is asked");
  assert.deepEqual(await statesOf(chat, device_id), [null, tokenId(), "REQUEST_EXPIRED"]);
  assert.equal((await deviceEvents(chat)).length, 1);
  assert.deepEqual(await dueTimes(chat), []);
});

Deno.test("a bouncer that cannot be reached is told when it is back", async () => {
  const bouncer = new ToldBouncer();
  const { env } = bouncer;
  await bouncer[Symbol.asyncDispose]();
  await using chat = await startChat({ env });
  const ids = [await pendingDevice(chat, 1), await pendingDevice(chat, 2)];
  assert.equal(await sweep(chat), 2);
  const lines = (await chat.log()).split("\n").filter((line) => line.includes("not told of a device"));
  assert.equal(lines.length, 1, "one problem is reported once");
  assert.ok(!lines[0]?.includes("quiet"));
  assert.deepEqual(await dueTimes(chat), [30 * SECOND, 30 * SECOND]);
  assert.deepEqual(await statesOf(chat, ids[0] ?? 0), [null, tokenId(1), null]);
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});

Deno.test("an answer about a device that is gone, or has other plans, says nothing", async () => {
  await using bouncer = new ToldBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const { member, services } = chat;
  const gone = await pendingDevice(chat);
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  bouncer.answer = () => {
    ask();
    return held.then(() => Response.json({ result: "success" }));
  };
  const sweeping = services.pushRegistrar.sweep();
  await isAsked;
  assert.equal((await chat.call(member, "POST /remove_client_device", { device_id: gone })).status, 200);
  letGo();
  await sweeping;
  assert.deepEqual(await devicesOf(chat, member), {});
  // Removed before its turn.
  const early = await pendingDevice(chat);
  await chat.call(member, "POST /remove_client_device", { device_id: early });
  const asked = bouncer.asked.length;
  assert.equal(await sweep(chat), 0);
  assert.deepEqual([bouncer.asked.length, await dueTimes(chat)], [asked, []]);
  assert.deepEqual((await checkChat(services.store.kv)).problems, []);
});

Deno.test("an attempt whose lease ended says nothing about the registration after it", async () => {
  await using bouncer = new ToldBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const { member, services, clock } = chat;
  const device_id = await pendingDevice(chat);
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
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
  letGo();
  await slow;
  assert.deepEqual(await statesOf(chat, device_id), [null, tokenId(2), null]);
  bouncer.answer = () => Response.json({ result: "success" });
  assert.equal(await sweep(chat), 1);
  assert.deepEqual(await statesOf(chat, device_id), [tokenId(2), null, null]);
});

Deno.test("two servers on one store tell of each device once, eight at a time", async () => {
  await using bouncer = new ToldBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const { services } = chat;
  for (let fill = 1; fill <= 60; fill++) await pendingDevice(chat, fill);
  let now = 0;
  let most = 0;
  const both = Promise.withResolvers<void>();
  // The first ones are held until both servers have asked as often as they do at a time.
  bouncer.answer = async () => {
    most = Math.max(most, ++now);
    if (now === 16) both.resolve();
    await settled("16 registrations are in flight", both.promise, { explain: () => `${now} are` });
    now--;
    return Response.json({ result: "success" });
  };
  await using other = anotherServer(chat);
  const counts = await Promise.all([services.pushRegistrar.sweep(), other.registrar.sweep()]);
  assert.equal((counts[0] ?? 0) + (counts[1] ?? 0), 60);
  const tokens = bouncer.asked.map(({ fields }) => fields["token_id"]);
  assert.deepEqual([tokens.length, new Set(tokens).size], [60, 60]);
  assert.equal(most, 16);
  assert.deepEqual((await checkChat(services.store.kv)).problems, []);
});

Deno.test("once started, a registration is told right after its answer; once stopped, nothing is", async () => {
  await using bouncer = new ToldBouncer();
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
  assert.deepEqual(await statesOf(chat, id), [tokenId(), null, null]);
  const later = await pendingDevice(chat, 2);
  assert.equal(await pushRegistrar.sweep(), 0);
  assert.deepEqual(await statesOf(chat, later), [null, tokenId(2), null]);
});

Deno.test("a token that is gone is taken from the device that has it, and told", async () => {
  await using bouncer = new ToldBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const id = await registeredDevice(chat, chat.member);
  await chat.events();
  const place = { realmId: chat.realm.id, userId: chat.member.id, id };
  await forgetToken(chat.services.chat, place, tokenId(2));
  assert.deepEqual(await deviceEvents(chat), []);
  await forgetToken(chat.services.chat, place, tokenId(1));
  await forgetToken(chat.services.chat, { ...place, id: 99 }, tokenId(1));
  assert.deepEqual((await deviceEvents(chat)).map(({ event }) => event), [
    { type: "device", op: "update", device_id: id, push_token_id: null },
  ]);
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
  assert.deepEqual(await register(chat, chat.member, { device_id: id, ...tokenGroup() }), OK);
});
