import assert from "node:assert/strict";
import { settingNames, settingsParams } from "@/lib/chat/people/user_settings/model/settings.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";
import type { SettingValue } from "@/lib/chat/people/user_settings/model/registry.ts";
import { readUserSettings } from "@/lib/chat/people/user_settings/store.ts";
import { readRecord } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import { putUser } from "@/lib/chat/people/put_user.ts";
import { userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { basic, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { alterSettings } from "@/tests/helpers/realm.ts";

const PATCH = "PATCH /settings";

async function readUser(chat: TestChat, { id, realm }: TestUser): Promise<UserRecord> {
  const user = await readRecord<UserRecord>(chat.services.store.kv, userKeys.user(realm.id, id));
  assert.ok(user !== null);
  return user;
}

async function readSettings(chat: TestChat, caller: TestUser) {
  return await readUserSettings(chat.services.chat, caller.realm.id, await readUser(chat, caller));
}

/** Asserts that the request is refused with BAD_REQUEST and the message, and changes nothing. */
async function assertRefused(
  chat: TestChat,
  params: Readonly<Record<string, unknown>>,
  msg: string,
): Promise<void> {
  const before = [await readUser(chat, chat.member), await readSettings(chat, chat.member)];
  const { status, body } = await chat.call(chat.member, PATCH, params);
  assert.deepEqual([status, body], [400, { result: "error", msg, code: "BAD_REQUEST" }]);
  assert.deepEqual([await readUser(chat, chat.member), await readSettings(chat, chat.member)], before);
  assert.deepEqual(await chat.events(), []);
}

Deno.test("PATCH /settings without parameters succeeds and changes nothing (A018, A004)", async () => {
  await using chat = await startChat();
  const { status, body } = await chat.call(chat.member, PATCH);
  assert.deepEqual([status, body], [200, { result: "success", msg: "" }]);
  const authorization = basic(` ${chat.member.email.toUpperCase()} `, chat.member.apiKey);
  const response = await chat.request("/api/v1/settings", { method: "PATCH", headers: { authorization } });
  assert.deepEqual([response.status, await response.json()], [200, { result: "success", msg: "" }]);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("PATCH /settings and its former paths require a human user (A002, A005, A007)", async () => {
  await using chat = await startChat();
  for (const path of ["/settings", "/settings/display", "/settings/notifications"]) {
    const call = (caller: TestUser | null) => chat.call(caller, `PATCH ${path}`, { color_scheme: 2 });
    assert.deepEqual([(await call(null)).status, (await call(null)).body.code], [401, "UNAUTHORIZED"]);
    const wrong = await call({ ...chat.member, apiKey: "x".repeat(32) });
    assert.deepEqual([wrong.status, wrong.body.code, wrong.body.msg], [
      401,
      "INVALID_API_KEY",
      "Invalid API key",
    ]);
    const unread = await chat.request(`/api/v1${path}`, {
      method: "PATCH",
      headers: { authorization: `Basic ${btoa("nocolon")}` },
    });
    assert.deepEqual([unread.status, (await unread.json()).msg], [
      401,
      "Invalid authorization header for basic auth",
    ]);
    const bot = await call(chat.bot);
    assert.deepEqual([bot.status, bot.body.msg], [400, "This endpoint does not accept bot requests."]);
    const method = await chat.call(chat.member, `DELETE ${path}`);
    assert.deepEqual([method.status, method.body.msg], [405, "Method Not Allowed"]);
    assert.deepEqual(method.body.allowed_methods, ["OPTIONS", "PATCH"]);
    assert.match(method.headers.get("allow") ?? "", /PATCH/);
    const person = await chat.add(`person${path.length}`);
    assert.deepEqual((await call(person)).body, { result: "success", msg: "" });
    assert.equal((await readSettings(chat, person)).color_scheme, 2);
  }
});

Deno.test("PATCH /settings updates the caller's settings in every role and notifies only the caller (A011, A019)", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, outsider } = chat;
  for (const caller of [owner, admin, moderator, member, guest]) {
    const { status, body } = await chat.call(caller, PATCH, { twenty_four_hour_time: true, color_scheme: 3 });
    assert.deepEqual([status, body], [200, { result: "success", msg: "" }]);
    const { twenty_four_hour_time, color_scheme } = await readSettings(chat, caller);
    assert.deepEqual([twenty_four_hour_time, color_scheme], [true, 3]);
    const toExpectedEvent = (property: string, value: SettingValue) => ({
      event: { type: "user_settings", op: "update", property, value },
      audience: [caller.id],
    });
    const expected = [toExpectedEvent("twenty_four_hour_time", true), toExpectedEvent("color_scheme", 3)];
    assert.deepEqual(await chat.events(), expected);
  }
  assert.equal((await readSettings(chat, outsider)).color_scheme, 1);
  assert.equal((await chat.call(outsider, PATCH, { color_scheme: 2 })).status, 200);
  assert.deepEqual([(await readSettings(chat, outsider)).color_scheme, await chat.events()], [2, []]);
});

Deno.test("PATCH /settings sends no event for an unchanged value and lists ignored parameters (A036)", async () => {
  await using chat = await startChat();
  const params = { color_scheme: 2, dense_mode: true, __proto__x: "1", toString: "1" };
  for (const expected of [1, 0]) {
    const { status, body } = await chat.call(chat.member, PATCH, params);
    assert.equal(status, 200);
    assert.deepEqual(body.ignored_parameters_unsupported, ["__proto__x", "dense_mode", "toString"]);
    assert.equal((await chat.events()).length, expected);
  }
});

Deno.test("PATCH /settings reads only form bodies, which take precedence over the query", async () => {
  await using chat = await startChat();
  const authorization = basic(chat.member.email, chat.member.apiKey);
  const send = (headers: Record<string, string>, body: BodyInit) =>
    chat.request("/api/v1/settings?color_scheme=3", {
      method: "PATCH",
      headers: { authorization, ...headers },
      body,
    });
  assert.equal((await send({ "content-type": "application/json" }, '{"color_scheme":2}')).status, 200);
  assert.equal((await readSettings(chat, chat.member)).color_scheme, 3);
  assert.equal((await send({}, new URLSearchParams({ color_scheme: "2" }))).status, 200);
  assert.equal((await readSettings(chat, chat.member)).color_scheme, 2);
});

const NOT_POSSIBLE = "Value error, Not in the list of possible values";
const REFUSALS: readonly [params: Readonly<Record<string, unknown>>, msg: string, probe?: string][] = [
  [{ color_scheme: 100 }, `Invalid color_scheme: ${NOT_POSSIBLE}`, "A021"],
  [{ color_scheme: "abc" }, "color_scheme is not valid JSON"],
  [{ color_scheme: "" }, "color_scheme is not valid JSON"],
  [{ color_scheme: "true" }, "color_scheme is not an integer"],
  [{ web_home_view: "invalid_view" }, `Invalid web_home_view: ${NOT_POSSIBLE}`, "A022"],
  [{ web_home_view: "recent_topics" }, `Invalid web_home_view: ${NOT_POSSIBLE}`],
  [{ web_channel_default_view: 3 }, `Invalid web_channel_default_view: ${NOT_POSSIBLE}`],
  [{ emojiset: "apple" }, `Invalid emojiset: ${NOT_POSSIBLE}`, "A024"],
  [{ web_font_size_px: '"16"' }, "web_font_size_px is not an integer", "A016"],
  [{ web_font_size_px: 0 }, "Invalid web_font_size_px: Value error, Must be from 1 to 32767"],
  [
    { web_line_height_percent: 32768 },
    "Invalid web_line_height_percent: Value error, Must be from 1 to 32767",
  ],
  [{ twenty_four_hour_time: "1" }, "twenty_four_hour_time is not a boolean"],
  [{ twenty_four_hour_time: "True" }, "twenty_four_hour_time is not valid JSON"],
  [{ enter_sends: '"true"' }, "enter_sends is not a boolean"],
  [{ timezone: "Mars/Olympus" }, "Invalid timezone: Value error, Not a recognized time zone"],
  [{ default_language: "xx_invalid" }, "Invalid default_language", "A025"],
  [{ default_language: "xx" }, "Invalid default_language"],
  [{ default_language: `de-${"x".repeat(40)}` }, "default_language is too long (limit: 35 characters)"],
  [{ notification_sound: "trumpet" }, "Invalid notification sound 'trumpet'"],
  [{ email_notifications_batching_period_seconds: 0 }, "Invalid email batching period: 0 seconds"],
  [{ email_notifications_batching_period_seconds: 604801 }, "Invalid email batching period: 604801 seconds"],
  [{ email_address_visibility: 6 }, `Invalid email_address_visibility: ${NOT_POSSIBLE}`],
  [{ full_name: "x".repeat(101) }, "Name too long!", "A030"],
  [{ full_name: "Ann*" }, "Invalid characters in name!", "A031"],
  [{ full_name: "   " }, "Name must not be empty!", "A032"],
  [{ full_name: "Ann|5" }, "Invalid format!"],
];

for (const [params, msg, probe] of REFUSALS) {
  const name = `PATCH /settings refuses ${JSON.stringify(params).slice(0, 60)} and changes nothing else`;
  Deno.test(probe === undefined ? name : `${name} (${probe})`, async () => {
    await using chat = await startChat();
    await assertRefused(chat, { starred_message_counts: false, ...params }, msg);
  });
}

Deno.test("PATCH /settings reports malformed values before unknown ones, and a wrong password before a bad name", async () => {
  await using chat = await startChat();
  const passwords = { old_password: "bad", new_password: "Qr7!kkzz19x" };
  await assertRefused(
    chat,
    { full_name: "", ...passwords, default_language: "xx", timezone: "x" },
    "Invalid timezone: Value error, Not a recognized time zone",
  );
  await assertRefused(
    chat,
    { full_name: "", ...passwords, default_language: "xx" },
    "Invalid default_language",
  );
  await assertRefused(chat, { full_name: "", ...passwords }, "Wrong password!");
});

Deno.test("PATCH /settings accepts every setting (A023)", async () => {
  await using chat = await startChat();
  const before = await readSettings(chat, chat.member);
  assert.deepEqual(Object.keys(before).sort(), [...settingNames].sort());
  const other: Record<string, SettingValue> = {
    web_home_view: "recent",
    web_font_size_px: 20,
    web_line_height_percent: 120,
    emojiset: "text",
    web_animate_image_previews: "never",
    resolved_topic_notice_auto_read_policy: "never",
    notification_sound: "none",
    email_notifications_batching_period_seconds: 604_800,
    timezone: "Asia/Kolkata",
    default_language: "pt-br",
    user_list_style: 2,
    web_channel_default_view: 4,
    automatically_follow_topics_policy: 4,
  };
  const values = Object.fromEntries(settingNames.map((name) => {
    const value = before[name];
    return [
      name,
      other[name] ?? (typeof value === "boolean" ? !value : value === 2 ? 1 : value === 1 ? 2 : value),
    ];
  }));
  const { status, body } = await chat.call(chat.member, PATCH, values);
  assert.deepEqual([status, body], [200, { result: "success", msg: "" }]);
  assert.deepEqual(await readSettings(chat, chat.member), values);
  const own = (await chat.events()).map(({ event }) => event).filter(({ type }) => type === "user_settings");
  assert.deepEqual(settingNames.filter((name) => values[name] === before[name]), []);
  assert.equal(own.length, settingNames.length);
  assert.equal(own.at(-1)?.["property"], "timezone");
});

Deno.test("PATCH /settings trims and stores a name, and sends one event to everyone (A033)", async () => {
  await using chat = await startChat();
  const expected = {
    event: { type: "realm_user", op: "update", person: { user_id: chat.guest.id, full_name: "Ann Bee" } },
    audience: "everyone",
  };
  assert.equal((await chat.call(chat.guest, PATCH, { full_name: "  Ann Bee  " })).status, 200);
  assert.equal((await readUser(chat, chat.guest)).full_name, "Ann Bee");
  assert.deepEqual(await chat.events(), [expected]);
  assert.equal((await chat.call(chat.guest, PATCH, { full_name: " Ann Bee" })).status, 200);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("PATCH /settings ignores a name while name changes are disabled, except for administrators", async () => {
  await using chat = await startChat();
  await alterSettings(chat, { name_changes_disabled: true });
  for (const name of ["Ann Bee", "Ann*"]) {
    assert.equal((await chat.call(chat.member, PATCH, { full_name: name, color_scheme: 2 })).status, 200);
  }
  assert.equal((await readUser(chat, chat.member)).full_name, "Member");
  assert.equal((await readSettings(chat, chat.member)).color_scheme, 2);
  assert.equal((await chat.call(chat.admin, PATCH, { full_name: "Ann Bee" })).status, 200);
  assert.equal((await readUser(chat, chat.admin)).full_name, "Ann Bee");
});

Deno.test("PATCH /settings sends a new time zone to everyone", async () => {
  await using chat = await startChat();
  assert.equal((await chat.call(chat.member, PATCH, { timezone: "UTC" })).status, 200);
  assert.equal((await chat.call(chat.member, "GET /users/me")).body.timezone, "UTC");
  const { id, email } = chat.member;
  assert.deepEqual(await chat.events(), [
    { event: { type: "user_settings", op: "update", property: "timezone", value: "UTC" }, audience: [id] },
    {
      event: { type: "realm_user", op: "update", person: { user_id: id, email, timezone: "UTC" } },
      audience: "everyone",
    },
  ]);
  assert.equal((await chat.call(chat.member, PATCH, { timezone: "" })).status, 200);
  assert.equal((await readUser(chat, chat.member)).timezone, "");
});

Deno.test("PATCH /settings accepts every time zone that Intl knows, in its IANA spelling", async () => {
  await using chat = await startChat();
  for (
    const [sent, kept] of [
      ...["US/Pacific", "Asia/Istanbul", "CET", "Europe/Kiev", "Asia/Calcutta", "EST5EDT"].map((name) =>
        [name, name] as const
      ),
      ["us/pacific", "US/Pacific"],
      ["ASIA/HO_CHI_MINH", "Asia/Ho_Chi_Minh"],
      ["utc", "UTC"],
    ] as const
  ) {
    assert.equal((await chat.call(chat.member, PATCH, { timezone: sent })).status, 200, sent);
    assert.equal((await readUser(chat, chat.member)).timezone, kept);
  }
  for (const timezone of Intl.supportedValuesOf("timeZone")) {
    const { values } = readParams(settingsParams, new Map([["timezone", timezone]]));
    assert.equal(values.timezone, timezone);
  }
  for (const timezone of ["+05:30", "-03", "2026-01-01T00:00[Europe/Berlin]", "Z", " UTC", "x".repeat(100)]) {
    const { status, body } = await chat.call(chat.member, PATCH, { timezone });
    const message = "Invalid timezone: Value error, Not a recognized time zone";
    assert.deepEqual([status, body["msg"]], [400, message], timezone);
  }
});

Deno.test("PATCH /settings refuses a deactivated user or organization", async () => {
  await using chat = await startChat();
  const user = await readUser(chat, chat.member);
  await transact(chat.services.store, (tx) => putUser(tx, chat.realm.id, { ...user, is_active: false }));
  const { status, body } = await chat.call(chat.member, PATCH, { color_scheme: 2 });
  assert.deepEqual([status, body.code], [401, "USER_DEACTIVATED"]);
});
