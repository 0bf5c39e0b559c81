import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { upload } from "@/tests/casts/files_cast.ts";
import type { TestParams } from "@/tests/helpers/chat.ts";
import { alterSettings } from "@/tests/helpers/realm.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import { fetchMessageIds, makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";

function inserted(text: string): string {
  return `<span class="highlight_text_inserted">${text}</span>`;
}

function deleted(text: string): string {
  return `<span class="highlight_text_deleted">${text}</span>`;
}

Deno.test("PATCH /messages/{message_id} changes the content, and /history returns both versions", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const hello = `@**Moderator|${chat.moderator.id}** roses`;
  const id = await send(chat, chat.member, { to: channel, content: hello });
  const sentAt = Math.floor(chat.clock.time / 1000);
  await chat.events();
  chat.clock.time += 60_000;
  const answer = await chat.call(chat.member, `PATCH /messages/${id}`, { content: "tulips **now**" });
  assert.deepEqual([answer.status, answer.body], [200, { result: "success", msg: "", detached_uploads: [] }]);
  const editedAt = Math.floor(chat.clock.time / 1000);
  const { body } = await chat.call(chat.moderator, `GET /messages/${id}`);
  assert.equal(body.raw_content, "tulips **now**");
  assert.equal(body.message.last_edit_timestamp, editedAt);
  assert.equal("last_moved_timestamp" in body.message, false);
  assert.deepEqual(body.message.flags, []);
  const [entry] = body.message.edit_history;
  assert.deepEqual({ ...entry, prev_rendered_content: "" }, {
    user_id: chat.member.id,
    timestamp: editedAt,
    prev_content: hello,
    prev_rendered_content: "",
  });
  const history = await chat.call(chat.owner, `GET /messages/${id}/history`);
  const shown = history.body.message_history.map(({ rendered_content: _, prev_rendered_content: __, ...of }: {
    rendered_content: string;
    prev_rendered_content?: string;
  }) => of);
  assert.deepEqual(shown, [
    { topic: "plans", content: hello, user_id: chat.member.id, timestamp: sentAt },
    {
      topic: "plans",
      content: "tulips **now**",
      prev_content: hello,
      content_html_diff: `<div><p>${inserted("tulips")} ${deleted("@Moderator")} <strong>${
        inserted("now")
      }</strong>${deleted("roses")}</p></div>`,
      user_id: chat.member.id,
      timestamp: editedAt,
    },
  ]);
  const asked = { allow_empty_topic_name: "yes" };
  const ill = await chat.call(chat.owner, `GET /messages/${id}/history`, asked);
  assert.deepEqual([ill.status, ill.body.msg], [400, "allow_empty_topic_name is not valid JSON"]);
  assert.match(history.body.message_history[1].rendered_content, /<strong>now<\/strong>/);
  assert.deepEqual(await chat.events(), [{
    event: {
      type: "update_message",
      user_id: chat.member.id,
      edit_timestamp: editedAt,
      message_id: id,
      message_ids: [id],
      is_content_edited: true,
      rendering_only: false,
      stream_id: channel,
    },
    audience: { channel },
  }]);
});

Deno.test("an edited message is found by its new words and mentions only", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.member, {
    to: channel,
    content: `roses @**Moderator|${chat.moderator.id}**`,
  });
  const found = (operand: string) =>
    fetchMessageIds(chat, chat.owner, { narrow: [{ operator: "search", operand }] });
  assert.deepEqual(await found("roses"), [id]);
  await chat.call(chat.member, `PATCH /messages/${id}`, {
    content: `tulips @**Owner|${chat.owner.id}**`,
  });
  assert.deepEqual([await found("roses"), await found("tulips")], [[], [id]]);
  const narrow = [{ operator: "is", operand: "mentioned" }];
  assert.deepEqual(await fetchMessageIds(chat, chat.owner, { narrow }), [id]);
  assert.deepEqual(await fetchMessageIds(chat, chat.moderator, { narrow }), []);
});

