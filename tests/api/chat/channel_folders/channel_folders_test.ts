import assert from "node:assert/strict";
import {
  assignFolder,
  createChannelFolder,
  MAX_FOLDERS,
  updateChannelFolder,
} from "@/lib/chat/channels/channel_folders.ts";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import { emojiKeys } from "@/lib/chat/organization/emoji.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { transact } from "@/lib/store/transact.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { writeRows } from "@/tests/helpers/write_rows.ts";
import { asOtherProcess, assertRefusal, assertSuccess, callerOf } from "@/tests/casts/user_groups_cast.ts";

const UNCHANGED = { name: undefined, description: undefined, is_archived: undefined };
const IN_USE = "You need to remove all the channels from this folder to archive it.";

async function createFolder(chat: TestChat, name: string, description = ""): Promise<number> {
  const { status, body } = await chat.call(chat.admin, "POST /channel_folders/create", { name, description });
  assert.equal(status, 200, JSON.stringify(body));
  return body.channel_folder_id;
}

async function listFolders(chat: TestChat, include_archived = false) {
  const { body } = await chat.call(chat.guest, "GET /channel_folders", { include_archived });
  return body.channel_folders;
}

async function listNames(chat: TestChat, include_archived = false): Promise<string[]> {
  return (await listFolders(chat, include_archived)).map(({ name }: { name: string }) => name);
}

/** Adds a channel to a folder as the channel actions do. */
async function putChannel(chat: TestChat, id: number, folder_id: number | null): Promise<void> {
  await transact(asOtherProcess(chat).store, async (tx) => {
    await assignFolder(tx, chat.realm.id, folder_id);
    tx.set(channelKeys.channel(chat.realm.id, id), { id, folder_id });
  });
}

Deno.test("POST /channel_folders/create creates a folder, lists it last and sends the event to everyone (B-folder-01)", async () => {
  await using chat = await startChat();
  const first = await createFolder(chat, "Backend");
  await chat.events();
  const sent = { name: "Frontend", description: "about **x**" };
  const answer = await chat.call(chat.admin, "POST /channel_folders/create", { ...sent, color: "red" });
  const id = answer.body.channel_folder_id;
  assertSuccess(answer, { channel_folder_id: id, ignored_parameters_unsupported: ["color"] });
  const folders = await listFolders(chat);
  const folder = {
    id,
    ...sent,
    rendered_description: "<p>about <strong>x</strong></p>",
    order: id,
    creator_id: chat.admin.id,
    date_created: Math.floor(chat.clock.time / 1000),
    is_archived: false,
  };
  assert.deepEqual(folders[1], folder);
  assert.equal(folders[0].id, first);
  assert.deepEqual(await chat.events(), [
    { event: { type: "channel_folder", op: "add", channel_folder: folder }, audience: "everyone" },
  ]);
});

Deno.test("POST /channel_folders/create refuses all but administrators, and missing credentials (B-folder-02)", async () => {
  await using chat = await startChat();
  const sent = { name: "F2", description: "" };
  for (const user of [chat.moderator, chat.member, chat.guest, chat.bot]) {
    const answer = await chat.call(user, "POST /channel_folders/create", sent);
    assertRefusal(answer, "Must be an organization administrator", "UNAUTHORIZED_PRINCIPAL");
  }
  assert.equal((await chat.call(null, "POST /channel_folders/create", sent)).status, 401);
  assertSuccess(await chat.call(chat.outsider, "POST /channel_folders/create", sent), {
    channel_folder_id: 1,
  });
  assert.deepEqual([await listNames(chat), await chat.events()], [[], []]);
  const bot = await chat.add("adminbot", 200, 1);
  assert.equal((await chat.call(bot, "POST /channel_folders/create", sent)).status, 200);
});

