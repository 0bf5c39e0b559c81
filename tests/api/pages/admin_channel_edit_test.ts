import assert from "node:assert/strict";
import { type Person, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { type PageVisitor, type Shown, signIn } from "@/tests/helpers/pages.ts";
import { contentsOf } from "@/tests/api/chat/messages_cast.ts";
import { problemsIn, sentForm } from "./sent_form.ts";

interface Scene {
  readonly chat: TestChat;
  readonly id: number;
  readonly path: string;
  readonly owner: PageVisitor;
  /** Sends a form of the channel's page as it is drawn, with some fields otherwise. */
  readonly send: (action: string, fields?: Record<string, string>, visitor?: PageVisitor) => Promise<Shown>;
  readonly show: (who?: Person) => Promise<Record<string, unknown>>;
}

async function startScene(chat: TestChat, more: Record<string, unknown> = {}): Promise<Scene> {
  const { body: { id } } = await chat.call(chat.owner, "POST /channels/create", {
    name: "garden",
    description: "Plants",
    subscribers: [chat.owner.id, chat.member.id],
    ...more,
  });
  const path = `/admin/channels/${id}`;
  const owner = await signIn(chat, chat.owner);
  const send: Scene["send"] = async (action, fields = {}, visitor = owner) =>
    await visitor.post(path, { ...sentForm((await visitor.get(path)).html, action), ...fields });
  const show: Scene["show"] = async () => (await chat.call(chat.owner, `GET /streams/${id}`)).body.stream;
  await chat.events();
  return { chat, id, path, owner, send, show };
}

Deno.test("a form that is sent as it was shown changes and tells nothing", async () => {
  await using chat = await startChat();
  const scene = await startScene(chat);
  const before = await scene.show();
  for (const action of ["save", "permissions"]) assert.equal((await scene.send(action)).status, 303);
  assert.deepEqual(await scene.show(), before);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("the settings of a channel are changed and announced", async () => {
  await using chat = await startChat();
  const scene = await startScene(chat);
  const { status } = await scene.send("save", {
    name: "Roof",
    description: "Plants & bees",
    kind: "protected",
    retention: "unlimited",
  });
  assert.equal(status, 303);
  const shown = await scene.show();
  assert.deepEqual([shown["name"], shown["description"]], ["Roof", "Plants & bees"]);
  assert.deepEqual([shown["invite_only"], shown["history_public_to_subscribers"]], [true, false]);
  assert.equal(shown["message_retention_days"], -1);
  const told = (await contentsOf(chat, chat.owner, ["channel", "Roof"])).join("\n");
  for (
    const text of [/renamed channel/, /changed the description/, /access permissions/, /retention period/]
  ) {
    assert.match(told, text);
  }
  await scene.send("save", { kind: "public", is_default_stream: "true" });
  const { body } = await chat.call(chat.owner, "GET /streams", { include_default: true });
  assert.equal(body.streams[0].is_default, true);
  const refused = await scene.send("save", { kind: "shared" });
  assert.equal(refused.status, 400);
  assert.deepEqual(problemsIn(refused.html), ["A default channel cannot be private."]);
});

Deno.test("of two administrators the second is told, and what was typed stays", async () => {
  await using chat = await startChat();
  const scene = await startScene(chat);
  const stale = sentForm((await scene.owner.get(scene.path)).html, "save");
  const admin = await signIn(chat, chat.admin);
  await scene.send("save", { description: "By the other one" }, admin);
  const second = await scene.owner.post(scene.path, { ...stale, name: "Roof" });
  assert.equal(second.status, 400);
  assert.match(problemsIn(second.html)[0] ?? "", /Somebody changed this/);
  assert.equal((await scene.show())["name"], "garden");
  assert.equal((await scene.owner.post(scene.path, sentForm(second.html, "save"))).status, 303);
  assert.deepEqual([(await scene.show())["name"], (await scene.show())["description"]], ["Roof", "Plants"]);
});

Deno.test("only owners decide how long messages are kept, and only who reads a channel who reads it", async () => {
  await using chat = await startChat();
  const scene = await startScene(chat, { invite_only: true });
  const admin = await signIn(chat, chat.admin);
  const { html } = await admin.get(scene.path);
  assert.match(html, /Only owners can change how long messages are kept/);
  assert.match(html, /You are not in this channel/);
  assert.equal(sentForm(html, "save")["retention"], undefined);
  const kept = await scene.send("save", { retention: "unlimited" }, admin);
  assert.equal(kept.status, 400, "a forged field is refused by the domain");
  const opened = await scene.send("save", { kind: "public" }, admin);
  assert.deepEqual(problemsIn(opened.html), ["Channel content access is required."]);
});

Deno.test("permissions name roles, groups and people, and the page says who holds them", async () => {
  await using chat = await startChat();
  const scene = await startScene(chat);
  const group = async (name: string) =>
    (await chat.call(chat.owner, "POST /user_groups/create", {
      name,
      description: "",
      members: [chat.member.id],
    })).body.group_id;
  const [bees, ants] = [await group("bees"), await group("<i>ants")];
  await scene.send("permissions", {
    can_send_message_group: "custom",
    can_send_message_group_groups: `${bees}`,
    can_send_message_group_people: "@<i>ants\r\nmember@example.com\r\nModerator, Guest",
    can_resolve_topics_group: `${bees}`,
  });
  const shown = await scene.show();
  assert.deepEqual(shown["can_send_message_group"], {
    direct_members: [chat.moderator.id, chat.member.id, chat.guest.id].sort((one, other) => one - other),
    direct_subgroups: [bees, ants],
  });
  assert.equal(shown["can_resolve_topics_group"], bees);
  const { html } = await scene.owner.get(scene.path);
  assert.match(html, /bees, &lt;i>ants, Member, and 2 others/);
  const form = sentForm(html, "permissions");
  assert.match(form["can_send_message_group_people"] ?? "", new RegExp(`Guest \\(${chat.guest.id}\\)`));
  assert.match(
    (await contentsOf(chat, chat.owner, ["channel", "garden"])).join("\n"),
    /changed the posting permissions/,
  );
});

Deno.test("names that fit nobody or several are refused, and everything typed stays", async () => {
  await using chat = await startChat();
  const scene = await startScene(chat);
  await chat.call(chat.owner, "POST /users", {
    email: "second@example.com",
    full_name: "Member",
    password: "a quiet garden wall",
  });
  const people = "can_send_message_group_people";
  const refused = async (text: string) => {
    const { html, status } = await scene.send("permissions", {
      can_send_message_group: "custom",
      [people]: text,
    });
    assert.equal(status, 400);
    assert.equal(sentForm(html, "permissions")[people], text);
    return problemsIn(html);
  };
  assert.deepEqual(await refused("member"), [
    "Several people are called “member”. Write the address or the id instead.",
  ]);
  assert.deepEqual(await refused("999999"), ["There is no active account with the id 999999."]);
  assert.deepEqual(await refused(`Somebody (${chat.member.id})`), [
    `There is no active account called “Somebody (${chat.member.id})”.`,
  ]);
  assert.deepEqual(await refused(`${chat.outsider.email}`), [
    "There is no active account called “outsider@example.com”.",
  ]);
  assert.deepEqual(await refused(""), ["Choose at least one group or person."]);
  const { html } = await scene.owner.get(scene.path);
  const everyone = sentForm(html, "permissions")["can_send_message_group"] ?? "";
  const forged = await scene.send("permissions", { can_administer_channel_group: everyone });
  assert.deepEqual(problemsIn(forged.html), ["That cannot be chosen here."]);
});

Deno.test("a permission that somebody else changed is neither lost nor overwritten unseen", async () => {
  await using chat = await startChat();
  const scene = await startScene(chat);
  const stale = sentForm((await scene.owner.get(scene.path)).html, "permissions");
  const nobody = stale["can_subscribe_group"] ?? "";
  const everyone = stale["can_send_message_group"] ?? "";
  const admins = stale["can_remove_subscribers_group"] ?? "";
  const admin = await signIn(chat, chat.admin);
  await scene.send("permissions", { can_send_message_group: admins, can_create_topic_group: admins }, admin);
  const second = await scene.owner.post(scene.path, { ...stale, can_send_message_group: nobody });
  assert.equal(second.status, 400);
  assert.match(problemsIn(second.html).join(" "), /Somebody set this to “Administrators” meanwhile/);
  const again = sentForm(second.html, "permissions");
  assert.equal(again["can_send_message_group"], nobody, "what was picked stays");
  assert.equal(again["can_create_topic_group"], admins, "what was left alone is as it is now");
  assert.equal((await scene.owner.post(scene.path, again)).status, 303);
  const shown = await scene.show();
  assert.deepEqual(
    [shown["can_send_message_group"], shown["can_create_topic_group"]].map(String),
    [nobody, admins],
  );
  assert.notEqual(everyone, nobody);
});

Deno.test("a channel is archived after a question, and taken back into use", async () => {
  await using chat = await startChat();
  const scene = await startScene(chat, { is_default_stream: true });
  const asked = await scene.owner.get(`${scene.path}/archive`);
  assert.match(asked.html, /Archive #garden\?/);
  assert.match(asked.html, /New people are no longer subscribed to it/);
  const { location } = await scene.owner.post(`${scene.path}/archive`, { action: "archive" });
  assert.equal(location, scene.path);
  assert.equal((await scene.show())["is_archived"], true);
  const { html } = await scene.owner.get(scene.path);
  assert.match(html, /The channel garden is archived\./);
  assert.match(html, /nobody can write to it/);
  assert.equal((await scene.owner.post(scene.path, { action: "unarchive" })).status, 303);
  assert.equal((await scene.show())["is_archived"], false);
  assert.match(
    (await contentsOf(chat, chat.owner, ["channel", "garden"])).at(-1) ?? "",
    /has been unarchived/,
  );
  const twice = await scene.owner.post(scene.path, { action: "unarchive" });
  assert.equal(twice.status, 400);
});
