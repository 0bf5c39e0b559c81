// GET /messages with narrows that have an index of their messages
import assert from "node:assert/strict";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { MAX_INDEXED_GROUPS } from "@/lib/chat/messages/narrow/facets.ts";
import { MAX_INDEXED_WORDS } from "@/lib/chat/messages/narrow/search_words.ts";
import { file, PNG } from "@/tests/casts/pictures_cast.ts";
import { upload } from "@/tests/casts/files_cast.ts";
import { seedMessages } from "@/tests/casts/many_messages_cast.ts";
import { makeChannel, send, toMessageIds } from "@/tests/casts/messages_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** Fewer than the messages of the channel. */
const MAX_READS = 1000;
const SEEDED = 1500;
/** More groups than those whose mentions are merged. */
const MANY_GROUPS = 31;

/** Messages by what they are for, oldest first. */
type Sent = Readonly<Record<string, number>>;

/** Returns the ids of the member's messages that satisfy one term; fails when the search ended early. */
async function fetchIds(chat: TestChat, operator: string, operand: string): Promise<number[]> {
  const asked = { anchor: "newest", num_before: 100, num_after: 0, narrow: [{ operator, operand }] };
  const { messages, found_oldest } = await succeed(chat, chat.member, "GET /messages", asked);
  assert.ok(found_oldest, `${operator}:${operand} ended early`);
  return toMessageIds(messages);
}

/** Sends a message of each kind as the owner, and many without any after them. */
async function sendKinds(chat: TestChat): Promise<Sent> {
  const { owner, member, moderator } = chat;
  const to = await makeChannel(chat, "Garden");
  const group = { name: "weeders", description: "", members: [member.id] };
  await succeed(chat, owner, "POST /user_groups/create", group);
  await succeed(chat, owner, "POST /user_groups/create", {
    ...group,
    name: "pruners",
    members: [moderator.id],
  });
  await succeed(chat, member, "POST /users/me/alert_words", { alert_words: ["red tulip", "c++"] });
  const { url } = (await upload(chat, owner, {
    name: "rose.png",
    content: await file(PNG).bytes(),
  })).body;
  const contents: Readonly<Record<string, string>> = {
    name: "@**Member**, water please",
    silent: "@_**Member** watered",
    group: "@*weeders* are needed",
    otherGroup: "@*pruners* are needed",
    wildcard: "@**all** water please",
    alert: "a (Red Tulip) opened",
    wordsApart: "a tulip, red",
    symbols: "all in C++",
    long: `${Array.from({ length: MAX_INDEXED_WORDS }, (_, at) => `w${at}`).join(" ")} red tulip`,
    link: "see https://example.com",
    image: `[rose](${url})`,
    reaction: "tea?",
  };
  const sent: Record<string, number> = {};
  for (const [kind, content] of Object.entries(contents)) {
    sent[kind] = await send(chat, owner, { to, content });
  }
  await succeed(chat, owner, `POST /messages/${sent["reaction"]}/reactions`, { emoji_name: "tea" });
  const target = { store: chat.services.store, realmId: chat.realm.id, channelId: to, senderId: owner.id };
  await seedMessages(target, Array.from({ length: SEEDED }, () => ({})));
  return sent;
}

function pick(sent: Sent, ...kinds: string[]): (number | undefined)[] {
  return kinds.map((kind) => sent[kind]);
}

Deno.test("narrows by mentions, contents and alert words read only messages that may match", async () => {
  await using chat = await startChat({ env: { SEARCH_MAX_READS: String(MAX_READS) } });
  const sent = await sendKinds(chat);
  assert.deepEqual(await fetchIds(chat, "is", "mentioned"), pick(sent, "name", "group", "wildcard"));
  assert.deepEqual(await fetchIds(chat, "has", "link"), pick(sent, "link", "image"));
  assert.deepEqual(await fetchIds(chat, "has", "image"), pick(sent, "image"));
  assert.deepEqual(await fetchIds(chat, "has", "attachment"), pick(sent, "image"));
  assert.deepEqual(await fetchIds(chat, "has", "reaction"), pick(sent, "reaction"));
  assert.deepEqual(await fetchIds(chat, "is", "alerted"), pick(sent, "alert", "symbols", "long"));
  await succeed(chat, chat.member, "DELETE /users/me/alert_words", { alert_words: ["red tulip", "c++"] });
  assert.deepEqual(await fetchIds(chat, "is", "alerted"), []);
});

Deno.test("narrows to direct messages read only those of the viewer", async () => {
  await using chat = await startChat({ env: { SEARCH_MAX_READS: String(MAX_READS) } });
  const { owner, member, moderator } = chat;
  const write = async (to: readonly number[]) => {
    const form = { type: "direct", to, content: "tea?" };
    return Number((await succeed(chat, owner, "POST /messages", form)).id);
  };
  const [one, group] = [await write([member.id]), await write([member.id, moderator.id])];
  await write([moderator.id]);
  const channelId = await makeChannel(chat, "Garden");
  const target = { store: chat.services.store, realmId: chat.realm.id, channelId, senderId: owner.id };
  await seedMessages(target, Array.from({ length: SEEDED }, () => ({})));
  const found = await fetchIds(chat, "is", "dm");
  assert.deepEqual(found.slice(-2), [one, group]);
  assert.deepEqual(await fetchIds(chat, "dm-including", moderator.email), [group]);
});