Deno.test("POST /channel_folders/create refuses bad names and descriptions (B-folder-03, 04, 06, 07)", async () => {
  await using chat = await startChat();
  const refusals: [object, string][] = [
    [{ name: "  ", description: "" }, "Channel folder name can't be empty."],
    [{ name: "", description: "" }, "Channel folder name can't be empty."],
    [{ name: "a".repeat(61), description: "" }, "name is too long (limit: 60 characters)"],
    [{ name: "F3", description: "a".repeat(1025) }, "description is too long (limit: 1024 characters)"],
    [
      { name: "🌱a\u0007", description: "" },
      "Invalid character in channel folder name, at position 3.",
    ],
    [{ name: "\ufdd0", description: "" }, "Invalid character in channel folder name, at position 1."],
  ];
  for (const [sent, message] of refusals) {
    assertRefusal(await chat.call(chat.admin, "POST /channel_folders/create", { ...sent }), message);
  }
  for (const missing of ["name", "description"]) {
    const sent = missing === "name" ? { description: "" } : { name: "F2" };
    const answer = await chat.call(chat.admin, "POST /channel_folders/create", sent);
    assertRefusal(answer, `Missing '${missing}' argument`, "REQUEST_VARIABLE_MISSING");
  }
  await createFolder(chat, "🌱".repeat(60), "a".repeat(1024));
});

Deno.test("a folder's description of the maximum length, all emoji, is stored and rendered as text", async () => {
  await using chat = await startChat();
  const description = "🌱".repeat(1024);
  const id = await createFolder(chat, "Garden", description);
  assertSuccess(
    await chat.call(chat.admin, `PATCH /channel_folders/${id}`, { description: `${description.slice(2)}!` }),
  );
  const [folder] = await listFolders(chat);
  assert.equal(folder.description, `${description.slice(2)}!`);
  assert.equal(folder.rendered_description, `<p>${folder.description}</p>`);
});

Deno.test("a folder's description renders no mentions, not even @all", async () => {
  await using chat = await startChat();
  await createFolder(chat, "Garden", "for @**all**, @**topic** and @**admin**");
  const [folder] = await listFolders(chat);
  assert.equal(folder.rendered_description, "<p>for @all, @topic and @<strong>admin</strong></p>");
});

Deno.test("a folder's name is stored with its spaces, and is unique among unarchived folders in any letter case", async () => {
  await using chat = await startChat();
  const id = await createFolder(chat, " Ideas ");
  assert.deepEqual(await listNames(chat), [" Ideas "]);
  const again = { name: " iDEAS ", description: "" };
  const taken = "Channel folder name already in use";
  assertRefusal(await chat.call(chat.admin, "POST /channel_folders/create", again), taken);
  assertSuccess(await chat.call(chat.admin, `PATCH /channel_folders/${id}`, { is_archived: true }));
  const other = await createFolder(chat, " iDEAS ");
  assertRefusal(await chat.call(chat.admin, `PATCH /channel_folders/${id}`, { is_archived: false }), taken);
  const both = { is_archived: false, name: "Older ideas" };
  assertSuccess(await chat.call(chat.admin, `PATCH /channel_folders/${id}`, both));
  assertSuccess(await chat.call(chat.admin, `PATCH /channel_folders/${other}`, { name: " IDEAS " }));
  const bare = await chat.call(chat.admin, `PATCH /channel_folders/${other}`, { name: "older IDEAS" });
  assertRefusal(bare, taken);
  assert.deepEqual(await listNames(chat), ["Older ideas", " IDEAS "]);
});

Deno.test("PATCH /channel_folders/{folder_id} changes only the sent properties and sends only those to everyone", async () => {
  await using chat = await startChat();
  const id = await createFolder(chat, "Ideas", "old");
  await chat.events();
  const call = `PATCH /channel_folders/${id}`;
  assertSuccess(await chat.call(chat.owner, call, { name: "Ideas" }));
  assertSuccess(await chat.call(chat.owner, call));
  assert.deepEqual(await chat.events(), []);
  assertSuccess(await chat.call(chat.owner, call, { name: "Plans", description: "" }));
  const [folder] = await listFolders(chat);
  assert.deepEqual([folder.name, folder.description, folder.rendered_description], ["Plans", "", ""]);
  chat.clock.time++;
  assertSuccess(await chat.call(chat.owner, call, { is_archived: true }));
  assert.deepEqual([await listNames(chat), await listNames(chat, true)], [[], ["Plans"]]);
  const toEvent = (data: object) => ({
    event: { type: "channel_folder", op: "update", channel_folder_id: id, data },
    audience: "everyone",
  });
  assert.deepEqual(await chat.events(), [
    toEvent({ name: "Plans", description: "", rendered_description: "" }),
    toEvent({ is_archived: true }),
  ]);
});

