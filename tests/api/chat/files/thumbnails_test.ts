import assert from "node:assert/strict";
import { THUMBNAIL_FORMAT, uploadKeys, type UploadRecord } from "@/lib/chat/organization/files/model.ts";
import { getThumbnail } from "@/lib/chat/messages/downloads.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { readImageHeader } from "@/lib/images/image_header.ts";
import type { ImageResizer } from "@/lib/images/image_resizer.ts";
import { toEntry } from "@/lib/store/key.ts";
import { NamedQueues } from "@/lib/store/turns.ts";
import { download, upload } from "@/tests/casts/files_cast.ts";
import { drawHalves, drawStripe, SMALL_IMAGES, turnedJpeg } from "@/tests/casts/images_cast.ts";
import { makeChannel, send, sendDirect } from "@/tests/casts/messages_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";

const FORMAT = THUMBNAIL_FORMAT.name;
const BROAD = { name: "broad.png", content: drawStripe(1680, 560), type: "image/png" };

const toThumbnail = (url: string, format: string = FORMAT) =>
  `${url.replace("/user_uploads/", "/user_uploads/thumbnail/")}/${format}`;

async function uploadImage(chat: TestChat, file: Parameters<typeof upload>[2]): Promise<string> {
  return (await upload(chat, chat.member, file)).body["url"];
}

async function render(chat: TestChat, content: string): Promise<string> {
  return (await chat.call(chat.member, "POST /messages/render", { content })).body["rendered"];
}

async function listUploads(chat: TestChat): Promise<readonly UploadRecord[]> {
  const listing = chat.services.store.kv.list({ prefix: [...uploadKeys.uploads(chat.realm.id)] });
  return (await Array.fromAsync(listing)).map((entry) => toEntry<UploadRecord>(entry).value);
}

Deno.test("previews point to thumbnails with the dimensions and type of the upright image", async () => {
  await using chat = await startChat();
  const preview = async (file: Parameters<typeof upload>[2]) => {
    const url = await uploadImage(chat, file);
    const html = await render(chat, `[x](${url})`);
    return { url, image: /<a href="([^"]*)" title="x">(<img [^>]*>)<\/a><\/div>$/.exec(html)?.slice(1) };
  };
  const broad = await preview(BROAD);
  const attributes = (size: string, type: string) =>
    `data-original-dimensions="${size}" data-original-content-type="${type}"`;
  assert.deepEqual(broad.image, [
    broad.url,
    `<img ${attributes("1680x560", "image/png")} src="${toThumbnail(broad.url)}">`,
  ]);
  const jpeg = await preview({ name: "turned.jpg", content: await turnedJpeg(64, 32), type: "image/jpeg" });
  assert.deepEqual(jpeg.image, [
    jpeg.url,
    `<img ${attributes("32x64", "image/jpeg")} src="${toThumbnail(jpeg.url)}">`,
  ]);
  const animated = await preview({ name: "a.gif", content: SMALL_IMAGES.animatedGif, type: "image/gif" });
  assert.deepEqual(animated.image, [
    animated.url,
    `<img data-animated="true" ${attributes("8x4", "image/gif")} src="${animated.url}">`,
  ], "thumbnails do not move");
  const still = await download(chat, chat.member, toThumbnail(animated.url));
  assert.deepEqual(readImageHeader(await still.bytes()), { width: 8, height: 4, orientation: 1 });
  const unknown = await preview({ name: "b.png", content: "no image", type: "image/png" });
  assert.deepEqual(unknown.image, [unknown.url, `<img src="${unknown.url}">`]);
  const { body } = await chat.call(chat.member, "POST /register", { event_types: ["realm"] });
  assert.deepEqual(body["server_thumbnail_formats"], [THUMBNAIL_FORMAT]);
});

