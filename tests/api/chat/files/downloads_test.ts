import assert from "node:assert/strict";
import {
  type PendingBlob,
  pendingKeys,
  uploadKeys,
  type UploadRecord,
} from "@/lib/chat/organization/files/model.ts";
import { toEntry } from "@/lib/store/key.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { makeChannel, send, sendDirect } from "@/tests/casts/messages_cast.ts";
import { download, upload } from "@/tests/casts/files_cast.ts";

const TEXT = { name: "notes.txt", content: "hello!", type: "text/plain" };

Deno.test("GET /user_uploads returns a file to its owner and refuses other users (B-up-10)", async () => {
  await using chat = await startChat();
  const { body } = await upload(chat, chat.member, TEXT);
  const url: string = body["url"];
  const own = await download(chat, chat.member, url);
  assert.deepEqual([own.status, await own.text()], [200, "hello!"]);
  assert.equal(own.headers.get("content-type"), "text/plain; charset=utf-8");
  assert.match(own.headers.get("content-disposition") ?? "", /^inline; filename="?notes\.txt/);
  assert.match(own.headers.get("content-security-policy") ?? "", /sandbox/);
  assert.equal(own.headers.get("x-content-type-options"), "nosniff");
  // Access is checked for each request, and no cache in between stores the file.
  assert.equal(own.headers.get("cache-control"), "private, no-cache, immutable");
  const other = await download(chat, chat.admin, url);
  assert.equal(other.status, 403);
  assert.match(await other.text(), /You are not authorized to view this file\./);
  assert.equal((await download(chat, chat.outsider, url)).status, 404);
  assert.equal((await download(chat, null, url)).status, 401);
  const visitor = await download(chat, null, url, { accept: "text/html" });
  assert.deepEqual([visitor.status, visitor.headers.get("location")], [
    303,
    `/login?next=${encodeURIComponent(url)}`,
  ]);
  const missing = await download(chat, chat.member, `/user_uploads/${chat.realm.id}/ab/nothing/x.txt`);
  assert.equal(missing.status, 404);
  assert.match(await missing.text(), /This file does not exist or has been deleted\./);
});

Deno.test("GET /user_uploads accepts an API key in the query", async () => {
  await using chat = await startChat();
  const { body } = await upload(chat, chat.member, TEXT);
  const withKey = (key: string) => download(chat, null, `${body["url"]}?api_key=${key}`);
  assert.equal((await withKey(chat.member.apiKey)).status, 200);
  assert.equal((await withKey(chat.admin.apiKey)).status, 403);
  assert.equal((await withKey("x")).status, 401);
  assert.equal((await withKey(chat.member.apiKey.slice(0, 31) + "!")).status, 401);
  await chat.call(chat.admin, `DELETE /users/${chat.member.id}`);
  assert.equal((await withKey(chat.member.apiKey)).status, 401);
});

Deno.test("a file is accessible to readers of a message while the message links it", async () => {
  await using chat = await startChat();
  const { body } = await upload(chat, chat.member, TEXT);
  const url: string = body["url"];
  const statusFor = async (person: Parameters<typeof download>[1]) =>
    (await download(chat, person, url)).status;
  const id = await sendDirect(chat, chat.member, [chat.admin], `[notes](${url})`);
  assert.deepEqual([await statusFor(chat.admin), await statusFor(chat.moderator)], [200, 403]);
  // A link by a user without access to the file grants no access to others.
  await sendDirect(chat, chat.moderator, [chat.guest], `[notes](${url})`);
  assert.equal(await statusFor(chat.guest), 403);
  await sendDirect(chat, chat.admin, [chat.guest], `see ${url}: [x](${url})`);
  assert.equal(await statusFor(chat.guest), 200);
  const listed = await chat.call(chat.member, "GET /attachments");
  assert.equal(listed.body["attachments"][0].message_ids.length, 2);
  await chat.call(chat.member, `PATCH /messages/${id}`, { content: "never mind" });
  assert.equal(await statusFor(chat.admin), 200, "their own message still links the file");
  assert.equal(
    (await chat.call(chat.admin, "GET /messages", {
      anchor: "newest",
      num_before: 10,
      num_after: 0,
      narrow: [],
    })).status,
    200,
  );
});

Deno.test("a file in a public channel is accessible to members, and to everyone if the channel is web-public", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "open");
  const { body } = await upload(chat, chat.owner, TEXT);
  await send(chat, chat.owner, { to: channel, topic: "files", content: `[notes](${body["url"]})` });
  assert.equal((await download(chat, chat.member, body["url"])).status, 200);
  assert.equal((await download(chat, chat.guest, body["url"])).status, 403);
  assert.equal((await download(chat, null, body["url"])).status, 401);
  await chat.call(chat.owner, "PATCH /realm", { enable_spectator_access: true });
  await chat.call(chat.owner, `PATCH /streams/${channel}`, { is_web_public: true });
  assert.equal((await download(chat, null, body["url"])).status, 200);
});

