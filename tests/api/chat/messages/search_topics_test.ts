// GET /messages and other requests with a search: words of topics match as those of contents do
import assert from "node:assert/strict";
import { fetchMessageIds, makeChannel, send, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";
import { countChanges, indexWords, listIndexed } from "@/tests/casts/word_index_cast.ts";
import type { TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

function search(chat: TestChat, query: string, ...others: unknown[]): Promise<number[]> {
  return fetchMessageIds(chat, chat.owner, { narrow: [["search", query], ...others] });
}

/** Returns the text and the topic of the only message that a search finds, with the words marked. */
async function fetchMarks(chat: TestChat, user: TestUser, query: string): Promise<[string, string]> {
  const asked = { anchor: "newest", num_before: 10, num_after: 0, narrow: [["search", query]] };
  const { messages: [found, ...others] } = await succeed(chat, user, "GET /messages", asked);
  assert.deepEqual(others, []);
  return [found.match_content, found.match_subject];
}

/** Runs checks of searches before and after the messages are indexed. */
async function checkTwice(chat: TestChat, check: (when: string) => Promise<void>): Promise<void> {
  await check("before indexing");
  await indexWords(chat);
  assert.equal(await countChanges(chat), 0);
  await check("after indexing");
}

Deno.test("searches find words in the topic, in the content, and some in each", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "Garden");
  const id = await send(chat, chat.owner, { to, topic: "kumquat harvest", content: "nothing here" });
  const other = await send(chat, chat.owner, {
    to,
    topic: "tools",
    content: "after the harvest of kumquats",
  });
  const direct = await sendDirect(chat, chat.owner, [chat.member], "a harvest");
  const found: readonly (readonly [query: string, ids: readonly number[]])[] = [
    ["harvest", [id, other, direct]],
    ["HARVEST Kumquat", [id]],
    ["harvest nothing", [id]],
    ["harvest tools", [other]],
    ["kumq*", [id, other]],
    ["kumq", []],
    ['"kumquat harvest"', [id]],
    ["kumquat-harvest", [id]],
    ['"harvest kumquat"', []],
    ['"harvest nothing"', []],
    ['"nothing harvest"', []],
    ['"kumquat harvest" "nothing here"', [id]],
    ["harvest missing", []],
  ];
  await checkTwice(chat, async (when) => {
    for (const [query, ids] of found) assert.deepEqual(await search(chat, query), ids, `${query} ${when}`);
  });
});

Deno.test("searches find topics in any script, regardless of case and accents", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "Garden");
  const found: readonly (readonly [topic: string, ...queries: string[]])[] = [
    ["収穫祭の計画", "収穫祭", "計画", "祭の計", '"収穫祭の計画"'],
    ["Урожай Ёлки", "урожай", "УРОЖАЙ елки"],
    ["Crème brûlée", "creme", "BRULEE", "brûl*"],
    ["Straße 7", "strasse", "STRASSE 7"],
    ["kumquat_harvest <b>", "kumquat", "harvest b"],
  ];
  const ids: number[] = [];
  for (const [topic] of found) ids.push(await send(chat, chat.owner, { to, topic, content: "nothing here" }));
  await checkTwice(chat, async (when) => {
    for (const [at, [topic, ...queries]] of found.entries()) {
      for (const query of queries) {
        assert.deepEqual(await search(chat, query), [ids[at]], `${query} in ${topic} ${when}`);
      }
    }
  });
});

Deno.test("searches mark the words in the topic and in the content, as HTML", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "Garden");
  await send(chat, chat.owner, { to, topic: "kumquat harvest <b> & Crème", content: "nothing here" });
  await checkTwice(chat, async () => {
    assert.deepEqual(await fetchMarks(chat, chat.owner, "harvest here"), [
      '<p>nothing <span class="highlight">here</span></p>',
      'kumquat <span class="highlight">harvest</span> &lt;b&gt; &amp; Crème',
    ]);
    assert.deepEqual(await fetchMarks(chat, chat.owner, "creme"), [
      "<p>nothing here</p>",
      'kumquat harvest &lt;b&gt; &amp; <span class="highlight">Crème</span>',
    ]);
  });
  const id = await sendDirect(chat, chat.owner, [chat.member], "a pear");
  assert.deepEqual(await search(chat, "pear"), [id]);
  assert.deepEqual(await fetchMarks(chat, chat.owner, "pear"), [
    '<p>a <span class="highlight">pear</span></p>',
    "",
  ]);
});

Deno.test("searches combine with other terms and exclude words of topics", async () => {
  await using chat = await startChat();
  const [garden, shed] = [await makeChannel(chat, "Garden"), await makeChannel(chat, "Shed")];
  const harvest = { topic: "kumquat harvest", content: "nothing here" };
  const one = await send(chat, chat.owner, { to: garden, ...harvest });
  const two = await send(chat, chat.member, { to: shed, ...harvest, content: "https://example.com" });
  const three = await send(chat, chat.owner, { to: garden, topic: "tools", content: "a rake" });
  const not = (operator: string, operand: unknown) => ({ operator, operand, negated: true });
  await checkTwice(chat, async () => {
    assert.deepEqual(await search(chat, "harvest", ["channel", shed]), [two]);
    assert.deepEqual(await search(chat, "harvest", ["sender", chat.owner.id]), [one]);
    assert.deepEqual(await search(chat, "harvest", ["has", "link"]), [two]);
    assert.deepEqual(await search(chat, "harvest", not("channel", shed)), [one]);
    assert.deepEqual(await search(chat, "harvest", ["topic", "kumquat harvest"], ["channel", garden]), [one]);
    assert.deepEqual(await search(chat, "harvest", ["is", "dm"]), []);
    assert.deepEqual(await search(chat, "harvest", ["search", "nothing"]), [one]);
    const rest = { narrow: [["channel", garden], not("search", "harvest")] };
    assert.deepEqual(await fetchMessageIds(chat, chat.owner, rest), [three]);
  });
});

