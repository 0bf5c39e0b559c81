import assert from "node:assert/strict";
import { exportData } from "@/tests/casts/exports_cast.ts";
import { upload } from "@/tests/casts/files_cast.ts";
import { createLinkifier } from "@/tests/casts/linkifiers_cast.ts";
import { file, PNG, postFiles } from "@/tests/casts/pictures_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

Deno.test("an archive contains the organization, its people, its public messages and their files", async () => {
  await using chat = await startChat();
  const { owner, admin, member, guest, realm } = chat;
  const folder_id = (await succeed(chat, owner, "POST /channel_folders/create", {
    name: "Beds",
    description: "All *beds*",
  })).channel_folder_id;
  const { id: channel } = await succeed(chat, owner, "POST /channels/create", {
    name: "garden",
    description: "Of **roses**",
    folder_id,
    subscribers: [owner.id, member.id],
  });
  const { id: other } = await succeed(chat, owner, "POST /channels/create", {
    name: "shed",
    subscribers: [owner.id, member.id],
  });
  const send = async (content: string, topic = "plans") =>
    (await succeed(chat, member, "POST /messages", { type: "channel", to: channel, topic, content })).id;
  const bytes = new Uint8Array(200_000).map((_, at) => at * 7 % 256);
  const { url } = (await upload(chat, member, { name: "plän of beds.bin", content: bytes })).body;
  await upload(chat, member, { name: "unused.txt", content: "unused" });
  const first = await send(`see [plan](${url}) :rose:`);
  chat.clock.time += 60_000;
  await succeed(chat, member, `PATCH /messages/${first}`, { content: `see [the plan](${url})` });
  await succeed(chat, owner, `PATCH /messages/${first}`, { stream_id: other, topic: "moved" });
  await succeed(chat, owner, `POST /messages/${first}/reactions`, { emoji_name: "+1" });
  const poll = await send("/poll Water today?\nyes\nno", "polls");
  await succeed(chat, owner, "POST /submessage", {
    ...{ message_id: poll, msg_type: "widget" },
    content: JSON.stringify({ type: "vote", key: "canned,0", vote: 1 }),
  });
  const { id: field } = await succeed(chat, owner, "POST /realm/profile_fields", {
    field_type: 1,
    name: "Flower",
  });
  await succeed(chat, member, "PATCH /users/me/profile_data", { data: [{ id: field, value: "rose" }] });
  await createLinkifier(chat, { pattern: "bed-(?P<id>[0-9]+)", url_template: "https://x.example/{id}" });
  await postFiles(chat, owner, "/realm/emoji/sprout", [file(PNG)]);
  const { group_id } = await succeed(chat, owner, "POST /user_groups/create", {
    ...{ name: "Pruners", description: "They prune", members: [member.id, guest.id] },
  });

  const archive = await exportData(chat, admin);
  const manifest = archive.manifest();
  assert.deepEqual([...archive.files.keys()].at(-1), "manifest.json");
  assert.deepEqual(
    [manifest["format"], manifest["format_version"], manifest["export_type"], manifest["organization_url"]],
    ["sotto-export", 1, "public", "http://localhost:8000"],
  );
  assert.equal(manifest["created"], Math.floor(chat.clock.now() / 1000));
  const messages = archive.rows("messages.jsonl");
  assert.deepEqual(manifest["counts"], {
    users: archive.rows("users.jsonl").length,
    channels: 2,
    messages: messages.length,
    uploads: 1,
  });
  const organization = JSON.parse(archive.text("organization.json"));
  assert.deepEqual([organization.name, organization.uuid, organization.subdomain], [
    "Gardeners",
    realm.uuid,
    "",
  ]);
  assert.equal(organization.settings.message_content_edit_limit_seconds, 600);
  const exported = messages.find(({ id }) => id === first) ?? assert.fail();
  assert.deepEqual(exported["reactions"], [
    { emoji_name: "+1", emoji_code: "1f44d", reaction_type: "unicode_emoji", user_id: owner.id },
  ]);
  assert.deepEqual(
    [exported["type"], exported["channel_id"], exported["topic"], exported["sender_id"], exported["content"]],
    ["channel", other, "moved", member.id, `see [the plan](${url})`],
  );
  assert.match(exported["rendered_content"], /<a href=.*the plan/);
  assert.equal(exported["last_edit_timestamp"], Math.floor(chat.clock.now() / 1000));
  const [move, edit] = exported["edit_history"];
  assert.deepEqual(
    [move.prev_topic, move.topic, move.prev_channel_id, move.channel_id, move.user_id],
    ["plans", "moved", channel, other, owner.id],
  );
  assert.equal(edit.prev_content, `see [plan](${url}) :rose:`);
  const [widget, vote] = messages.find(({ id }) => id === poll)?.["submessages"] ?? [];
  assert.match(widget.content, /Water today/);
  assert.deepEqual([vote.sender_id, JSON.parse(vote.content).type], [owner.id, "vote"]);

  const [stored] = archive.rows("uploads.jsonl");
  assert.deepEqual(
    [stored?.["name"], stored?.["size"], stored?.["owner_id"], stored?.["path"]],
    ["plän of beds.bin", bytes.length, member.id, `uploads/${decodeURI(url).replace("/user_uploads/", "")}`],
  );
  assert.deepEqual(exported["upload_ids"], [stored?.["id"]]);
  assert.deepEqual(archive.files.get(stored?.["path"]), bytes);
  assert.equal(archive.contains("unused"), false);

  const [garden, shed] = archive.rows("channels.jsonl");
  assert.deepEqual(
    [garden?.["name"], garden?.["folder_id"], garden?.["subscriber_ids"], shed?.["name"]],
    ["garden", folder_id, [owner.id, member.id], "shed"],
  );
  assert.match(garden?.["rendered_description"], /<strong>roses/);
  assert.equal(archive.rows("channel_folders.jsonl")[0]?.["name"], "Beds");
  const group = archive.rows("user_groups.jsonl").find(({ id }) => id === group_id);
  assert.deepEqual([group?.["name"], group?.["members"]], ["Pruners", [member.id, guest.id]]);
  assert.equal(archive.rows("profile_fields.jsonl")[0]?.["name"], "Flower");
  assert.equal(archive.rows("linkifiers.jsonl")[0]?.["pattern"], "bed-(?P<id>[0-9]+)");
  assert.equal(archive.rows("emoji.jsonl")[0]?.["name"], "sprout");
  const person = archive.rows("users.jsonl").find(({ id }) => id === member.id);
  assert.deepEqual(
    [person?.["full_name"], person?.["email"], person?.["role"], person?.["profile_data"][field].value],
    ["Member", "member@example.com", 400, "rose"],
  );
});