Deno.test("concurrent first requests make one thumbnail", async () => {
  await using chat = await startChat();
  const url = toThumbnail(await uploadImage(chat, BROAD));
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => download(chat, chat.member, url)),
  );
  const etags = new Set(responses.map(({ headers }) => headers.get("etag")));
  assert.equal(etags.size, 1);
  for (const response of responses) {
    assert.deepEqual([response.status, response.headers.get("content-type")], [200, "image/webp"]);
    assert.equal(response.headers.get("cache-control"), "private, no-cache, immutable");
    assert.match(response.headers.get("content-disposition") ?? "", /^inline; filename="840x560\.webp"/);
    assert.deepEqual(readImageHeader(await response.bytes()), { width: 840, height: 280, orientation: 1 });
  }
  const [etag = ""] = etags;
  const again = await download(chat, chat.member, url, { "if-none-match": etag ?? "" });
  assert.equal(again.status, 304);
  const chunks = chat.services.store.kv.list({ prefix: [chat.realm.id, uploadKeys.place] });
  const blobs = new Set((await Array.fromAsync(chunks)).map(({ key }) => key[2]));
  assert.equal(blobs.size, 2, "the file and one thumbnail");
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});

Deno.test("two processes that make one thumbnail leave one", async () => {
  await using chat = await startChat();
  await uploadImage(chat, BROAD);
  const [upload] = await listUploads(chat);
  assert.ok(upload !== undefined);
  const { chat: app, uploadSweeper } = chat.services;
  const other = { ...app, store: { ...app.store, queues: new NamedQueues() } };
  const made = await Promise.all(
    [app, other].map((process) => getThumbnail(process, chat.realm.id, { upload, format: FORMAT })),
  );
  assert.equal(new Set(made.map(({ blob }) => blob)).size, 2, "both were made");
  chat.clock.time += 86_400_001;
  await uploadSweeper.sweep();
  const chunks = chat.services.store.kv.list({ prefix: [chat.realm.id, uploadKeys.place] });
  const left = new Set((await Array.fromAsync(chunks)).map(({ key }) => key[2]));
  const [stored] = await listUploads(chat);
  assert.deepEqual(left, new Set([upload.blob, stored?.image?.thumbnail?.blob]));
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});

Deno.test("thumbnails have the access of their file", async () => {
  await using chat = await startChat();
  const url = await uploadImage(chat, BROAD);
  const path = toThumbnail(url);
  const statusFor = async (person: Parameters<typeof download>[1], query = "") => {
    const response = await download(chat, person, `${path}${query}`);
    await response.body?.cancel();
    return response.status;
  };
  assert.deepEqual(
    [await statusFor(chat.member), await statusFor(chat.admin), await statusFor(chat.outsider)],
    [200, 403, 404],
  );
  assert.deepEqual([await statusFor(null), await statusFor(null, `?api_key=${chat.member.apiKey}`)], [
    401,
    200,
  ]);
  assert.equal(await statusFor(null, `?api_key=${chat.admin.apiKey}`), 403);
  const visitor = await download(chat, null, path, { accept: "text/html" });
  assert.deepEqual([visitor.status, visitor.headers.get("location")], [
    303,
    `/login?next=${encodeURIComponent(path)}`,
  ]);
  const direct = await sendDirect(chat, chat.member, [chat.admin], `[x](${url})`);
  assert.deepEqual([await statusFor(chat.admin), await statusFor(chat.moderator)], [200, 403]);
  await chat.call(chat.member, `PATCH /messages/${direct}`, { content: "never mind" });
  assert.equal(await statusFor(chat.admin), 403);
  const channel = await makeChannel(chat, "open");
  await chat.call(chat.member, "POST /users/me/subscriptions", { subscriptions: [{ name: "open" }] });
  await send(chat, chat.member, { to: channel, topic: "images", content: `[x](${url})` });
  assert.equal(await statusFor(null), 401);
  await chat.call(chat.owner, "PATCH /realm", { enable_spectator_access: true });
  await chat.call(chat.owner, `PATCH /streams/${channel}`, { is_web_public: true });
  assert.equal(await statusFor(null), 200);
});

Deno.test("GET /api/v1/user_uploads/thumbnail returns a path that opens the thumbnail for a minute", async () => {
  await using chat = await startChat();
  const path = toThumbnail(await uploadImage(chat, BROAD));
  const { status, body } = await chat.call(chat.member, `GET ${path}`);
  assert.equal(status, 200);
  assert.match(body["url"], /^\/user_uploads\/temporary\/[\w-]+\/broad\.png\/840x560\.webp$/);
  const opened = await download(chat, null, body["url"]);
  assert.deepEqual(readImageHeader(await opened.bytes()), { width: 840, height: 280, orientation: 1 });
  const forged = await download(chat, null, body["url"].replace(/.\/broad/, "A/broad"));
  assert.match(await forged.text(), /Invalid token/);
  assert.equal((await chat.call(chat.admin, `GET ${path}`)).status, 403);
  assert.equal((await chat.call(chat.member, `GET ${path.replace(FORMAT, "large")}`)).status, 404);
  chat.clock.time += 61_000;
  assert.match(await (await download(chat, null, body["url"])).text(), /Invalid token/);
});

