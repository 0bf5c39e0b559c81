import assert from "node:assert/strict";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";

/** Returns who has each permission according to a page, by the permission's label. */
async function readShown(chat: TestChat, path: string): Promise<Readonly<Record<string, string>>> {
  const { html } = await (await signIn(chat, chat.owner)).get(path);
  const lines = [...html.matchAll(/<summary class="flex[\s\S]*?<\/summary>/g)].map(([summary]) =>
    summary.replaceAll(/<[^>]+>/g, "|").split("|").filter(Boolean)
  );
  return Object.fromEntries(lines.map(([label = "", ...rest]) => [label, rest.slice(0, -1).join("")]));
}

Deno.test("a channel's page shows who has each permission, and where that is decided", async () => {
  await using chat = await startChat();
  const { body: { id } } = await chat.call(chat.owner, "POST /channels/create", {
    name: "garden",
    subscribers: [chat.owner.id, chat.member.id],
    can_resolve_topics_group: { direct_members: [chat.guest.id, chat.member.id], direct_subgroups: [] },
  });
  const shown = await readShown(chat, `/admin/channels/${id}`);
  const { full_name: owner } = (await chat.call(chat.owner, "GET /users/me")).body;
  const { full_name: guest } = (await chat.call(chat.guest, "GET /users/me")).body;
  const { full_name: member } = (await chat.call(chat.member, "GET /users/me")).body;
  assert.equal(shown["Send messages"], "Everyone");
  assert.equal(
    shown["Resolve topics"],
    `Everyone except guests · by the organization’s permission “Resolve topics”${member} and ${guest} · in this channel`,
  );
  assert.equal(
    shown["Move messages to other topics"],
    "Everyone except guests · by the organization’s permission “Move messages to other topics”, for 7 days after a message is sent, moderators at any time",
  );
  assert.equal(
    shown["Move messages to other channels"],
    "Moderators · by the organization’s permission “Move messages to other channels”",
  );
  assert.equal(shown["Subscribe themselves"], "Everyone except guests · because the channel is public");
  assert.equal(shown["Administer the channel"], "Administrators · by a built-in rule", owner);
  assert.equal(
    shown["Delete any message"],
    "Administrators · by the organization’s permission “Delete any message”",
  );
  assert.equal(
    shown["Delete own messages"],
    "Everyone · by the organization’s permission “Delete own messages”",
  );
});

Deno.test("a channel's page follows the organization's permissions and the channel's type", async () => {
  await using chat = await startChat();
  const { body: { id } } = await chat.call(chat.member, "POST /channels/create", {
    name: "garden",
    subscribers: [chat.owner.id, chat.member.id],
    invite_only: true,
  });
  const { body } = await chat.call(chat.owner, "GET /user_groups");
  const idOf = (name: string) =>
    body.user_groups.find((group: { name: string }) => group.name === name).id as number;
  await chat.call(chat.owner, "PATCH /realm", {
    can_delete_any_message_group: { new: idOf("role:moderators") },
    can_add_subscribers_group: { new: idOf("role:nobody") },
  });
  const { full_name: creator } = (await chat.call(chat.member, "GET /users/me")).body;
  const shown = await readShown(chat, `/admin/channels/${id}`);
  assert.equal(
    shown["Delete any message"],
    "Moderators · by the organization’s permission “Delete any message”",
  );
  assert.equal(shown["Subscribe themselves"], "Nobody");
  assert.equal(
    shown["Subscribe others"],
    `Administrators · by a built-in rule${creator} · by “Administer the channel”`,
  );
});

Deno.test("a group's page shows that managers of all groups can change it", async () => {
  await using chat = await startChat();
  const { body: { group_id } } = await chat.call(chat.member, "POST /user_groups/create", {
    name: "gardeners",
    description: "",
    members: [chat.member.id],
  });
  const { full_name } = (await chat.call(chat.member, "GET /users/me")).body;
  const shown = await readShown(chat, `/admin/groups/${group_id}`);
  assert.equal(
    shown["Remove members"],
    `Owners · by the organization’s permission “Manage all groups”${full_name} · by “Manage the group”`,
  );
  assert.equal(shown["Mention the group"], "Everyone");
});
