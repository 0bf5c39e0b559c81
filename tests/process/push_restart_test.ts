import assert from "node:assert/strict";
import { admin } from "@/tests/helpers/command_line.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { TestServer, within } from "@/tests/helpers/server.ts";
import { newKeys, seal } from "@/tests/api/chat/bouncer_cast.ts";
import { keyGroup, tokenId, ToldBouncer } from "@/tests/api/chat/devices_cast.ts";

/** The lease of a killed server's claim, and room for slow machines. */
const TOLD_WITHIN_MS = 60_000;

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

async function untilActive(server: TestServer, authorization: string, id: string): Promise<void> {
  for (;;) {
    const event_types = JSON.stringify(["device"]);
    const { devices } = await call(server, "/register", { authorization, fetch_event_types: event_types });
    if (devices[id].push_token_id !== null) return;
    assert.equal(devices[id].push_registration_error_code, null);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

Deno.test("a server killed while it tells a bouncer of a device tells it once more when it is back, and it is registered", async () => {
  const keys = await newKeys();
  await using bouncer = await TestServer.start({ env: { PUSH_BOUNCER_KEYS: JSON.stringify([keys]) } });
  await using between = new ToldBouncer();
  const folder = await Deno.makeTempDir();
  try {
    const { org_id, org_key } = await admin(bouncer.store, "create-remote-server", "--name", "Gardeners");
    const env = { PUSH_BOUNCER_URL: between.url, PUSH_ORG_ID: org_id, PUSH_ORG_KEY: org_key };
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: isGone, resolve: go } = Promise.withResolvers<Response>();
    between.answer = () => {
      ask();
      return isGone;
    };
    const { authorization, device_id, realm_uuid } = await (async () => {
      await using server = await TestServer.start({ folder, env });
      const owner = ["--owner-email", "owner@example.com", "--owner-name", "Owner"];
      const { email, api_key, realm_uuid } = await admin(
        server.store,
        "create-realm",
        "--name",
        "Gardeners",
        ...owner,
      );
      const authorization = basic(email, api_key);
      const device_id = String((await call(server, "/register_client_device", { authorization })).device_id);
      const timestamp = Math.floor(Date.now() / 1000);
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
      await isAsked;
      await server.kill();
      go(new Response());
      return { authorization, device_id, realm_uuid };
    })();
    await admin(bouncer.store, "create-remote-realm", "--org-id", org_id, "--realm-uuid", realm_uuid);
    const asked = between.asked.length;
    between.answer = () => {
      const { path, authorization, fields } = between.asked.at(-1) ?? assert.fail();
      const headers = { authorization: authorization ?? "" };
      return bouncer.fetch(path, { method: "POST", headers, body: new URLSearchParams(fields) });
    };
    await using server = await TestServer.start({ folder, env });
    await within(
      TOLD_WITHIN_MS,
      untilActive(server, authorization, device_id),
      () => `${between.asked.length}`,
    );
    assert.deepEqual([asked, between.asked.length], [1, 2]);
    assert.deepEqual(between.asked[0], between.asked[1]);
    assert.equal(await server.stop(), 0);
    assert.equal((await admin(server.store, "check")).ok, true);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
