// POST /submessage
import assert from "node:assert/strict";
import { MAX_PAGES } from "@/lib/chat/messages/submessages/model.ts";
import { registerClient } from "@/tests/casts/events_cast.ts";
import { makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const VOTE = '{"type":"vote","key":"canned,0","vote":1}';

async function submessagesOf(chat: TestChat, user: TestUser, id: number) {
  return (await succeed(chat, user, `GET /messages/${id}`)).message.submessages;
}

async function refusalOf(chat: TestChat, user: TestUser | null, message_id: number, content = VOTE) {
  const { status, body } = await chat.call(user, "POST /submessage", {
    message_id,
    msg_type: "widget",
    content,
  });
  return [status, body.code, body.msg];
}

/** Returns the keys of submessages in the store. */
async function storedKeys(chat: TestChat): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of chat.services.store.kv.list({ prefix: [chat.realm.id] })) {
    if (String(key[1]).startsWith("submessage")) keys.push(key.join(" "));
  }
  return keys;
}

Deno.test("a poll is sent with its options, and everyone who can read it can vote", async () => {
  await using chat = await startChat();
  const { owner, member, moderator } = chat;
  const channel = await makeChannel(chat, "Garden");
  const client = await registerClient(chat, moderator, { event_types: ["message", "submessage"] });
  const id = await send(chat, owner, { to: channel, content: "/poll Tea?\nYes\n* No" });
  const widget = JSON.stringify({
    widget_type: "poll",
    extra_data: { question: "Tea?", options: ["Yes", "No"] },
  });
  const parts = { message_id: id, msg_type: "widget" };
  const first = { id: id * 100_000, ...parts, sender_id: owner.id, content: widget };
  const [received] = await client.receive();
  assert.deepEqual(received?.["message"].submessages, [first]);
  const done = await chat.call(member, "POST /submessage", { ...parts, content: VOTE });
  assert.deepEqual(done.body, { result: "success", msg: "" });
  // The administrator is not subscribed to the public channel.
  await succeed(chat, chat.admin, "POST /submessage", { ...parts, content: VOTE });
  const votes = [member, chat.admin].map((voter, at) => ({
    id: id * 100_000 + at + 1,
    ...parts,
    sender_id: voter.id,
    content: VOTE,
  }));
  for (const user of [owner, member, chat.admin]) {
    assert.deepEqual(await submessagesOf(chat, user, id), [first, ...votes]);
  }
  const events = (await client.receive()).map(({ id: _, ...event }) => event);
  assert.deepEqual(
    events,
    votes.map(({ id: submessage_id, ...vote }) => ({
      type: "submessage",
      submessage_id,
      ...vote,
    })),
  );
  assert.deepEqual(
    await submessagesOf(chat, owner, await send(chat, owner, { to: channel, content: "x" })),
    [],
  );
});

Deno.test("a to-do list is for the participants of its conversation, and its sender alone changes the title", async () => {
  await using chat = await startChat();
  const { member, guest, owner, outsider } = chat;
  const id = await sendDirect(chat, member, [guest], "/todo Garden\nweed");
  const strike = '{"type":"strike","key":"0,canned"}';
  const title = '{"type":"new_task_list_title","title":"Orchard"}';
  const parts = { message_id: id, msg_type: "widget" };
  await succeed(chat, guest, "POST /submessage", { ...parts, content: strike });
  await succeed(chat, member, "POST /submessage", { ...parts, content: title });
  const notAuthor = "You can't edit the task list title unless you are the author.";
  assert.deepEqual(await refusalOf(chat, guest, id, title), [400, "BAD_REQUEST", notAuthor]);
  for (const user of [owner, outsider]) {
    for (const unknown of [id, 999_999]) {
      assert.deepEqual(await refusalOf(chat, user, unknown, strike), [
        400,
        "BAD_REQUEST",
        "Invalid message(s)",
      ]);
    }
  }
  assert.equal((await refusalOf(chat, null, id))[0], 401);
  const contents = (await submessagesOf(chat, guest, id)).map(({ content }: { content: string }) => content);
  assert.deepEqual(contents.slice(1), [strike, title]);
});

Deno.test("ordinary messages and invalid changes are refused, and widgets cannot be edited", async () => {
  await using chat = await startChat();
  const { owner } = chat;
  const channel = await makeChannel(chat, "Garden");
  const plain = await send(chat, owner, { to: channel, content: "hello" });
  const poll = await send(chat, owner, { to: channel, content: "/poll Tea?" });
  const notAttached = "You cannot attach a submessage to this message.";
  assert.deepEqual(await refusalOf(chat, owner, plain), [400, "BAD_REQUEST", notAttached]);
  assert.deepEqual(await refusalOf(chat, owner, poll, "{"), [
    400,
    "BAD_REQUEST",
    "Invalid json for submessage",
  ]);
  const long = "content is too long (limit: 2000 characters)";
  assert.deepEqual(await refusalOf(chat, owner, poll, "x".repeat(2001)), [400, "BAD_REQUEST", long]);
  const other = await chat.call(owner, "POST /submessage", {
    message_id: poll,
    msg_type: "x",
    content: VOTE,
  });
  assert.equal(other.body.msg, "Invalid msg_type: Value error, Not in the list of possible values");
  const edited = await chat.call(owner, `PATCH /messages/${poll}`, { content: "/poll Coffee?" });
  assert.deepEqual([edited.status, edited.body.msg], [400, "Widgets cannot be edited."]);
  await succeed(chat, owner, `PATCH /messages/${poll}`, { topic: "tea" });
  await succeed(chat, owner, `PATCH /messages/${plain}`, { content: "/poll Late?" });
  assert.deepEqual(await submessagesOf(chat, owner, plain), [], "an edit makes no widget");
  await succeed(chat, owner, `DELETE /streams/${channel}`);
  assert.deepEqual(await refusalOf(chat, owner, poll), [400, "BAD_REQUEST", "Invalid message(s)"]);
});

Deno.test("a message takes a limited number of changes, which are deleted with it", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, owner, { to: channel, content: "/poll Tea?" });
  const content = JSON.stringify({ type: "new_option", option: "x".repeat(1900), idx: 1 });
  const parts = { message_id: id, msg_type: "widget", content };
  let count = 0;
  for (; count < 1000; count++) {
    const { status, body } = await chat.call(member, "POST /submessage", parts);
    if (status === 200) continue;
    assert.deepEqual([body.code, body.msg], ["BAD_REQUEST", "This message cannot take any more changes."]);
    break;
  }
  assert.ok(count > 100 && count < 1000, `${count}`);
  assert.equal((await submessagesOf(chat, member, id)).length, count + 1);
  assert.equal((await storedKeys(chat)).length, MAX_PAGES + 1);
  await succeed(chat, owner, `DELETE /messages/${id}`);
  assert.deepEqual(await storedKeys(chat), []);
});

Deno.test("concurrent votes are all kept", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.owner, { to: channel, content: "/poll Tea?" });
  const voters = [chat.owner, chat.member, chat.moderator];
  const params = { message_id: id, msg_type: "widget", content: VOTE };
  await Promise.all(voters.flatMap((voter) => [
    succeed(chat, voter, "POST /submessage", params),
    succeed(chat, voter, "POST /submessage", params),
  ]));
  const ids = (await submessagesOf(chat, chat.owner, id)).map((one: { id: number }) => one.id);
  assert.equal(new Set(ids).size, 7);
});
