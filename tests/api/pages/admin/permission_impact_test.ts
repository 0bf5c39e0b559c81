import assert from "node:assert/strict";
import { readForm } from "@/tests/casts/form_cast.ts";
import { seedUsers } from "@/tests/casts/many_users_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { type Form, type PageVisitor, signIn } from "@/tests/helpers/pages.ts";

interface Impact {
  readonly parts: readonly { readonly label: string; readonly sentences: readonly string[] }[];
  readonly notes: readonly string[];
}

/** Previews a form as the page's script does. */
async function preview(visitor: PageVisitor, path: string, fields: Form): Promise<Impact> {
  const headers = { accept: "application/json", origin: "http://localhost:8000" };
  const { status, html } = await visitor.post(path, { ...fields, action: "preview" }, headers);
  assert.equal(status, 200, html);
  const [first = "", ...parts] = String(JSON.parse(html).html).split('<div><p class="font-medium">');
  return {
    parts: parts.map((part) => ({
      label: part.slice(0, part.indexOf("<")),
      sentences: listTexts(part, "auto"),
    })),
    notes: listTexts([first, ...parts].join(""), null),
  };
}

/** Returns the texts of small paragraphs with a direction, or without one. */
function listTexts(html: string, dir: "auto" | null): readonly string[] {
  const start = dir === null ? '<p class="text-small">' : `<p dir="${dir}"[^>]*>`;
  return html.matchAll(new RegExp(`${start}([^<]*)</p>`, "g")).map(([, text = ""]) => text).toArray();
}

/** Returns the fields that choose a group for a permission, in place of the stored one. */
function choose(html: string, setting: string, group: number): Form {
  const own = Object.entries(readForm(html, "permissions")).filter(([name]) => name.includes(setting));
  return { ...Object.fromEntries(own), [setting]: String(group) };
}

async function createChannel(chat: TestChat) {
  const { body } = await chat.call(chat.owner, "POST /channels/create", {
    name: "garden",
    subscribers: [chat.owner.id],
    can_administer_channel_group: chat.realm.first_system_group_id + 1,
  });
  return { id: body["id"], path: `/admin/channels/${body["id"]}` };
}

Deno.test("a change of a channel's permissions is previewed with everyone who gains and loses one", async () => {
  await using chat = await startChat();
  const owner = await signIn(chat, chat.owner);
  const { id, path } = await createChannel(chat);
  const { html } = await owner.get(path);
  const moderators = chat.realm.first_system_group_id + 3;
  const fields = choose(html, "can_send_message_group", moderators);
  const impact = await preview(owner, path, { ...fields, edit: "permissions" });
  assert.deepEqual(impact.parts, [{
    label: "Send messages",
    sentences: ["3 users lose it: Bot, Guest, and Member."],
  }]);
  const administer = choose(html, "can_administer_channel_group", moderators);
  const wider = await preview(owner, path, { ...administer, edit: "permissions" });
  assert.deepEqual(wider.parts.map(({ label }) => label), ["Administer the channel", "Unsubscribe others"]);
  assert.deepEqual(wider.parts[0]?.sentences, ["1 user gains it: Moderator."]);
  const nothing = await preview(owner, path, { edit: "permissions" });
  assert.deepEqual(nothing, { parts: [], notes: ["Nobody gains or loses a permission."] });
  const page = await owner.post(path, { ...fields, edit: "permissions", action: "preview" });
  assert.match(page.html, /3 users lose it: Bot, Guest, and Member\./);
  assert.match(page.html, new RegExp(`<option value="${moderators}" selected`), "keeps what was chosen");
  const csv = await owner.post(path, { ...fields, edit: "permissions", action: "impact_csv" });
  assert.equal(csv.headers.get("content-type"), "text/csv; charset=utf-8");
  assert.match(csv.html, /\nGuest,\d+,Send messages,loses\r/);
  const { body } = await chat.call(chat.owner, `GET /streams/${id}`);
  assert.notEqual(body["stream"].can_send_message_group, moderators, "nothing is saved");
});

Deno.test("a change of a group's members is previewed with the permissions that name it or a group around it", async () => {
  await using chat = await startChat();
  const owner = await signIn(chat, chat.owner);
  const create = async (name: string, members: number[]) => {
    const params = { name, description: "", members };
    return (await chat.call(chat.owner, "POST /user_groups/create", params)).body["group_id"];
  };
  const [inner, outer] = [await create("Engineering", [chat.member.id]), await create("All staff", [])];
  await chat.call(chat.owner, `POST /user_groups/${outer}/subgroups`, { add: [inner] });
  const { id } = await createChannel(chat);
  await chat.call(chat.owner, `PATCH /streams/${id}`, { can_send_message_group: { new: outer } });
  await chat.call(chat.owner, "PATCH /realm", { can_create_groups: { new: inner } });
  const path = `/admin/groups/${inner}`;
  const added = await preview(owner, path, {
    edit: "add_people",
    people: `Moderator (${chat.moderator.id})\nGuest (${chat.guest.id})`,
  });
  assert.deepEqual(added.parts, [
    { label: "Members of Engineering", sentences: ["2 users join: Guest and Moderator."] },
    { label: "Create groups", sentences: ["1 user gains it: Moderator."] },
    { label: "#garden: Send messages", sentences: ["2 users gain it: Guest and Moderator."] },
  ]);
  const removed = await preview(owner, path, { edit: "remove_people", member: String(chat.member.id) });
  assert.deepEqual(removed.parts.map(({ sentences }) => sentences), [
    ["1 user leaves: Member."],
    ["1 user loses it: Member."],
    ["1 user loses it: Member."],
  ]);
  const owners = chat.realm.first_system_group_id + 1;
  const grouped = await preview(owner, path, { edit: "add_group", group: String(owners) });
  assert.deepEqual(grouped.parts[0]?.sentences, ["1 user joins: Owner."]);
  const refused = await owner.post(path, { edit: "add_group", group: String(outer), action: "preview" });
  assert.equal(refused.status, 400);
  assert.match(refused.html, /already a subgroup/);
  assert.equal(
    (await owner.post("/admin/groups/999", { edit: "add_people", action: "preview" })).status,
    404,
  );
  const page = await owner.post(path, { edit: "add_people", people: "Guest", action: "preview" });
  assert.match(page.html, /1 user joins: Guest\./);
});

Deno.test("a change of the organization's permissions is previewed for 10,000 users", async () => {
  await using chat = await startChat();
  await seedUsers(chat, 10_000);
  const owner = await signIn(chat, chat.owner);
  const path = "/admin/organization/permissions";
  const { html } = await owner.get(path);
  const was = /name="can_create_groups_was" value="(\d+)"/.exec(html)?.[1] ?? "";
  const moderators = String(chat.realm.first_system_group_id + 3);
  const impact = await preview(owner, path, {
    can_create_groups_was: was,
    can_create_groups: moderators,
    edit: "save",
    section: "groups",
  });
  assert.equal(impact.parts.length, 1);
  assert.match(impact.parts[0]?.sentences[0] ?? "", /^10,002 users lose it: .*and 9,997 others\.$/);
});
