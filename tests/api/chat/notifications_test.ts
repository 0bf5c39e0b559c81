import assert from "node:assert/strict";
import { startPushChat } from "./notifications_cast.ts";
import { makeChannel, send, sendDirect } from "./messages_cast.ts";

Deno.test("a direct message is told to the receiver's devices, encrypted for each, and to nobody else", async () => {
  await using chat = await startPushChat();
  const { member, moderator, owner, provider } = chat;
  const [phone, tablet] = [await chat.device(member), await chat.device(member, "apns")];
  const [senders, strangers] = [await chat.device(moderator), await chat.device(owner)];
  const id = await sendDirect(chat, moderator, [member], "Tea **now**?");
  for (const device of [phone, tablet]) {
    const [told, ...more] = await chat.told(device);
    assert.deepEqual(more, []);
    const { sender_avatar_url, ...rest } = told ?? {};
    assert.match(sender_avatar_url, /^http:\/\/localhost:8000\//);
    assert.deepEqual(rest, {
      type: "message",
      realm_url: "http://localhost:8000",
      realm_name: "Gardeners",
      user_id: member.id,
      time: Math.floor(chat.clock.now() / 1000),
      message_id: id,
      trigger: "direct_message",
      sender_id: moderator.id,
      sender_full_name: "Moderator",
      recipient_type: "direct",
      recipient_user_ids: [member.id, moderator.id].sort((one, other) => one - other),
      content: "Tea now?",
    });
  }
  assert.deepEqual([await chat.told(senders), await chat.told(strangers)], [[], []]);
  assert.deepEqual(provider.impostors, []);
  assert.equal(provider.received.find(({ kind }) => kind === "apns")?.topic, "org.example.garden");
  assert.ok(!JSON.stringify(provider.received).includes("Tea now"), "the provider can read it");
});

Deno.test("a channel's message is told to those who want it there, with its channel and topic", async () => {
  await using chat = await startPushChat();
  const { member, moderator, owner } = chat;
  const channel = await makeChannel(chat, "Garden");
  const [wants, named, neither] = [
    await chat.device(member),
    await chat.device(owner),
    await chat.device(chat.guest),
  ];
  const property = { stream_id: channel, property: "push_notifications", value: true };
  await chat.call(member, "POST /users/me/subscriptions/properties", { subscription_data: [property] });
  await send(chat, moderator, { to: channel, topic: "plans", content: "one" });
  await send(chat, moderator, { to: channel, topic: "plans", content: "@**Owner** two" });
  const told = await chat.told(wants);
  assert.deepEqual(told.map(({ content, trigger }) => [content, trigger]), [
    ["one", "stream_push_notify"],
    ["@Owner two", "stream_push_notify"],
  ]);
  const { recipient_type, channel_id, channel_name, topic } = told[0] ?? {};
  assert.deepEqual([recipient_type, channel_id, channel_name, topic], [
    "channel",
    channel,
    "Garden",
    "plans",
  ]);
  assert.deepEqual((await chat.told(named)).map(({ trigger }) => trigger), ["mentioned"]);
  assert.deepEqual(await chat.told(neither), []);
});
