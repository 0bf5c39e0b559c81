import assert from "node:assert/strict";
import { makeChannel, startChat } from "@/tests/casts/messages_cast.ts";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";

/** Lists topic and Markdown of the notification bot's messages that a user can see. */
async function listNotices(
  chat: TestChat,
  caller: TestUser,
  narrow: unknown[] = [],
): Promise<[string, string][]> {
  const { body } = await chat.call(caller, "GET /messages", {
    anchor: "oldest",
    num_before: 0,
    num_after: 100,
    apply_markdown: false,
    narrow,
  });
  return body.messages.filter((message: { sender_full_name: string }) =>
    message.sender_full_name === "Notification Bot"
  )
    .map(({ subject, content }: { subject: string; content: string }) => [subject, content]);
}

Deno.test("POST /channels/create announces the channel in it, already read for its creator", async () => {
  await using chat = await startChat();
  const { owner } = chat;
  const id = await makeChannel(chat, "Garden", { description: "Roses and **weeds**" });
  assert.deepEqual(await listNotices(chat, chat.member), [[
    "channel events",
    `**Public** channel created by @_**Owner|${owner.id}**. **Description:**\n\`\`\` quote\nRoses and **weeds**\n\`\`\``,
  ]]);
  const unread = [["channel", id], ["is", "unread"]];
  assert.equal((await listNotices(chat, owner, unread)).length, 0);
  assert.equal((await listNotices(chat, chat.member, unread)).length, 1);
  assert.deepEqual((await chat.call(chat.member, "GET /users")).body.members.length, 6);
});

Deno.test("POST /channels/create with announce posts to the channel for announcements", async () => {
  await using chat = await startChat();
  const news = await makeChannel(chat, "News");
  const { status } = await chat.call(chat.owner, "PATCH /realm", {
    new_stream_announcements_stream_id: news,
  });
  assert.equal(status, 200);
  await makeChannel(chat, "Quiet");
  await makeChannel(chat, "Loud", { announce: true });
  assert.deepEqual(await listNotices(chat, chat.member, [["channel", "News"], ["topic", "new channels"]]), [[
    "new channels",
    `@_**Owner|${chat.owner.id}** created a new channel #**Loud**.`,
  ]]);
  const refused = await chat.call(chat.owner, "PATCH /realm", { new_stream_announcements_stream_id: 99_999 });
  assert.equal(refused.body.msg, "Invalid channel ID");
});

Deno.test("notices show names with any characters", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const news = await makeChannel(chat, "News");
  await chat.call(owner, "PATCH /realm", { new_stream_announcements_stream_id: news });
  const id = await makeChannel(chat, "c`d*e>f & [g]", { announce: true });
  await chat.call(owner, `PATCH /streams/${id}`, { new_name: "a**b`" });
  await chat.call(owner, "POST /user_groups/create", { name: "a*b", description: "", members: [] });
  const { body: { user_groups } } = await chat.call(owner, "GET /user_groups");
  const group = user_groups.find(({ name }: { name: string }) => name === "a*b");
  await chat.call(owner, `POST /user_groups/${group.id}/members`, { add: [member.id] });
  await chat.call(owner, "POST /users/me/subscriptions", {
    subscriptions: [{ name: "x`y**" }],
    principals: [member.id],
    send_new_subscription_messages: true,
  });
  const { body: { messages } } = await chat.call(member, "GET /messages", {
    anchor: "oldest",
    num_before: 0,
    num_after: 100,
  });
  const texts = messages.map(({ content }: { content: string }) =>
    content.replace(/<a class="stream"[^>]*>|<a href="[/]#narrow[/]channel[/]\d+-[^"]*">/g, "<a>")
  );
  const actor = `<span class="user-mention silent" data-user-id="${owner.id}">Owner</span>`;
  for (
    const notice of [
      `created a new channel <a>#c\`d*e&gt;f &amp; [g]</a>.`,
      "renamed channel <strong>c`d*e&gt;f &amp; [g]</strong> to <strong>a**b`</strong>.",
      "added you to the group <strong>a*b</strong>.",
      "subscribed you to <a>#x`y**</a>.",
    ]
  ) assert.ok(texts.includes(`<p>${actor} ${notice}</p>`), `${notice}\n${texts.join("\n")}`);
});

Deno.test("PATCH /streams/{stream_id} announces each change in a message of its own", async () => {
  await using chat = await startChat();
  const id = await makeChannel(chat, "Garden");
  const { status } = await chat.call(chat.owner, `PATCH /streams/${id}`, {
    new_name: "Park",
    description: "Trees",
    is_private: true,
    message_retention_days: "30",
  });
  assert.equal(status, 200);
  const texts = (await listNotices(chat, chat.member)).slice(1).map(([, text]) => text);
  const caller = `@_**Owner|${chat.owner.id}**`;
  assert.equal(texts[0], `${caller} renamed channel **Garden** to **Park**.`);
  assert.match(texts[1] ?? "", /^.+ changed the description for this channel\.[^]+No description[^]+Trees/);
  assert.match(texts[2] ?? "", /from \*\*Public\*\* to \*\*Private, protected history\*\*\.$/);
  assert.match(
    texts[3] ?? "",
    /retention period from \*\*the organization's default\*\* to \*\*30 days\*\*\.$/,
  );
  assert.equal(texts.length, 4);
});

Deno.test("changes of a group's members send notices to the users, except for bots and the caller", async () => {
  await using chat = await startChat();
  const { owner, member, bot } = chat;
  const created = await chat.call(owner, "POST /user_groups/create", {
    name: "gardeners",
    description: "",
    members: [owner.id, member.id, bot.id],
  });
  const path = `POST /user_groups/${created.body.group_id}/members`;
  assert.equal((await chat.call(owner, path, { delete: [member.id], add: [chat.moderator.id] })).status, 200);
  const caller = `@_**Owner|${owner.id}**`;
  assert.deepEqual((await listNotices(chat, member)).map(([, text]) => text), [
    `${caller} added you to the group @_*gardeners*.`,
    `${caller} removed you from the group @_*gardeners*.`,
  ]);
  assert.equal((await listNotices(chat, chat.moderator)).length, 1);
  assert.deepEqual(await listNotices(chat, owner), []);
  assert.deepEqual(await listNotices(chat, bot), []);
});
