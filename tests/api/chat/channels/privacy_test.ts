import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import { allowInRealm, allowSpectators, createChannel, readChannel } from "@/tests/casts/channels_cast.ts";
import { assertRefusal, assertSuccess, systemGroup } from "@/tests/casts/user_groups_cast.ts";

// PATCH /streams/{stream_id}

const NEEDS_CONTENT = "Channel content access is required.";
const PRIVATE = { invite_only: true };

Deno.test("PATCH /streams/{stream_id} refuses contradictory privacy (A065)", async () => {
  await using chat = await startChat();
  await allowSpectators(chat);
  const open = await createChannel(chat, chat.owner);
  const web = await createChannel(chat, chat.owner, { is_web_public: true });
  const closed = await createChannel(chat, chat.owner, { ...PRIVATE, subscribers: [chat.owner.id] });
  const call = (id: number, sent: object) => chat.call(chat.owner, `PATCH /streams/${id}`, { ...sent });
  const invalid: [number, object][] = [
    [open, { history_public_to_subscribers: false }],
    [open, { is_private: false, history_public_to_subscribers: false }],
    [open, { is_private: true, is_web_public: true }],
    [web, { is_private: true }],
    [web, { history_public_to_subscribers: false }],
    [closed, { is_web_public: true }],
    [closed, { is_private: false, history_public_to_subscribers: false }],
  ];
  for (const [id, sent] of invalid) assertRefusal(await call(id, sent), "Invalid parameters");
  const noDefault = "A default channel cannot be private.";
  assertRefusal(await call(closed, { is_default_stream: true }), noDefault);
  assertRefusal(await call(open, { is_default_stream: true, is_private: true }), noDefault);
  assertSuccess(await call(open, { is_default_stream: true }));
  assertRefusal(await call(open, { is_private: true }), noDefault);
  assertSuccess(await call(open, { is_private: true, is_default_stream: false }));
  assertSuccess(await call(web, { is_private: true, is_web_public: false }));
  assert.equal((await readChannel(chat, web)).is_web_public, false);
});

Deno.test("PATCH /streams/{stream_id} changes history access along with is_private (A067)", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.owner, { ...PRIVATE, subscribers: [chat.admin.id] });
  const call = (sent: object) => chat.call(chat.admin, `PATCH /streams/${id}`, { ...sent });
  const state = async () => {
    const { invite_only, history_public_to_subscribers } = await readChannel(chat, id);
    return { invite_only, history_public_to_subscribers };
  };
  assertSuccess(await call({ is_private: false }));
  assert.deepEqual(await state(), { invite_only: false, history_public_to_subscribers: true });
  assertSuccess(await call({ is_private: true }));
  assert.deepEqual(await state(), { invite_only: true, history_public_to_subscribers: false });
  assertSuccess(await call({ history_public_to_subscribers: true }));
  assert.deepEqual(await state(), { invite_only: true, history_public_to_subscribers: true });
  assertSuccess(await call({ is_private: true, history_public_to_subscribers: true }));
  assert.deepEqual(await state(), { invite_only: true, history_public_to_subscribers: true });
});

Deno.test("PATCH /streams/{stream_id} requires content access to change who can read a private channel (A054)", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.owner, { ...PRIVATE, subscribers: [chat.owner.id] });
  const members = { new: systemGroup(chat, "role:members") };
  const call = (sent: object, caller = chat.admin) => chat.call(caller, `PATCH /streams/${id}`, { ...sent });
  const closed = [
    { is_private: false },
    { is_private: true },
    { history_public_to_subscribers: true },
    { can_add_subscribers_group: members },
    { can_subscribe_group: members },
  ];
  for (const sent of closed) assertRefusal(await call(sent), NEEDS_CONTENT);
  const before = await readChannel(chat, id);
  // Unchanged values and other permissions require no content access.
  assertSuccess(await call({ can_subscribe_group: { new: before.can_subscribe_group } }));
  assertSuccess(await call({ can_remove_subscribers_group: members, description: "still administered" }));
  assertSuccess(await call({ can_subscribe_group: members }, chat.owner));
  // Now the administrator may subscribe themselves, and so has content access.
  assertSuccess(await call({ is_private: false }));
});

Deno.test("PATCH /streams/{stream_id} requires permission to create a channel of the new privacy, even without a change", async () => {
  await using chat = await startChat();
  const open = await createChannel(chat, chat.member);
  const closed = await createChannel(chat, chat.member, { ...PRIVATE, subscribers: [chat.member.id] });
  const moderators = systemGroup(chat, "role:moderators");
  await allowInRealm(chat, "can_create_private_channel_group", moderators);
  const call = (id: number, is_private: boolean) =>
    chat.call(chat.member, `PATCH /streams/${id}`, { is_private });
  assertRefusal(await call(open, true), "Insufficient permission");
  assertRefusal(await call(closed, true), "Insufficient permission");
  assertSuccess(await call(open, false));
  await allowInRealm(chat, "can_create_public_channel_group", moderators);
  assertRefusal(await call(open, false), "Insufficient permission");
  assertRefusal(await call(closed, false), "Insufficient permission");
});

Deno.test("PATCH /streams/{stream_id} makes channels web-public by the same rules as creating does", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.member);
  const call = (caller: typeof chat.member) =>
    chat.call(caller, `PATCH /streams/${id}`, { is_web_public: true });
  assertRefusal(await call(chat.owner), "Web-public channels are not enabled.");
  await allowSpectators(chat);
  assertRefusal(await call(chat.member), "Insufficient permission");
  assertSuccess(await call(chat.owner));
  assert.equal((await readChannel(chat, id)).is_web_public, true);
  assertRefusal(await call(chat.member), "Insufficient permission");
  assertSuccess(await chat.call(chat.member, `PATCH /streams/${id}`, { is_web_public: false }));
});

Deno.test("PATCH /streams/{stream_id} requires topic creation for everyone with a protected history", async () => {
  await using chat = await startChat();
  const members = { new: systemGroup(chat, "role:members") };
  const everyone = { new: systemGroup(chat, "role:everyone") };
  const wrapped = { new: { direct_members: [chat.owner.id], direct_subgroups: [everyone.new] } };
  const id = await createChannel(chat, chat.owner, {
    ...PRIVATE,
    subscribers: [chat.owner.id],
    history_public_to_subscribers: true,
    can_create_topic_group: members.new,
  });
  const call = (sent: object) => chat.call(chat.owner, `PATCH /streams/${id}`, { ...sent });
  const parameters = "history_public_to_subscribers, can_create_topic_group";
  const assertRefused = ({ body }: Awaited<ReturnType<typeof call>>) =>
    assert.deepEqual([body.code, body.msg, body.parameters], [
      "BAD_REQUEST",
      `Unsupported parameter combination: ${parameters}`,
      parameters,
    ]);
  const protect = { history_public_to_subscribers: false };
  assertRefused(await call(protect));
  assertRefused(await call({ ...protect, can_create_topic_group: wrapped }));
  assertRefused(await call({ ...protect, can_create_topic_group: members }));
  assert.equal((await readChannel(chat, id)).history_public_to_subscribers, true);
  assertSuccess(await call({ ...protect, can_create_topic_group: everyone }));
  assertRefused(await call({ can_create_topic_group: members }));
  assertSuccess(await call({ history_public_to_subscribers: true, can_create_topic_group: members }));
});
