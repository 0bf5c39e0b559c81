import assert from "node:assert/strict";
import { systemGroupId } from "@/lib/chat/permissions/system_groups.ts";
import { type Person, type Sent, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { patchChannel, putChannel, readSubscription } from "./subscriptions_cast.ts";
import { assertRefusal, assertSuccess, setActive } from "./user_groups_cast.ts";

/** Calls DELETE /users/me/subscriptions with channels' names. */
function leave(chat: TestChat, who: Person | null, subscriptions: readonly string[], sent: Sent = {}) {
  return chat.call(who, "DELETE /users/me/subscriptions", { subscriptions, ...sent });
}

async function isIn(chat: TestChat, who: Person, id: number): Promise<boolean> {
  return (await readSubscription(chat, who, id))?.is_active === true;
}

Deno.test("DELETE /users/me/subscriptions lets everybody leave, and says where he was not", async () => {
  await using chat = await startChat();
  const everybody = [chat.owner, chat.admin, chat.moderator, chat.member, chat.guest, chat.bot];
  const id = await putChannel(chat, { name: "Roses", subscribers: everybody });
  await putChannel(chat, { name: "Tulips", is_web_public: true });
  for (const who of everybody) {
    assertSuccess(await leave(chat, who, ["rOSES ", "Tulips"], { mood: "good" }), {
      removed: ["Roses"],
      not_removed: ["Tulips"],
      ignored_parameters_unsupported: ["mood"],
    });
    assert.equal(await isIn(chat, who, id), false);
  }
  assertSuccess(await leave(chat, chat.member, ["Roses"]), { removed: [], not_removed: ["Roses"] });
  assert.equal((await leave(chat, null, ["Roses"])).status, 401);
});

Deno.test("who leaves is told, and all who may know of the channel are told of him", async () => {
  await using chat = await startChat();
  const id = await putChannel(chat, { name: "Roses", subscribers: [chat.member, chat.guest] });
  await chat.events();
  await leave(chat, chat.member, ["Roses"]);
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

Deno.test("who leaves a private channel hears that it is gone and nothing after that", async () => {
  await using chat = await startChat();
  const subscribers = [chat.member, chat.guest, chat.moderator];
  const id = await putChannel(chat, { name: "Plans", invite_only: true, subscribers });
  await chat.events();
  const principals = [chat.member.id, chat.guest.id];
  const answer = await leave(chat, chat.owner, ["Plans"], { principals });
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

Deno.test("others are removed by administrators and those whom the channel lets, never by mere members", async () => {
  await using chat = await startChat();
  const moderators = systemGroupId(chat.realm, "role:moderators");
  const id = await putChannel(chat, { name: "open", subscribers: [chat.guest] });
  const remove = (who: Person) => leave(chat, who, ["open"], { principals: [chat.guest.email] });
  for (const who of [chat.moderator, chat.member, chat.bot]) {
    assertRefusal(await remove(who), "Insufficient permission");
  }
  assert.equal(await isIn(chat, chat.guest, id), true);
  assertSuccess(await remove(chat.admin), { removed: ["open"], not_removed: [] });
  for (const setting of ["can_remove_subscribers_group", "can_administer_channel_group"]) {
    await patchChannel(chat, id, { permissions: { [setting]: moderators } });
    assert.equal((await remove(chat.moderator)).status, 200);
    assertRefusal(await remove(chat.member), "Insufficient permission");
  }
  const again = await leave(chat, chat.member, ["open"], { principals: [chat.bot.id] });
  assertSuccess(again, { removed: [], not_removed: ["open"] });
  const secret = await putChannel(chat, { name: "secret", invite_only: true, subscribers: [chat.guest] });
  assertSuccess(await leave(chat, chat.admin, ["secret"], { principals: [chat.guest.id] }), {
    removed: ["secret"],
    not_removed: [],
  });
  await patchChannel(chat, secret, { permissions: { can_remove_subscribers_group: moderators } });
  const hidden = await leave(chat, chat.moderator, ["secret"], { principals: [chat.guest.id] });
  assertRefusal(hidden, "Channel(s) (secret) do not exist");
});

Deno.test("a request to leave that is refused changes nothing", async () => {
  await using chat = await startChat();
  const id = await putChannel(chat, { name: "open", subscribers: [chat.member] });
  await putChannel(chat, { name: "secret", invite_only: true });
  const archived = await putChannel(chat, { name: "archived", subscribers: [chat.member] });
  await patchChannel(chat, archived, { is_archived: true });
  const gone = await chat.add("gone");
  await setActive(chat, gone, false);
  await chat.events();
  const refusals: [readonly string[], Sent, string][] = [
    [["open", "none", "secret"], {}, "Channel(s) (none, secret) do not exist"],
    [["open", "archived"], {}, "Unable to access channel (archived)."],
    [["open"], { principals: [99999999] }, "No such user"],
    [["open"], { principals: [gone.id] }, "User is deactivated"],
    [["open"], { subscriptions: "open" }, "subscriptions is not valid JSON"],
    [["open"], { subscriptions: [1] }, "subscriptions[0] is not a string"],
    [["open", ""], {}, "Channel name can't be empty."],
  ];
  for (const [names, sent, message] of refusals) {
    assertRefusal(await leave(chat, chat.member, names, sent), message);
  }
  const missing = await chat.call(chat.member, "DELETE /users/me/subscriptions");
  assertRefusal(missing, "Missing 'subscriptions' argument", "REQUEST_VARIABLE_MISSING");
  assertRefusal(await leave(chat, chat.outsider, ["open"]), "Channel(s) (open) do not exist");
  assert.deepEqual([await isIn(chat, chat.member, id), await chat.events()], [true, []]);
});

Deno.test("PATCH /users/me/subscriptions does both at once, or neither", async () => {
  await using chat = await startChat();
  const old = await putChannel(chat, { name: "old", subscribers: [chat.member] });
  const open = await putChannel(chat, { name: "open" });
  await putChannel(chat, { name: "secret", invite_only: true });
  await chat.events();
  const edit = (sent: Sent) => chat.call(chat.member, "PATCH /users/me/subscriptions", sent);
  const refusals: [Sent, string][] = [
    [{}, 'Nothing to do. Specify at least one of "add" or "delete".'],
    [{ add: [], delete: [] }, 'Nothing to do. Specify at least one of "add" or "delete".'],
    [{ add: [{ name: "open" }], delete: ["none"] }, "Channel(s) (none) do not exist"],
    [{ add: [{ name: "new" }], delete: ["none"] }, "Channel(s) (none) do not exist"],
    [{ add: [{ name: "secret" }], delete: ["old"] }, "Unable to access channel (secret)."],
    [{ add: ["open"] }, "add[0] is not a dict"],
  ];
  for (const [sent, message] of refusals) assertRefusal(await edit(sent), message);
  assert.deepEqual([await isIn(chat, chat.member, old), await chat.events()], [true, []]);
  const both = { add: [{ name: "open", color: "#abc" }, { name: "new" }], delete: ["old"] };
  assertSuccess(await edit(both), {
    subscribed: { [chat.member.id]: ["new", "open"] },
    already_subscribed: {},
    removed: ["old"],
    not_removed: [],
  });
  assert.deepEqual(
    [await isIn(chat, chat.member, old), (await readSubscription(chat, chat.member, open))?.color],
    [false, "#abc"],
  );
  const refused = await chat.call(chat.guest, "PATCH /users/me/subscriptions", { delete: ["old"] });
  assertRefusal(refused, "Not allowed for guest users");
  assert.equal((await chat.call(null, "PATCH /users/me/subscriptions")).status, 401);
});
