import assert from "node:assert/strict";
import { readImageHeader } from "@/lib/images/image_header.ts";
import { pictureKeys } from "@/lib/chat/organization/pictures.ts";
import { pendingKeys } from "@/lib/chat/organization/files/model.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { file, MIB, PNG, postFiles } from "@/tests/casts/pictures_cast.ts";

/** Everything of pictures that the store holds. */
async function stored(chat: TestChat): Promise<number> {
  let count = 0;
  for (const prefix of [[...pictureKeys.pictures(chat.realm.id)], [chat.realm.id, pictureKeys.place]]) {
    count += (await Array.fromAsync(chat.services.store.kv.list({ prefix }))).length;
  }
  return count +
    (await Array.fromAsync(chat.services.store.kv.list({ prefix: [...pendingKeys.pending] }))).length;
}

Deno.test("POST /users/me/avatar stores an image at a public URL and sends an event to everyone", async () => {
  await using chat = await startChat();
  const { status, body } = await postFiles(chat, chat.guest, "/users/me/avatar", [file(PNG, 5 * MIB)]);
  assert.equal(status, 200, JSON.stringify(body));
  const url: string = body.avatar_url;
  assert.match(url, new RegExp(`^http://localhost:8000/avatar/${chat.realm.id}/[0-9a-f-]{36}\\?version=2$`));
  assert.deepEqual(body, { result: "success", msg: "", avatar_url: url });
  const mediumUrl = url.replace("?", "-medium.png?");
  const person = {
    user_id: chat.guest.id,
    avatar_url: url,
    avatar_url_medium: mediumUrl,
    avatar_source: "U",
    avatar_version: 2,
  };
  assert.deepEqual(await chat.events(), [{
    event: { type: "realm_user", op: "update", person },
    audience: "everyone",
  }]);
  const { user } = (await chat.call(chat.member, `GET /users/${chat.guest.id}`)).body;
  assert.deepEqual([user.avatar_url, user.avatar_version], [url, 2]);
  const picture = await chat.request(new URL(url).pathname + "?version=2");
  assert.equal(picture.status, 200);
  assert.equal(picture.headers.get("content-type"), "image/png");
  assert.equal(picture.headers.get("x-content-type-options"), "nosniff");
  assert.match(picture.headers.get("content-security-policy") ?? "", /default-src 'none';.*sandbox/);
  assert.equal(picture.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(readImageHeader(await picture.bytes())?.width, 100);
  const medium = await chat.request(new URL(mediumUrl).pathname + "?version=2");
  assert.equal(medium.status, 200);
  assert.equal(readImageHeader(await medium.bytes())?.width, 500);
  const own = await chat.call(chat.guest, "POST /register", { fetch_event_types: ["realm_user"] });
  const { avatar_url, avatar_url_medium, avatar_source } = own.body;
  assert.deepEqual([avatar_url, avatar_url_medium, avatar_source], [url, mediumUrl, "U"]);
});

Deno.test("a new avatar replaces the old one, and DELETE /users/me/avatar removes all of its bytes", async () => {
  await using chat = await startChat();
  const first = (await postFiles(chat, chat.bot, "/users/me/avatar", [file(PNG)])).body.avatar_url;
  const second = (await postFiles(chat, chat.bot, "/users/me/avatar", [file(PNG, 300)])).body.avatar_url;
  assert.notEqual(first, second);
  assert.equal(await stored(chat), 2, "one record and one chunk");
  const gone = await chat.request(new URL(first).pathname);
  assert.equal(gone.status, 404);
  await gone.body?.cancel();
  await chat.events();
  const removed = await chat.call(chat.bot, "DELETE /users/me/avatar");
  const drawn = `http://localhost:8000/avatar/${chat.bot.id}?version=4`;
  assert.deepEqual(removed.body, { result: "success", msg: "", avatar_url: drawn });
  assert.equal(await stored(chat), 0);
  const events = await chat.events();
  assert.deepEqual(events.map(({ event, audience }) => [event.type, event.op, audience]), [
    ["realm_user", "update", "everyone"],
    ["realm_bot", "update", "admins"],
    ["realm_bot", "update", [chat.member.id]],
  ]);
  const medium = `http://localhost:8000/avatar/${chat.bot.id}/medium?version=4`;
  assert.equal(Object(events[0]?.event["person"]).avatar_url_medium, medium);
  assert.deepEqual(events[1]?.event["bot"], { user_id: chat.bot.id, avatar_url: drawn });
  // Without one there is nothing to change.
  assert.equal((await chat.call(chat.bot, "DELETE /users/me/avatar")).body["avatar_url"], drawn);
  assert.deepEqual(await chat.events(), []);
});

/** A file whose header claims 2.6 GB of pixels. */
const BOMB = PNG.with(17, 1).with(21, 1);
const UNDECODABLE = "Could not decode image; did you upload an image file?";
const LARGE = "Uploaded file is larger than the allowed limit of 5 MiB";

Deno.test("uploads that are not exactly one image within the size limit are refused and not stored", async () => {
  await using chat = await startChat();
  for (const [path, noun] of [["/users/me/avatar", "avatar"], ["/realm/icon", "icon"]] as const) {
    const refusals: [Blob[], string][] = [
      [[], `You must upload exactly one ${noun}.`],
      [[file(PNG), file(PNG)], `You must upload exactly one ${noun}.`],
      [[file([...new TextEncoder().encode("<svg onload=alert(1)>")])], UNDECODABLE],
      [[file([])], UNDECODABLE],
      [[new Blob([])], UNDECODABLE],
      [[file(PNG.slice(0, -20))], UNDECODABLE],
      [[file(BOMB)], "Image size exceeds limit."],
      [[file(PNG, 5 * MIB + 1)], LARGE],
      [[file(PNG, 9 * MIB)], LARGE],
    ];
    for (const [files, msg] of refusals) {
      const { status, body } = await postFiles(chat, chat.admin, path, files);
      assert.deepEqual([status, body.code, body.msg], [400, "BAD_REQUEST", msg]);
    }
    assert.equal((await postFiles(chat, null, path, [file(PNG)])).status, 401);
  }
  assert.deepEqual(await chat.events(), []);
  assert.equal(await stored(chat), 0);
});

Deno.test("POST /realm/icon and DELETE /realm/icon require an administrator and send an event to everyone", async () => {
  await using chat = await startChat();
  for (const user of [chat.moderator, chat.member, chat.guest, chat.bot]) {
    const { status, body } = await postFiles(chat, user, "/realm/icon", [file(PNG)]);
    assert.deepEqual([status, body.code], [400, "UNAUTHORIZED_PRINCIPAL"]);
    assert.equal((await chat.call(user, "DELETE /realm/icon")).status, 400);
  }
  const { body } = await postFiles(chat, chat.admin, "/realm/icon", [file(PNG)]);
  const url: string = body.icon_url;
  assert.match(url, new RegExp(`^http://localhost:8000/avatar/${chat.realm.id}/[0-9a-f-]{36}$`));
  assert.deepEqual(await chat.events(), [{
    event: {
      type: "realm",
      op: "update_dict",
      property: "icon",
      data: { icon_source: "U", icon_url: url },
    },
    audience: "everyone",
  }]);
  assert.equal((await chat.call(null, "GET /server_settings")).body["realm_icon"], url);
  const registered = await chat.call(chat.guest, "POST /register", { fetch_event_types: ["realm"] });
  assert.deepEqual([registered.body["realm_icon_url"], registered.body["realm_icon_source"]], [url, "U"]);
  const removed = await chat.call(chat.owner, "DELETE /realm/icon");
  assert.equal(removed.body["icon_url"], "http://localhost:8000/icon.png");
  assert.equal((await chat.call(null, "GET /server_settings")).body["realm_icon"], removed.body["icon_url"]);
  assert.equal((await chat.request(new URL(url).pathname)).status, 404);
  assert.equal(await stored(chat), 0);
});

Deno.test("image bytes left over by an interruption are removed after a day", async () => {
  await using chat = await startChat();
  const { kv } = chat.services.store;
  const places = [pictureKeys.place, "emoji_picture"];
  for (const [at, place] of places.entries()) {
    const pending = { realm_id: chat.realm.id, blob: `left${at}`, started_at: chat.clock.now(), place };
    await kv.set([...pendingKeys.pendingSince(pending)], pending);
    await kv.set([...pendingKeys.chunks(pending), 0], new Uint8Array(10));
  }
  assert.equal(await chat.services.uploadSweeper.sweep(), 0);
  chat.clock.time += 25 * 3_600_000;
  assert.equal(await chat.services.uploadSweeper.sweep(), 2);
  for (const place of places) {
    assert.deepEqual(await Array.fromAsync(kv.list({ prefix: [chat.realm.id, place] })), []);
  }
  assert.equal(await stored(chat), 0);
});
