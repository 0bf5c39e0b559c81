import assert from "node:assert/strict";
import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { readRecord } from "@/lib/store/key.ts";
import { createChannel, readChannel, takeChannelEvents } from "@/tests/casts/channels_cast.ts";
import { assertSuccess } from "@/tests/casts/user_groups_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";

Deno.test("PATCH /streams/{stream_id} renders the description's Markdown", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.member, { description: "*first*" });
  assert.equal((await readChannel(chat, id)).rendered_description, "<p><em>first</em></p>");
  await takeChannelEvents(chat);
  assertSuccess(await chat.call(chat.member, `PATCH /streams/${id}`, { description: "now **bold**" }));
  const html = "<p>now <strong>bold</strong></p>";
  assert.equal((await readChannel(chat, id)).rendered_description, html);
  const [update] = await takeChannelEvents(chat);
  assert.deepEqual([update?.event.value, update?.event.rendered_description], ["now **bold**", html]);
});

Deno.test("GET /streams/{stream_id} renders a description that an earlier version stored", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.member, { description: "*old*" });
  const key = channelKeys.channel(chat.realm.id, id);
  const { kv } = chat.services.store;
  const stored = await readRecord<ChannelRecord>(kv, key);
  assert.ok(stored);
  const { rendered_description, ...old } = stored;
  assert.equal(rendered_description, "<p><em>old</em></p>");
  await kv.set([...key], old);
  assert.equal((await readChannel(chat, id)).rendered_description, "<p><em>old</em></p>");
});