Deno.test("archives of many messages and large files are complete", async () => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const { id: to } = await succeed(chat, owner, "POST /channels/create", {
    name: "garden",
    subscribers: [member.id],
  });
  const content = new Uint8Array(2_500_000);
  for (let at = 0; at < content.length; at += 50_000) {
    crypto.getRandomValues(content.subarray(at, at + 50_000));
  }
  const { url } = (await upload(chat, member, { name: `${"long".repeat(50)}.bin`, content })).body;
  const send = async (content: string): Promise<number> =>
    (await succeed(chat, member, "POST /messages", { type: "channel", to, topic: "a", content })).id;
  const ids = [await send(`[plan](${url})`)];
  for (let at = 0; at < 300; at += 100) {
    const texts = Array.from({ length: 100 }, (_, more) => `message ${at + more} ${"roses ".repeat(300)}`);
    ids.push(...await Promise.all(texts.map(send)));
  }
  const archive = await exportData(chat, owner);
  archive.manifest();
  const found = archive.rows("messages.jsonl").map(({ id }) => id);
  assert.deepEqual(found.filter((id) => ids.includes(id)), ids.toSorted((one, other) => one - other));
  assert.deepEqual(archive.files.get(archive.rows("uploads.jsonl")[0]?.["path"]), content);
});
