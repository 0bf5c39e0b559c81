import assert from "node:assert/strict";
import { updateSubscriptionProperties } from "@/lib/chat/channels/subscriptions/edit_subscriptions.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { patchChannel, putChannel, readSubscription } from "@/tests/casts/subscriptions_cast.ts";
import { asOtherProcess, assertRefusal, assertSuccess, callerOf } from "@/tests/casts/user_groups_cast.ts";

/** Calls PATCH /users/me/subscriptions/{stream_id}. */
function patch(chat: TestChat, caller: TestUser, id: number, sent: Record<string, unknown>) {
  return chat.call(caller, `PATCH /users/me/subscriptions/${id}`, sent);
}

/** Returns the caller's subscription to a channel, from GET /users/me/subscriptions. */
async function readOwn(chat: TestChat, caller: TestUser, id: number) {
  const { body } = await chat.call(caller, "GET /users/me/subscriptions");
  return body.subscriptions.find(({ stream_id }: { stream_id: number }) => stream_id === id);
}

Deno.test("PATCH /users/me/subscriptions/{stream_id} changes a property for every subscriber (B-subprop-01)", async () => {
  await using chat = await startChat();
  const users = [chat.owner, chat.admin, chat.moderator, chat.member, chat.guest, chat.bot];
  const id = await putChannel(chat, { subscribers: users });
  for (const caller of users) {
    assertSuccess(await patch(chat, caller, id, { property: "color", value: "#ff00FF" }));
    assert.equal((await readOwn(chat, caller, id)).color, "#ff00FF");
    assert.deepEqual(await chat.events(), [{
      event: { type: "subscription", op: "update", stream_id: id, property: "color", value: "#ff00FF" },
      audience: [caller.id],
    }]);
  }
  assert.equal((await patchAnonymously(chat, id)).status, 401);
});

function patchAnonymously(chat: TestChat, id: number) {
  return chat.call(null, `PATCH /users/me/subscriptions/${id}`, { property: "is_muted", value: "true" });
}

Deno.test("every property is stored and sent, changed or not", async () => {
  await using chat = await startChat();
  const id = await putChannel(chat, { subscribers: [chat.member] });
  const properties = [
    "pin_to_top",
    "desktop_notifications",
    "audible_notifications",
    "push_notifications",
    "email_notifications",
    "wildcard_mentions_notify",
  ];
  for (const property of properties) {
    for (const value of [true, true, false]) {
      assertSuccess(await patch(chat, chat.member, id, { property, value }));
      assert.equal((await readOwn(chat, chat.member, id))[property], value);
      assert.deepEqual(await chat.events(), [{
        event: { type: "subscription", op: "update", stream_id: id, property, value },
        audience: [chat.member.id],
      }]);
    }
  }
});

Deno.test("is_muted and in_home_view are opposites, and events hold both whichever was sent", async () => {
  await using chat = await startChat();
  const id = await putChannel(chat, { subscribers: [chat.member] });
  const toEvent = (property: string, value: boolean) => ({
    event: { type: "subscription", op: "update", stream_id: id, property, value },
    audience: [chat.member.id],
  });
  const cases: [string, boolean, boolean][] = [
    ["is_muted", true, true],
    ["in_home_view", true, false],
    ["in_home_view", false, true],
    ["is_muted", false, false],
  ];
  for (const [property, value, isMuted] of cases) {
    assertSuccess(await patch(chat, chat.member, id, { property, value }));
    const { is_muted, in_home_view } = await readOwn(chat, chat.member, id);
    assert.deepEqual([is_muted, in_home_view], [isMuted, !isMuted]);
    assert.equal((await readSubscription(chat, chat.member, id))?.is_muted, isMuted);
    assert.deepEqual(await chat.events(), [toEvent("in_home_view", !isMuted), toEvent("is_muted", isMuted)]);
  }
});

Deno.test("property and value are checked before the channel (B-subprop-02, 03, 04, 09)", async () => {
  await using chat = await startChat();
  const subscribed = await putChannel(chat, { subscribers: [chat.member] });
  const refusals: [Record<string, unknown>, string][] = [
    [{ property: "color", value: "red" }, "color is not a valid hex color code"],
    [{ property: "color", value: "#12" }, "color is not a valid hex color code"],
    [{ property: "color", value: "#1234567" }, "color is not a valid hex color code"],
    [{ property: "color", value: "true" }, "color is not a valid hex color code"],
    [{ property: "pin_to_top", value: "bad" }, "pin_to_top is not a boolean"],
    [{ property: "pin_to_top", value: '"true"' }, "pin_to_top is not a boolean"],
    [{ property: "is_muted", value: "1" }, "is_muted is not a boolean"],
    [{ property: "in_home_view", value: "" }, "in_home_view is not a boolean"],
    [{ property: "bad", value: "true" }, "Unknown subscription property: bad"],
    [{ property: "is_active", value: "true" }, "Unknown subscription property: is_active"],
    [{ property: "periods", value: "true" }, "Unknown subscription property: periods"],
  ];
  for (const [sent, message] of refusals) {
    for (const id of [subscribed, 99999999]) assertRefusal(await patch(chat, chat.member, id, sent), message);
  }
  for (const missing of ["property", "value"]) {
    const sent = missing === "value" ? { property: "color" } : { value: "true" };
    const answer = await patch(chat, chat.member, 99999999, sent);
    assertRefusal(answer, `Missing '${missing}' argument`, "REQUEST_VARIABLE_MISSING");
  }
  assert.deepEqual(await chat.events(), []);
  for (const value of ["#FFF", '"#a1b2"', "#12345"]) {
    assertSuccess(await patch(chat, chat.member, subscribed, { property: "color", value, mood: "good" }), {
      ignored_parameters_unsupported: ["mood"],
    });
    assert.equal((await readOwn(chat, chat.member, subscribed)).color, value.replaceAll('"', ""));
  }
});