Deno.test("GET /user_uploads supports ranges and conditional requests, and serves HTML as a download", async () => {
  await using chat = await startChat();
  const { body } = await upload(chat, chat.member, {
    name: "a.html",
    content: "<script>1</script>",
    type: "text/html",
  });
  const get = (headers: Record<string, string>) => download(chat, chat.member, body["url"], headers);
  const full = await get({});
  assert.match(full.headers.get("content-disposition") ?? "", /^attachment/);
  const etag = full.headers.get("etag") ?? "";
  await full.body?.cancel();
  assert.equal((await get({ "if-none-match": etag })).status, 304);
  const part = await get({ range: "bytes=1-6" });
  assert.deepEqual([part.status, part.headers.get("content-range"), await part.text()], [
    206,
    "bytes 1-6/18",
    "script",
  ]);
  const last = await get({ range: "bytes=-9" });
  assert.equal(await last.text(), "</script>");
  assert.equal((await get({ range: "bytes=18-" })).status, 416);
  const stale = await get({ range: "bytes=1-6", "if-range": '"other"' });
  assert.deepEqual([stale.status, (await stale.text()).length], [200, 18]);
});

Deno.test("GET /api/v1/user_uploads returns a path that opens the file for a minute", async () => {
  await using chat = await startChat();
  const { body } = await upload(chat, chat.member, TEXT);
  const path = body["url"].replace("/user_uploads/", "/user_uploads/");
  const response = await chat.call(chat.member, `GET ${path}`);
  assert.equal(response.status, 200);
  const url: string = response.body["url"];
  assert.match(url, /^\/user_uploads\/temporary\/[\w-]+\/notes\.txt$/);
  assert.equal(await (await download(chat, null, url)).text(), "hello!");
  assert.match(await (await download(chat, null, url.replace("notes", "other"))).text(), /Invalid filename/);
  assert.match(
    await (await download(chat, null, url.replace(/.\/notes/, "A/notes"))).text(),
    /Invalid token/,
  );
  assert.equal((await chat.call(chat.admin, `GET ${path}`)).status, 403);
  chat.clock.time += 61_000;
  assert.match(await (await download(chat, null, url)).text(), /Invalid token/);
});

Deno.test("DELETE /attachments/{attachment_id} deletes a file of the caller with its bytes", async () => {
  await using chat = await startChat();
  const { body } = await upload(chat, chat.member, TEXT);
  await sendDirect(chat, chat.member, [chat.admin], `[notes](${body["url"]})`);
  const [{ id }] = (await chat.call(chat.member, "GET /attachments")).body["attachments"];
  const refused = await chat.call(chat.admin, `DELETE /attachments/${id}`);
  assert.deepEqual([refused.status, refused.body["msg"]], [400, "Invalid attachment"]);
  assert.equal((await chat.call(chat.member, `DELETE /attachments/${id}`)).status, 200);
  assert.equal((await chat.call(chat.member, `DELETE /attachments/${id}`)).body["msg"], "Invalid attachment");
  assert.equal((await download(chat, chat.member, body["url"])).status, 404);
  const left = await chat.call(chat.member, "GET /attachments");
  assert.deepEqual([left.body["attachments"], left.body["upload_space_used"]], [[], 0]);
  const chunks = chat.services.store.kv.list({ prefix: [chat.realm.id, "upload_chunk"] });
  assert.deepEqual(await Array.fromAsync(chunks), []);
});

Deno.test("a file or blob that cannot be removed is logged and does not block others", async () => {
  await using chat = await startChat();
  const { kv } = chat.services.store;
  const [broken, behind] = [await upload(chat, chat.member, TEXT), await upload(chat, chat.member, TEXT)];
  const uploads = await Array.fromAsync(kv.list({ prefix: [...uploadKeys.uploads(chat.realm.id)] }));
  const [first] = uploads.map((entry) => toEntry<UploadRecord>(entry));
  assert.ok(first !== undefined);
  await kv.set([...first.key], { ...first.value, path_id: null });
  const left: PendingBlob = { realm_id: chat.realm.id, blob: "left", started_at: 1 };
  await kv.set([...pendingKeys.pending, 0, chat.realm.id, "broken"], { ...left, blob: null });
  await kv.set([...pendingKeys.pendingSince(left)], left);
  chat.clock.time += 36 * 86_400_000;
  assert.equal(await chat.services.uploadSweeper.sweep(), 2);
  assert.equal((await download(chat, chat.member, behind.body["url"])).status, 404);
  assert.match(await chat.log(), /unused files not removed[^]*unused files not removed/);
  await kv.set([...first.key], first.value);
  assert.equal(await chat.services.uploadSweeper.sweep(), 1);
  assert.equal((await download(chat, chat.member, broken.body["url"])).status, 404);
});

Deno.test("unlinked files are removed after five weeks, and linked ones are kept", async () => {
  await using chat = await startChat();
  const kept = await upload(chat, chat.member, TEXT);
  const lost = await upload(chat, chat.member, TEXT);
  const id = await sendDirect(chat, chat.member, [chat.admin], `[n](${kept.body["url"]})`);
  const DAY = 86_400_000;
  chat.clock.time += 34 * DAY;
  assert.equal(await chat.services.uploadSweeper.sweep(), 0);
  chat.clock.time += 2 * DAY;
  assert.equal(await chat.services.uploadSweeper.sweep(), 1);
  assert.equal((await download(chat, chat.member, lost.body["url"])).status, 404);
  assert.equal((await download(chat, chat.admin, kept.body["url"])).status, 200);
  await chat.call(chat.admin, `DELETE /messages/${id}`);
  chat.clock.time += 36 * DAY;
  assert.equal(await chat.services.uploadSweeper.sweep(), 1);
  assert.equal((await download(chat, chat.member, kept.body["url"])).status, 404);
});
