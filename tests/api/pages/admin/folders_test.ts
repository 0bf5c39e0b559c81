import assert from "node:assert/strict";
import { updateChannelFolder } from "@/lib/chat/channels/channel_folders.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { type PageVisitor, type ShownPage, signIn } from "@/tests/helpers/pages.ts";

const LIST = "/admin/channel-folders";
const SCRIPT = `"><script>alert(1)</script>`;

/** Sends a form, follows the redirect and returns the page. */
async function send(visitor: PageVisitor, path: string, fields: Record<string, string>): Promise<ShownPage> {
  const { status, location, html } = await visitor.post(path, fields);
  assert.equal(status, 303, html);
  return await visitor.get(location ?? "");
}

async function createFolder(chat: TestChat, name: string, description = ""): Promise<number> {
  const { status, body } = await chat.call(chat.owner, "POST /channel_folders/create", { name, description });
  assert.equal(status, 200);
  return body["channel_folder_id"];
}

async function names(chat: TestChat): Promise<string[]> {
  const { body } = await chat.call(chat.owner, "GET /channel_folders");
  return body["channel_folders"].map(({ name }: { name: string }) => name);
}

function revisionOf(html: string): string {
  return /name="seen" value="([^"]*)"/.exec(html)?.[1] ?? "";
}

Deno.test("a folder is created, and one flash message reports it", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const empty = await visitor.get(LIST);
  assert.ok(empty.html.includes("There are no folders yet."));
  const created = await send(visitor, LIST, { action: "create", name: "Beds", description: "Of **roses**" });
  assert.ok(created.html.includes("Folder Beds created."));
  assert.ok(!(await visitor.get(LIST)).html.includes("is made."));
  assert.deepEqual(await names(chat), ["Beds"]);
});

Deno.test("invalid values are refused at their field, and input is kept", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  await createFolder(chat, "Beds");
  const refused = async (name: string, description: string) => {
    const { status, html } = await visitor.post(LIST, { action: "create", name, description });
    assert.equal(status, 400);
    assert.match(html, /aria-invalid(="true")?/);
    return html;
  };
  const taken = await refused("beds", "kept");
  assert.match(taken, /id="name-problem"[^>]*>[^<]+</);
  assert.ok(taken.includes("kept") && taken.includes(`value="beds"`));
  assert.match(await refused("", ""), /id="name-problem"/);
  assert.ok((await refused("a".repeat(63), "")).includes(">3 characters over the limit"));
  assert.ok((await refused("Ok", "🌱".repeat(1025))).includes("1 character over the limit"));
  assert.deepEqual(await names(chat), ["Beds"]);
});

Deno.test("every folder page escapes script in a name and a description", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const id = await createFolder(chat, SCRIPT, `</textarea>${SCRIPT}`);
  for (const path of [LIST, `${LIST}/${id}`, `${LIST}/${id}/archive`]) {
    const { status, html } = await visitor.get(path);
    assert.equal(status, 200);
    assert.ok(!html.includes("<script>alert"), path);
    assert.ok(html.includes("&lt;script"), path);
  }
  const { html } = await visitor.post(LIST, { action: "create", name: SCRIPT, description: "" });
  assert.ok(!html.includes("<script>alert"));
});

Deno.test("folders are moved one position at a time or all at once, past the archived ones", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const [a, b, c] = [
    await createFolder(chat, "A"),
    await createFolder(chat, "B"),
    await createFolder(chat, "C"),
  ];
  const down = await send(visitor, LIST, { action: "move_down", id: String(a) });
  assert.ok(down.html.includes("A moved to position 2 of 3."));
  assert.deepEqual(await names(chat), ["B", "A", "C"]);
  await send(visitor, LIST, { action: "move_up", id: String(c) });
  await send(visitor, LIST, { action: "move_up", id: String(c) });
  assert.deepEqual(await names(chat), ["C", "B", "A"]);
  await send(visitor, LIST, { action: "reorder", order: `${a},${c},${b}`, id: String(a) });
  assert.deepEqual(await names(chat), ["A", "C", "B"]);
  await send(visitor, `${LIST}/${c}/archive`, { action: "archive" });
  await send(visitor, LIST, { action: "move_up", id: String(b) });
  assert.deepEqual(await names(chat), ["B", "A"]);
  for (const order of [`${a},${a}`, `${a},999`, "x"]) {
    const { status } = await visitor.post(LIST, { action: "reorder", order, id: String(a) });
    assert.ok([303, 400].includes(status), order);
    assert.deepEqual([...await names(chat)].sort(), ["A", "B"], order);
  }
});

