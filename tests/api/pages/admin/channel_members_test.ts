import assert from "node:assert/strict";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";

/** Creates a channel with the owner as its subscriber and returns the path of its page. */
async function createChannel(chat: TestChat): Promise<string> {
  const { body } = await chat.call(chat.owner, "POST /channels/create", {
    name: "roof",
    subscribers: [chat.owner.id],
  });
  return `/admin/channels/${body["id"]}`;
}

async function subscribersAt(chat: TestChat, path: string): Promise<number[]> {
  const { body } = await chat.call(chat.owner, `GET /streams/${path.split("/").at(-1)}/members`);
  return body["subscribers"];
}

Deno.test("people and the members of groups are subscribed and removed on a channel's page", async () => {
  await using chat = await startChat();
  const owner = await signIn(chat, chat.owner);
  const path = await createChannel(chat);
  await chat.call(chat.owner, "POST /user_groups/create", {
    name: "bees",
    description: "",
    members: [chat.member.id, chat.guest.id],
  });
  const add = (members: string) => owner.post(path, { action: "add_members", members });
  assert.equal((await add("@bees\r\nModerator\r\nOwner")).status, 303);
  assert.match((await owner.get(path)).html, /3 people subscribed to roof\./);
  const { member, guest, moderator, owner: creator } = chat;
  assert.deepEqual(await subscribersAt(chat, path), [creator.id, member.id, moderator.id, guest.id].sort());
  assert.match((await add("@bees")).html, /All of these people are already subscribed\./);
  assert.match((await add("@wasps")).html, /No group is named “wasps”\./);
  assert.match((await add("@bees\n".repeat(1001))).html, /Enter no more than 1,000 people\./);
  assert.match((await add("")).html, /Enter at least one person or group\./);
  const remove = (fields: Record<string, string>) =>
    owner.post(path, { action: "remove_members", ...fields });
  assert.match((await remove({})).html, /Select or enter at least one subscriber\./);
  assert.equal((await remove({ member: String(moderator.id), others: "@bees" })).status, 303);
  assert.deepEqual(await subscribersAt(chat, path), [creator.id]);
});

Deno.test("a large group is subscribed in the background, and its channel shows a page of subscribers", async () => {
  await using chat = await startChat();
  const owner = await signIn(chat, chat.owner);
  const path = await createChannel(chat);
  const members: number[] = [];
  for (let at = 0; at < 110; at++) members.push((await chat.add(`p${at}`)).id);
  await chat.call(chat.owner, "POST /user_groups/create", { name: "bees", description: "", members });
  const { location } = await owner.post(path, { action: "add_members", members: "@bees" });
  assert.match(location ?? "", /^\/admin\/bulk-actions\/\d+$/);
  await chat.services.bulkActions.sweep();
  assert.equal((await subscribersAt(chat, path)).length, 111);
  const first = await owner.get(path);
  assert.equal(first.html.split('name="member"').length - 1, 100);
  assert.match(first.html, /1–100 of 111 subscribers/);
  const next = /href="([^"#]*\?members=\d+)#list"/.exec(first.html)?.[1] ?? "";
  assert.match(first.html, /<div id="list"/);
  const last = (await owner.get(next)).html;
  assert.equal(last.split('name="member"').length - 1, 11);
  assert.match(last, /101–111 of 111 subscribers.*rel="prev"/s);
  const all = await owner.post(path, { action: "remove_members", others: "@bees" });
  assert.match(all.location ?? "", /^\/admin\/bulk-actions\/\d+$/);
  await chat.services.bulkActions.sweep();
  assert.deepEqual(await subscribersAt(chat, path), [chat.owner.id]);

  const mine = { new: { direct_members: [chat.member.id], direct_subgroups: [] } };
  await chat.call(chat.owner, `PATCH /streams/${path.split("/").at(-1)}`, {
    can_administer_channel_group: mine,
  });
  const member = await signIn(chat, chat.member);
  assert.equal((await member.post(path, { action: "add_members", members: "@bees" })).status, 303);
  assert.equal((await subscribersAt(chat, path)).length, 111, "its administrator is no administrator of all");
  assert.equal((await member.post(path, { action: "remove_members", others: "@bees" })).status, 303);
  assert.deepEqual(await subscribersAt(chat, path), [chat.owner.id]);
});
