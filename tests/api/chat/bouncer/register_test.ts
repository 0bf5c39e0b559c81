import assert from "node:assert/strict";
import { readRegistration } from "@/lib/bouncer/registration.ts";
import { createRemoteRealm, createRemoteServer } from "@/lib/bouncer/remote_server.ts";
import { basic, startChat } from "@/tests/helpers/chat.ts";
import { newKeys, seal, startBouncer } from "@/tests/casts/bouncer_cast.ts";

const SUCCESS = { result: "success", msg: "" };
const INVALID = { result: "error", msg: "Invalid encrypted_push_registration", code: "BAD_REQUEST" };

Deno.test("POST /remotes/push/e2ee/register stores a sealed registration, and accepts it again (B-bouncer-01)", async () => {
  await using bouncer = await startBouncer();
  for (let times = 0; times < 2; times++) assert.deepEqual((await bouncer.register()).body, SUCCESS);
  const key = { realm_uuid: bouncer.realmUuid, token_id: "AAECAwQFBgc=" };
  const found = await readRegistration(bouncer.chat.services.bouncer, key);
  assert.deepEqual([found?.token, found?.record.token_kind, found?.record.ios_app_id], ["abc", "fcm", null]);
  const stored = new TextDecoder().decode(found?.record.token);
  assert.ok(!stored.includes("abc"), "tokens are sealed");
});

Deno.test("POST /remotes/push/e2ee/register accepts only known servers with their key", async () => {
  await using bouncer = await startBouncer();
  const refused = async (credentials: string) => {
    const { status, body } = await bouncer.register({ realm_uuid: undefined }, credentials);
    return [status, body["code"]];
  };
  assert.deepEqual(await refused(""), [401, "UNAUTHORIZED"]);
  assert.deepEqual(await refused(basic(bouncer.orgId, "wrong")), [401, "INVALID_API_KEY"]);
  assert.deepEqual(await refused(basic(crypto.randomUUID(), bouncer.orgKey)), [401, "INVALID_API_KEY"]);
  assert.deepEqual(await refused(basic("not a uuid", bouncer.orgKey)), [401, "INVALID_API_KEY"]);
  const { owner } = bouncer.chat;
  const person = await bouncer.register({}, basic(owner.email, owner.apiKey));
  assert.match(String(person.body["msg"]), /^Must validate with valid \w+ server API key$/);
  const { body } = await bouncer.register({ realm_uuid: undefined });
  assert.deepEqual([body["code"], body["var_name"]], ["REQUEST_VARIABLE_MISSING", "realm_uuid"]);
});

Deno.test("POST /remotes/push/e2ee/register accepts only organizations of the calling server", async () => {
  await using bouncer = await startBouncer();
  const missing = { result: "error", msg: "Organization not registered", code: "MISSING_REMOTE_REALM" };
  for (const realm_uuid of [crypto.randomUUID(), "x", ""]) {
    const { status, body } = await bouncer.register({ realm_uuid });
    assert.deepEqual([status, body], [403, missing]);
  }
  const { bouncer: app } = bouncer.chat.services;
  const other = await createRemoteServer(app, "Others");
  const uuid = crypto.randomUUID();
  await createRemoteRealm(app, { org_id: other.org_id, realm_uuid: uuid });
  assert.equal((await bouncer.register({ realm_uuid: uuid })).status, 403);
  assert.equal(
    (await bouncer.register({ realm_uuid: uuid }, basic(other.org_id, other.org_key))).status,
    200,
  );
  const taken = createRemoteRealm(app, { org_id: bouncer.orgId, realm_uuid: uuid });
  await assert.rejects(taken, /belongs to another server/);
});

Deno.test("POST /remotes/push/e2ee/register refuses unknown public keys (B-bouncer-03)", async () => {
  await using bouncer = await startBouncer();
  const { public_key } = await newKeys();
  for (const bouncer_public_key of ["invalid public key", public_key, ""]) {
    const { status, body } = await bouncer.register({ bouncer_public_key });
    assert.deepEqual([status, body["code"], body["msg"]], [
      400,
      "INVALID_BOUNCER_PUBLIC_KEY",
      "Invalid bouncer_public_key",
    ]);
  }
  await using chat = await startChat();
  const { org_id, org_key } = await createRemoteServer(chat.services.bouncer, "n");
  const headers = { authorization: basic(org_id, org_key) };
  const init = { method: "POST", headers, body: new URLSearchParams() };
  const none = await chat.request("/api/v1/remotes/push/e2ee/register", init);
  assert.equal((await none.json()).code, "REQUEST_VARIABLE_MISSING");
});

Deno.test("POST /remotes/push/e2ee/register refuses registrations that were sealed for another key or are malformed (B-bouncer-05, B-bouncer-06)", async () => {
  await using bouncer = await startBouncer();
  const { public_key } = bouncer.keys;
  const other = await newKeys();
  const timestamp = Math.floor(bouncer.chat.clock.now() / 1000);
  const good = { token: "abc", token_kind: "fcm", timestamp };
  const apns = { token: "abcdef", token_kind: "apns", timestamp, ios_app_id: "org.example.App" };
  const sealed = seal(good, public_key);
  const tampered = `${sealed[0] === "A" ? "B" : "A"}${sealed.slice(1)}`;
  const wrong = [
    "random-string-no-encryption",
    "",
    tampered,
    sealed.slice(0, -4),
    ` ${sealed}`,
    seal(good, other.public_key),
    seal("not json", public_key),
    seal([], public_key),
    seal({ ...good, token_kind: "xyz" }, public_key),
    seal({ ...good, token: "" }, public_key),
    seal({ ...good, token: "x".repeat(4097) }, public_key),
    seal({ ...good, timestamp: "now" }, public_key),
    seal({ ...good, ios_app_id: "org.example.App" }, public_key),
    seal({ ...apns, token: "xyz" }, public_key),
    seal({ ...apns, ios_app_id: null }, public_key),
    seal({ ...apns, ios_app_id: "a b" }, public_key),
  ];
  for (const encrypted_push_registration of wrong) {
    assert.deepEqual((await bouncer.register({ encrypted_push_registration })).body, INVALID);
  }
  for (const right of [{ ...good, ios_app_id: null }, apns]) {
    const sent = { encrypted_push_registration: seal(right, public_key) };
    assert.deepEqual((await bouncer.register(sent)).body, SUCCESS);
  }
});

Deno.test("POST /remotes/push/e2ee/register refuses registrations older than a day, and accepts timestamps in the future", async () => {
  await using bouncer = await startBouncer();
  const now = Math.floor(bouncer.chat.clock.now() / 1000);
  const at = async (timestamp: number) => {
    const sealed = seal({ token: "abc", token_kind: "fcm", timestamp }, bouncer.keys.public_key);
    return (await bouncer.register({ encrypted_push_registration: sealed })).body;
  };
  assert.deepEqual(await at(now - 86_400), SUCCESS);
  assert.deepEqual(await at(now - 86_402), {
    result: "error",
    msg: "Request expired",
    code: "REQUEST_EXPIRED",
  });
  assert.deepEqual(await at(now + 1000), SUCCESS);
});
