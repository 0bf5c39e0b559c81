import assert from "node:assert/strict";
import {
  fetchMessageIds,
  makeChannel,
  NO_AUTOMATIC_POLICIES,
  send,
  sendDirect,
  startChat,
} from "@/tests/casts/messages_cast.ts";

Deno.test("GET /messages returns the messages around an anchor, each once", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  const ids: number[] = [];
  for (let at = 0; at < 9; at++) {
    ids.push(await send(chat, chat.member, { to: channel, content: `no. ${at}` }));
  }
  const ask = async (params: Record<string, unknown>) => {
    const narrow = [["channel", channel], ["topic", "plans"]];
    const { body } = await chat.call(chat.owner, "GET /messages", { narrow, ...params });
    const { messages, found_anchor, found_oldest, found_newest } = body;
    return [
      messages.map(({ id }: { id: number }) => ids.indexOf(id)),
      found_anchor,
      found_oldest,
      found_newest,
    ];
  };
  assert.deepEqual(await ask({ anchor: ids[4], num_before: 2, num_after: 2 }), [
    [2, 3, 4, 5, 6],
    true,
    false,
    false,
  ]);
  assert.deepEqual(await ask({ anchor: ids[4], num_before: 1, num_after: 1, include_anchor: false }), [
    [3, 5],
    true,
    false,
    false,
  ]);
  assert.deepEqual(await ask({ anchor: "newest", num_before: 3, num_after: 0 }), [
    [6, 7, 8],
    false,
    false,
    true,
  ]);
  assert.deepEqual(await ask({ anchor: "oldest", num_before: 0, num_after: 3 }), [
    [0, 1, 2],
    false,
    true,
    false,
  ]);
  assert.deepEqual(await ask({ anchor: "newest", num_before: 50, num_after: 0 }), [
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
    false,
    true,
    true,
  ]);
  assert.deepEqual((await ask({ message_ids: [ids[3], ids[1], 99_999] }))[0], [1, 3]);
  // Paging skips and repeats nothing.
  const paged: number[] = [];
  for (let anchor: unknown = "oldest";;) {
    const page = await fetchMessageIds(chat, chat.owner, {
      anchor,
      num_before: 0,
      num_after: 2,
      include_anchor: false,
    });
    paged.push(...page);
    anchor = page.at(-1);
    if (page.length === 0) break;
  }
  assert.deepEqual(paged, ids);
});

