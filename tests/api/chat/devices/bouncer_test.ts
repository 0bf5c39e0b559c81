// POST /mobile_push/register end to end: with a real bouncer, on another server or on the same one.
import assert from "node:assert/strict";
import { readRegistration } from "@/lib/bouncer/registration.ts";
import { createRemoteRealm, createRemoteServer } from "@/lib/bouncer/remote_server.ts";
import { startChat, type TestChat, type TestParams } from "@/tests/helpers/chat.ts";
import { type Keys, newKeys, seal, startBouncer, type TestBouncer } from "@/tests/casts/bouncer_cast.ts";
import {
  addDevice,
  keyGroup,
  listDueTimes,
  OK,
  readDevices,
  register,
  tokenId,
} from "@/tests/casts/devices_cast.ts";

/** Returns token parameters as a device creates them. */
function sealedGroup(
  chat: TestChat,
  { public_key }: Pick<Keys, "public_key">,
  sent: TestParams = {},
): TestParams {
  const timestamp = Math.floor(chat.clock.now() / 1000);
  return {
    token_kind: "fcm",
    token_id: tokenId(),
    bouncer_public_key: public_key,
    encrypted_push_registration: seal({ token: "abc", token_kind: "fcm", timestamp, ...sent }, public_key),
  };
}

/** Makes a bouncer reachable on loopback and returns the configuration for a server that uses it. */
function listen(bouncer: TestBouncer) {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const { method, headers } = request;
    return await bouncer.chat.request(pathname, { method, headers, body: await request.text() });
  });
  return {
    env: {
      PUSH_BOUNCER_URL: `http://127.0.0.1:${server.addr.port}`,
      PUSH_ORG_ID: bouncer.orgId,
      PUSH_ORG_KEY: bouncer.orgKey,
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Registers a device and returns its active token id and its error code. */
async function registerAndRead(chat: TestChat, sent: TestParams): Promise<(string | null)[]> {
  const device_id = await addDevice(chat, chat.member);
  assert.deepEqual(await register(chat, chat.member, { device_id, ...keyGroup(), ...sent }), OK);
  await chat.services.pushRegistrar.sweep();
  const found = (await readDevices(chat, chat.member))[device_id];
  return [found.push_token_id, found.push_registration_error_code];
}

/** Checks the registrations that any bouncer accepts and refuses. */
async function tryAll(chat: TestChat, keys: Keys): Promise<void> {
  const group = (sent: TestParams = {}) => sealedGroup(chat, keys, sent);
  const hex = { token_kind: "apns", token: "0aF3", ios_app_id: "example.app" };
  assert.deepEqual(await registerAndRead(chat, group()), [tokenId(), null]);
  assert.deepEqual(await registerAndRead(chat, { ...group(hex), token_kind: "apns" }), [tokenId(), null]);
  const unknown = { bouncer_public_key: (await newKeys()).public_key };
  assert.deepEqual(await registerAndRead(chat, { ...group(), ...unknown }), [
    null,
    "INVALID_BOUNCER_PUBLIC_KEY",
  ]);
  const broken = { encrypted_push_registration: "random-string-no-encryption" };
  assert.deepEqual(await registerAndRead(chat, { ...group(), ...broken }), [null, "BAD_REQUEST"]);
  assert.deepEqual(await registerAndRead(chat, group({ token_kind: "xyz" })), [null, "BAD_REQUEST"]);
  assert.deepEqual(await registerAndRead(chat, group({ token: "" })), [null, "BAD_REQUEST"]);
  const old = { timestamp: Math.floor(chat.clock.now() / 1000) - 86_401 };
  assert.deepEqual(await registerAndRead(chat, group(old)), [null, "REQUEST_EXPIRED"]);
}

Deno.test("a bouncer accepts and refuses registrations of another server", async () => {
  await using bouncer = await startBouncer();
  await using listening = listen(bouncer);
  await using chat = await startChat({ env: listening.env });
  const uuid = { realm_uuid: chat.realm.uuid, token_id: tokenId() };
  // The organization is not known to the bouncer yet, so the registration is retried.
  assert.deepEqual(await registerAndRead(chat, sealedGroup(chat, bouncer.keys)), [null, null]);
  assert.deepEqual(await listDueTimes(chat), [30_000]);
  await createRemoteRealm(bouncer.chat.services.bouncer, {
    org_id: bouncer.orgId,
    realm_uuid: chat.realm.uuid,
  });
  chat.clock.time += 30_000;
  bouncer.chat.clock.time += 30_000;
  await chat.services.pushRegistrar.sweep();
  assert.deepEqual(await listDueTimes(chat), []);
  assert.equal((await readRegistration(bouncer.chat.services.bouncer, uuid))?.token, "abc");
  await tryAll(chat, bouncer.keys);
});

Deno.test("a server that is a bouncer registers its own devices, for both of its organizations", async () => {
  const keys = await newKeys();
  await using chat = await startChat({ env: { PUSH_BOUNCER_KEYS: JSON.stringify([await newKeys(), keys]) } });
  const { bouncer } = chat.services;
  await tryAll(chat, keys);
  const uuid = { realm_uuid: chat.realm.uuid, token_id: tokenId() };
  assert.equal((await readRegistration(bouncer, uuid))?.token, "0aF3");
  const device_id = await addDevice(chat, chat.outsider);
  await register(chat, chat.outsider, { device_id, ...keyGroup(), ...sealedGroup(chat, keys) });
  await chat.services.pushRegistrar.sweep();
  assert.equal((await readDevices(chat, chat.outsider))[device_id].push_token_id, tokenId());
  // The organization cannot be added to another server.
  const { org_id } = await createRemoteServer(bouncer, "Neighbours");
  await assert.rejects(createRemoteRealm(bouncer, { org_id, realm_uuid: chat.realm.uuid }), {
    code: "BAD_REQUEST",
  });
});

Deno.test("an organization of another server cannot be registered by the bouncer's own server", async () => {
  const keys = await newKeys();
  await using chat = await startChat({ env: { PUSH_BOUNCER_KEYS: JSON.stringify([keys]) } });
  const { bouncer } = chat.services;
  const { org_id } = await createRemoteServer(bouncer, "Neighbours");
  await createRemoteRealm(bouncer, { org_id, realm_uuid: chat.realm.uuid });
  assert.deepEqual(await registerAndRead(chat, sealedGroup(chat, keys)), [null, null]);
  assert.match(await chat.log(), /MISSING_REMOTE_REALM/);
  assert.deepEqual(await listDueTimes(chat), [30_000]);
});

Deno.test("a bouncer that is configured with a remote bouncer uses that one", async () => {
  await using bouncer = await startBouncer();
  await using listening = listen(bouncer);
  const env = { ...listening.env, PUSH_BOUNCER_KEYS: JSON.stringify([await newKeys()]) };
  await using chat = await startChat({ env });
  await createRemoteRealm(bouncer.chat.services.bouncer, {
    org_id: bouncer.orgId,
    realm_uuid: chat.realm.uuid,
  });
  assert.deepEqual(await registerAndRead(chat, sealedGroup(chat, bouncer.keys)), [tokenId(), null]);
});