Deno.test("a format that is not offered is answered with the one that is; other files have no thumbnail", async () => {
  await using chat = await startChat();
  const url = await uploadImage(chat, BROAD);
  for (const format of ["300x200.jpg", "840x560-anim.webp"]) {
    const response = await download(chat, chat.member, toThumbnail(url, format));
    assert.deepEqual(readImageHeader(await response.bytes()), { width: 840, height: 280, orientation: 1 });
  }
  const text = await uploadImage(chat, { name: "a.txt", content: "a", type: "text/plain" });
  const fake = await uploadImage(chat, { name: "a.png", content: "a", type: "image/png" });
  const paths = [toThumbnail(url, "large"), toThumbnail(url, "1.png"), toThumbnail(text), toThumbnail(fake)];
  for (const path of paths) {
    const response = await download(chat, chat.member, path);
    assert.equal(response.status, 404, path);
    assert.match(await response.text(), /This file has no thumbnail\./);
  }
  const missing = await download(chat, chat.member, toThumbnail(`/user_uploads/${chat.realm.id}/ab/c/x.png`));
  assert.equal(missing.status, 404);
  await missing.body?.cancel();
});

Deno.test("an image that cannot be decoded has no thumbnail, and is tried again after a day", async () => {
  await using chat = await startChat();
  const content = await drawHalves(64);
  const path = toThumbnail(
    await uploadImage(chat, { name: "a.png", content: content.slice(0, -30), type: "image/png" }),
  );
  const failedAt = async () => {
    const response = await download(chat, chat.member, path);
    assert.equal(response.status, 404);
    await response.body?.cancel();
    return (await listUploads(chat))[0]?.image?.failed_at;
  };
  const first = chat.clock.time;
  assert.equal(await failedAt(), first);
  chat.clock.time += 3_600_000;
  assert.equal(await failedAt(), first);
  chat.clock.time += 86_400_000;
  assert.equal(await failedAt(), chat.clock.time);
});

Deno.test("a thumbnail is deleted with its file and takes none of the quota", async () => {
  await using chat = await startChat();
  const path = toThumbnail(await uploadImage(chat, BROAD));
  assert.equal((await (await download(chat, chat.member, path)).bytes()).length > 0, true);
  const { body } = await chat.call(chat.member, "GET /attachments");
  assert.equal(body["upload_space_used"], BROAD.content.length);
  await chat.call(chat.member, `DELETE /attachments/${body["attachments"][0].id}`);
  const gone = await download(chat, chat.member, path);
  assert.equal(gone.status, 404);
  await gone.body?.cancel();
  const chunks = chat.services.store.kv.list({ prefix: [chat.realm.id, uploadKeys.place] });
  assert.deepEqual(await Array.fromAsync(chunks), []);
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});

Deno.test("a file that is deleted while its thumbnail is made has none and leaves no bytes", async () => {
  await using chat = await startChat();
  const { chat: app, store } = chat.services;
  for (const moment of ["before", "after"] as const) {
    await uploadImage(chat, BROAD);
    const [upload] = await listUploads(chat);
    assert.ok(upload !== undefined);
    const deleteFile = async () => {
      assert.equal((await chat.call(chat.member, `DELETE /attachments/${upload.id}`)).status, 200);
    };
    const images: ImageResizer = {
      ...app.images,
      async toThumbnail(...args) {
        if (moment === "before") await deleteFile();
        const picture = await app.images.toThumbnail(...args);
        if (moment === "after") await deleteFile();
        return picture;
      },
    };
    const requested = { upload, format: FORMAT };
    await assert.rejects(getThumbnail({ ...app, images }, chat.realm.id, requested), { code: "NOT_FOUND" });
    const chunks = store.kv.list({ prefix: [chat.realm.id, uploadKeys.place] });
    assert.deepEqual(await Array.fromAsync(chunks), [], moment);
    assert.deepEqual((await checkChat(store.kv)).problems, []);
  }
});