/** Creates groups and returns their ids. */
async function createGroups(
  chat: TestChat,
  count: number,
  { name, ...form }: { name: string; members?: readonly number[]; subgroups?: readonly number[] },
): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < count; at++) {
    const group = { members: [], description: "", ...form, name: `${name} ${at}` };
    const { group_id } = await succeed(chat, chat.owner, "POST /user_groups/create", group);
    ids.push(Number(group_id));
  }
  return ids;
}

/** Returns what mentions groups that `createGroups` creates. */
function mentionAll(name: string, count: number): string {
  return Array.from({ length: count }, (_, at) => `@*${name} ${at}*`).join(" ");
}

Deno.test("a narrow to mentions reads no mentions of groups that the viewer is not in", async () => {
  await using chat = await startChat({ env: { SEARCH_MAX_READS: String(MAX_READS) } });
  const { owner, member, moderator } = chat;
  const to = await makeChannel(chat, "Garden");
  const [pruners = 0] = await createGroups(chat, 1, { name: "pruners", members: [moderator.id] });
  const [inner = 0] = await createGroups(chat, 1, { name: "inner", members: [member.id] });
  const [middle = 0] = await createGroups(chat, 1, { name: "middle", subgroups: [inner] });
  await createGroups(chat, 1, { name: "outer", subgroups: [middle] });
  const count = MAX_INDEXED_GROUPS + 1;
  await createGroups(chat, count, { name: "other" });
  const sent: number[] = [];
  const contents = [
    ...["@*outer 0* are needed", "@*inner 0* and @*outer 0* too", "@**topic** please"],
    `${mentionAll("other", count)} @*inner 0*`,
  ];
  for (const content of contents) sent.push(await send(chat, owner, { to, content }));
  await send(chat, owner, { to, content: mentionAll("other", count) });
  const target = { store: chat.services.store, realmId: chat.realm.id, channelId: to, senderId: owner.id };
  const seeded = Array.from({ length: SEEDED }, () => ({ group_ids: [pruners] }));
  await seedMessages(target, seeded);
  assert.deepEqual(await fetchIds(chat, "is", "mentioned"), sent);
});

Deno.test("mentions are found for users of many groups and after changes of members", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const to = await makeChannel(chat, "Garden");
  const [weeders = 0] = await createGroups(chat, 1, { name: "weeders", members: [member.id] });
  const [pruners = 0] = await createGroups(chat, 1, { name: "pruners" });
  const one = await send(chat, owner, { to, content: "@*weeders 0* are needed" });
  const two = await send(chat, owner, { to, content: "@*pruners 0* are needed" });
  assert.deepEqual(await fetchIds(chat, "is", "mentioned"), [one]);
  await succeed(chat, owner, `POST /user_groups/${pruners}/members`, { add: [member.id] });
  assert.deepEqual(await fetchIds(chat, "is", "mentioned"), [one, two]);
  await succeed(chat, owner, `POST /user_groups/${weeders}/members`, { delete: [member.id] });
  assert.deepEqual(await fetchIds(chat, "is", "mentioned"), [two]);
  await createGroups(chat, MANY_GROUPS, { name: "own", members: [member.id] });
  const three = await send(chat, owner, { to, content: "@*own 7* are needed" });
  assert.deepEqual(await fetchIds(chat, "is", "mentioned"), [two, three]);
  await succeed(chat, owner, `PATCH /messages/${two}`, { content: mentionAll("own", MANY_GROUPS) });
  await succeed(chat, owner, `PATCH /messages/${three}`, { content: "nobody" });
  assert.deepEqual(await fetchIds(chat, "is", "mentioned"), [two]);
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});

Deno.test("an alert word without letters is found in all messages", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "Garden");
  await succeed(chat, chat.member, "POST /users/me/alert_words", { alert_words: ["🌷", "rose"] });
  const tulip = await send(chat, chat.owner, { to, content: "a 🌷, at last" });
  const rose = await send(chat, chat.owner, { to, content: "and a rose" });
  assert.deepEqual(await fetchIds(chat, "is", "alerted"), [tulip, rose]);
});

Deno.test("edits and deletions keep the indexes of narrows", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "Garden");
  const [one = 0, two = 0] = [
    await send(chat, chat.owner, { to, content: "@**all** see https://example.com" }),
    await send(chat, chat.owner, { to, content: "nothing" }),
  ];
  await succeed(chat, chat.owner, `PATCH /messages/${one}`, { content: "nothing any more" });
  await succeed(chat, chat.owner, `PATCH /messages/${two}`, { content: "@**all** see https://example.com" });
  for (const [operator, operand] of [["is", "mentioned"], ["has", "link"]] as const) {
    assert.deepEqual(await fetchIds(chat, operator, operand), [two]);
  }
  await succeed(chat, chat.owner, `DELETE /messages/${two}`);
  assert.deepEqual(await fetchIds(chat, "has", "link"), []);
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});
