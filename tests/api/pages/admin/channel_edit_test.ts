import assert from "node:assert/strict";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { MeteredStore } from "@/tests/helpers/round_trips.ts";
import { type PageVisitor, type ShownPage, signIn } from "@/tests/helpers/pages.ts";
import { fetchContents } from "@/tests/casts/messages_cast.ts";
import { problemsIn, readForm } from "@/tests/casts/form_cast.ts";

interface Scene {
  readonly chat: TestChat;
  readonly id: number;
  readonly path: string;
  readonly owner: PageVisitor;
  /** Sends a form of the channel's page as rendered, with some fields changed. */
  readonly send: (
    action: string,
    fields?: Record<string, string>,
    visitor?: PageVisitor,
  ) => Promise<ShownPage>;
  readonly show: (user?: TestUser) => Promise<Record<string, unknown>>;
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
    await visitor.post(path, { ...readForm((await visitor.get(path)).html, action), ...fields });
  const show: Scene["show"] = async () => (await chat.call(chat.owner, `GET /streams/${id}`)).body.stream;
  await chat.events();
  return { chat, id, path, owner, send, show };
}

Deno.test("an unchanged form changes nothing and sends no events", async () => {
  await using chat = await startChat();
  const scene = await startScene(chat);
  const before = await scene.show();
  for (const action of ["save", "permissions"]) assert.equal((await scene.send(action)).status, 303);
  assert.deepEqual(await scene.show(), before);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("a channel's settings are changed and announced", async () => {
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
  const notices = (await fetchContents(chat, chat.owner, ["channel", "Roof"])).join("\n");
  for (
    const text of [/renamed channel/, /changed the description/, /access permissions/, /retention period/]
  ) {
    assert.match(notices, text);
  }
  await scene.send("save", { kind: "public", is_default_stream: "true" });
  const { body } = await chat.call(chat.owner, "GET /streams", { include_default: true });
  assert.equal(body.streams[0].is_default, true);
  const refused = await scene.send("save", { kind: "shared" });
  assert.equal(refused.status, 400);
  assert.deepEqual(problemsIn(refused.html), ["A default channel cannot be private."]);
});

Deno.test("the second of two administrators gets a conflict and keeps what they typed", async () => {
  await using chat = await startChat();
  const scene = await startScene(chat);
  const stale = readForm((await scene.owner.get(scene.path)).html, "save");
  const admin = await signIn(chat, chat.admin);
  const others = { description: "By the other one", topics_policy: "disable_empty_topic" };
  await scene.send("save", others, admin);
  const second = await scene.owner.post(scene.path, { ...stale, name: "Roof" });
  assert.equal(second.status, 400);
  assert.match(problemsIn(second.html)[0] ?? "", /Someone else changed this/);
  assert.match(second.html, /Stored now: By the other one/);
  assert.match(second.html, /Stored now: Required/, "a choice is named as in the form");
  assert.equal((await scene.show())["name"], "garden");
  assert.equal((await scene.owner.post(scene.path, readForm(second.html, "save"))).status, 303);
  assert.deepEqual([(await scene.show())["name"], (await scene.show())["description"]], ["Roof", "Plants"]);
});

Deno.test("a number of days counts only where it is chosen, as its field is hidden otherwise", async () => {
  await using chat = await startChat();
  const scene = await startScene(chat);
  for (const retention of ["unlimited", "default"]) {
    const { status, html } = await scene.send("save", { retention, retention_days: "1.5" });
    assert.equal(status, 303, problemsIn(html).join());
  }
  const refused = await scene.send("save", { retention: "days", retention_days: "1.5" });
  assert.deepEqual(problemsIn(refused.html), ["Enter a whole number of days, 1 or more."]);
});

Deno.test("of two forms that are sent at once, one is refused, and nothing is lost", async () => {
  // Both forms find the channel unchanged before either of them is stored.
  const metered = await MeteredStore.open();
  await using chat = await startChat({ store: metered.store });
  const scene = await startScene(chat);
  const admin = await signIn(chat, chat.admin);
  const form = readForm((await scene.owner.get(scene.path)).html, "save");
  const pages: ShownPage[] = [];
  await metered.measure(() =>
    Promise.all([
      scene.owner.post(scene.path, { ...form, name: "Roof" }).then((page) => pages.push(page)),
      admin.post(scene.path, { ...form, description: "Bees" }).then((page) => pages.push(page)),
    ])
  );
  const [saved, refused] = pages.sort((one, other) => one.status - other.status);
  assert.deepEqual([saved?.status, refused?.status], [303, 400]);
  assert.match(problemsIn(refused?.html ?? "")[0] ?? "", /Someone else changed this/);
  const { name, description } = await scene.show();
  assert.ok(name === "Roof" ? description === "Plants" : description === "Bees" && name === "garden");
});

Deno.test("an administrator of a default channel saves it without changing what only others may", async () => {
  await using chat = await startChat();
  const scene = await startScene(chat, { is_default_stream: true, message_retention_days: 7 });
  await chat.call(chat.owner, `PATCH /streams/${scene.id}`, {
    can_administer_channel_group: { new: { direct_members: [chat.member.id], direct_subgroups: [] } },
  });
  const member = await signIn(chat, chat.member);
  const saved = await scene.send("save", { name: "Roof" }, member);
  assert.equal(saved.status, 303, problemsIn(saved.html).join());
  const shown = await scene.show();
  assert.deepEqual([shown["name"], shown["message_retention_days"]], ["Roof", 7]);
  const { body } = await chat.call(chat.owner, "GET /streams", { include_default: true });
  assert.equal(body.streams[0].is_default, true);
});

Deno.test("only owners change message retention, and only users with content access change privacy", async () => {
  await using chat = await startChat();
  const scene = await startScene(chat, { invite_only: true });
  const admin = await signIn(chat, chat.admin);
  const { html } = await admin.get(scene.path);
  assert.match(html, /Only owners can change message retention/);
  assert.match(html, /You are not subscribed to this channel/);
  assert.equal(readForm(html, "save")["retention"], undefined);
  const kept = await scene.send("save", { retention: "unlimited" }, admin);
  assert.equal(kept.status, 400, "a forged field is refused by the domain");
  const opened = await scene.send("save", { kind: "public" }, admin);
  assert.deepEqual(problemsIn(opened.html), ["Channel content access is required."]);
});

Deno.test("permissions accept roles, groups and users, and the page shows who holds them", async () => {
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
  const form = readForm(html, "permissions");
  assert.match(form["can_send_message_group_people"] ?? "", new RegExp(`Guest \\(${chat.guest.id}\\)`));
  assert.match(
    (await fetchContents(chat, chat.owner, ["channel", "garden"])).join("\n"),
    /changed the posting permissions/,
  );
});

Deno.test("names that match no one or several users are refused, and input is kept", async () => {
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
    assert.equal(readForm(html, "permissions")[people], text);
    return problemsIn(html);
  };
  assert.deepEqual(await refused("member"), [
    "Several users are named “member”. Choose below, or enter the email address or user ID.",
  ]);
  assert.deepEqual(await refused("999999"), ["No active user has the ID 999999."]);
  assert.deepEqual(await refused(`Someone (${chat.member.id})`), [
    `No active user is named “Someone (${chat.member.id})”.`,
  ]);
  assert.deepEqual(await refused(`${chat.outsider.email}`), [
    "No active user is named “outsider@example.com”.",
  ]);
  assert.deepEqual(await refused(""), ["Choose at least one group or person."]);
  const { html } = await scene.owner.get(scene.path);
  const everyone = readForm(html, "permissions")["can_send_message_group"] ?? "";
  const forged = await scene.send("permissions", { can_administer_channel_group: everyone });
  assert.deepEqual(problemsIn(forged.html), ["Choose one of the listed options."]);
});

Deno.test("a permission changed by another user is reported as a conflict and not lost", async () => {
  await using chat = await startChat();
  const scene = await startScene(chat);
  const stale = readForm((await scene.owner.get(scene.path)).html, "permissions");
  const nobody = stale["can_subscribe_group"] ?? "";
  const everyone = stale["can_send_message_group"] ?? "";
  const admins = stale["can_remove_subscribers_group"] ?? "";
  const admin = await signIn(chat, chat.admin);
  await scene.send("permissions", { can_send_message_group: admins, can_create_topic_group: admins }, admin);
  const second = await scene.owner.post(scene.path, { ...stale, can_send_message_group: nobody });
  assert.equal(second.status, 400);
  assert.match(
    problemsIn(second.html).join(" "),
    /Someone else changed this to “Administrators” while you were editing/,
  );
  const again = readForm(second.html, "permissions");
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

Deno.test("archiving a channel asks for confirmation, and it can be unarchived", async () => {
  await using chat = await startChat();
  const scene = await startScene(chat, { is_default_stream: true });
  const asked = await scene.owner.get(`${scene.path}/archive`);
  assert.match(asked.html, /Archive #garden\?/);
  assert.match(asked.html, /New users are no longer subscribed to it/);
  const { location } = await scene.owner.post(`${scene.path}/archive`, { action: "archive" });
  assert.equal(location, scene.path);
  assert.equal((await scene.show())["is_archived"], true);
  const { html } = await scene.owner.get(scene.path);
  assert.match(html, /Channel garden archived\./);
  assert.match(html, /nobody can send new ones/);
  assert.equal((await scene.owner.post(scene.path, { action: "unarchive" })).status, 303);
  assert.equal((await scene.show())["is_archived"], false);
  assert.match(
    (await fetchContents(chat, chat.owner, ["channel", "garden"])).at(-1) ?? "",
    /has been unarchived/,
  );
  const twice = await scene.owner.post(scene.path, { action: "unarchive" });
  assert.equal(twice.status, 400);
});