Deno.test("searches find messages by their topic as it is after each kind of move", async () => {
  await using chat = await startChat();
  const [to, other] = [await makeChannel(chat, "Garden"), await makeChannel(chat, "Shed")];
  const ids: number[] = [];
  for (let at = 0; at < 4; at++) {
    ids.push(await send(chat, chat.owner, { to, topic: "kumquat harvest", content: `number ${at}` }));
  }
  const [first = 0, second = 0, third = 0] = ids;
  const move = (id: number, change: TestParams) => succeed(chat, chat.owner, `PATCH /messages/${id}`, change);
  const expect = async (found: Readonly<Record<string, readonly number[]>>) => {
    await checkTwice(chat, async (when) => {
      for (const [query, ids] of Object.entries(found)) {
        assert.deepEqual(await search(chat, query), ids, `${query} ${when}`);
      }
    });
  };
  const rest = ids.slice(1);
  await expect({ harvest: ids, pear: [] });
  await move(first, { topic: "pear harvest", propagate_mode: "change_one" });
  await expect({ harvest: ids, kumquat: rest, pear: [first] });
  await move(third, { topic: "apple", propagate_mode: "change_later" });
  await expect({ harvest: [first, second], kumquat: [second], apple: ids.slice(2) });
  await move(third, { topic: "✔ apple", propagate_mode: "change_all" });
  await expect({ apple: ids.slice(2), '"number 2"': [third] });
  await move(third, { stream_id: other, topic: "plum", propagate_mode: "change_all" });
  await expect({ apple: [], plum: ids.slice(2) });
  await move(third, { stream_id: to, propagate_mode: "change_all" });
  await expect({ plum: ids.slice(2) });
  await move(third, { topic: "cherry", content: "a stone", propagate_mode: "change_all" });
  await expect({ plum: [], cherry: ids.slice(2), "cherry stone": [third] });
  await succeed(chat, chat.owner, `DELETE /messages/${third}`);
  await expect({ cherry: ids.slice(3), harvest: [first, second] });
  assert.deepEqual(await listIndexed(chat, "#plum"), []);
});

Deno.test("searches find each message of a large topic while its rename is not indexed", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "Garden");
  const ids: number[] = [];
  for (let at = 0; at < 120; at++) ids.push(await send(chat, chat.owner, { to, topic: "old", content: "x" }));
  await indexWords(chat);
  const change = { topic: "kumquat harvest", propagate_mode: "change_all" };
  await succeed(chat, chat.owner, `PATCH /messages/${ids[50]}`, change);
  const find = (word: string) =>
    fetchMessageIds(chat, chat.owner, { narrow: [["search", word]], num_before: 500 });
  assert.ok(await countChanges(chat) <= 2, "one change for each commit of the move");
  await checkTwice(chat, async (when) => {
    assert.deepEqual(await find("harvest"), ids, when);
    assert.deepEqual(await find("old"), [], when);
  });
});

Deno.test("other requests with a narrow match words of topics", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "Garden");
  const narrow = [["search", "harvest"]];
  const { queue_id } = await succeed(chat, chat.member, "POST /register", {
    event_types: ["message"],
    narrow,
  });
  const id = await send(chat, chat.owner, { to, topic: "kumquat harvest", content: "nothing here" });
  const other = await send(chat, chat.owner, { to, topic: "tools", content: "a rake" });
  const { events } = await succeed(chat, chat.member, "GET /events", { queue_id, last_event_id: -1 });
  assert.deepEqual(events.map(({ message }: { message: { id: number } }) => message.id), [id]);
  const matches = (narrow: unknown) =>
    succeed(chat, chat.owner, "GET /messages/matches_narrow", { msg_ids: [id, other], narrow });
  assert.deepEqual((await matches(narrow)).messages, {
    [id]: {
      match_content: "<p>nothing here</p>",
      match_subject: 'kumquat <span class="highlight">harvest</span>',
    },
  });
  const excluded = await matches([{ operator: "search", operand: "harvest", negated: true }]);
  assert.deepEqual(Object.keys(excluded.messages), [String(other)]);
  const flags = { anchor: "newest", num_before: 10, num_after: 0, narrow, op: "add", flag: "starred" };
  const { updated_count } = await succeed(chat, chat.owner, "POST /messages/flags/narrow", flags);
  assert.equal(updated_count, 1);
});

Deno.test("alert words are found in contents, not in topics", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "Garden");
  await succeed(chat, chat.member, "POST /users/me/alert_words", { alert_words: ["harvest"] });
  await send(chat, chat.owner, { to, topic: "kumquat harvest", content: "nothing here" });
  const id = await send(chat, chat.owner, { to, topic: "tools", content: "the harvest" });
  await checkTwice(chat, async () => {
    assert.deepEqual(await fetchMessageIds(chat, chat.member, { narrow: [["is", "alerted"]] }), [id]);
  });
});
