import assert from "node:assert/strict";
import { closePages } from "@/tests/helpers/admin_samples.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { readCsv, signIn, visitPages } from "@/tests/helpers/pages.ts";
import { fetchContents } from "@/tests/casts/messages_cast.ts";
import { problemsIn, readForm } from "@/tests/casts/form_cast.ts";

const PAGE = "/admin/groups";

async function createGroup(
  chat: TestChat,
  name: string,
  more: Record<string, unknown> = {},
): Promise<number> {
  const { body } = await chat.call(chat.owner, "POST /user_groups/create", {
    name,
    description: "",
    members: [],
    ...more,
  });
  assert.equal(body.result, "success", JSON.stringify(body));
  return body.group_id;
}

async function show(chat: TestChat, id: number) {
  const { body } = await chat.call(chat.owner, "GET /user_groups", { include_deactivated_groups: true });
  return body.user_groups.find((group: { id: number }) => group.id === id);
}

/** Returns the names that the list links to, in order. */
function namesIn(html: string): string[] {
  return [...html.matchAll(/href="\/admin\/groups\/\d+"><bdi>([^<]*)<\/bdi>/g)].map(([, name = ""]) => name);
}

Deno.test("the group pages are limited to administrators", async () => {
  await using chat = await startChat();
  await closePages(chat);
  const id = await createGroup(chat, "bees");
  const paths = [PAGE, `${PAGE}/new`, `${PAGE}/${id}`, `${PAGE}/${id}/deactivate`];
  for (const path of paths) assert.equal((await visitPages(chat).get(path)).status, 303, path);
  for (const person of [chat.moderator, chat.member, chat.guest]) {
    const visitor = await signIn(chat, person);
    for (const path of paths) assert.equal((await visitor.get(path)).status, 403, path);
    assert.equal((await visitor.post(`${PAGE}/${id}/deactivate`, { action: "deactivate" })).status, 403);
  }
  const outsider = await signIn(chat, chat.outsider);
  for (const path of paths.slice(2)) assert.equal((await outsider.get(path)).status, 404, path);
  const owner = await signIn(chat, chat.owner);
  const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  assert.equal((await owner.post(`${PAGE}/${id}/deactivate`, { action: "deactivate" }, foreign)).status, 400);
  assert.equal((await owner.get(`${PAGE}/${chat.realm.first_system_group_id}`)).status, 404);
  assert.equal((await show(chat, id)).deactivated, false);
});

Deno.test("the list shows each group's direct and total members, and what the roles mean", async () => {
  await using chat = await startChat();
  const owner = await signIn(chat, chat.owner);
  assert.match((await owner.get(PAGE)).html, /There are no groups yet/);
  const bees = await createGroup(chat, "bees", { members: [chat.member.id, chat.guest.id] });
  const moderators = chat.realm.first_system_group_id + 3;
  await createGroup(chat, "<b>hive</b>", {
    description: "<script>alert(1)</script>",
    members: [chat.member.id, chat.bot.id],
    subgroups: [bees, moderators],
  });
  await chat.call(chat.owner, `POST /user_groups/${await createGroup(chat, "wasps")}/deactivate`);
  await chat.call(chat.owner, `DELETE /users/${chat.guest.id}`);
  const { html } = await owner.get(PAGE);
  assert.ok(!html.includes("<script>alert") && !html.includes("<b>hive"));
  assert.deepEqual(namesIn(html), ["&lt;b>hive&lt;/b>", "bees"]);
  const numbers = [...html.matchAll(/<\/span>(\d+)<\/td>/g)].map(([, number]) => number);
  assert.deepEqual(numbers, ["2", "5", "1", "1"], "the deactivated guest is not counted");
  assert.match(html, /Moderators, administrators and owners\./);
  const names = async (query: string) => namesIn((await owner.get(`${PAGE}?${query}`)).html);
  assert.deepEqual(await names("q=%40BEE"), ["bees"]);
  assert.deepEqual(await names("state=deactivated"), ["wasps"]);
  assert.equal((await names("state=all")).length, 3);
  assert.match((await owner.get(`${PAGE}?q=nowhere&page=9`)).html, /No matching groups/);
  const file = (await readCsv(owner, `${PAGE}?state=all`)).map(([, ...cells]) => cells);
  assert.deepEqual(file, [
    ["Name", "Description", "Members", "Including subgroups", "Status"],
    ["<b>hive</b>", "<script>alert(1)</script>", "2", "5", "Active"],
    ["bees", "", "1", "1", "Active"],
    ["wasps", "", "0", "0", "Deactivated"],
  ]);
  assert.equal((await readCsv(owner, `${PAGE}?q=bees`)).length, 2);
  assert.deepEqual(await names("order=descending"), ["bees", "&lt;b>hive&lt;/b>"]);
  assert.deepEqual(await names("sort=members&state=all"), ["wasps", "bees", "&lt;b>hive&lt;/b>"]);
  const most = `${PAGE}?sort=members&order=descending&state=all`;
  assert.deepEqual((await readCsv(owner, most)).map(([, name]) => name), [
    ...["Name", "<b>hive</b>", "bees", "wasps"],
  ]);
});