Deno.test("a script receives the result of a form as JSON", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const [a, b] = [await createFolder(chat, "A"), await createFolder(chat, "B")];
  const ask = async (fields: Record<string, string>) => {
    const response = await chat.request(LIST, {
      method: "POST",
      headers: {
        accept: "application/json",
        "sec-fetch-site": "same-origin",
        cookie: `sotto_session=${visitor.token()}`,
      },
      body: new URLSearchParams(fields),
    });
    return { status: response.status, body: await response.json() };
  };
  const moved = await ask({ action: "reorder", order: `${b},${a}`, id: String(b) });
  assert.deepEqual(moved, { status: 200, body: { flash: "B moved to position 1 of 2." } });
  const refused = await ask({ action: "create", name: "A", description: "" });
  assert.equal(refused.status, 400);
  assert.deepEqual(Object.keys(refused.body["problems"]), ["name"]);
});

Deno.test("a form returns to the page that it was opened from, and only there", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const returns = [
    [`${LIST}?archived`, `${LIST}?archived`],
    [`${LIST}?q=é`, `${LIST}?q=%C3%A9`],
    [`${LIST}?a\r\nSet-Cookie: b=c`, LIST],
    [`${LIST}?\0`, LIST],
    [`//example.com${LIST}`, LIST],
    ["/admin/users", LIST],
  ] as const;
  for (const [at, [from, to]] of returns.entries()) {
    const { status, location } = await visitor.post(`${LIST}?return=${encodeURIComponent(from)}`, {
      ...{ action: "create", name: `F${at}`, description: "" },
    });
    assert.equal(status, 303, from);
    assert.equal(location?.split("?return=")[0], to);
  }
});

Deno.test("the second of two administrators who edit a folder gets a conflict, and nothing is lost", async () => {
  await using chat = await startChat();
  const [first, second] = [await signIn(chat, chat.admin), await signIn(chat, chat.owner)];
  const path = `${LIST}/${await createFolder(chat, "Beds")}`;
  const [one, other] = [await first.get(path), await second.get(path)];
  const save = { action: "save", description: "" };
  const saved = await send(first, path, { ...save, name: "Rose beds", seen: revisionOf(one.html) });
  assert.ok(saved.html.includes("Folder Rose beds saved."));
  const late = await second.post(path, { ...save, name: "Tulips", seen: revisionOf(other.html) });
  assert.ok(late.status >= 400);
  assert.ok(late.html.includes("Someone else changed this while you were editing."));
  assert.ok(late.html.includes(`value="Tulips"`));
  assert.deepEqual(await names(chat), ["Rose beds"]);
  await send(second, path, { ...save, name: "Tulips", seen: revisionOf(late.html) });
  assert.deepEqual(await names(chat), ["Tulips"]);
});

Deno.test("channels are added and removed; archiving releases them, and restoring brings them back", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const id = await createFolder(chat, "Beds");
  const created = await chat.call(chat.owner, "POST /channels/create", { name: "compost", subscribers: [] });
  const channelId = String(created.body["id"]);
  const folderOf = async () => {
    const { body } = await chat.call(chat.owner, "GET /streams");
    const found = body["streams"].find(({ stream_id }: { stream_id: number }) =>
      String(stream_id) === channelId
    );
    return found.folder_id;
  };
  const path = `${LIST}/${id}`;
  const placed = await send(visitor, path, { action: "channels", channel: channelId });
  assert.ok(placed.html.includes("Beds now has 1 channel."));
  assert.equal(await folderOf(), id);
  await send(visitor, path, { action: "channels" });
  assert.equal(await folderOf(), null);
  await send(visitor, path, { action: "channels", channel: channelId });
  const asked = await visitor.get(`${path}/archive`);
  assert.match(asked.html, /<h1[^>]*>Archive Beds\?<\/h1>/);
  assert.match(asked.html, /Its 1 channel is kept outside of folders/);
  const archived = await send(visitor, `${path}/archive`, { action: "archive" });
  assert.ok(archived.html.includes("Folder Beds archived."));
  assert.equal(await folderOf(), null);
  assert.ok(!archived.html.includes(`href="${path}"`));
  assert.ok((await visitor.get(`${LIST}?archived`)).html.includes(`href="${path}"`));
  const back = await send(visitor, `${LIST}?archived`, { action: "restore", id: String(id) });
  assert.ok(back.html.includes("Folder Beds restored with 1 channel."));
  assert.equal(await folderOf(), id);
  await send(visitor, `${path}/archive`, { action: "archive" });
  const other = await createFolder(chat, "Paths");
  await send(visitor, `${LIST}/${other}`, { action: "channels", channel: channelId });
  const without = await send(visitor, `${LIST}?archived`, { action: "restore", id: String(id) });
  assert.ok(without.html.includes("Folder Beds restored without channels."));
  assert.equal(await folderOf(), other);
});