Deno.test("an edit that replaces very many words updates the search index completely", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const words = (letter: string) => Array.from({ length: 480 }, (_, at) => `${letter}${at}`).join(" ");
  const id = await send(chat, chat.member, { to: channel, content: words("a") });
  for (const [now, before] of [["b", "a"], ["a", "b"]]) {
    const edited = await chat.call(chat.member, `PATCH /messages/${id}`, { content: words(now ?? "") });
    assert.equal(edited.status, 200, JSON.stringify(edited.body));
    const found = (operand: string) =>
      fetchMessageIds(chat, chat.owner, { narrow: [{ operator: "search", operand }] });
    assert.deepEqual([await found(`${now}479`), await found(`${before}0`)], [[id], []]);
  }
});

Deno.test("an emptied message is marked as deleted", async () => {
  await using chat = await startChat();
  const id = await sendDirect(chat, chat.member, [chat.admin], "oops");
  await chat.call(chat.member, `PATCH /messages/${id}`, { content: "  \n" });
  assert.equal((await chat.call(chat.admin, `GET /messages/${id}`)).body.raw_content, "(deleted)");
});

Deno.test("PATCH /messages/{message_id} checks sender, time limit and expected content", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.member, { to: channel, content: "roses" });
  const edit = (user: typeof chat.member | null, params: Record<string, unknown> = { content: "x" }) =>
    chat.call(user, `PATCH /messages/${id}`, params);
  assert.equal((await edit(null)).status, 401);
  for (const user of [chat.owner, chat.admin, chat.moderator, chat.bot]) {
    const { status, body } = await edit(user);
    assert.deepEqual([status, body.msg], [400, "You don't have permission to edit this message"]);
  }
  for (const user of [chat.guest, chat.outsider]) {
    const { status, body } = await edit(user);
    assert.deepEqual([status, body.code, body.msg], [400, "BAD_REQUEST", "Invalid message(s)"]);
    const history = await chat.call(user, `GET /messages/${id}/history`);
    assert.deepEqual([history.status, history.body.msg], [400, "Invalid message(s)"]);
  }
  const refusals: [Record<string, unknown>, string, string][] = [
    [{}, "Nothing to change", "BAD_REQUEST"],
    [{ topic: "plans" }, "Nothing to change", "BAD_REQUEST"],
    [
      { content: "x", propagate_mode: "change_all" },
      "Invalid propagate_mode without topic edit",
      "BAD_REQUEST",
    ],
    [
      { content: "x", prev_content_sha256: "00" },
      "'prev_content_sha256' value does not match the expected value.",
      "EXPECTATION_MISMATCH",
    ],
    [{ content: "x".repeat(10_001) }, "content is too long (limit: 10000 characters)", "BAD_REQUEST"],
    [
      { content: "x", propagate_mode: "some" },
      "Invalid propagate_mode: Value error, Not in the list of possible values",
      "BAD_REQUEST",
    ],
    [{ stream_id: "x" }, "stream_id is not valid JSON", "BAD_REQUEST"],
  ];
  for (const [params, msg, code] of refusals) {
    const { status, body } = await edit(chat.member, params);
    assert.deepEqual([status, body.msg, body.code], [400, msg, code]);
  }
  const sha = createHash("sha256").update("roses").digest("hex");
  assert.equal((await edit(chat.member, { content: "y", prev_content_sha256: sha })).status, 200);
  const unknown = await edit(chat.member, { content: "y", color: "red" });
  assert.deepEqual(unknown.body.ignored_parameters_unsupported, ["color"]);
  assert.equal(
    (await chat.call(chat.member, "PATCH /messages/99999", { content: "x" })).body.msg,
    "Invalid message(s)",
  );
  chat.clock.time += 601_000;
  const late = await edit(chat.member);
  assert.deepEqual([late.status, late.body.msg], [400, "The time limit for editing this message has passed"]);
  await alterSettings(chat, { message_content_edit_limit_seconds: null });
  assert.equal((await edit(chat.member)).status, 200);
});

Deno.test("PATCH /messages/{message_id} refuses direct messages and archived channels", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const direct = await sendDirect(chat, chat.member, [chat.admin], "psst");
  const topic = await chat.call(chat.member, `PATCH /messages/${direct}`, { topic: "plans" });
  assert.equal(topic.body.msg, "Direct messages cannot have topics.");
  const moved = await chat.call(chat.member, `PATCH /messages/${direct}`, { stream_id: channel });
  assert.equal(moved.body.msg, "Direct messages cannot be moved to channels.");
  const id = await send(chat, chat.member, { to: channel, content: "roses" });
  assert.equal((await chat.call(chat.owner, `DELETE /streams/${channel}`)).status, 200);
  const edited = await chat.call(chat.member, `PATCH /messages/${id}`, { content: "x" });
  assert.deepEqual([edited.status, edited.body.msg], [400, "Invalid message(s)"]);
});

