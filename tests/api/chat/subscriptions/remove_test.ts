import assert from "node:assert/strict";
import { systemGroupId } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { startChat, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";
import { patchChannel, putChannel, readSubscription } from "@/tests/casts/subscriptions_cast.ts";
import { assertRefusal, assertSuccess, setActive } from "@/tests/casts/user_groups_cast.ts";

/** Calls DELETE /users/me/subscriptions with the names of channels. */
function unsubscribe(
  chat: TestChat,
  caller: TestUser | null,
  subscriptions: readonly string[],
  sent: TestParams = {},
) {
  return chat.call(caller, "DELETE /users/me/subscriptions", { subscriptions, ...sent });
}

async function isSubscribed(chat: TestChat, caller: TestUser, id: number): Promise<boolean> {
  return (await readSubscription(chat, caller, id))?.is_active === true;
}

Deno.test("DELETE /users/me/subscriptions unsubscribes every caller, and lists channels without a subscription", async () => {
  await using chat = await startChat();
  const users = [chat.owner, chat.admin, chat.moderator, chat.member, chat.guest, chat.bot];
  const id = await putChannel(chat, { name: "Roses", subscribers: users });
  await putChannel(chat, { name: "Tulips", is_web_public: true });
  for (const caller of users) {
    assertSuccess(await unsubscribe(chat, caller, ["rOSES ", "Tulips"], { mood: "good" }), {
      removed: ["Roses"],
      not_removed: ["Tulips"],
      ignored_parameters_unsupported: ["mood"],
    });
    assert.equal(await isSubscribed(chat, caller, id), false);
  }
  assertSuccess(await unsubscribe(chat, chat.member, ["Roses"]), { removed: [], not_removed: ["Roses"] });
  assert.equal((await unsubscribe(chat, null, ["Roses"])).status, 401);
});

Deno.test("DELETE /users/me/subscriptions sends events to the caller and to all with metadata access", async () => {
  await using chat = await startChat();
  const id = await putChannel(chat, { name: "Roses", subscribers: [chat.member, chat.guest] });
  await chat.events();
  await unsubscribe(chat, chat.member, ["Roses"]);
  const peer = { type: "subscription", op: "peer_remove", stream_ids: [id], user_ids: [chat.member.id] };
  assert.deepEqual(await chat.events(), [
    {
      event: { type: "subscription", op: "remove", subscriptions: [{ stream_id: id, name: "Roses" }] },
      audience: [chat.member.id],
    },
    { event: peer, audience: "members" },
    { event: peer, audience: [chat.guest.id] },
  ]);
});

Deno.test("DELETE /users/me/subscriptions sends a private channel's deletion to the caller and nothing after it", async () => {
  await using chat = await startChat();
  const subscribers = [chat.member, chat.guest, chat.moderator];
  const id = await putChannel(chat, { name: "Plans", invite_only: true, subscribers });
  await chat.events();
  const principals = [chat.member.id, chat.guest.id];
  const answer = await unsubscribe(chat, chat.owner, ["Plans"], { principals });
  assertSuccess(answer, { removed: ["Plans"], not_removed: [] });
  const rest = [chat.owner.id, chat.admin.id, chat.moderator.id].sort((one, other) => one - other);
  assert.deepEqual(await chat.events(), [
    {
      event: { type: "subscription", op: "remove", subscriptions: [{ stream_id: id, name: "Plans" }] },
      audience: principals,
    },
    {
      event: { type: "stream", op: "delete", streams: [{ stream_id: id }], stream_ids: [id] },
      audience: principals,
    },
    {
      event: { type: "subscription", op: "peer_remove", stream_ids: [id], user_ids: principals },
      audience: rest,
    },
  ]);
});

Deno.test("DELETE /users/me/subscriptions unsubscribes others for administrators and with the channel's permission, never for other members", async () => {
  await using chat = await startChat();
  const moderators = systemGroupId(chat.realm, "role:moderators");
  const id = await putChannel(chat, { name: "open", subscribers: [chat.guest] });
  const remove = (caller: TestUser) =>
    unsubscribe(chat, caller, ["open"], { principals: [chat.guest.email] });
  for (const caller of [chat.moderator, chat.member, chat.bot]) {
    assertRefusal(await remove(caller), "Insufficient permission");
  }
  assert.equal(await isSubscribed(chat, chat.guest, id), true);
  assertSuccess(await remove(chat.admin), { removed: ["open"], not_removed: [] });
  for (const setting of ["can_remove_subscribers_group", "can_administer_channel_group"]) {
    await patchChannel(chat, id, { permissions: { [setting]: moderators } });
    assert.equal((await remove(chat.moderator)).status, 200);
    assertRefusal(await remove(chat.member), "Insufficient permission");
  }
  const again = await unsubscribe(chat, chat.member, ["open"], { principals: [chat.bot.id] });
  assertSuccess(again, { removed: [], not_removed: ["open"] });
  const secret = await putChannel(chat, { name: "secret", invite_only: true, subscribers: [chat.guest] });
  assertSuccess(await unsubscribe(chat, chat.admin, ["secret"], { principals: [chat.guest.id] }), {
    removed: ["secret"],
    not_removed: [],
  });
  await patchChannel(chat, secret, { permissions: { can_remove_subscribers_group: moderators } });
  const hidden = await unsubscribe(chat, chat.moderator, ["secret"], { principals: [chat.guest.id] });
  assertRefusal(hidden, "Channel(s) (secret) do not exist");
});

Deno.test("DELETE /users/me/subscriptions changes nothing if it is refused", async () => {
  await using chat = await startChat();
  const id = await putChannel(chat, { name: "open", subscribers: [chat.member] });
  await putChannel(chat, { name: "secret", invite_only: true });
  const archived = await putChannel(chat, { name: "archived", subscribers: [chat.member] });
  await patchChannel(chat, archived, { is_archived: true });
  const gone = await chat.add("gone");
  await setActive(chat, gone, false);
  await chat.events();
  const refusals: [readonly string[], TestParams, string][] = [
    [["open", "none", "secret"], {}, "Channel(s) (none, secret) do not exist"],
    [["open", "archived"], {}, "Unable to access channel (archived)."],
    [["open"], { principals: [99999999] }, "No such user"],
    [["open"], { principals: [gone.id] }, "User is deactivated"],
    [["open"], { subscriptions: "open" }, "subscriptions is not valid JSON"],
    [["open"], { subscriptions: [1] }, "subscriptions[0] is not a string"],
    [["open", ""], {}, "Channel name can't be empty."],
  ];
  for (const [names, sent, message] of refusals) {
    assertRefusal(await unsubscribe(chat, chat.member, names, sent), message);
  }
  const missing = await chat.call(chat.member, "DELETE /users/me/subscriptions");
  assertRefusal(missing, "Missing 'subscriptions' argument", "REQUEST_VARIABLE_MISSING");
  assertRefusal(await unsubscribe(chat, chat.outsider, ["open"]), "Channel(s) (open) do not exist");
  assert.deepEqual([await isSubscribed(chat, chat.member, id), await chat.events()], [true, []]);
});

Deno.test("PATCH /users/me/subscriptions subscribes and unsubscribes, all or nothing", async () => {
  await using chat = await startChat();
  const old = await putChannel(chat, { name: "old", subscribers: [chat.member] });
  const open = await putChannel(chat, { name: "open" });
  await putChannel(chat, { name: "secret", invite_only: true });
  await chat.events();
  const edit = (sent: TestParams) => chat.call(chat.member, "PATCH /users/me/subscriptions", sent);
  const refusals: [TestParams, string][] = [
    [{}, 'Nothing to do. Specify at least one of "add" or "delete".'],
    [{ add: [], delete: [] }, 'Nothing to do. Specify at least one of "add" or "delete".'],
    [{ add: [{ name: "open" }], delete: ["none"] }, "Channel(s) (none) do not exist"],
    [{ add: [{ name: "new" }], delete: ["none"] }, "Channel(s) (none) do not exist"],
    [{ add: [{ name: "secret" }], delete: ["old"] }, "Unable to access channel (secret)."],
    [{ add: ["open"] }, "add[0] is not a dict"],
  ];
  for (const [sent, message] of refusals) assertRefusal(await edit(sent), message);
  assert.deepEqual([await isSubscribed(chat, chat.member, old), await chat.events()], [true, []]);
  const both = { add: [{ name: "open", color: "#abc" }, { name: "new" }], delete: ["old"] };
  assertSuccess(await edit(both), {
    subscribed: { [chat.member.id]: ["new", "open"] },
    already_subscribed: {},
    removed: ["old"],
    not_removed: [],
  });
  assert.deepEqual(
    [await isSubscribed(chat, chat.member, old), (await readSubscription(chat, chat.member, open))?.color],
    [false, "#abc"],
  );
  const refused = await chat.call(chat.guest, "PATCH /users/me/subscriptions", { delete: ["old"] });
  assertRefusal(refused, "Not allowed for guest users");
  assert.equal((await chat.call(null, "PATCH /users/me/subscriptions")).status, 401);
});