Deno.test("a group is created with members, subgroups and permissions, and its members are notified", async () => {
  await using chat = await startChat();
  const bees = await createGroup(chat, "bees");
  const owner = await signIn(chat, chat.owner);
  const form = readForm((await owner.get(`${PAGE}/new`)).html, "create");
  await chat.events();
  const { status, location } = await owner.post(`${PAGE}/new`, {
    ...form,
    name: "hive",
    description: "All of them",
    people: "Member\r\nguest@example.com",
    groups: String(bees),
    can_mention_group: String(bees),
  });
  assert.equal(status, 303);
  const created = await show(chat, Number(location?.split("/").at(-1)));
  assert.deepEqual([created.name, created.description], ["hive", "All of them"]);
  assert.deepEqual(created.members, [chat.member.id, chat.guest.id].sort((one, other) => one - other));
  assert.deepEqual([created.direct_subgroup_ids, created.can_mention_group], [[bees], bees]);
  assert.deepEqual(created.can_manage_group, { direct_members: [chat.owner.id], direct_subgroups: [] });
  assert.ok(
    (await chat.events()).some(({ event }) => event["type"] === "user_group" && event["op"] === "add"),
  );
  assert.match(
    (await fetchContents(chat, chat.member, ["is", "dm"])).join("\n"),
    /added you to the group @_\*hive\*/,
  );
  const refused = async (fields: Record<string, string>) => {
    const answer = await owner.post(`${PAGE}/new`, { ...form, ...fields });
    assert.equal(answer.status, 400);
    return problemsIn(answer.html);
  };
  assert.deepEqual(await refused({ name: "" }), ["User group name can’t be empty."]);
  assert.deepEqual(await refused({ name: "hive" }), ["User group 'hive' already exists."]);
  assert.deepEqual(await refused({ name: "@x" }), ["User group name cannot start with '@'."]);
  assert.deepEqual(await refused({ name: "x".repeat(101) }), ["1 character over the limit"]);
  assert.deepEqual(await refused({ name: "y", people: "Nobody Known" }), [
    "No active user is named “Nobody Known”.",
  ]);
});

Deno.test("a group's name and description are changed, and a second administrator gets a conflict", async () => {
  await using chat = await startChat();
  const id = await createGroup(chat, "bees");
  const owner = await signIn(chat, chat.owner);
  const path = `${PAGE}/${id}`;
  const form = readForm((await owner.get(path)).html, "save");
  assert.equal((await owner.post(path, { ...form, name: "wasps", description: "Careful" })).status, 303);
  assert.deepEqual([(await show(chat, id)).name, (await show(chat, id)).description], ["wasps", "Careful"]);
  const second = await owner.post(path, { ...form, name: "hornets" });
  assert.equal(second.status, 400);
  assert.match(problemsIn(second.html)[0] ?? "", /Someone else changed this/);
  assert.equal((await owner.post(path, readForm(second.html, "save"))).status, 303);
  assert.equal((await show(chat, id)).name, "hornets");
});

Deno.test("users are added and removed by name, and notified", async () => {
  await using chat = await startChat();
  const id = await createGroup(chat, "bees", { members: [chat.owner.id] });
  const owner = await signIn(chat, chat.owner);
  const path = `${PAGE}/${id}`;
  const add = (people: string) => owner.post(path, { action: "add_people", people });
  assert.equal((await add("member, Guest\r\nOwner")).status, 303);
  assert.match((await owner.get(path)).html, /2 people added to bees\./);
  assert.equal((await show(chat, id)).members.length, 3);
  assert.match((await fetchContents(chat, chat.member, ["is", "dm"])).join("\n"), /added you/);
  assert.deepEqual(problemsIn((await add("Guest")).html), [
    "All of these people are already members of this group.",
  ]);
  assert.deepEqual(problemsIn((await add(" ")).html), ["Enter at least one person."]);
  const remove = (fields: Record<string, string>) => owner.post(path, { action: "remove_people", ...fields });
  assert.deepEqual(problemsIn((await remove({})).html), ["Select at least one person."]);
  assert.equal((await remove({ member: `${chat.member.id},${chat.guest.id}` })).status, 303);
  assert.deepEqual((await show(chat, id)).members, [chat.owner.id]);
  assert.match((await fetchContents(chat, chat.member, ["is", "dm"])).join("\n"), /removed you/);
  assert.equal((await remove({ member: String(chat.owner.id), others: "Member" })).status, 400);
  assert.equal((await remove({ others: "Owner" })).status, 303);
  assert.match((await owner.get(path)).html, /This group has no direct members/);
});

