import assert from "node:assert/strict";
import { reminders } from "@/lib/chat/messages/reminders.ts";
import type { TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import { fetchContents, makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";
import { eventsOf, inSeconds, passSeconds } from "@/tests/casts/scheduled_cast.ts";
import { systemGroup } from "@/tests/casts/user_groups_cast.ts";

async function remind(chat: TestChat, user: TestUser, params: TestParams): Promise<number> {
  const at = inSeconds(chat, 3600);
  return (await succeed(chat, user, "POST /reminders", { scheduled_delivery_timestamp: at, ...params }))
    .reminder_id;
}

async function remindersOf(chat: TestChat, user: TestUser) {
  return (await succeed(chat, user, "GET /reminders")).reminders;
}

Deno.test("POST /reminders stores a reminder with an event, and the bot sends it once at its time", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const message_id = await send(chat, chat.owner, {
    to: channel,
    content: "````\n```quote\nwater\n```\n````",
  });
  await chat.events();
  const id = await remind(chat, chat.member, { message_id, note: "do it" });
  const content = "You requested a reminder for [this message](http://localhost:8000/#narrow/channel/" +
    `${channel}-Garden/topic/plans/near/${message_id}).\n\nNote:\n> do it`;
  const [shown] = await remindersOf(chat, chat.member);
  assert.match(shown.rendered_content, /<blockquote>\s*<p>do it<\/p>/);
  assert.deepEqual(shown, {
    ...{ reminder_id: id, type: "private", to: [chat.member.id], content },
    rendered_content: shown.rendered_content,
    ...{ scheduled_delivery_timestamp: inSeconds(chat, 3600), failed: false },
    reminder_target_message_id: message_id,
  });
  assert.deepEqual(await chat.events(), [{
    event: { type: "reminders", op: "add", reminders: [shown] },
    audience: [chat.member.id],
  }]);
  const { reminders, max_reminder_note_length } = await succeed(chat, chat.member, "POST /register", {
    fetch_event_types: ["reminders"],
  });
  assert.deepEqual([reminders, max_reminder_note_length], [[shown], 500]);
  await succeed(chat, chat.owner, `PATCH /messages/${message_id}`, { content: "water the roses" });
  await passSeconds(chat, 3599);
  assert.deepEqual(await fetchContents(chat, chat.member, ["is", "dm"]), []);
  await chat.events();
  await passSeconds(chat, 1);
  await passSeconds(chat, 60);
  assert.deepEqual(await fetchContents(chat, chat.member, ["is", "dm"]), [
    `${content}\n\n\`\`\`quote\nwater the roses\n\`\`\``,
  ]);
  assert.deepEqual(await remindersOf(chat, chat.member), []);
  assert.deepEqual(await eventsOf(chat, "reminders"), [{ type: "reminders", op: "remove", reminder_id: id }]);
});

Deno.test("a reminder's quote stays a quote, whatever fences its message contains", async () => {
  await using chat = await startChat();
  const message_id = await sendDirect(
    chat,
    chat.owner,
    [chat.member],
    "````\nwater\n````\n" + "a".repeat(9000),
  );
  await remind(chat, chat.member, { message_id });
  await passSeconds(chat, 3600);
  const [, reminder] = await fetchContents(chat, chat.member, ["is", "dm"]);
  assert.match(reminder ?? "", /\n`{5}quote\n`{4}\nwater\n`{4}\na+…\n`{5}$/);
  assert.match(
    reminder ?? "",
    new RegExp(`/#narrow/dm/${chat.owner.id},${chat.member.id}/near/${message_id}\\)`),
  );
});

Deno.test("POST /reminders refuses inaccessible messages, the past, long notes and too many", async () => {
  await using chat = await startChat();
  const message_id = await sendDirect(chat, chat.owner, [chat.member], "psst");
  const at = inSeconds(chat, 60);
  const refuse = async (user: TestUser, params: TestParams, message: RegExp) => {
    const asked = { message_id, scheduled_delivery_timestamp: at, ...params };
    const { status, body } = await chat.call(user, "POST /reminders", asked);
    assert.equal(status, 400);
    assert.match(body["msg"], message);
  };
  await refuse(chat.admin, {}, /^Invalid message\(s\)$/);
  await refuse(chat.member, { message_id: 99_999_999 }, /^Invalid message\(s\)$/);
  await refuse(chat.member, { scheduled_delivery_timestamp: inSeconds(chat, 0) }, /must be in the future/);
  await refuse(chat.member, { note: "x".repeat(501) }, /note/);
  const ids: number[] = [];
  for (let count = 0; count < reminders.max; count++) {
    ids.push(await remind(chat, chat.member, { message_id }));
  }
  await refuse(chat.member, {}, /^You can have 100 reminders at most\.$/);
  for (const user of [chat.owner, chat.outsider]) {
    const { status, body } = await chat.call(user, `DELETE /reminders/${ids[0]}`);
    assert.deepEqual([status, body["msg"]], [404, "Reminder does not exist"]);
  }
  for (const id of ids) await succeed(chat, chat.member, `DELETE /reminders/${id}`);
  await passSeconds(chat, 4000);
  assert.deepEqual(await fetchContents(chat, chat.member, ["is", "dm"]), ["psst"]);
});

Deno.test("a reminder of a message that was deleted is kept as failed, with one notice that does not quote it", async () => {
  await using chat = await startChat();
  const message_id = await sendDirect(chat, chat.owner, [chat.member], "psst");
  const id = await remind(chat, chat.member, { message_id });
  await succeed(chat, chat.owner, `DELETE /messages/${message_id}`);
  await chat.events();
  await passSeconds(chat, 3600);
  await passSeconds(chat, 5);
  const [failed] = await remindersOf(chat, chat.member);
  assert.equal(failed.failed, true);
  assert.deepEqual(await eventsOf(chat, "reminders"), [
    { type: "reminders", op: "remove", reminder_id: id },
    { type: "reminders", op: "add", reminders: [failed] },
  ]);
  assert.deepEqual(await fetchContents(chat, chat.member, ["is", "dm"]), [
    "You requested a reminder of a message that was deleted or that you can no longer see.",
  ]);
});

Deno.test("a reminder reveals no users and channels that its user may not know", async () => {
  await using chat = await startChat();
  const { guest, moderator } = chat;
  await makeChannel(chat, "Garden");
  const can_access_all_users_group = { new: systemGroup(chat, "role:members") };
  await succeed(chat, chat.owner, "PATCH /realm", { can_access_all_users_group });
  const note = `@**|${moderator.id}** #**Garden** @**Moderator**`;
  const message_id = await sendDirect(chat, guest, [guest], note);
  const scheduled_delivery_timestamp = inSeconds(chat, 60);
  await succeed(chat, guest, "POST /reminders", { message_id, note, scheduled_delivery_timestamp });
  const [listed] = (await succeed(chat, guest, "GET /reminders")).reminders;
  await passSeconds(chat, 60);
  const window = { anchor: "newest", num_before: 1, num_after: 0 };
  const { messages } = await succeed(chat, guest, "GET /messages", window);
  for (const html of [listed.rendered_content, messages.at(-1).content]) {
    assert.match(html, /Note:/);
    assert.doesNotMatch(html, /data-user-id|data-stream-id/);
  }
});
