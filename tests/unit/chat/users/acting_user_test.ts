import assert from "node:assert/strict";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { regenerateApiKey } from "@/lib/chat/people/auth/api_keys.ts";
import { createChannelFolder } from "@/lib/chat/channels/channel_folders.ts";
import { updateDefaultChannels } from "@/lib/chat/channels/update_channel.ts";
import { deleteMessage } from "@/lib/chat/messages/delete_messages.ts";
import { editMessage } from "@/lib/chat/messages/edit_message.ts";
import { editMessageParams } from "@/lib/chat/messages/edit_rules.ts";
import { reorderLinkifiers } from "@/lib/chat/messages/linkifiers/change_linkifiers.ts";
import { muteUser } from "@/lib/chat/messages/mute_users.ts";
import { sendMessageParams } from "@/lib/chat/messages/api.ts";
import { addReaction } from "@/lib/chat/messages/reactions.ts";
import { postMessage } from "@/lib/chat/messages/send_message.ts";
import { systemGroupId } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";
import { createEmoji, deactivateEmoji } from "@/lib/chat/organization/emoji.ts";
import { addDomain } from "@/lib/chat/organization/organizations/edit_domains.ts";
import { removeAvatar } from "@/lib/chat/people/users/avatar.ts";
import type { Caller } from "@/lib/chat/organization/users/model.ts";
import { act as runAction, readUser } from "@/lib/chat/organization/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { makeChannel, send, startChat } from "@/tests/casts/messages_cast.ts";

/** An image of one pixel. */
const PIXEL = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

const MOVE = readParams(editMessageParams, new Map([["topic", "elsewhere"]])).values;

const MESSAGE = readParams(
  sendMessageParams,
  new Map([["type", "stream"], ["to", "1"], ["topic", "a"], ["content", "a"]]),
).values;
const EMOJI = { emoji_name: "heart", emoji_code: undefined, reaction_type: undefined };

/** Actions of an owner, by name. */
const ACTIONS: Readonly<Record<string, (app: ChatApp, caller: Caller, otherId: number) => Promise<unknown>>> =
  {
    createChannelFolder: (app, caller) => createChannelFolder(app, caller, { name: "New", description: "" }),
    reorderLinkifiers: (app, caller) => reorderLinkifiers(app, caller, []),
    removeAvatar: (app, caller) => removeAvatar(app, caller),
    addDomain: (app, caller) => addDomain(app, caller, { domain: "example.org", allow_subdomains: false }),
    createEmoji: (app, caller) => createEmoji(app, caller, { name: "sprout", files: [PIXEL] }),
    deactivateEmoji: (app, caller) => deactivateEmoji(app, caller, "sprig"),
    editMessage: (app, caller) => editMessage(app, caller, { id: 1, ...MOVE }),
    deleteMessage: (app, caller) => deleteMessage(app, caller, 1),
    postMessage: (app, { realm, actingUser: sender }) =>
      postMessage(app, { realm, sender, client: "test" }, MESSAGE),
    addReaction: (app, caller) => addReaction(app, caller, { messageId: 1, sent: EMOJI }),
    muteUser: (app, caller, otherId) => muteUser(app, caller, otherId),
    updateDefaultChannels: (app, caller) => updateDefaultChannels(app, caller, 1, true),
    regenerateApiKey: (app, caller) => regenerateApiKey(app, caller),
  };

for (const [name, act] of Object.entries(ACTIONS)) {
  Deno.test(`${name}() refuses an acting user who was deactivated after the request was authorized`, async () => {
    await using chat = await startChat();
    const { chat: app } = chat.services;
    const { id } = await chat.add("second", 100);
    const actingUser = await readUser(app, chat.realm.id, id);
    assert.ok(actingUser !== null);
    assert.equal((await chat.call(chat.owner, `DELETE /users/${id}`)).status, 200);
    await assert.rejects(
      act(app, { realm: chat.realm, actingUser }, chat.member.id),
      (error) => error instanceof AppError && error.code === "USER_DEACTIVATED",
    );
  });
}

Deno.test("postMessage() decides by the role that the sender has in the commit", async () => {
  await using chat = await startChat();
  const { chat: app } = chat.services;
  const channel = await makeChannel(chat, "News");
  const changes = { can_send_message_group: { new: systemGroupId(chat.realm, "role:administrators") } };
  assert.equal((await chat.call(chat.owner, `PATCH /streams/${channel}`, changes)).status, 200);
  const sender = await readUser(app, chat.realm.id, chat.admin.id);
  assert.ok(sender !== null);
  const sent = { ...MESSAGE, to: channel };
  await postMessage(app, { realm: chat.realm, sender, client: "test" }, sent);
  assert.equal((await chat.call(chat.owner, `PATCH /users/${sender.id}`, { role: 400 })).status, 200);
  await assert.rejects(
    postMessage(app, { realm: chat.realm, sender, client: "test" }, sent),
    { message: "Not authorized to send to channel 'News'" },
  );
});

Deno.test("editMessage() decides on a move by the role that the acting user has in the commit", async () => {
  await using chat = await startChat();
  const { chat: app } = chat.services;
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.member, { to: channel, content: "a" });
  const actingUser = await readUser(app, chat.realm.id, chat.moderator.id);
  assert.ok(actingUser !== null);
  chat.clock.time += 8 * 24 * 60 * 60 * 1000;
  assert.equal((await chat.call(chat.owner, `PATCH /users/${actingUser.id}`, { role: 400 })).status, 200);
  await assert.rejects(
    editMessage(app, { realm: chat.realm, actingUser }, { id, ...MOVE }),
    { message: "The time limit for editing this message's topic has passed." },
  );
});

Deno.test("act() gives an action the organization as it is in the commit", async () => {
  await using chat = await startChat();
  const { chat: app } = chat.services;
  const actingUser = await readUser(app, chat.realm.id, chat.owner.id);
  assert.ok(actingUser !== null);
  assert.equal((await chat.call(chat.owner, "PATCH /realm", { name: "Renamed" })).status, 200);
  const name = await runAction(
    app,
    { realm: chat.realm, actingUser },
    ({ realm }) => Promise.resolve(realm.name),
  );
  assert.equal(name, "Renamed");
});
