import assert from "node:assert/strict";
import { REGISTRATIONS } from "@/lib/chat/devices/devices.ts";
import { callCommand, createGardeners } from "@/tests/helpers/command_calls.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { type Keys, newKeys, seal } from "@/tests/casts/bouncer_cast.ts";
import { keyGroup, ScriptedBouncer, tokenId } from "@/tests/casts/devices_cast.ts";
import { countFailures, makeDue } from "./push_jobs.ts";

async function call(server: TestServer, path: string, { authorization, ...fields }: Record<string, string>) {
  const response = await server.fetch(`/api/v1${path}`, {
    method: "POST",
    headers: { authorization: authorization ?? "" },
    body: new URLSearchParams(fields),
  });
  const body = await response.json();
  assert.equal(response.status, 200, JSON.stringify(body));
  return body;
}

/** Registers a new device for notifications, and returns its id. */
async function registerDevice(server: TestServer, authorization: string, keys: Keys): Promise<string> {
  const health = await server.fetch("/health");
  await health.body?.cancel();
  const timestamp = Math.floor(Date.parse(health.headers.get("date") ?? "") / 1000);
  const device_id = String((await call(server, "/register_client_device", { authorization })).device_id);
  const { push_key, push_key_id } = keyGroup();
  await call(server, "/mobile_push/register", {
    authorization,
    device_id,
    push_key: String(push_key),
    push_key_id: String(push_key_id),
    token_kind: "fcm",
    token_id: tokenId(),
    bouncer_public_key: keys.public_key,
    encrypted_push_registration: seal({ token: "abc", token_kind: "fcm", timestamp }, keys.public_key),
  });
  return device_id;
}

/** Waits until a device is registered, and fails when the bouncer refuses it. */
async function untilRegistered(server: TestServer, authorization: string, id: string): Promise<void> {
  const event_types = JSON.stringify(["device"]);
  const readDevice = async () => {
    const { devices } = await call(server, "/register", { authorization, fetch_event_types: event_types });
    return devices[id];
  };
  const isSettled = ({ push_token_id, push_registration_error_code }: Record<string, unknown>) =>
    push_token_id !== null || push_registration_error_code !== null;
  const device = await server.waitFor("the device is registered", readDevice, isSettled);
  assert.equal(device.push_registration_error_code, null);
}

Deno.test("a server killed while it registers a device with a bouncer sends the same request once more after its lease", async () => {
  const keys = await newKeys();
  const folder = await Deno.makeTempDir();
  try {
    const [bouncerServer, realm] = await Promise.all([
      TestServer.start({ env: { PUSH_BOUNCER_KEYS: JSON.stringify([keys]) } }),
      createGardeners(`${folder}/sotto.kv`),
    ]);
    await using bouncer = bouncerServer;
    await using between = new ScriptedBouncer();
    const { org_id, org_key } = await callCommand(
      bouncer.store,
      "create-remote-server",
      "--name",
      "Gardeners",
    );
    const env = { PUSH_BOUNCER_URL: between.url, PUSH_ORG_ID: org_id, PUSH_ORG_KEY: org_key };
    const requested = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<Response>();
    between.answer = () => {
      requested.resolve();
      return gone.promise;
    };
    const authorization = basic(realm.email, realm.api_key);
    let deviceId: string;
    {
      await using server = await TestServer.start({ folder, env });
      deviceId = await registerDevice(server, authorization, keys);
      await server.waitFor("the bouncer receives a request", () => requested.promise.then(() => true));
      await server.kill();
      gone.resolve(new Response());
    }
    const remoteRealm = ["--org-id", org_id, "--realm-uuid", realm.realm_uuid];
    await callCommand(bouncer.store, "create-remote-realm", ...remoteRealm);
    assert.equal(between.requests.length, 1);
    between.answer = () => {
      const { path, authorization, fields } = between.requests.at(-1) ?? assert.fail();
      const headers = { authorization: authorization ?? "" };
      return bouncer.fetch(path, { method: "POST", headers, body: new URLSearchParams(fields) });
    };
    await makeDue(`${folder}/sotto.kv`, REGISTRATIONS);
    await using server = await TestServer.start({ folder, env });
    await untilRegistered(server, authorization, deviceId);
    assert.equal(between.requests.length, 2 + countFailures(server), server.output);
    for (const request of between.requests) assert.deepEqual(request, between.requests[0]);
    assert.equal(await server.stop(), 0);
    assert.equal((await callCommand(server.store, "check")).ok, true);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
