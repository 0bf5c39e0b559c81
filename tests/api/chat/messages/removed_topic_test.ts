import assert from "node:assert/strict";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { deleteMessage } from "@/lib/chat/messages/delete_messages.ts";
import { prepareContent } from "@/lib/chat/messages/prepare_content.ts";
import { sendMessage } from "@/lib/chat/messages/send_message.ts";
import { messageKeys } from "@/lib/chat/messages/model.ts";
import { userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { makeChannel, send, startChat } from "@/tests/casts/messages_cast.ts";

Deno.test("a topic that is removed while several messages wait is created again", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.owner, { to: channel, topic: "weeds", content: "one" });
  const { chat: app, store } = chat.services;
  const { realm } = chat;
  const sender = await app.reads.read<UserRecord>(userKeys.user(realm.id, chat.owner.id));
  assert.ok(sender);
  const prepared = await prepareContent(app, { realm, author: sender }, "two");
  const target = { kind: "channel", channel, topic: "weeds" } as const;
  const opened = Promise.withResolvers<void>();
  let isRemoved = false;
  const claim = async () => {
    if (isRemoved) return;
    isRemoved = true;
    // The other message has found the topic by then.
    await opened.promise;
    await deleteMessage(app, { realm, actingUser: sender }, id);
  };
  await Promise.all([
    sendMessage(app, { realm, sender, target, prepared, client: "x", claim }),
    sendMessage(app, {
      ...{ realm, sender, target, prepared, client: "x" },
      alongside: () => Promise.resolve(opened.resolve()),
    }),
  ]);
  assert.ok(await app.reads.read(messageKeys.topic(realm.id, channel, "weeds")), "the topic is missing");
  assert.deepEqual((await checkChat(store.kv)).problems, []);
});
