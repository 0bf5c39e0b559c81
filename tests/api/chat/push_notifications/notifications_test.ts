import assert from "node:assert/strict";
import { startPushChat } from "@/tests/casts/push_notifications_cast.ts";
import { makeChannel, NO_AUTOMATIC_POLICIES, send, sendDirect } from "@/tests/casts/messages_cast.ts";

Deno.test("a direct message notifies all devices of its recipient, encrypted for each, and no others", async () => {
  await using chat = await startPushChat();
  const { member, moderator, owner, provider } = chat;
  const [phone, tablet] = [await chat.device(member), await chat.device(member, "apns")];
  const [senderDevice, otherDevice] = [await chat.device(moderator), await chat.device(owner)];
  const id = await sendDirect(chat, moderator, [member], "Tea **now**?");
  for (const device of [phone, tablet]) {
    const [payload, ...more] = await chat.received(device);
    assert.deepEqual(more, []);
    const { sender_avatar_url, ...rest } = payload ?? {};
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
  assert.deepEqual([await chat.received(senderDevice), await chat.received(otherDevice)], [[], []]);
  assert.deepEqual(provider.impostors, []);
  assert.equal(provider.received.find(({ kind }) => kind === "apns")?.topic, "org.example.garden");
  assert.ok(!JSON.stringify(provider.received).includes("Tea now"), "the provider can read the message");
});

Deno.test("a channel message notifies subscribers with notifications enabled, with its channel and topic", async () => {
  await using chat = await startPushChat();
  const { member, moderator, owner } = chat;
  const channel = await makeChannel(chat, "Garden");
  const [enabled, mentioned, neither] = [
    await chat.device(member),
    await chat.device(owner),
    await chat.device(chat.guest),
  ];
  await chat.call(owner, "PATCH /settings", NO_AUTOMATIC_POLICIES);
  const property = { stream_id: channel, property: "push_notifications", value: true };
  await chat.call(member, "POST /users/me/subscriptions/properties", { subscription_data: [property] });
  await send(chat, moderator, { to: channel, topic: "plans", content: "one" });
  await send(chat, moderator, { to: channel, topic: "plans", content: "@**Owner** two" });
  const payloads = await chat.received(enabled);
  assert.deepEqual(payloads.map(({ content, trigger }) => [content, trigger]), [
    ["one", "stream_push_notify"],
    ["@Owner two", "stream_push_notify"],
  ]);
  const { recipient_type, channel_id, channel_name, topic } = payloads[0] ?? {};
  assert.deepEqual([recipient_type, channel_id, channel_name, topic], [
    "channel",
    channel,
    "Garden",
    "plans",
  ]);
  assert.deepEqual((await chat.received(mentioned)).map(({ trigger }) => trigger), ["mentioned"]);
  assert.deepEqual(await chat.received(neither), []);
});
