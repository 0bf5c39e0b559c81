// Aliases of fields: GET /server_settings, POST /register, POST /fetch_api_key, POST /jwt/fetch_api_key
import assert from "node:assert/strict";
import { PASSWORD, startChat } from "@/tests/helpers/chat.ts";

const ALIASES = {
  service_feature_level: "x_feature_level",
  service_version: "x_version",
  service_merge_base: { name: "x_merge_base", value: "10.0" },
  realm_name: "x_realm_name",
  api_key: "x_key",
  email: "user_id",
  user_id: "result",
  queue_id: "x_queue",
  profile_data: "x_profile",
};
const env = { COMPATIBILITY_ALIASES: JSON.stringify(ALIASES) };

Deno.test("GET /server_settings returns fields under their names and their aliases", async () => {
  await using chat = await startChat({ env });
  const { status, body } = await chat.call(null, "GET /server_settings");
  assert.equal(status, 200);
  assert.equal(body.x_feature_level, 500);
  assert.deepEqual([body.x_feature_level, body.x_version, body.x_realm_name], [
    body.service_feature_level,
    body.service_version,
    "Gardeners",
  ]);
  assert.deepEqual([body.x_merge_base, body.service_merge_base], ["10.0", ""]);
  assert.deepEqual(Object.keys(body).filter((name) => name.startsWith("x_")).sort(), [
    "x_feature_level",
    "x_merge_base",
    "x_realm_name",
    "x_version",
  ]);
});

Deno.test("POST /register adds aliases of the fields in the response, and replaces none", async () => {
  await using chat = await startChat({ env });
  const { body } = await chat.call(chat.member, "POST /register", {
    fetch_event_types: ["realm_user"],
    extra: 1,
  });
  assert.deepEqual([body.x_version, body.x_queue], [body.service_version, body.queue_id]);
  assert.deepEqual([body.result, body.user_id, body.email], ["success", chat.member.id, chat.member.email]);
  assert.deepEqual([body.x_realm_name, body.ignored_parameters_unsupported], [undefined, ["extra"]]);
  assert.equal(body.realm_users.some((user: object) => "x_profile" in user), false);
});

Deno.test("POST /fetch_api_key adds aliases, other endpoints do not", async () => {
  await using chat = await startChat({ env });
  const sent = { username: chat.member.email, password: PASSWORD };
  const { body } = await chat.call(null, "POST /fetch_api_key", sent);
  assert.equal(body.api_key, chat.member.apiKey);
  assert.deepEqual([body.x_key, body.result, body.user_id], [chat.member.apiKey, "success", chat.member.id]);
  const own = await chat.call(chat.member, "GET /users/me");
  assert.equal(own.body.email, chat.member.email);
  assert.deepEqual(Object.keys(own.body).filter((name) => name.startsWith("x_")), []);
  const refused = await chat.call(null, "POST /fetch_api_key", { ...sent, password: "wrong" });
  assert.deepEqual(Object.keys(refused.body).filter((name) => name.startsWith("x_")), []);
});

Deno.test("POST /register and GET /server_settings have no aliases unless the operator configures them", async () => {
  await using chat = await startChat();
  for (
    const { body } of [
      await chat.call(null, "GET /server_settings"),
      await chat.call(chat.member, "POST /register"),
    ]
  ) {
    assert.deepEqual(Object.keys(body).filter((name) => name.startsWith("x_")), []);
  }
});
