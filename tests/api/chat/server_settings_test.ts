import assert from "node:assert/strict";
import project from "@/deno.json" with { type: "json" };
import { serverSettingsSchema } from "@/lib/chat/organization/organizations/api.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { startTestApp, type TestApp } from "@/tests/helpers/app.ts";

const PATH = "/api/v1/server_settings";

async function ask(app: TestApp, host?: string, init?: RequestInit) {
  const response = await app.request(PATH, init, host);
  return { status: response.status, body: await response.json() };
}

Deno.test("GET /server_settings returns public settings of server and organization without credentials (B-srv-01)", async () => {
  await using chat = await startChat();
  const { status, body } = await chat.call(null, "GET /server_settings");
  assert.equal(status, 200);
  const { authentication_methods, ...others } = body;
  assert.deepEqual(others, {
    result: "success",
    msg: "",
    external_authentication_methods: [],
    service_feature_level: 500,
    service_version: project.version,
    service_merge_base: "",
    push_notifications_enabled: false,
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
    realm_url: "http://localhost:8000",
    realm_uri: "http://localhost:8000",
    realm_name: "Gardeners",
    realm_icon: "http://localhost:8000/icon.png",
    realm_description: "",
    realm_web_public_access_enabled: false,
  });
  const named = ["password", "dev", "email", "ldap", "remoteuser", "saml", "openid connect"];
  assert.deepEqual(named.filter((name) => !(name in authentication_methods)), []);
  assert.equal(Object.keys(authentication_methods).length, named.length + 6);
  const enabled = Object.keys(authentication_methods).filter((name) =>
    authentication_methods[name] !== false
  );
  assert.deepEqual(enabled.sort(), ["email", "password"]);
  assert.deepEqual([authentication_methods.email, authentication_methods.password], [true, true]);
  assert.ok(serverSettingsSchema.safeParse(body).success);
});

Deno.test("GET /server_settings returns a working icon address", async () => {
  await using chat = await startChat();
  const { body } = await chat.call(null, "GET /server_settings");
  const response = await chat.request(new URL(body.realm_icon).pathname);
  assert.deepEqual([response.status, response.headers.get("content-type")], [200, "image/png"]);
  await response.body?.cancel();
});

Deno.test("GET /server_settings returns each organization's name and address and refuses an unknown subdomain", async () => {
  await using chat = await startChat();
  const other = await ask(chat, "OTHER.localhost:8000");
  assert.deepEqual([other.body.realm_name, other.body.realm_url, other.body.realm_uri], [
    "Others",
    "http://other.localhost:8000",
    "http://other.localhost:8000",
  ]);
  assert.deepEqual(await ask(chat, "nowhere.localhost:8000"), {
    status: 400,
    body: { result: "error", msg: "Invalid subdomain", code: "BAD_REQUEST" },
  });
  await using empty = await startTestApp();
  const root = await ask(empty);
  assert.equal(root.status, 200);
  assert.deepEqual(Object.keys(root.body).filter((name) => name.startsWith("realm")), []);
  assert.equal(root.body.service_feature_level, 500);
});

Deno.test("GET /server_settings escapes the description and reports spectator access when server and organization allow it", async () => {
  await using chat = await startChat();
  const description = `<script>alert("1")</script> & 'more'\nsame\n\n\nnext`;
  await chat.call(chat.admin, "PATCH /realm", { description, enable_spectator_access: true, name: "A <b>" });
  const { body } = await ask(chat);
  assert.equal(
    body.realm_description,
    "<p>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; 'more'\nsame</p>\n<p>next</p>",
  );
  assert.equal(body.realm_name, "A <b>");
  assert.equal(body.realm_web_public_access_enabled, true);
  await using closed = await startChat({ env: { WEB_PUBLIC_STREAMS_ENABLED: "false" } });
  await closed.call(closed.admin, "PATCH /realm", { enable_spectator_access: true });
  assert.equal((await ask(closed)).body.realm_web_public_access_enabled, false);
});

Deno.test("GET /server_settings reports push notifications when a bouncer is configured", async () => {
  const env = { PUSH_BOUNCER_URL: "https://push.example", PUSH_ORG_ID: "org", PUSH_ORG_KEY: "quiet" };
  await using app = await startTestApp({ env });
  assert.equal((await ask(app)).body.push_notifications_enabled, true);
});

Deno.test("GET /server_settings ignores credentials, lists unknown parameters and refuses other methods (B-srv-03)", async () => {
  await using chat = await startChat();
  for (const authorization of ["Basic !!!", "Bearer x", `Basic ${btoa("a:b")}`, ""]) {
    const { status, body } = await ask(chat, undefined, { headers: { authorization } });
    assert.deepEqual([status, body.realm_name], [200, "Gardeners"], authorization);
  }
  for (const person of [chat.owner, chat.guest, chat.bot]) {
    assert.equal((await chat.call(person, "GET /server_settings")).status, 200);
  }
  const { body } = await chat.call(null, "GET /server_settings", { b: 1, a: 2 });
  assert.deepEqual(body.ignored_parameters_unsupported, ["a", "b"]);
  const post = await chat.call(null, "POST /server_settings");
  assert.deepEqual([post.status, post.body.msg], [405, "Method Not Allowed"]);
  assert.ok(post.body.allowed_methods.includes("GET"));
});

Deno.test("GET /server_settings works for a deactivated organization", async () => {
  await using chat = await startChat();
  const { kv } = chat.services.store;
  await kv.set(["realm", chat.realm.id], { ...chat.realm, is_deactivated: true });
  assert.deepEqual((await ask(chat)).body.realm_name, "Gardeners");
});
