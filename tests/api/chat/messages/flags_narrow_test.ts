import assert from "node:assert/strict";
import { fetchMessageIds, makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";

const WHOLE = { anchor: "oldest", num_before: 0, num_after: 100 };

Deno.test("POST /messages/flags/narrow changes matching messages and returns the range", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const roses: number[] = [];
  for (const content of ["a", "b", "c"]) {
    roses.push(await send(chat, chat.member, { to: channel, topic: "roses", content }));
  }
  const weeds = await send(chat, chat.member, { to: channel, topic: "weeds", content: "d" });
  const narrow = [["channel", "Garden"], ["topic", "roses"]];
  const unread = [["sender", chat.member.email], ["is", "unread"]];
  const change = (of: Record<string, unknown>) =>
    chat.call(chat.owner, "POST /messages/flags/narrow", {
      ...WHOLE,
      op: "add",
      flag: "read",
      narrow,
      ...of,
    });
  await chat.events();
  const first = await change({ num_after: 1, include_anchor: false, spare: 1 });
  assert.deepEqual(first.body, {
    result: "success",
    msg: "",
    processed_count: 1,
    updated_count: 1,
    first_processed_id: roses[0],
    last_processed_id: roses[0],
    found_oldest: true,
    found_newest: false,
    ignored_parameters_unsupported: ["spare"],
  });
  const events = await chat.events();
  assert.deepEqual(events.map(({ event, audience }) => [event["messages"], audience]), [
    [[roses[0]], [chat.owner.id]],
  ]);
  const rest = await change({});
  assert.deepEqual(
    [rest.body.processed_count, rest.body.updated_count, rest.body.found_newest],
    [3, 2, true],
  );
  assert.deepEqual(
    [rest.body.first_processed_id, rest.body.last_processed_id],
    [roses[0], roses[2]],
  );
  assert.deepEqual(await fetchMessageIds(chat, chat.owner, { narrow: unread }), [weeds]);
  assert.deepEqual(await fetchMessageIds(chat, chat.moderator, { narrow: unread }), [...roses, weeds]);
  await chat.events();
  const again = await change({});
  assert.deepEqual([again.body.processed_count, again.body.updated_count], [3, 0]);
  assert.deepEqual(await chat.events(), []);
  assert.equal((await change({ flag: "starred" })).body.updated_count, 3);
  assert.equal((await change({ op: "remove", num_after: 2, include_anchor: true })).body.updated_count, 2);
  assert.deepEqual(await fetchMessageIds(chat, chat.owner, { narrow: [["is", "starred"]] }), roses);
  const none = await change({ narrow: [["search", "nothing"]] });
  assert.deepEqual([none.body.processed_count, none.body.first_processed_id], [0, null]);
});

Deno.test("POST /messages/flags/narrow keeps messages read that were not sent to the user", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  await send(chat, chat.member, { to: channel, content: "a" });
  const params = {
    ...WHOLE,
    op: "remove",
    flag: "read",
    narrow: [["channel", "Garden"], ["topic", "plans"]],
  };
  const { body } = await chat.call(chat.admin, "POST /messages/flags/narrow", params);
  assert.deepEqual([body.processed_count, body.updated_count], [1, 0]);
  const foreign = await chat.call(chat.outsider, "POST /messages/flags/narrow", { ...params, narrow: [] });
  assert.equal(foreign.body.processed_count, 0);
});

Deno.test("POST /messages/flags/narrow refuses invalid parameters", async () => {
  await using chat = await startChat();
  const valid = { ...WHOLE, op: "add", flag: "read", narrow: [] };
  const { anchor: _anchor, ...withoutAnchor } = valid;
  const refusals: [Record<string, unknown>, string][] = [
    [withoutAnchor, "Missing 'anchor' argument"],
    [{ ...valid, num_after: 5001 }, "Too many messages requested (maximum 5000)."],
    [{ ...valid, num_after: -1 }, "num_after is too small"],
    [{ ...valid, flag: "mentioned" }, "Flag not editable: 'mentioned'"],
    [{ ...valid, op: "toggle" }, "Invalid message flag operation: 'toggle'"],
    [{ ...valid, narrow: "x" }, "narrow is not valid JSON"],
  ];
  for (const [params, msg] of refusals) {
    const { status, body } = await chat.call(chat.member, "POST /messages/flags/narrow", params);
    assert.deepEqual([status, body.msg], [400, msg]);
  }
  assert.equal((await chat.call(null, "POST /messages/flags/narrow", valid)).status, 401);
  for (const user of [chat.admin, chat.moderator, chat.guest, chat.bot]) {
    assert.equal((await chat.call(user, "POST /messages/flags/narrow", valid)).status, 200);
  }
});

Deno.test("GET /messages/matches_narrow returns the matching messages that the user can see", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const a = await send(chat, chat.member, { to: channel, topic: "a <b>", content: "*one*" });
  const b = await send(chat, chat.member, { to: channel, topic: "b", content: "two" });
  const c = await sendDirect(chat, chat.member, [chat.owner], "three");
  await chat.call(chat.owner, "POST /messages/flags", { op: "add", flag: "starred", messages: [a] });
  const match = async (user: typeof chat.member, narrow: unknown, more = {}) =>
    (await chat.call(user, "GET /messages/matches_narrow", { msg_ids: [a, b, c, 99_999], narrow, ...more }))
      .body;
  assert.deepEqual(await match(chat.owner, [["topic", "A <B>"]], { spare: 1 }), {
    result: "success",
    msg: "",
    messages: {
      [a]: { match_content: "<p><em>one</em></p>", match_subject: "a &lt;b&gt;" },
    },
    ignored_parameters_unsupported: ["spare"],
  });
  const ids = async (user: typeof chat.member, narrow: unknown) =>
    Object.keys((await match(user, narrow)).messages).map(Number);
  assert.deepEqual(await ids(chat.owner, [["sender", chat.member.email]]), [a, b, c]);
  assert.deepEqual(await ids(chat.owner, [["is", "starred"]]), [a]);
  assert.deepEqual(await ids(chat.owner, [["is", "dm"]]), [c]);
  assert.deepEqual(await ids(chat.owner, [["search", "two"]]), [b]);
  assert.deepEqual(await ids(chat.moderator, [["sender", chat.member.email]]), [a, b]);
  assert.deepEqual(await ids(chat.admin, [["channel", "Garden"]]), [a, b]);
  assert.deepEqual(await ids(chat.guest, [["channel", channel]]), []);
  assert.deepEqual(await ids(chat.outsider, []), []);
  const refusals: [Record<string, unknown>, string][] = [
    [{ narrow: [] }, "Missing 'msg_ids' argument"],
    [{ msg_ids: ["a"], narrow: [] }, "msg_ids[0] is not an integer"],
    [{ msg_ids: [a], narrow: [["channel", "nowhere"]] }, "Invalid narrow operator: unknown channel"],
  ];
  for (const [params, msg] of refusals) {
    const { status, body } = await chat.call(chat.member, "GET /messages/matches_narrow", params);
    assert.deepEqual([status, body.msg], [400, msg]);
  }
  assert.equal((await chat.call(null, "GET /messages/matches_narrow", { msg_ids: [a] })).status, 401);
});
