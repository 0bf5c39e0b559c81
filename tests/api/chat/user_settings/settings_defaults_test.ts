// PATCH /realm/user_settings_defaults
import assert from "node:assert/strict";
import { auditKeys, type AuditRecord } from "@/lib/chat/organization/audit/model.ts";
import { listValues } from "@/lib/store/reads.ts";
import { PASSWORD, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const ENDPOINT = "PATCH /realm/user_settings_defaults";

async function settingsOf(chat: TestChat, user: TestUser) {
  const { user_settings } = await succeed(chat, user, "POST /register", {
    fetch_event_types: ["user_settings"],
  });
  return user_settings;
}

async function defaultsOf(chat: TestChat, user: TestUser) {
  const { realm_user_settings_defaults } = await succeed(chat, user, "POST /register", {
    fetch_event_types: ["realm_user_settings_defaults"],
  });
  return realm_user_settings_defaults;
}

Deno.test("new users start with the organization's default settings, and others keep theirs", async () => {
  await using chat = await startChat();
  const before = await defaultsOf(chat, chat.guest);
  assert.equal(before.twenty_four_hour_time, false);
  const changes = {
    twenty_four_hour_time: true,
    send_read_receipts: false,
    enable_drafts_synchronization: false,
  };
  const { body } = await chat.call(chat.admin, ENDPOINT, { ...changes, full_name: "x", timezone: "UTC" });
  assert.deepEqual(body, {
    result: "success",
    msg: "",
    ignored_parameters_unsupported: ["full_name", "timezone"],
  });
  const events = Object.entries(changes).map(([property, value]) => ({
    event: { type: "realm_user_settings_defaults", op: "update", property, value },
    audience: "everyone",
  }));
  const sent = await chat.events();
  const byProperty = (one: { event: object }, other: { event: object }) =>
    JSON.stringify(one.event) < JSON.stringify(other.event) ? -1 : 1;
  assert.deepEqual(sent.toSorted(byProperty), events.toSorted(byProperty));
  const audited = await listValues<AuditRecord>(chat.services.store.kv, auditKeys.all(chat.realm.id));
  const details = { twenty_four_hour_time: ["false", "true"] };
  assert.deepEqual(audited.find(({ action }) => action === "realm_changed")?.details, {
    ...details,
    send_read_receipts: ["true", "false"],
    enable_drafts_synchronization: ["true", "false"],
  });
  await succeed(chat, chat.admin, ENDPOINT, { twenty_four_hour_time: true });
  assert.deepEqual(await chat.events(), []);
  assert.deepEqual(await defaultsOf(chat, chat.guest), { ...before, ...changes });
  assert.deepEqual(await defaultsOf(chat, chat.outsider), before);
  const { user_id } = await succeed(chat, chat.owner, "POST /users", {
    email: "new@example.com",
    full_name: "New",
    password: PASSWORD,
  });
  const { api_key } = await succeed(chat, chat.owner, "POST /fetch_api_key", {
    username: "new@example.com",
    password: PASSWORD,
  });
  const added: TestUser = { id: user_id, email: "new@example.com", apiKey: api_key, realm: chat.realm };
  const own = await settingsOf(chat, added);
  assert.deepEqual([own.twenty_four_hour_time, own.send_read_receipts], [true, false]);
  assert.equal(
    (await chat.call(added, "POST /drafts", { drafts: [] })).status,
    400,
    "drafts are not synchronized",
  );
  assert.equal((await settingsOf(chat, chat.member)).twenty_four_hour_time, false);
  // Later changes of the defaults do not change existing accounts.
  await succeed(chat, chat.owner, ENDPOINT, { twenty_four_hour_time: false });
  assert.equal((await settingsOf(chat, added)).twenty_four_hour_time, true);
});

Deno.test("only administrators change the default settings, to valid values", async () => {
  await using chat = await startChat();
  for (const user of [chat.moderator, chat.member, chat.guest]) {
    const { body } = await chat.call(user, ENDPOINT, { twenty_four_hour_time: true });
    assert.equal(body.code, "UNAUTHORIZED_PRINCIPAL");
  }
  const ask = async (params: object) => (await chat.call(chat.admin, ENDPOINT, { ...params })).body.msg;
  assert.equal(await ask({ twenty_four_hour_time: 1 }), "twenty_four_hour_time is not a boolean");
  assert.equal(
    await ask({ twenty_four_hour_time: true, default_language: "xx-none" }),
    "Invalid default_language",
  );
  assert.deepEqual(await chat.events(), []);
  assert.equal((await chat.call(null, ENDPOINT)).status, 401);
});