Deno.test("GET /messages returns the messages that match a narrow", async () => {
  await using chat = await startChat();
  await chat.call(chat.owner, "PATCH /settings", NO_AUTOMATIC_POLICIES);
  const garden = await makeChannel(chat, "Garden");
  const kitchen = await makeChannel(chat, "Kitchen");
  const a = await send(chat, chat.member, { to: garden, topic: "Roses", content: "prune the roses" });
  const b = await send(chat, chat.owner, {
    to: garden,
    topic: "weeds",
    content: "see https://example.com roses",
  });
  const c = await send(chat, chat.member, { to: kitchen, topic: "roses", content: `@**Owner** soup` });
  const d = await sendDirect(chat, chat.member, [chat.owner], "roses, secretly");
  const narrow = (...terms: [string, unknown][]) => fetchMessageIds(chat, chat.owner, { narrow: terms });
  assert.deepEqual(await narrow(), [a, b, c, d]);
  assert.deepEqual(await narrow(["channel", "garden"]), [a, b]);
  assert.deepEqual(await narrow(["stream", garden], ["topic", "ROSES"]), [a]);
  assert.deepEqual(await narrow(["topic", "roses"]), [a, c]);
  assert.deepEqual(await narrow(["dm", [chat.member.id]]), [d]);
  assert.deepEqual(await narrow(["dm", chat.member.email]), [d]);
  assert.deepEqual(await narrow(["is", "dm"]), [d]);
  assert.deepEqual(await narrow(["sender", chat.member.email]), [a, c, d]);
  assert.deepEqual(await narrow(["is", "mentioned"]), [c]);
  assert.deepEqual(await narrow(["has", "link"]), [b]);
  assert.deepEqual(await narrow(["search", "roses"]), [a, b, c, d]);
  assert.deepEqual(await narrow(["search", "roses prune"]), [a]);
  assert.deepEqual(await narrow(["search", '"the roses"']), [a]);
  assert.deepEqual(await narrow(["search", "nothing"]), []);
  const found = await chat.call(chat.owner, "GET /messages", {
    ...{ anchor: "newest", num_before: 9, apply_markdown: false },
    narrow: [["search", "roses"], ["channel", garden]],
  });
  const marked = (text: string) => `<span class="highlight">${text}</span>`;
  const [{ content, match_content, match_subject }, ...more] = found.body.messages;
  assert.deepEqual([content, match_content, match_subject, more.length], [
    "prune the roses",
    `<p>prune the ${marked("roses")}</p>`,
    marked("Roses"),
    1,
  ]);
  const plain = await chat.call(chat.owner, "GET /messages", { anchor: "newest", num_before: 1 });
  assert.equal("match_content" in plain.body.messages[0], false);
  assert.deepEqual(await narrow(["id", b]), [b]);
  assert.deepEqual(await narrow(["with", c]), [c]);
  assert.deepEqual(
    await fetchMessageIds(chat, chat.owner, {
      narrow: [{ operator: "sender", operand: chat.member.id, negated: true }],
    }),
    [b],
  );
  assert.deepEqual(await fetchMessageIds(chat, chat.member, { narrow: [["is", "mentioned"]] }), []);
  await chat.call(chat.owner, "POST /user_topics", {
    stream_id: garden,
    topic: "roses",
    visibility_policy: 3,
  });
  await chat.call(chat.owner, `PATCH /users/me/subscriptions/${kitchen}`, {
    property: "is_muted",
    value: true,
  });
  assert.deepEqual(await narrow(["is", "followed"]), [a]);
  assert.deepEqual(await narrow(["is", "muted"]), [c]);
  assert.deepEqual(await narrow(["in", "home"]), [a, b, d]);
  assert.deepEqual(await narrow(["in", "all"]), [a, b, c, d]);
  assert.deepEqual(await narrow(["mentions", chat.owner.email]), [c]);
  assert.deepEqual(await narrow(["mentions", chat.owner.id], ["channel", garden]), []);
  assert.deepEqual(await fetchMessageIds(chat, chat.member, { narrow: [["mentions", chat.owner.id]] }), [c]);
  assert.deepEqual(
    await fetchMessageIds(chat, chat.moderator, { narrow: [["mentions", chat.member.id]] }),
    [],
  );
  const { body } = await chat.call(chat.owner, "GET /messages", {
    anchor: 1,
    num_before: 1,
    num_after: 1,
    narrow: [["color", "red"]],
  });
  assert.deepEqual([body.msg, body.code, body.desc], [
    "Invalid narrow operator: unknown operator",
    "BAD_NARROW",
    "unknown operator",
  ]);
});

Deno.test("GET /messages/{message_id} grants access by subscription, role and history setting", async () => {
  await using chat = await startChat();
  const open = await makeChannel(chat, "Open");
  const shared = await makeChannel(chat, "Shared", {
    invite_only: true,
    history_public_to_subscribers: true,
  });
  const hidden = await makeChannel(chat, "Hidden", {
    invite_only: true,
    history_public_to_subscribers: false,
  });
  const before: Record<string, number> = {};
  for (const [name, id] of Object.entries({ open, shared, hidden })) {
    before[name] = await send(chat, chat.owner, { to: id, content: name });
  }
  const canSee = async (user: typeof chat.member, name: string) =>
    (await chat.call(user, `GET /messages/${before[name]}`)).status === 200;
  for (const name of ["open", "shared", "hidden"]) {
    assert.ok(await canSee(chat.member, name), name);
    assert.equal(await canSee(chat.guest, name), false, name);
    assert.equal(await canSee(chat.outsider, name), false, name);
    // Administrators have no access of their own to private channels.
    assert.equal(await canSee(chat.admin, name), name === "open", name);
  }
  const flags = (await chat.call(chat.admin, `GET /messages/${before["open"]}`)).body.message.flags;
  assert.deepEqual(flags, ["read", "historical"]);
  assert.deepEqual(await fetchMessageIds(chat, chat.admin), []);
  assert.deepEqual(await fetchMessageIds(chat, chat.admin, { narrow: [["channel", open]] }), [
    before["open"],
  ]);
});