Deno.test("PATCH /channel_folders/{folder_id} refuses invalid changes, and changes nothing then", async () => {
  await using chat = await startChat();
  const id = await createFolder(chat, "Ideas", "old");
  await chat.events();
  const call = `PATCH /channel_folders/${id}`;
  const refused = await chat.call(chat.member, call, { name: "x" });
  assertRefusal(refused, "Must be an organization administrator", "UNAUTHORIZED_PRINCIPAL");
  assert.equal((await chat.call(null, call)).status, 401);
  const unknown = `PATCH /channel_folders/${2 ** 60}`;
  assertRefusal(await chat.call(chat.admin, unknown, { name: "x" }), "Invalid channel folder ID");
  assertRefusal(await chat.call(chat.outsider, call, { name: "x" }), "Invalid channel folder ID");
  assert.equal((await chat.call(chat.admin, "PATCH /channel_folders/abc")).status, 404);
  const empty = await chat.call(chat.admin, call, { description: "new", name: " " });
  assertRefusal(empty, "Channel folder name can't be empty.");
  assertRefusal(await chat.call(chat.admin, call, { is_archived: 1 }), "is_archived is not a boolean");
  assert.deepEqual((await listFolders(chat))[0].description, "old");
  assert.deepEqual(await chat.events(), []);
});

Deno.test("a folder is archived only if it contains no channel", async () => {
  await using chat = await startChat();
  const id = await createFolder(chat, "Ideas");
  await putChannel(chat, 1, id);
  const call = `PATCH /channel_folders/${id}`;
  assertRefusal(await chat.call(chat.admin, call, { is_archived: true, name: "x" }), IN_USE);
  assert.deepEqual(await listNames(chat), ["Ideas"]);
  await putChannel(chat, 1, null);
  assertSuccess(await chat.call(chat.admin, call, { is_archived: true }));
  await assert.rejects(putChannel(chat, 1, id), { message: "Invalid channel folder ID" });
  await assert.rejects(putChannel(chat, 1, 4711), { message: "Invalid channel folder ID" });
});

Deno.test("a channel that the API adds to a folder prevents its archiving until it is removed", async () => {
  await using chat = await startChat();
  const folder_id = await createFolder(chat, "Ideas");
  const call = `PATCH /channel_folders/${folder_id}`;
  const channel = { name: "Roses", subscribers: [], folder_id };
  const { body } = await chat.call(chat.owner, "POST /channels/create", channel);
  assertRefusal(await chat.call(chat.admin, call, { is_archived: true }), IN_USE);
  assertSuccess(await chat.call(chat.owner, `PATCH /streams/${body.id}`, { folder_id: null }));
  assertSuccess(await chat.call(chat.admin, call, { is_archived: true }));
  const back = await chat.call(chat.owner, `PATCH /streams/${body.id}`, { folder_id });
  assertRefusal(back, "Invalid channel folder ID");
});

Deno.test("a folder is never archived while a channel is added to it", async () => {
  await using chat = await startChat();
  const caller = await callerOf(chat, chat.admin);
  const archive = { ...UNCHANGED, is_archived: true };
  for (let round = 1; round <= 30; round++) {
    const folderId = await createFolder(chat, `Folder ${round}`);
    const attempts = [
      updateChannelFolder(chat.services.chat, caller, { folderId, changes: archive }),
      putChannel(chat, round, folderId),
    ];
    const outcomes = await Promise.allSettled(round % 2 === 0 ? attempts : attempts.reverse());
    const done = outcomes.filter(({ status }) => status === "fulfilled");
    assert.equal(done.length, 1, `round ${round}`);
  }
});