Deno.test("archiving and restoring a folder move archived channels too, and continue after an interruption", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const id = await createFolder(chat, "Beds");
  const channels: number[] = [];
  for (const name of ["compost", "roses", "tulips"]) {
    const { body } = await chat.call(chat.owner, "POST /channels/create", {
      ...{ name, subscribers: [], folder_id: id },
    });
    channels.push(body["id"]);
  }
  const [archived, moved, other] = channels;
  await chat.call(chat.owner, `DELETE /streams/${archived}`);
  const foldersOf = async () => {
    const { body } = await chat.call(chat.owner, "GET /streams", { exclude_archived: false });
    const found: readonly { stream_id: number; folder_id: number | null }[] = body["streams"];
    return channels.map((one) => found.find(({ stream_id }) => stream_id === one)?.folder_id);
  };
  const actingUser = await readUser(chat.services.chat, chat.realm.id, chat.admin.id);
  assert.ok(actingUser);
  const set = async (formerChannelIds: readonly number[], is_archived?: boolean) => {
    await updateChannelFolder(chat.services.chat, { realm: chat.realm, actingUser }, {
      folderId: id,
      changes: { name: undefined, description: undefined, is_archived },
      formerChannelIds,
    });
  };

  // Archiving ends after the first channel has moved.
  await set(channels);
  await chat.call(chat.owner, `PATCH /streams/${moved}`, { folder_id: null });
  const confirmed = await send(visitor, `${LIST}/${id}/archive`, { action: "archive" });
  assert.ok(confirmed.html.includes("Folder Beds archived."));
  assert.deepEqual(await foldersOf(), [null, null, null]);

  // Restoring ends before the last channel has moved.
  await set(channels, false);
  for (const one of [archived, moved]) {
    await chat.call(chat.owner, `PATCH /streams/${one}`, { folder_id: id });
  }
  await send(visitor, `${LIST}/${id}/archive`, { action: "archive" });
  const back = await send(visitor, `${LIST}?archived`, { action: "restore", id: String(id) });
  assert.ok(back.html.includes("Folder Beds restored with 3 channels."));
  assert.deepEqual(await foldersOf(), [id, id, id]);

  // Nothing returns that was taken out of the restored folder.
  await chat.call(chat.owner, `PATCH /streams/${other}`, { folder_id: null });
  await send(visitor, `${LIST}/${id}/archive`, { action: "archive" });
  await send(visitor, `${LIST}?archived`, { action: "restore", id: String(id) });
  assert.deepEqual(await foldersOf(), [id, id, null]);
});

Deno.test("unknown folders and those of another organization are not found", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  await createFolder(chat, "Beds");
  await chat.call(chat.outsider, "POST /channel_folders/create", { name: "Theirs", description: "" });
  for (const id of ["0", "99", "x", "1e9", "-1", "1.5", "999999999999999999999"]) {
    for (const path of [`${LIST}/${id}`, `${LIST}/${id}/archive`]) {
      const { status, html } = await visitor.get(path);
      assert.equal(status, 404, path);
      assert.ok(!html.includes("Theirs"));
      assert.ok((await visitor.post(path, { action: "save", name: "Mine" })).status >= 400);
    }
  }
  assert.deepEqual(await names(chat), ["Beds"]);
});