Deno.test("groups can contain groups, and a cycle is refused with a reason", async () => {
  await using chat = await startChat();
  const [bees, hive] = [await createGroup(chat, "bees"), await createGroup(chat, "hive")];
  const owner = await signIn(chat, chat.owner);
  const send = (id: number, action: string, group: number) =>
    owner.post(`${PAGE}/${id}`, { action, group: String(group) });
  assert.equal((await send(hive, "add_group", bees)).status, 303);
  assert.match((await owner.get(`${PAGE}/${hive}`)).html, /bees added to hive\./);
  assert.deepEqual(problemsIn((await send(hive, "add_group", bees)).html), [
    "bees is already a subgroup of hive.",
  ]);
  assert.deepEqual(problemsIn((await send(bees, "add_group", hive)).html), [
    "hive already contains bees, directly or through a subgroup. A group cannot contain itself.",
  ]);
  assert.match((await owner.get(`${PAGE}/${bees}`)).html, /Contains this group/);
  assert.equal((await send(hive, "remove_group", bees)).status, 303);
  assert.deepEqual((await show(chat, hive)).direct_subgroup_ids, []);
  assert.equal((await send(hive, "remove_group", bees)).status, 400);
});

Deno.test("a group in use lists its uses, and can be deactivated once it has none", async () => {
  await using chat = await startChat();
  const [bees, hive] = [await createGroup(chat, "bees"), await createGroup(chat, "hive")];
  await chat.call(chat.owner, `POST /user_groups/${hive}/subgroups`, { add: [bees] });
  await chat.call(chat.owner, `PATCH /user_groups/${hive}`, { can_mention_group: { new: bees } });
  await chat.call(chat.owner, "PATCH /realm", { can_invite_users_group: { new: bees } });
  const { body: { id: channel } } = await chat.call(chat.owner, "POST /channels/create", {
    name: "garden",
    subscribers: [],
    can_send_message_group: bees,
  });
  const owner = await signIn(chat, chat.owner);
  const path = `${PAGE}/${bees}/deactivate`;
  for (const { html } of [await owner.get(path), await owner.get(`${PAGE}/${bees}`)]) {
    assert.match(html, new RegExp(`href="/admin/channels/${channel}"><bdi>#garden</bdi>`));
    assert.match(html, new RegExp(`href="/admin/groups/${hive}"><bdi>hive</bdi>`));
    assert.match(html, /href="\/admin\/organization\/permissions"><bdi>Organization<\/bdi>/);
    for (const use of [/Contains this group/, /Mention the group/, /Invite people/, /Send messages/]) {
      assert.match(html, use);
    }
  }
  const refused = await owner.post(path, { action: "deactivate" });
  assert.equal(refused.status, 400);
  assert.match(problemsIn(refused.html)[0] ?? "", /This group is in use/);
  const everyone = chat.realm.first_system_group_id + 6;
  await chat.call(chat.owner, `POST /user_groups/${hive}/subgroups`, { delete: [bees] });
  await chat.call(chat.owner, `PATCH /user_groups/${hive}`, { can_mention_group: { new: everyone } });
  await chat.call(chat.owner, "PATCH /realm", { can_invite_users_group: { new: everyone - 1 } });
  await chat.call(chat.owner, `DELETE /streams/${channel}`);
  assert.equal((await owner.post(path, { action: "deactivate" })).location, `${PAGE}/${bees}`);
  assert.equal((await show(chat, bees)).deactivated, true);
  assert.match((await owner.get(`${PAGE}/${bees}`)).html, /This group is deactivated/);
  assert.equal((await owner.post(`${PAGE}/${bees}`, { action: "reactivate" })).status, 303);
  assert.equal((await show(chat, bees)).deactivated, false);
});

Deno.test("a user without permission to manage a group is refused with a reason", async () => {
  await using chat = await startChat();
  const id = await createGroup(chat, "bees");
  const admin = await signIn(chat, chat.admin);
  const path = `${PAGE}/${id}`;
  const shown = (await admin.get(path)).html;
  assert.ok(shown.includes("you do not have permission to change all of it"));
  for (const action of ["save", "permissions", "add_people", "remove_people", "add_group"]) {
    assert.ok(!shown.includes(`value="${action}"`), action);
  }
  const form = readForm((await (await signIn(chat, chat.owner)).get(path)).html, "permissions");
  const { status, html } = await admin.post(path, {
    ...form,
    can_mention_group: form["can_join_group"] ?? "",
  });
  assert.equal(status, 400);
  assert.deepEqual(problemsIn(html), ["Insufficient permission"]);
});
