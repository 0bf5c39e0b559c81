import assert from "node:assert/strict";
import { systemGroupId } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { startChat, type TestUser } from "@/tests/helpers/chat.ts";
import { patchChannel, putChannel } from "@/tests/casts/subscriptions_cast.ts";
import { assertRefusal, assertSuccess, setActive } from "@/tests/casts/user_groups_cast.ts";

Deno.test("GET /users/me/subscriptions lists the caller's unarchived channels with their properties", async () => {
  await using chat = await startChat();
  const id = await putChannel(chat, { name: "Roses", subscribers: [chat.member, chat.guest, chat.bot] });
  const archived = await putChannel(chat, { subscribers: [chat.member] });
  await patchChannel(chat, archived, { is_archived: true });
  await putChannel(chat, { subscribers: [chat.admin] });
  for (const caller of [chat.member, chat.guest, chat.bot]) {
    const { body } = await chat.call(caller, "GET /users/me/subscriptions", { mood: "good" });
    assert.deepEqual(body.ignored_parameters_unsupported, ["mood"]);
    const [shown, ...others] = body.subscriptions;
    const everyone = systemGroupId(chat.realm, "role:everyone");
    assert.deepEqual(others, []);
    assert.deepEqual(
      [shown.stream_id, shown.name, shown.invite_only, shown.subscriber_count, shown.can_send_message_group],
      [id, "Roses", false, 3, everyone],
    );
    assert.match(shown.color, /^#[0-9a-f]{6}$/);
    const chosen = ["is_muted", "in_home_view", "pin_to_top", "push_notifications", "subscribers", "periods"];
    assert.deepEqual(chosen.map((name) => shown[name]), [false, true, false, null, undefined, undefined]);
  }
  assertSuccess(await chat.call(chat.moderator, "GET /users/me/subscriptions"), { subscriptions: [] });
  assert.equal((await chat.call(null, "GET /users/me/subscriptions")).status, 401);
});

Deno.test("GET /users/me/subscriptions includes subscribers on request, without deactivated users", async () => {
  await using chat = await startChat();
  const gone = await chat.add("gone");
  const id = await putChannel(chat, { subscribers: [chat.member, chat.guest, gone] });
  await setActive(chat, gone, false);
  const ids = [chat.member.id, chat.guest.id].sort((one, other) => one - other);
  for (const include_subscribers of ["true", "partial"]) {
    const { body } = await chat.call(chat.member, "GET /users/me/subscriptions", { include_subscribers });
    assert.deepEqual(body.subscriptions[0].subscribers, ids);
  }
  const wrong = await chat.call(chat.member, "GET /users/me/subscriptions", { include_subscribers: "yes" });
  assertRefusal(wrong, "Invalid include_subscribers: Value error, Not in the list of possible values");
  assertSuccess(await chat.call(chat.moderator, `GET /streams/${id}/members`), { subscribers: ids });
});

Deno.test("GET /streams/{stream_id}/members requires metadata access to the channel", async () => {
  await using chat = await startChat();
  const open = await putChannel(chat, { subscribers: [chat.member] });
  const secret = await putChannel(chat, { invite_only: true, subscribers: [chat.member, chat.bot] });
  const archived = await putChannel(chat, { is_archived: true });
  const list = (caller: TestUser | null, id: number) => chat.call(caller, `GET /streams/${id}/members`);
  for (const caller of [chat.owner, chat.admin, chat.moderator, chat.member, chat.bot]) {
    assertSuccess(await list(caller, open), { subscribers: [chat.member.id] });
  }
  const subscribers = [chat.member.id, chat.bot.id].sort((one, other) => one - other);
  for (const caller of [chat.owner, chat.admin, chat.member, chat.bot]) {
    assertSuccess(await list(caller, secret), { subscribers });
  }
  const refused: [TestUser, number][] = [
    [chat.guest, open],
    [chat.moderator, secret],
    [chat.outsider, open],
    [chat.owner, archived],
    [chat.owner, 99999999],
  ];
  for (const [caller, id] of refused) assertRefusal(await list(caller, id), "Invalid channel ID");
  assert.equal((await list(null, open)).status, 401);
  assert.equal((await chat.call(chat.owner, "GET /streams/abc/members")).status, 404);
});

Deno.test("GET /users/{user}/subscriptions/{stream_id} returns whether a user is subscribed", async () => {
  await using chat = await startChat();
  const open = await putChannel(chat, { subscribers: [chat.member] });
  const secret = await putChannel(chat, { invite_only: true, subscribers: [chat.member] });
  const ask = (caller: TestUser | null, of: number, id: number) =>
    chat.call(caller, `GET /users/${of}/subscriptions/${id}`);
  for (const caller of [chat.owner, chat.admin, chat.moderator, chat.member, chat.bot]) {
    assertSuccess(await ask(caller, chat.member.id, open), { is_subscribed: true });
    assertSuccess(await ask(caller, chat.guest.id, open), { is_subscribed: false });
  }
  assertSuccess(await ask(chat.owner, chat.member.id, secret), { is_subscribed: true });
  assertRefusal(await ask(chat.moderator, chat.member.id, secret), "Invalid channel ID");
  assertRefusal(await ask(chat.guest, chat.guest.id, open), "Invalid channel ID");
  assertRefusal(await ask(chat.owner, 99999999, open), "No such user");
  assertRefusal(await ask(chat.owner, chat.outsider.id, open), "No such user");
  await setActive(chat, chat.guest, false);
  assertRefusal(await ask(chat.owner, chat.guest.id, open), "User is deactivated");
  assert.equal((await ask(null, chat.member.id, open)).status, 401);
  const members = { can_access_all_users_group: { new: systemGroupId(chat.realm, "role:members") } };
  assertSuccess(await chat.call(chat.owner, "PATCH /realm", members));
  await setActive(chat, chat.guest, true);
  assertRefusal(await ask(chat.guest, chat.member.id, open), "No such user");
});
