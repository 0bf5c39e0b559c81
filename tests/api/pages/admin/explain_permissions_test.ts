import assert from "node:assert/strict";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";

/** Returns whether each permission on a page is allowed with its reasons, by the permission's label. */
function readExplained(html: string): Readonly<Record<string, string>> {
  const rows = html.split("<tbody")[1]?.split("</tbody>")[0]?.split("</tr>") ?? [];
  const cells = rows.map((row) =>
    row.replaceAll("</li>", " | ").split(/<\/t[hd]>/).map((cell) =>
      cell.replaceAll(/<span class="text-tiny[^>]*>[^<]*<\/span>|<[^>]*>/g, "").trim().replace(/ \|$/, "")
    )
  );
  return Object.fromEntries(
    cells.filter(([label]) => label).map(([label = "", allowed, why]) => [
      label.replace(/^[^>]*>/, ""),
      `${allowed}: ${why}`,
    ]),
  );
}

async function explain(chat: TestChat, path: string, viewer: TestUser = chat.owner) {
  const { status, html } = await (await signIn(chat, viewer)).get(path);
  assert.equal(status, 200, path);
  return readExplained(html);
}

async function createGroups(chat: TestChat): Promise<{ staff: number }> {
  const create = async (name: string, members: number[], subgroups: number[]) => {
    const { body } = await chat.call(chat.owner, "POST /user_groups/create", {
      name,
      description: "",
      members,
    });
    for (const id of subgroups) {
      await chat.call(chat.owner, `POST /user_groups/${body.group_id}/subgroups`, { add: [id] });
    }
    return body.group_id;
  };
  const engineering = await create("Engineering", [chat.member.id, chat.guest.id], []);
  return { staff: await create("All staff", [], [engineering]) };
}

Deno.test("a user's permissions in the organization are explained by role, group path and default", async () => {
  await using chat = await startChat();
  const { staff } = await createGroups(chat);
  await chat.call(chat.owner, "PATCH /realm", {
    can_create_groups: { new: { direct_members: [chat.member.id], direct_subgroups: [staff] } },
    can_invite_users_group: { new: chat.realm.first_system_group_id + 3 },
  });
  const path = (user: TestUser) => `/admin/users/${user.id}/permissions`;
  const member = await explain(chat, path(chat.member));
  assert.equal(
    member["Create groups"],
    "Yes: Allowed to this person by name. | Allowed to members of All staff (through Engineering).",
  );
  assert.equal(member["Invite people"], "No: Only allowed: Moderators");
  assert.equal(
    member["Subscribe others"],
    "Yes: Allowed to everyone except guests (built-in default).",
  );
  const guest = await explain(chat, path(chat.guest));
  assert.equal(
    guest["Create groups"],
    "No: Guests never have this permission. | Only allowed: All staff and Member",
  );
  const one = await explain(chat, `${path(chat.member)}?permission=can_create_groups`);
  assert.deepEqual(Object.keys(one), ["Create groups"]);
  await chat.call(chat.owner, `DELETE /users/${chat.guest.id}`);
  const { html } = await (await signIn(chat, chat.owner)).get(path(chat.guest));
  assert.match(html, /Guest is deactivated and cannot do anything/);
});

Deno.test("a user's permissions in a channel are explained by each grant, and limited by access", async () => {
  await using chat = await startChat();
  const { staff } = await createGroups(chat);
  const { body: { id } } = await chat.call(chat.owner, "POST /channels/create", {
    name: "garden",
    subscribers: [chat.owner.id, chat.member.id],
    invite_only: true,
    can_administer_channel_group: staff,
    can_send_message_group: chat.realm.first_system_group_id + 2,
  });
  const path = (user: TestUser) => `/admin/users/${user.id}/permissions?channel=${id}`;
  const member = await explain(chat, path(chat.member));
  assert.equal(member["Read messages"], "Yes: Subscribed to the channel");
  assert.equal(
    member["Administer the channel"],
    "Yes: Allowed to members of All staff (through Engineering) in this channel.",
  );
  assert.match(
    member["Unsubscribe others"] ?? "",
    /^Yes: Allowed to members of All staff \(through Engineering\) by “Administer the channel”\./,
  );
  assert.equal(member["Send messages"], "No: Only allowed: Administrators");
  const admin = await explain(chat, path(chat.admin));
  assert.match(
    admin["Administer the channel"] ?? "",
    /^Yes: Allowed to administrators by a built-in rule\.$/,
  );
  assert.equal(admin["Read messages"], "No: Not subscribed, and not allowed to subscribe");
  assert.equal(admin["Send messages"], "No: Cannot read this channel");
  assert.equal(member["Start topics"], "No: Needs “Send messages”");
  const visitor = await signIn(chat, chat.admin);
  assert.match((await visitor.get(path(chat.admin))).html, /Admin cannot read this channel\./);
  assert.equal(
    (await chat.call(chat.member, "POST /messages", {
      ...{ type: "channel", to: id, topic: "plans", content: "hello" },
    })).status,
    400,
  );
  assert.equal((await chat.call(chat.member, `PATCH /streams/${id}`, { description: "mine" })).status, 200);
});

Deno.test("a channel's page explains the permissions of a person found by a part of the name", async () => {
  await using chat = await startChat();
  const { body: { id } } = await chat.call(chat.owner, "POST /channels/create", {
    name: "garden",
    subscribers: [chat.owner.id],
  });
  const owner = await signIn(chat, chat.owner);
  const path = `/admin/channels/${id}/permissions`;
  assert.doesNotMatch((await owner.get(path)).html, /<tbody/);
  const person = encodeURIComponent(`Moderator (${chat.moderator.id})`);
  const found = readExplained((await owner.get(`${path}?person=${person}`)).html);
  assert.match(
    found["Resolve topics"] ?? "",
    /^Yes: Allowed to everyone except guests by the organization’s permission “Resolve topics” \(built-in default\)\.$/,
  );
  const part = await owner.get(`${path}?person=Mod`);
  assert.match(part.html, /Choose from the matches below/);
  const chosen = `${path}?person=Mod&person_chosen=${chat.moderator.id}&permission=can_send_message_group`;
  const name = /name="(person[^"]+)"/.exec(part.html)?.[1] ?? assert.fail("no choices");
  const one = readExplained((await owner.get(chosen.replace("person_chosen", name))).html);
  assert.deepEqual(Object.keys(one), ["Send messages"]);
  assert.match((await owner.get(`${path}?person=Moderator%0AMember`)).html, /Enter one person\./);
  assert.match((await owner.get(`${path}?person=Nobody%20here`)).html, /No active user is named/);
  assert.equal((await owner.get("/admin/channels/999/permissions")).status, 404);
  assert.equal((await owner.get("/admin/users/999/permissions")).status, 404);
  const outsider = await signIn(chat, chat.outsider);
  assert.equal((await outsider.get(path)).status, 404);
  assert.equal((await (await signIn(chat, chat.member)).get(path)).status, 403);
});
