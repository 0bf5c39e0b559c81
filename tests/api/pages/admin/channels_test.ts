import assert from "node:assert/strict";
import { PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import { closePages } from "@/tests/helpers/admin_samples.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { readCsv, signIn, visitPages } from "@/tests/helpers/pages.ts";
import { fetchContents } from "@/tests/casts/messages_cast.ts";
import { problemsIn, readForm } from "@/tests/casts/form_cast.ts";

const PAGE = "/admin/channels";

async function createChannel(
  chat: TestChat,
  name: string,
  more: Record<string, unknown> = {},
): Promise<number> {
  const { body } = await chat.call(chat.owner, "POST /channels/create", { name, subscribers: [], ...more });
  assert.equal(body.result, "success", JSON.stringify(body));
  return body.id;
}

async function show(chat: TestChat, id: number, user: TestUser = chat.owner) {
  return (await chat.call(user, `GET /streams/${id}`)).body.stream;
}

/** Returns the names that the list links to, in order. */
function namesIn(html: string): string[] {
  return [...html.matchAll(/href="\/admin\/channels\/\d+"><bdi>#([^<]*)<\/bdi>/g)].map(([, name = ""]) =>
    name
  );
}

Deno.test("the channel pages are limited to administrators", async () => {
  await using chat = await startChat();
  await closePages(chat);
  const id = await createChannel(chat, "garden");
  const paths = [PAGE, `${PAGE}/new`, `${PAGE}/${id}`, `${PAGE}/${id}/archive`];
  for (const path of paths) assert.equal((await visitPages(chat).get(path)).status, 303, path);
  for (const person of [chat.moderator, chat.member, chat.guest]) {
    const visitor = await signIn(chat, person);
    for (const path of paths) assert.equal((await visitor.get(path)).status, 403, path);
    assert.equal((await visitor.post(`${PAGE}/${id}/archive`, { action: "archive" })).status, 403);
  }
  const outsider = await signIn(chat, chat.outsider);
  assert.deepEqual(namesIn((await outsider.get(PAGE)).html), []);
  for (const path of paths.slice(2)) assert.equal((await outsider.get(path)).status, 404, path);
  const admin = await signIn(chat, chat.admin);
  const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  assert.equal((await admin.post(`${PAGE}/${id}/archive`, { action: "archive" }, foreign)).status, 400);
  assert.equal((await admin.get(`${PAGE}/x`)).status, 404);
  assert.equal((await show(chat, id)).is_archived, false);
});

Deno.test("the list is searched, filtered, sorted and paged by its query", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  assert.match((await admin.get(PAGE)).html, /There are no channels yet/);
  await createChannel(chat, "alpha", { subscribers: [chat.member.id, chat.owner.id] });
  await createChannel(chat, "<b>beta</b>", {
    description: "<script>alert(1)</script>",
    is_default_stream: true,
  });
  await createChannel(chat, "gamma", { invite_only: true, subscribers: [chat.owner.id] });
  await chat.call(chat.owner, `DELETE /streams/${await createChannel(chat, "delta")}`);
  const names = async (query: string) => namesIn((await admin.get(`${PAGE}?${query}`)).html);
  const whole = (await admin.get(PAGE)).html;
  assert.ok(!whole.includes("<script>alert") && !whole.includes("<b>beta"));
  assert.match(whole, /default/);
  assert.deepEqual(await names(""), ["&lt;b>beta&lt;/b>", "alpha", "gamma"]);
  assert.deepEqual(await names("q=%23LPH"), ["alpha"]);
  assert.deepEqual(await names("kind=private"), ["gamma"]);
  assert.deepEqual(await names("state=archived"), ["delta"]);
  assert.equal((await names("state=all")).length, 4);
  assert.deepEqual((await names("sort=subscribers&order=descending"))[0], "alpha");
  assert.match((await admin.get(`${PAGE}?q=nowhere`)).html, /No matching channels/);
  assert.equal((await admin.get(`${PAGE}?page=99&sort=x&state=%00&kind=__proto__`)).status, 200);
  const rows = await readCsv(admin, `${PAGE}?state=all&sort=subscribers&order=descending`);
  assert.deepEqual(rows[0]?.slice(1), [
    ...["Name", "Description", "Type", "Folder", "Subscribers", "Default channel", "Status"],
  ]);
  assert.deepEqual(rows[1]?.slice(1), ["alpha", "", "Public", "", "2", "No", "Active"]);
  assert.deepEqual(rows.slice(1).map(([, name, , , , , isDefault, state]) => [name, isDefault, state]), [
    ...[["alpha", "No", "Active"], ["gamma", "No", "Active"], ["delta", "No", "Archived"]],
    ["<b>beta</b>", "Yes", "Active"],
  ]);
  assert.deepEqual((await readCsv(admin, `${PAGE}?kind=private`)).slice(1).map(([, name]) => name), [
    "gamma",
  ]);
  for (let at = 10; at < 60; at++) await createChannel(chat, `many ${at}`);
  const first = (await admin.get(`${PAGE}?q=many&kind=public`)).html;
  assert.equal(namesIn(first).length, 50);
  assert.match(first, /1–50 of 50 channels/);
  const second = (await admin.get(`${PAGE}?page=2`)).html;
  assert.equal(namesIn(second).length, 3);
  assert.match(second, /51–53 of 53 channels/);
  assert.match(second, /rel="prev"/);
  assert.equal((await readCsv(admin, `${PAGE}?page=2`)).length, 1 + 53, "a file has all pages");
});

Deno.test("a channel is created with all its properties and announced", async () => {
  await using chat = await startChat();
  const news = await createChannel(chat, "news", { subscribers: [chat.owner.id] });
  await chat.call(chat.owner, "PATCH /realm", { new_stream_announcements_stream_id: news });
  const { body: { channel_folder_id } } = await chat.call(chat.owner, "POST /channel_folders/create", {
    name: "Outside",
    description: "",
  });
  const owner = await signIn(chat, chat.owner);
  const form = readForm((await owner.get(`${PAGE}/new`)).html, "create");
  await chat.events();
  const { status, location } = await owner.post(`${PAGE}/new`, {
    ...form,
    name: "  garden ",
    description: "Plants\r\nand more",
    kind: "shared",
    folder: String(channel_folder_id),
    topics_policy: "disable_empty_topic",
    retention: "days",
    retention_days: "30",
    first: "people",
    first_people: `member@example.com\r\n${chat.owner.id}, Guest`,
    announce: "true",
    can_send_message_group: "custom",
    can_send_message_group_people: "Moderator",
    can_send_message_group_groups: form["can_remove_subscribers_group"] ?? "",
  });
  assert.equal(status, 303);
  const id = Number(location?.split("/").at(-1));
  const created = await show(chat, id);
  assert.equal(created.name, "garden");
  assert.equal(created.description, "Plants and more");
  assert.deepEqual([created.invite_only, created.history_public_to_subscribers], [true, true]);
  assert.deepEqual([created.folder_id, created.message_retention_days], [channel_folder_id, 30]);
  assert.deepEqual([created.topics_policy, created.subscriber_count], ["disable_empty_topic", 3]);
  assert.deepEqual(created.can_send_message_group.direct_members, [chat.moderator.id]);
  assert.deepEqual(created.can_administer_channel_group.direct_members, [chat.owner.id]);
  assert.ok(
    (await chat.events()).some(({ event }) => event["type"] === "stream" && event["op"] === "create"),
  );
  assert.match(
    (await fetchContents(chat, chat.owner, ["channel", "news"])).at(-1) ?? "",
    /created a new channel #\*\*garden\*\*/,
  );
  assert.match(
    (await fetchContents(chat, chat.owner, ["channel", "garden"])).at(-1) ?? "",
    /channel created by/,
  );
  assert.match((await owner.get(location ?? "")).html, /Channel garden created/);
});

Deno.test("the first subscribers are the creator, no one, or all members of a group", async () => {
  await using chat = await startChat();
  const owner = await signIn(chat, chat.owner);
  const form = readForm((await owner.get(`${PAGE}/new`)).html, "create");
  const count = async (name: string, fields: Record<string, string>) => {
    const { location } = await owner.post(`${PAGE}/new`, { ...form, name, ...fields });
    return (await show(chat, Number(location?.split("/").at(-1)))).subscriber_count;
  };
  assert.equal(await count("mine", { first: "me" }), 1);
  assert.equal(await count("empty", { first: "nobody" }), 0);
  const everyone = form["can_send_message_group"] ?? "";
  const hidden = { first_people: "Nobody Known", first_group: "x", retention_days: "1.5" };
  assert.equal(await count("ours", { first: "me", ...hidden }), 1, "hidden fields are not read");
  assert.equal(await count("all", { first: "group", first_group: everyone }), 5, "people, and no bots");
});

Deno.test("invalid values are refused at their field, and input is kept", async () => {
  await using chat = await startChat();
  await createChannel(chat, "Garden");
  const owner = await signIn(chat, chat.owner);
  const form = readForm((await owner.get(`${PAGE}/new`)).html, "create");
  const refused = async (fields: Record<string, string>) => {
    const { status, html } = await owner.post(`${PAGE}/new`, { ...form, name: "new", ...fields });
    assert.equal(status, 400, JSON.stringify(fields));
    const kept = readForm(html, "create");
    for (const [name, value] of Object.entries(fields)) assert.equal(kept[name], value, name);
    return problemsIn(html);
  };
  assert.deepEqual(await refused({ name: "" }), ["Channel name can’t be empty."]);
  assert.deepEqual(await refused({ name: "garden" }), ["Channel 'garden' already exists"]);
  assert.deepEqual(await refused({ name: "x".repeat(61) }), ["1 character over the limit"]);
  assert.deepEqual(await refused({ description: "x".repeat(1026) }), ["2 characters over the limit"]);
  assert.deepEqual(await refused({ retention: "days", retention_days: "0" }), [
    "Enter a whole number of days, 1 or more.",
  ]);
  assert.deepEqual(await refused({ kind: "shared", is_default_stream: "true" }), [
    "A default channel cannot be private.",
  ]);
  assert.deepEqual(await refused({ first: "people", first_people: "Nobody Known" }), [
    "No active user is named “Nobody Known”.",
  ]);
  assert.deepEqual(await refused({ first: "people", first_people: "" }), ["Enter at least one person."]);
  assert.deepEqual(
    await refused({ can_send_message_group: "custom", can_send_message_group_people: "@nowhere" }),
    ["No group is named “nowhere”."],
  );
  const nobody = form["can_subscribe_group"] ?? "";
  const noGroup = await owner.post(`${PAGE}/new`, { ...form, name: "new", first: "group", first_group: "" });
  assert.deepEqual(problemsIn(noGroup.html), ["Choose a group."]);
  const [problem] = await refused({ kind: "protected", can_create_topic_group: nobody });
  assert.match(problem ?? "", /everyone must be able to start topics/);
  assert.match(
    (await owner.post(`${PAGE}/new`, { ...form, name: "web", kind: "web" })).html,
    /Web-public channels are not enabled/,
  );
});

Deno.test("pages of channels, folders and groups have one primary action", async () => {
  await using chat = await startChat();
  const { body: folder } = await chat.call(chat.owner, "POST /channel_folders/create", {
    ...{ name: "Outside", description: "" },
  });
  const { body: group } = await chat.call(chat.owner, "POST /user_groups/create", {
    ...{ name: "bees", description: "", members: [chat.owner.id] },
  });
  const [id, archived] = [await createChannel(chat, "garden"), await createChannel(chat, "roof")];
  await chat.call(chat.owner, `DELETE /streams/${archived}`);
  const folders = "/admin/channel-folders";
  const groups = "/admin/groups";
  const owner = await signIn(chat, chat.owner);
  for (
    const path of [
      ...[PAGE, `${PAGE}/new`, `${PAGE}/${id}`, `${PAGE}/${archived}`],
      ...[folders, `${folders}/${folder["channel_folder_id"]}`],
      ...[groups, `${groups}/new`, `${groups}/${group["group_id"]}`],
    ]
  ) {
    const { html } = await owner.get(path);
    assert.equal(html.split(`class="${PRIMARY_BUTTON}"`).length - 1, 1, path);
  }
});