Deno.test("PATCH /channel_folders reorders all folders, archived ones included", async () => {
  await using chat = await startChat();
  const [a, b, c] = [
    await createFolder(chat, "a"),
    await createFolder(chat, "b"),
    await createFolder(chat, "c"),
  ];
  assertSuccess(await chat.call(chat.admin, `PATCH /channel_folders/${b}`, { is_archived: true }));
  await chat.events();
  for (const order of [[a, c], [a, b, b], [a, b, c, c], [a, b, c, 99], []]) {
    assertRefusal(await chat.call(chat.admin, "PATCH /channel_folders", { order }), "Invalid order mapping.");
  }
  assertRefusal(
    await chat.call(chat.admin, "PATCH /channel_folders"),
    "Missing 'order' argument",
    "REQUEST_VARIABLE_MISSING",
  );
  const wrong = await chat.call(chat.admin, "PATCH /channel_folders", { order: ["a"] });
  assertRefusal(wrong, "order[0] is not an integer");
  const forbidden = await chat.call(chat.moderator, "PATCH /channel_folders", { order: [c, b, a] });
  assertRefusal(forbidden, "Must be an organization administrator", "UNAUTHORIZED_PRINCIPAL");
  assertSuccess(await chat.call(chat.admin, "PATCH /channel_folders", { order: [c, b, a] }));
  assertSuccess(await chat.call(chat.admin, "PATCH /channel_folders", { order: [c, b, a] }));
  assert.deepEqual(await chat.events(), [
    { event: { type: "channel_folder", op: "reorder", order: [c, b, a] }, audience: "everyone" },
  ]);
  await createFolder(chat, "d");
  assert.deepEqual(await listNames(chat, true), ["c", "b", "a", "d"]);
});

Deno.test("GET /channel_folders returns the folders of the caller's own organization", async () => {
  await using chat = await startChat();
  await createFolder(chat, "Ideas");
  assertSuccess(await chat.call(chat.outsider, "GET /channel_folders"), { channel_folders: [] });
  assert.equal((await chat.call(chat.bot, "GET /channel_folders")).body.channel_folders.length, 1);
  assert.equal((await chat.call(null, "GET /channel_folders")).status, 401);
  const wrong = await chat.call(chat.guest, "GET /channel_folders", { include_archived: "yes" });
  assertRefusal(wrong, "include_archived is not valid JSON");
});

Deno.test("createChannelFolder() refuses more folders than an order holds, and creates one of concurrent folders with one name", async () => {
  await using chat = await startChat();
  const caller = await callerOf(chat, chat.admin);
  const apps = [chat.services.chat, asOtherProcess(chat)];
  const folder = { name: "same", description: "" };
  const same = await Promise.allSettled(apps.map((app) => createChannelFolder(app, caller, folder)));
  assert.equal(same.filter(({ status }) => status === "fulfilled").length, 1);
  for (let at = 1; at < MAX_FOLDERS; at++) {
    await createChannelFolder(chat.services.chat, caller, { name: `folder ${at}`, description: "" });
  }
  await assert.rejects(
    createChannelFolder(chat.services.chat, caller, { name: "one more", description: "" }),
    {
      message: "An organization can have 1000 channel folders at most.",
    },
  );
});

Deno.test("check reports names of folders and of emoji that disagree with the records", async () => {
  await using chat = await startChat();
  const { store } = chat.services;
  const id = await createFolder(chat, "Projects");
  assert.deepEqual((await checkChat(store.kv)).problems, []);
  await writeRows(store, [
    [[chat.realm.id, "folder_by_name", "projects"], id + 1],
    [[chat.realm.id, "folder_by_form", "other"], id],
    [emojiKeys.byName(chat.realm.id, "thumb"), 5],
    [emojiKeys.count(chat.realm.id), 2],
  ]);
  const problems = (await checkChat(store.kv)).problems.join("\n");
  assert.match(problems, new RegExp(`names of channel folders, projects is ${id + 1}, not ${id}\\.`));
  assert.match(problems, /forms of channel folders' names, other should not exist/);
  assert.match(problems, /names of emoji, thumb should not exist/);
  assert.match(problems, /the count of emoji is 2; there are 0\./);
});