Deno.test("an edit history drops its oldest contents when it grows too large", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.member, { to: channel, content: "first" });
  for (let no = 0; no < 12; no++) {
    const content = `${no} ${"long ".repeat(1900)}`;
    const { status, body } = await chat.call(chat.member, `PATCH /messages/${id}`, { content });
    assert.equal(status, 200, JSON.stringify(body));
  }
  const { body } = await chat.call(chat.owner, `GET /messages/${id}/history`);
  assert.equal(body.message_history.length, 13);
  assert.equal(body.message_history[0].content, "");
  assert.match(body.message_history[12].prev_content, /^10 long/);
});

Deno.test("an edit names the author's files that no message uses any more", async () => {
  await using chat = await startChat();
  const { member, moderator } = chat;
  const channel = await makeChannel(chat, "Garden");
  const uploads = [];
  for (const [owner, name] of [[member, "a.txt"], [member, "b.txt"], [moderator, "c.txt"]] as const) {
    uploads.push((await upload(chat, owner, { name, content: name })).body["url"]);
  }
  const [first, second, foreign] = uploads;
  await send(chat, moderator, { to: channel, content: `[c](${foreign})` });
  const id = await send(chat, member, {
    to: channel,
    content: `[a](${first}) [b](${second}) [c](${foreign})`,
  });
  const other = await send(chat, member, { to: channel, content: `[b](${second})` });
  const detachedBy = async (messageId: number, params: TestParams) => {
    const { detached_uploads } = await succeed(chat, member, `PATCH /messages/${messageId}`, params);
    return detached_uploads;
  };
  assert.deepEqual(await detachedBy(id, { topic: "other" }), []);
  assert.deepEqual(await detachedBy(id, { content: `again [a](${first})` }), []);
  const [{ path_id, create_time, ...rest }, ...others] = await detachedBy(id, { content: "none" });
  assert.deepEqual(others, []);
  assert.deepEqual([`/user_uploads/${path_id}`, create_time], [first, Math.floor(chat.clock.time / 1000)]);
  assert.deepEqual(rest, { id: rest.id, name: "a.txt", size: 5, message_ids: [] });
  const moved = await detachedBy(other, { content: "none", topic: "third" });
  assert.deepEqual(moved.map(({ name }: { name: string }) => name), ["b.txt"]);
  assert.deepEqual(await detachedBy(other, { content: "still none" }), []);
});

Deno.test("the history marks the words that each edit changed, up to a limit", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const words = (letter: string) => Array.from({ length: 450 }, (_, at) => `${letter}${at}`).join(" ");
  const id = await send(chat, chat.member, { to: channel, content: "roses & lilies" });
  for (
    const params of [
      { content: "roses & tulips" },
      { topic: "other" },
      { content: "roses & tulips\n\n<b>now</b>" },
      { content: words("a") },
      { content: words("b") },
    ]
  ) {
    await succeed(chat, chat.member, `PATCH /messages/${id}`, params);
  }
  const { message_history } = await succeed(chat, chat.owner, `GET /messages/${id}/history`);
  const diffs = message_history.map(({ content_html_diff }: { content_html_diff?: string }) =>
    content_html_diff
  );
  assert.deepEqual(diffs, [
    undefined,
    `<div><p>roses &amp; ${inserted("tulips")} ${deleted("lilies")}</p></div>`,
    undefined,
    `<div><p>roses &amp; tulips</p>\n<p>${inserted("&lt;b&gt;now&lt;/b&gt;")}</p></div>`,
    `<div><p>${inserted(words("a"))}</p>${deleted("roses &amp; tulips\n&lt;b&gt;now&lt;/b&gt;")}</div>`,
    `<div><p>${inserted(words("b"))}</p>${deleted(words("a"))}</div>`,
  ]);
});
