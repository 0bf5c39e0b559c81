import assert from "node:assert/strict";
import { createRemoteRealm, createRemoteServer } from "@/lib/bouncer/remote_server.ts";
import { basic, type TestParams } from "@/tests/helpers/chat.ts";
import { newDevice, type PushChat, startPushChat } from "@/tests/casts/push_notifications_cast.ts";

// POST /remotes/push/e2ee/notify

const DATA = new Uint8Array(60).fill(5).toBase64();

async function ask(chat: PushChat, credentials: string, path: string, params: TestParams) {
  const body = new URLSearchParams(
    Object.entries(params).map((
      [name, value],
    ) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
  const headers: HeadersInit = credentials === "" ? {} : { authorization: credentials };
  const init = { method: "POST", headers, body };
  const response = await chat.request(`/api/v1/remotes/push/e2ee/${path}`, init);
  return { status: response.status, body: await response.json() };
}

/** Creates a remote server with an organization, and a function that registers devices of it. */
async function createServer(chat: PushChat) {
  const { org_id, org_key } = await createRemoteServer(chat.services.bouncer, "Neighbours");
  const realm_uuid = crypto.randomUUID();
  await createRemoteRealm(chat.services.bouncer, { org_id, realm_uuid });
  const credentials = basic(org_id, org_key);
  const register = async (kind: "fcm" | "apns" = "fcm") => {
    const { device, params } = await newDevice({ kind, keys: chat.keys, now: chat.clock.now() });
    const { token_id, bouncer_public_key, encrypted_push_registration } = params;
    const sent = { realm_uuid, token_id, bouncer_public_key, encrypted_push_registration };
    const { status, body } = await ask(chat, credentials, "register", sent);
    assert.equal(status, 200, JSON.stringify(body));
    return device;
  };
  return { credentials, realm_uuid, register };
}

function requestFor(token_id: string, more: TestParams = {}) {
  return { token_id, push_key_id: 7, encrypted_data: DATA, priority: "high", ...more };
}

Deno.test("POST /remotes/push/e2ee/notify passes encrypted notifications on and reports the result of each", async () => {
  await using chat = await startPushChat();
  const { credentials, realm_uuid, register } = await createServer(chat);
  const [taken, gone, failing] = [await register(), await register("apns"), await register()];
  chat.provider.behave(gone.token, "gone");
  chat.provider.behave(failing.token, "fail");
  const ids = [taken.tokenId, gone.tokenId, failing.tokenId, "dW5rbm93bg=="];
  const push_requests = ids.map((id) => requestFor(id));
  const { status, body } = await ask(chat, credentials, "notify", { realm_uuid, push_requests });
  assert.equal(status, 200);
  assert.deepEqual(body, {
    result: "success",
    msg: "",
    delivered: [taken.tokenId],
    gone: [gone.tokenId, "dW5rbm93bg=="],
    failed: [],
  });
  assert.deepEqual(chat.provider.received, [
    { kind: "fcm", token: taken.token, pushKeyId: 7, encryptedData: DATA, topic: null },
  ]);
  // The registration of a device that is gone is deleted, so the provider is not asked again.
  chat.provider.behave(gone.token, "take");
  const again = await ask(chat, credentials, "notify", {
    realm_uuid,
    push_requests: [requestFor(gone.tokenId)],
  });
  assert.deepEqual([again.body.gone, chat.provider.received.length], [[gone.tokenId], 1]);
});

Deno.test("POST /remotes/push/e2ee/notify accepts only known servers and their own organizations", async () => {
  await using chat = await startPushChat();
  const [one, other] = [await createServer(chat), await createServer(chat)];
  const device = await one.register();
  const push_requests = [requestFor(device.tokenId)];
  const sent = { realm_uuid: one.realm_uuid, push_requests };
  const foreign = await ask(chat, other.credentials, "notify", sent);
  assert.deepEqual([foreign.status, foreign.body.code, foreign.body.msg], [
    403,
    "MISSING_REMOTE_REALM",
    "Organization not registered",
  ]);
  assert.equal((await ask(chat, "", "notify", sent)).status, 401);
  const wrongKey = basic(crypto.randomUUID(), "x");
  assert.deepEqual((await ask(chat, wrongKey, "notify", sent)).body.code, "INVALID_API_KEY");
  const person = basic(chat.owner.email, chat.owner.apiKey);
  assert.deepEqual((await ask(chat, person, "notify", sent)).status, 401);
  // The same token id of another organization is another device.
  const own = await ask(chat, other.credentials, "notify", { ...sent, realm_uuid: other.realm_uuid });
  assert.deepEqual(own.body.gone, [device.tokenId]);
  assert.deepEqual(chat.provider.received, []);
  const known = await ask(chat, one.credentials, "notify", { ...sent, mood: "good" });
  assert.deepEqual(known.body.ignored_parameters_unsupported, ["mood"]);
});

Deno.test("POST /remotes/push/e2ee/notify refuses malformed lists of notifications and duplicate tokens", async () => {
  await using chat = await startPushChat();
  const { credentials, realm_uuid, register } = await createServer(chat);
  const { tokenId } = await register();
  const missing = await ask(chat, credentials, "notify", { realm_uuid });
  assert.deepEqual([missing.status, missing.body.code, missing.body.msg], [
    400,
    "REQUEST_VARIABLE_MISSING",
    "Missing 'push_requests' argument",
  ]);
  const wrong: unknown[] = [
    "no JSON",
    {},
    [],
    [requestFor("")],
    [requestFor(tokenId, { priority: "urgent" })],
    [requestFor(tokenId, { push_key_id: -1 })],
    [requestFor(tokenId, { push_key_id: 2 ** 32 })],
    [requestFor(tokenId, { encrypted_data: "not Base64!" })],
    [requestFor(tokenId, { encrypted_data: "AAAA".repeat(1025) })],
    [requestFor(tokenId), requestFor(tokenId)],
    Array.from({ length: 51 }, (_, at) => requestFor(`t${at}`)),
  ];
  for (const push_requests of wrong) {
    const { status, body } = await ask(chat, credentials, "notify", { realm_uuid, push_requests });
    assert.equal(status, 400, JSON.stringify([push_requests, body]).slice(0, 300));
  }
  assert.deepEqual(chat.provider.received, []);
});

Deno.test("POST /remotes/push/e2ee/notify reports tokens of a provider without credentials", async () => {
  await using chat = await startPushChat({ PUSH_FCM: "" });
  const { credentials, realm_uuid, register } = await createServer(chat);
  const [phone, tablet] = [await register("fcm"), await register("apns")];
  const push_requests = [requestFor(phone.tokenId), requestFor(tablet.tokenId)];
  const { body } = await ask(chat, credentials, "notify", { realm_uuid, push_requests });
  assert.deepEqual([body.delivered, body.gone, body.failed], [[tablet.tokenId], [], [phone.tokenId]]);
  assert.match(await chat.log(), /push provider not configured.*PUSH_FCM/);
});
