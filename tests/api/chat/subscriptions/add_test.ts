import assert from "node:assert/strict";
import {
  systemGroupId,
  type SystemGroupName,
} from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { startChat, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";
import { patchChannel, putChannel, readSubscription } from "@/tests/casts/subscriptions_cast.ts";
import { assertRefusal, assertSuccess, setActive } from "@/tests/casts/user_groups_cast.ts";

/** Calls POST /users/me/subscriptions with the names of channels. */
function subscribe(chat: TestChat, caller: TestUser | null, names: readonly string[], sent: TestParams = {}) {
  const subscriptions = names.map((name) => ({ name }));
  return chat.call(caller, "POST /users/me/subscriptions", { subscriptions, ...sent });
}

async function isSubscribed(chat: TestChat, caller: TestUser, id: number): Promise<boolean> {
  return (await readSubscription(chat, caller, id))?.is_active === true;
}

function group(chat: TestChat, name: SystemGroupName): number {
  return systemGroupId(chat.realm, name);
}

/** Changes the organization's permission to add subscribers. */
async function restrictAdding(chat: TestChat, name: SystemGroupName): Promise<void> {
  const update = { can_add_subscribers_group: { new: group(chat, name) } };
  assertSuccess(await chat.call(chat.owner, "PATCH /realm", update));
  await chat.events();
}

Deno.test("POST /users/me/subscriptions subscribes all but guests to public channels, by names in any letter case", async () => {
  await using chat = await startChat();
  const id = await putChannel(chat, { name: "Roses" });
  for (const caller of [chat.owner, chat.admin, chat.moderator, chat.member, chat.bot]) {
    const answer = await subscribe(chat, caller, [" rOSES ", "roses"], { mood: "good" });
    assertSuccess(answer, {
      subscribed: { [caller.id]: ["Roses"] },
      already_subscribed: {},
      ignored_parameters_unsupported: ["mood"],
    });
    assert.equal(await isSubscribed(chat, caller, id), true);
  }
  assertSuccess(await subscribe(chat, chat.member, ["Roses"]), {
    subscribed: {},
    already_subscribed: { [chat.member.id]: ["Roses"] },
  });
  assertRefusal(await subscribe(chat, chat.guest, ["Roses"]), "Not allowed for guest users");
  assert.equal((await subscribe(chat, null, ["Roses"])).status, 401);
  assert.equal(await isSubscribed(chat, chat.guest, id), false);
});

Deno.test("POST /users/me/subscriptions sends the channel to the new subscriber, and the subscriber to all with metadata access", async () => {
  await using chat = await startChat();
  const id = await putChannel(chat, { name: "Roses", subscribers: [chat.owner, chat.guest] });
  await chat.events();
  assertSuccess(
    await chat.call(chat.member, "POST /users/me/subscriptions", {
      subscriptions: [{ name: "Roses", color: "#123456" }],
    }),
    { subscribed: { [chat.member.id]: ["Roses"] }, already_subscribed: {} },
  );
  const events = await chat.events();
  const [added] = events;
  const { body } = await chat.call(chat.member, "GET /users/me/subscriptions", { include_subscribers: true });
  assert.deepEqual(added, {
    event: { type: "subscription", op: "add", subscriptions: body.subscriptions },
    audience: [chat.member.id],
  });
  const [shown] = body.subscriptions;
  assert.deepEqual([shown.color, shown.subscriber_count], ["#123456", 3]);
  const peer = { type: "subscription", op: "peer_add", stream_ids: [id], user_ids: [chat.member.id] };
  assert.deepEqual(events.slice(1), [
    { event: peer, audience: "members" },
    { event: peer, audience: [chat.guest.id] },
  ]);
});

Deno.test("POST /users/me/subscriptions sends the channel before the subscription to users without metadata access", async () => {
  await using chat = await startChat();
  const id = await putChannel(chat, { name: "Plans", invite_only: true, subscribers: [chat.member] });
  await chat.events();
  const principals = [chat.moderator.id, chat.guest.id, chat.admin.id];
  const answer = await subscribe(chat, chat.member, ["Plans"], { principals });
  assert.deepEqual(Object.keys(answer.body.subscribed), principals.map(String).sort());
  const sent = (await chat.events()).map(({ event, audience }) => [event.type, event.op, audience]);
  const newcomers = [chat.moderator.id, chat.guest.id];
  const audience = [chat.owner, chat.admin, chat.moderator, chat.member, chat.guest].map((caller) =>
    caller.id
  );
  assert.deepEqual(sent, [
    ["stream", "create", newcomers],
    ["subscription", "add", principals],
    ["subscription", "peer_add", audience.sort((one, other) => one - other)],
  ]);
  assert.equal(await isSubscribed(chat, chat.guest, id), true);
});

Deno.test("POST /users/me/subscriptions restores the properties of a former subscription", async () => {
  await using chat = await startChat();
  const id = await putChannel(chat, { name: "Roses", subscribers: [chat.member] });
  const choice = { property: "color", value: "#abcdef" };
  await chat.call(chat.member, `PATCH /users/me/subscriptions/${id}`, choice);
  await chat.call(chat.member, "DELETE /users/me/subscriptions", { subscriptions: ["Roses"] });
  assertSuccess(await subscribe(chat, chat.member, ["Roses"]), {
    subscribed: { [chat.member.id]: ["Roses"] },
    already_subscribed: {},
  });
  assert.equal((await readSubscription(chat, chat.member, id))?.color, "#abcdef");
});

Deno.test("POST /users/me/subscriptions subscribes users to a private channel only with permission to subscribe themselves or others, even administrators", async () => {
  await using chat = await startChat();
  const moderators = group(chat, "role:moderators");
  for (const setting of ["can_subscribe_group", "can_add_subscribers_group"]) {
    const id = await putChannel(chat, {
      name: setting,
      invite_only: true,
      permissions: { [setting]: moderators },
    });
    assertSuccess(await subscribe(chat, chat.moderator, [setting]), {
      subscribed: { [chat.moderator.id]: [setting] },
      already_subscribed: {},
    });
    const refused = await subscribe(chat, chat.member, [setting]);
    assertRefusal(refused, `Unable to access channel (${setting}).`);
    await patchChannel(chat, id, { permissions: {} });
    assertRefusal(await subscribe(chat, chat.owner, [setting]), `Unable to access channel (${setting}).`);
  }
});

Deno.test("POST /users/me/subscriptions subscribes others with a permission of the organization or the channel, and content access", async () => {
  await using chat = await startChat();
  const open = await putChannel(chat, { name: "open" });
  const secret = await putChannel(chat, { name: "secret", invite_only: true });
  const principals = [chat.bot.id, "guest@example.com"];
  assert.equal((await subscribe(chat, chat.moderator, ["open"], { principals })).status, 200);
  assertRefusal(
    await subscribe(chat, chat.admin, ["secret"], { principals }),
    "Unable to access channel (secret).",
  );
  await restrictAdding(chat, "role:administrators");
  const insufficient = "Insufficient permission";
  assertRefusal(await subscribe(chat, chat.moderator, ["open"], { principals }), insufficient);
  assertSuccess(await subscribe(chat, chat.moderator, ["open"], { principals: [chat.moderator.id] }), {
    subscribed: { [chat.moderator.id]: ["open"] },
    already_subscribed: {},
  });
  assert.equal((await subscribe(chat, chat.member, ["open"], { principals: [chat.bot.id] })).status, 200);
  for (const setting of ["can_add_subscribers_group", "can_administer_channel_group"]) {
    await patchChannel(chat, open, { permissions: { [setting]: group(chat, "role:moderators") } });
    assert.equal((await subscribe(chat, chat.moderator, ["open"], { principals })).status, 200, setting);
    assertRefusal(await subscribe(chat, chat.member, ["open"], { principals }), insufficient);
  }
  const adders = { direct_members: [chat.member.id], direct_subgroups: [] };
  await patchChannel(chat, secret, { permissions: { can_add_subscribers_group: adders } });
  assert.equal((await subscribe(chat, chat.member, ["secret"], { principals })).status, 200);
  assert.equal(await isSubscribed(chat, chat.guest, secret), true);
});

Deno.test("POST /users/me/subscriptions changes nothing if it is refused", async () => {
  await using chat = await startChat();
  const open = await putChannel(chat, { name: "open" });
  await putChannel(chat, { name: "secret", invite_only: true });
  const archived = await putChannel(chat, { name: "archived" });
  await patchChannel(chat, archived, { is_archived: true });
  const gone = await chat.add("gone");
  await setActive(chat, gone, false);
  await chat.events();
  const refusals: [readonly string[], TestParams, string][] = [
    [["open", "secret"], {}, "Unable to access channel (secret)."],
    [["open", "new one", "secret"], {}, "Unable to access channel (secret)."],
    [["open", "archived"], {}, "Unable to access channel (archived)."],
    [["open", " "], {}, "Channel name can't be empty."],
    [["open", "a".repeat(61)], {}, "Channel name too long (limit: 60 characters)."],
    [["open"], { principals: [chat.member.id, 99999999] }, "No such user"],
    [["open"], { principals: ["nobody@example.com"] }, "No such user"],
    [["open"], { principals: [chat.outsider.id] }, "No such user"],
    [["open"], { principals: [chat.member.id, gone.id] }, "User is deactivated"],
    [["open"], { principals: "me" }, "principals is not valid JSON"],
    [["open"], { principals: [true] }, "principals[0] is not an integer"],
    [["open"], { authorization_errors_fatal: "no" }, "authorization_errors_fatal is not valid JSON"],
    [["open"], { subscriptions: ["open"] }, "subscriptions[0] is not a dict"],
    [["open"], { subscriptions: [{}] }, 'subscriptions[0]["name"] field is missing: Field required'],
    [
      ["open"],
      { subscriptions: [{ name: "open", color: "red" }] },
      'Invalid subscriptions[0]["color"]: Value error, color is not a valid hex color code',
    ],
  ];
  for (const [names, sent, message] of refusals) {
    assertRefusal(await subscribe(chat, chat.member, names, sent), message);
  }
  const missing = await chat.call(chat.member, "POST /users/me/subscriptions");
  assertRefusal(missing, "Missing 'subscriptions' argument", "REQUEST_VARIABLE_MISSING");
  assert.deepEqual([await isSubscribed(chat, chat.member, open), await chat.events()], [false, []]);
});

Deno.test("POST /users/me/subscriptions refuses a value that a new channel cannot have", async () => {
  await using chat = await startChat();
  const { status, body } = await subscribe(chat, chat.owner, ["Roses"], { message_retention_days: 0 });
  assert.deepEqual([status, body.code, body.var_name], [
    400,
    "REQUEST_VARIABLE_INVALID",
    "message_retention_days",
  ]);
});

Deno.test("POST /users/me/subscriptions only names channels without content access if those are not fatal", async () => {
  await using chat = await startChat();
  const open = await putChannel(chat, { name: "open" });
  await putChannel(chat, { name: "secret", invite_only: true });
  const answer = await subscribe(chat, chat.member, ["secret", "open"], {
    authorization_errors_fatal: false,
  });
  assertSuccess(answer, {
    subscribed: { [chat.member.id]: ["open"] },
    already_subscribed: {},
    unauthorized: ["secret"],
  });
  assert.equal(await isSubscribed(chat, chat.member, open), true);
});

Deno.test("POST /users/me/subscriptions creates missing channels with the request's options and subscribers", async () => {
  await using chat = await startChat();
  const open = await putChannel(chat, { name: "open" });
  const subscriptions = [
    { name: "Roses", description: "about\nroses", color: "#aaaaaa" },
    { name: "open" },
    { name: "Tulips" },
  ];
  const sent = { subscriptions, invite_only: true, principals: [chat.member.id, chat.guest.id] };
  const answer = await chat.call(chat.member, "POST /users/me/subscriptions", sent);
  const names = ["Roses", "Tulips", "open"];
  assertSuccess(answer, {
    subscribed: { [chat.member.id]: names, [chat.guest.id]: names },
    already_subscribed: {},
  });
  const { body } = await chat.call(chat.member, "GET /users/me/subscriptions", { include_subscribers: true });
  const roses = body.subscriptions.find(({ name }: { name: string }) => name === "Roses");
  assert.deepEqual(
    [roses.description, roses.invite_only, roses.color, roses.creator_id, roses.subscribers],
    ["about roses", true, "#aaaaaa", chat.member.id, [chat.member.id, chat.guest.id].sort((a, b) => a - b)],
  );
  assert.equal(await isSubscribed(chat, chat.guest, open), true);
  const privates = { can_create_private_channel_group: { new: group(chat, "role:administrators") } };
  assertSuccess(await chat.call(chat.owner, "PATCH /realm", privates));
  await chat.events();
  const refused = await subscribe(chat, chat.moderator, ["open", "x", "y"], { invite_only: true });
  assertRefusal(refused, "Insufficient permission");
  assert.deepEqual([await isSubscribed(chat, chat.moderator, open), await chat.events()], [false, []]);
});

Deno.test("POST /users/me/subscriptions subscribes up to 94 users to a channel or the caller to 47, and refuses more as a whole", async () => {
  await using chat = await startChat();
  const id = await putChannel(chat, { name: "open" });
  const users: TestUser[] = [];
  for (let at = 0; at < 94; at++) users.push(await chat.add(`person${at}`));
  const principals = users.map((person) => person.id);
  const tooMany = "Too many subscriptions for one request. Please send several requests.";
  assertRefusal(await subscribe(chat, chat.owner, ["open"], { principals }), tooMany);
  const answer = await subscribe(chat, chat.owner, ["open"], { principals: principals.slice(1) });
  assert.deepEqual([answer.status, Object.keys(answer.body.subscribed).length], [200, 93]);
  const { body } = await chat.call(chat.owner, `GET /streams/${id}/members`);
  assert.deepEqual(body.subscribers, principals.slice(1));
  const names = Array.from({ length: 48 }, (_, at) => `channel ${at}`);
  for (const name of names) await putChannel(chat, { name });
  assertRefusal(await subscribe(chat, chat.owner, names), tooMany);
  assert.equal((await subscribe(chat, chat.owner, names.slice(1))).status, 200);
  const { body: own } = await chat.call(chat.owner, "GET /users/me/subscriptions");
  assert.equal(own.subscriptions.length, 47);
});

Deno.test("POST /users/me/subscriptions subscribes a user once in concurrent requests", async () => {
  await using chat = await startChat();
  const id = await putChannel(chat, { name: "open" });
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => subscribe(chat, chat.member, ["open"])),
  );
  assert.equal(answers.filter(({ body }) => Object.keys(body.subscribed).length === 1).length, 1);
  const { body } = await chat.call(chat.member, "GET /users/me/subscriptions");
  assert.deepEqual([body.subscriptions[0].stream_id, body.subscriptions[0].subscriber_count], [id, 1]);
});