Deno.test("only subscribers of an unarchived channel can set properties (B-subprop-05, 06)", async () => {
  await using chat = await startChat();
  const open = await putChannel(chat);
  const secret = await putChannel(chat, { invite_only: true, subscribers: [chat.member] });
  const archived = await putChannel(chat, { subscribers: [chat.member] });
  await patchChannel(chat, archived, { is_archived: true });
  const sent = { property: "is_muted", value: "true" };
  assertRefusal(await patch(chat, chat.member, open, sent), `Not subscribed to channel ID ${open}`);
  const refused: [TestUser, number][] = [
    [chat.member, 99999999],
    [chat.guest, open],
    [chat.owner, secret],
    [chat.member, archived],
    [chat.outsider, open],
  ];
  for (const [caller, id] of refused) {
    assertRefusal(await patch(chat, caller, id, sent), "Invalid channel ID");
  }
  assert.equal((await patch(chat, chat.member, -1, sent)).status, 404);
  assertSuccess(await patch(chat, chat.member, secret, sent));
});

Deno.test("POST /users/me/subscriptions/properties applies all updates in order, or none", async () => {
  await using chat = await startChat();
  const [one, two, other] = [
    await putChannel(chat, { subscribers: [chat.member] }),
    await putChannel(chat, { subscribers: [chat.member] }),
    await putChannel(chat),
  ];
  const post = (subscription_data: unknown) =>
    chat.call(chat.member, "POST /users/me/subscriptions/properties", { subscription_data });
  const good = [
    { stream_id: one, property: "color", value: "#111111" },
    { stream_id: two, property: "pin_to_top", value: true },
    { stream_id: one, property: "color", value: "#222222" },
  ];
  assertSuccess(await post(good));
  assert.equal((await readOwn(chat, chat.member, one)).color, "#222222");
  assert.equal((await readOwn(chat, chat.member, two)).pin_to_top, true);
  assert.deepEqual((await chat.events()).map(({ event }) => event["value"]), ["#111111", true, "#222222"]);
  const pin = { stream_id: one, property: "pin_to_top", value: true };
  const refusals: [unknown, string][] = [
    [[pin, { ...pin, stream_id: other }], `Not subscribed to channel ID ${other}`],
    [[pin, { ...pin, stream_id: 99999999 }], "Invalid channel ID"],
    [[pin, { ...pin, value: "yes" }], "pin_to_top is not a boolean"],
    [[pin, { ...pin, property: "bad" }], "Unknown subscription property: bad"],
    [
      [{ stream_id: one, property: "color", value: "red" }],
      "Invalid subscription_data[0]: Value error, color is not a valid hex color code",
    ],
    [[{ ...pin, value: 1 }], 'subscription_data[0]["value"] is not a boolean'],
    [
      [{ property: "pin_to_top", value: true }],
      'subscription_data[0]["stream_id"] field is missing: Field required',
    ],
    [[7], "subscription_data[0] is not a dict"],
    ["{}", "subscription_data is not a list"],
    ["no", "subscription_data is not valid JSON"],
    [
      Array.from({ length: 46 }, (_, at) => ({ ...pin, stream_id: one + at })),
      "One request can change 400 properties of 45 channels at most.",
    ],
  ];
  for (const [sent, message] of refusals) assertRefusal(await post(sent), message);
  const missing = await chat.call(chat.guest, "POST /users/me/subscriptions/properties");
  assertRefusal(missing, "Missing 'subscription_data' argument", "REQUEST_VARIABLE_MISSING");
  assert.equal((await chat.call(null, "POST /users/me/subscriptions/properties")).status, 401);
  assert.equal((await readOwn(chat, chat.member, one)).pin_to_top, false);
  assert.deepEqual(await chat.events(), []);
  assertSuccess(await post([]));
});

Deno.test("updateSubscriptionProperties() updates 45 channels at once, and keeps concurrent changes of another process", async () => {
  await using chat = await startChat();
  const caller = await callerOf(chat, chat.member);
  const ids: number[] = [];
  for (let at = 0; at < 45; at++) ids.push(await putChannel(chat, { subscribers: [chat.member] }));
  const pin = ids.map((channelId) => ({ channelId, property: "pin_to_top", value: true }));
  const mute = ids.map((channelId) => ({ channelId, property: "is_muted", value: true }));
  await Promise.all([
    updateSubscriptionProperties(chat.services.chat, caller, pin),
    updateSubscriptionProperties(asOtherProcess(chat), caller, mute),
  ]);
  for (const id of ids) {
    const record = await readSubscription(chat, chat.member, id);
    assert.deepEqual([record?.pin_to_top, record?.is_muted], [true, true]);
  }
});
