// POST /mobile_push/register
import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import {
  addDevice,
  keyGroup,
  listDueTimes,
  OK,
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

const INCOMPLETE = refusal(
  "Missing parameters: must provide either all push key fields, all token fields, or both.",
);
const UNKNOWN = refusal("Invalid `device_id`");
const BAD_KEY = refusal("Invalid `push_key`");
const IN_PROGRESS = refusal("A registration for the device already in progress.");
const NOT_CONFIGURED = [
  400,
  "PUSH_SERVICE_NOT_CONFIGURED",
  "Server is not configured to use push notification service.",
];

Deno.test("a first registration is pending until the bouncer has answered (B-push-09)", async () => {
  await using chat = await startPushChat();
  const { owner, admin, moderator, member, guest, outsider } = chat;
  for (const person of [owner, admin, moderator, member, guest, outsider]) {
    const device_id = await addDevice(chat, person);
    await chat.events();
    const sent = { device_id, ...keyGroup(7, 4_294_967_295), ...tokenGroup(), color: "red" };
    const { status, body } = await chat.call(person, "POST /mobile_push/register", sent);
    assert.deepEqual([status, body], [200, {
      result: "success",
      msg: "",
      ignored_parameters_unsupported: ["color"],
    }]);
    const now = Math.floor(chat.clock.time / 1000);
    assert.deepEqual((await readDevices(chat, person))[device_id], {
      push_key_id: 4_294_967_295,
      push_token_id: null,
      pending_push_token_id: tokenId(),
      push_token_last_updated_timestamp: now,
      push_registration_error_code: null,
    });
    if (person === outsider) continue;
    assert.deepEqual(await readDeviceEvents(chat), [{
      event: {
        type: "device",
        op: "update",
        device_id,
        push_key_id: 4_294_967_295,
        pending_push_token_id: tokenId(),
        push_token_last_updated_timestamp: now,
      },
      audience: [person.id],
    }]);
  }
  assert.deepEqual(await listDueTimes(chat), [0, 0, 0, 0, 0, 0]);
});

Deno.test("only human users can register, and only their own devices (B-push-02)", async () => {
  await using chat = await startPushChat();
  const device_id = await addDevice(chat, chat.admin);
  const sent = { device_id, ...keyGroup(), ...tokenGroup() };
  assert.deepEqual(await register(chat, chat.member, sent), UNKNOWN);
  assert.deepEqual(await register(chat, chat.outsider, sent), UNKNOWN);
  assert.deepEqual(await register(chat, chat.admin, { ...sent, device_id: device_id + 1 }), UNKNOWN);
  assert.deepEqual(
    await register(chat, chat.bot, { device_id: "x" }),
    refusal("This endpoint does not accept bot requests."),
  );
  assert.equal((await chat.call(null, "POST /mobile_push/register", sent)).status, 401);
  assert.deepEqual(await listDueTimes(chat), []);
});

Deno.test("malformed parameters are refused before anything else (B-push-08)", async () => {
  await using chat = await startChat();
  const params = { device_id: 1, ...keyGroup(), ...tokenGroup() };
  const uint = refusal("Invalid push_key_id: Value error, Not a valid unsigned 32-bit integer");
  const cases: [object, unknown][] = [
    [{ push_key_id: 4_294_967_296 }, uint],
    [{ push_key_id: -1 }, uint],
    [{ push_key_id: "1.5" }, refusal("push_key_id is not an integer")],
    [{ push_key_id: "one" }, refusal("push_key_id is not valid JSON")],
    [{ device_id: "x" }, refusal("device_id is not valid JSON")],
    [{ device_id: "[1]" }, refusal("device_id is not an integer")],
    [{ token_kind: "web" }, refusal("Invalid token_kind: Value error, Not in the list of possible values")],
    [{ token_id: "" }, refusal("token_id cannot be blank")],
    [{ token_id: "A".repeat(101) }, refusal("token_id is too long (limit: 100 characters)")],
    [{ push_key: "A".repeat(201) }, refusal("push_key is too long (limit: 200 characters)")],
    [
      { bouncer_public_key: "A".repeat(201) },
      refusal("bouncer_public_key is too long (limit: 200 characters)"),
    ],
    [
      { encrypted_push_registration: "A".repeat(12_001) },
      refusal("encrypted_push_registration is too long (limit: 12000 characters)"),
    ],
  ];
  for (const [sent, expected] of cases) {
    assert.deepEqual(await register(chat, chat.member, { ...params, ...sent }), expected);
  }
  const { body } = await chat.call(chat.member, "POST /mobile_push/register");
  assert.deepEqual([body["code"], body["var_name"]], ["REQUEST_VARIABLE_MISSING", "device_id"]);
  // The bouncer's configuration is checked next, and the device after it.
  assert.deepEqual(await register(chat, chat.member, params), NOT_CONFIGURED);
});

Deno.test("incomplete credentials of a bouncer count as none", async () => {
  await using chat = await startChat({ env: { PUSH_BOUNCER_URL: "http://127.0.0.1:9", PUSH_ORG_ID: "org" } });
  const device_id = await addDevice(chat, chat.member);
  assert.deepEqual(
    await register(chat, chat.member, { device_id, ...keyGroup(), ...tokenGroup() }),
    NOT_CONFIGURED,
  );
  assert.deepEqual(await register(chat, chat.member, { device_id: 99 }), NOT_CONFIGURED);
});

Deno.test("at least one group of parameters must be complete; an incomplete group is ignored (B-push-03)", async () => {
  await using bouncer = new ScriptedBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const { member } = chat;
  const device_id = await addDevice(chat, member);
  const send = (sent: object) => register(chat, member, { device_id, ...sent });
  assert.deepEqual(await send({ push_key: pushKey() }), INCOMPLETE);
  assert.deepEqual(await send({}), INCOMPLETE);
  assert.deepEqual(await send({ push_key_id: 1 }), INCOMPLETE);
  for (const name of Object.keys(tokenGroup())) {
    const rest = Object.entries(tokenGroup()).filter(([other]) => other !== name);
    assert.deepEqual(await send({ push_key: pushKey(), ...Object.fromEntries(rest) }), INCOMPLETE);
  }
  assert.deepEqual(await register(chat, member, { device_id: 99, push_key_id: 1 }), UNKNOWN);
  // An incomplete key is ignored, so the device has no key for which a token could be rotated.
  assert.deepEqual(
    await send({ ...tokenGroup(), push_key: "?" }),
    refusal("No push registration exists to rotate token for."),
  );
  const id = await registeredDevice(chat, member);
  await chat.events();
  assert.deepEqual(
    await register(chat, member, { device_id: id, ...keyGroup(2), token_id: "?", token_kind: "apns" }),
    OK,
  );
  assert.deepEqual(await register(chat, member, { device_id: id, ...tokenGroup(5), push_key_id: 9 }), OK);
  const found = (await readDevices(chat, member))[id];
  assert.deepEqual([found.push_key_id, found.pending_push_token_id], [2, tokenId(5)]);
});

Deno.test("a rotation is refused without an existing registration", async () => {
  await using chat = await startPushChat();
  const device_id = await addDevice(chat, chat.member);
  const send = (sent: object) => register(chat, chat.member, { device_id, ...sent });
  const noKey = refusal("No push registration exists to rotate key for.");
  assert.deepEqual(await send(keyGroup()), noKey);
  assert.deepEqual(await send({ push_key: "?", push_key_id: 1 }), noKey);
  assert.deepEqual(
    await send({ ...tokenGroup(), token_id: "?" }),
    refusal("`token_id` is not Base64 encoded"),
  );
  assert.deepEqual(await send(tokenGroup()), refusal("No push registration exists to rotate token for."));
});

Deno.test("a push key must be a type byte followed by 32 bytes (B-push-06, B-push-07)", async () => {
  await using chat = await startPushChat();
  const device_id = await addDevice(chat, chat.member);
  await chat.events();
  const send = (push_key: string, sent: object = tokenGroup()) =>
    register(chat, chat.member, { device_id, push_key, push_key_id: 1, ...sent });
  assert.deepEqual(await send(pushKey(1, { first: 0x32 })), BAD_KEY);
  assert.deepEqual(await send(pushKey(1, { bytes: 31 })), BAD_KEY);
  assert.deepEqual(await send(pushKey(1, { bytes: 33 })), BAD_KEY);
  assert.deepEqual(await send(`${pushKey()}=`), BAD_KEY);
  assert.deepEqual(await send(` ${pushKey()}`), BAD_KEY);
  assert.deepEqual(
    await send(new Uint8Array(33).fill(0xff).with(0, 0x31).toBase64({ alphabet: "base64url" })),
    BAD_KEY,
  );
  assert.deepEqual(await send(""), BAD_KEY);
  // The token is checked first.
  const noToken = { ...tokenGroup(), token_id: "AAECAw" };
  assert.deepEqual(await send("", noToken), refusal("`token_id` is not Base64 encoded"));
  assert.deepEqual(await readDeviceEvents(chat), []);
  assert.deepEqual(await listDueTimes(chat), []);
  assert.deepEqual(await send(pushKey()), OK);
  assert.deepEqual(await send("", {}), BAD_KEY);
});

Deno.test("during a pending registration, tokens are refused and the key can be rotated", async () => {
  await using chat = await startPushChat();
  const device_id = await addDevice(chat, chat.member);
  const send = (sent: object) => register(chat, chat.member, { device_id, ...sent });
  assert.deepEqual(await send({ ...keyGroup(), ...tokenGroup() }), OK);
  assert.deepEqual(await send({ ...keyGroup(), ...tokenGroup() }), IN_PROGRESS);
  assert.deepEqual(await send({ ...keyGroup(), ...tokenGroup(2) }), IN_PROGRESS);
  assert.deepEqual(await send({ ...tokenGroup(2), token_id: "?" }), IN_PROGRESS);
  assert.deepEqual(await send({ ...tokenGroup(), push_key: "?", push_key_id: 1 }), IN_PROGRESS);
  assert.deepEqual(await send(keyGroup(2)), OK);
  const found = (await readDevices(chat, chat.member))[device_id];
  assert.deepEqual([found.push_key_id, found.pending_push_token_id], [2, tokenId()]);
  assert.deepEqual(await listDueTimes(chat), [0]);
});

Deno.test("a sealed registration of maximum length in 4-byte characters fits into the store", async () => {
  await using chat = await startPushChat();
  const device_id = await addDevice(chat, chat.member);
  const wide = { encrypted_push_registration: "🌱".repeat(12_000), bouncer_public_key: "🌱".repeat(200) };
  const sent = { device_id, ...keyGroup(), ...tokenGroup(), ...wide, token_id: "A".repeat(100) };
  assert.deepEqual(await register(chat, chat.member, sent), OK);
});

Deno.test("a key can be rotated alone, with immediate effect (B-push-11)", async () => {
  await using bouncer = new ScriptedBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const device_id = await registeredDevice(chat, chat.member);
  await chat.events();
  const send = (sent: object) => register(chat, chat.member, { device_id, ...sent });
  const toEvents = (push_key_id: number) => [{
    event: { type: "device", op: "update", device_id, push_key_id },
    audience: [chat.member.id],
  }];
  assert.deepEqual(await send({ push_key: pushKey(2), push_key_id: 2 }), OK);
  assert.deepEqual(await readDeviceEvents(chat), toEvents(2));
  const found = (await readDevices(chat, chat.member))[device_id];
  assert.deepEqual([found.push_key_id, found.push_token_id], [2, tokenId()]);
  assert.deepEqual(await send({ push_key: pushKey(2), push_key_id: 2 }), OK);
  assert.deepEqual(await readDeviceEvents(chat), [], "a repeated request changes nothing");
  assert.deepEqual(await send({ push_key: pushKey(3), push_key_id: 2 }), OK);
  assert.deepEqual(await readDeviceEvents(chat), toEvents(2), "a new key can have the same id");
  assert.deepEqual(await send({ push_key: pushKey(3), push_key_id: 0 }), OK);
  assert.deepEqual(await readDeviceEvents(chat), toEvents(0));
  assert.equal(bouncer.requests.length, 1);
});

Deno.test("a token can be rotated alone, and the old one is used until the bouncer accepts the new one", async () => {
  await using bouncer = new ScriptedBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const { member, clock, services } = chat;
  const device_id = await registeredDevice(chat, member);
  await chat.events();
  clock.time += 60_000;
  const send = (sent: object) => register(chat, member, { device_id, ...sent });
  assert.deepEqual(await send(tokenGroup()), OK);
  assert.deepEqual(await send({ ...keyGroup(), ...tokenGroup() }), OK);
  assert.deepEqual(
    [await readDeviceEvents(chat), await listDueTimes(chat)],
    [[], []],
    "repeated requests change nothing",
  );
  assert.deepEqual(await send({ ...tokenGroup(2), token_kind: "apns" }), OK);
  const event = { type: "device", op: "update", device_id };
  const push_token_last_updated_timestamp = Math.floor(clock.time / 1000);
  assert.deepEqual((await readDeviceEvents(chat)).map(({ event }) => event), [
    { ...event, pending_push_token_id: tokenId(2), push_token_last_updated_timestamp },
  ]);
  assert.equal((await readDevices(chat, member))[device_id].push_token_id, tokenId());
  await services.pushRegistrar.sweep();
  assert.deepEqual(await readDeviceEvents(chat), [{
    event: { ...event, push_token_id: tokenId(2), pending_push_token_id: null },
    audience: [member.id],
  }]);
  // With a new key, the same token is registered again.
  assert.deepEqual(await send({ ...keyGroup(4), ...tokenGroup(2) }), OK);
  const found = (await readDevices(chat, member))[device_id];
  assert.deepEqual([found.push_key_id, found.pending_push_token_id], [4, tokenId(2)]);
});

Deno.test("one of several concurrent registrations becomes pending and is sent to the bouncer", async () => {
  await using bouncer = new ScriptedBouncer();
  await using chat = await startChat({ env: bouncer.env });
  const device_id = await addDevice(chat, chat.member);
  const answers = await Promise.all(
    Array.from(
      { length: 8 },
      (_, at) => register(chat, chat.member, { device_id, ...keyGroup(at + 1), ...tokenGroup(at + 1) }),
    ),
  );
  assert.equal(answers.filter(([status]) => status === 200).length, 1);
  assert.equal(answers.filter(([, , msg]) => msg === IN_PROGRESS[2]).length, 7);
  await chat.services.pushRegistrar.sweep();
  assert.equal(bouncer.requests.length, 1);
  const found = (await readDevices(chat, chat.member))[device_id];
  assert.equal(found.push_token_id, tokenId(answers.findIndex(([status]) => status === 200) + 1));
});
