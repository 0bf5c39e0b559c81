import assert from "node:assert/strict";
import { PhotonImage } from "@/lib/images/photon.ts";
import { readImageHeader } from "@/lib/images/image_header.ts";
import { drawHalves, SMALL_IMAGES } from "@/tests/casts/images_cast.ts";
import { type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { makeChannel, send, startChat } from "@/tests/casts/messages_cast.ts";
import { file, MIB, PNG, postFiles } from "@/tests/casts/pictures_cast.ts";

/** Header of the stored pictures. */
const SQUARE = { width: 64, height: 64, orientation: 1 };

/** Uploads files, with an unknown parameter. */
function upload(chat: TestChat, user: TestUser | null, name: string, files: Blob[] = [file(PNG)]) {
  return postFiles(chat, user, `/realm/emoji/${encodeURIComponent(name)}?spare=1`, files);
}

async function emojiOf(chat: TestChat, user: TestUser) {
  const { emoji } = (await chat.call(user, "GET /realm/emoji")).body;
  return Object.values<Record<string, unknown>>(emoji);
}

Deno.test("POST /realm/emoji/{emoji_name} adds an image that GET /realm/emoji lists and anyone can load", async () => {
  await using chat = await startChat();
  const { status, body } = await upload(chat, chat.member, "Green thumb".toLowerCase(), [file(PNG, 5 * MIB)]);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body, { result: "success", msg: "", ignored_parameters_unsupported: ["spare"] });
  const events = await chat.events();
  const [emoji, ...others] = await emojiOf(chat, chat.guest);
  assert.deepEqual(events, [{ event: { type: "realm_emoji", op: "add", emoji }, audience: "everyone" }]);
  assert.deepEqual(others, []);
  const source_url = `/emoji/${chat.realm.id}/${emoji?.["id"]}`;
  assert.deepEqual(emoji, {
    id: emoji?.["id"],
    name: "green_thumb",
    source_url,
    still_url: null,
    deactivated: false,
    author_id: chat.member.id,
  });
  assert.deepEqual(await emojiOf(chat, chat.outsider), []);
  const picture = await chat.request(source_url);
  assert.equal(picture.status, 200);
  assert.equal(picture.headers.get("content-type"), "image/png");
  assert.equal(picture.headers.get("x-content-type-options"), "nosniff");
  assert.match(picture.headers.get("content-security-policy") ?? "", /default-src 'none';.*sandbox/);
  assert.equal(picture.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.deepEqual(readImageHeader(await picture.bytes()), SQUARE);
  const foreign = `/emoji/${chat.outsider.realm.id}/${emoji?.["id"]}`;
  for (const path of [foreign, `${source_url}-still.png`, "/emoji/1/99999", "/emoji/1/x", "/emoji/x/1"]) {
    const missing = await chat.request(path);
    assert.equal(missing.status, 404, path);
    await missing.body?.cancel();
  }
});

Deno.test("pictures of four formats become squares, and animated ones stay with a still picture", async () => {
  await using chat = await startChat();
  const { gif, animatedGif, webp, animatedWebp } = SMALL_IMAGES;
  const image = PhotonImage.new_from_byteslice(await drawHalves(16));
  const jpeg = image.get_bytes_jpeg(80);
  image.free();
  const animated = { gifs: animatedGif, webps: animatedWebp };
  for (const [name, content] of Object.entries({ gif, webp, jpeg, ...animated })) {
    assert.equal(
      (await upload(chat, chat.member, name, [file([...content], content.length)])).status,
      200,
      name,
    );
  }
  const load = async (path: unknown) => {
    const picture = await chat.request(String(path));
    return { type: picture.headers.get("content-type"), bytes: await picture.bytes() };
  };
  for (const { name, source_url, still_url } of await emojiOf(chat, chat.member)) {
    const content = Object.entries(animated).find(([key]) => key === name)?.[1];
    const source = await load(source_url);
    assert.equal(still_url, content === undefined ? null : `${source_url}-still.png`);
    const still = content === undefined ? source : await load(still_url);
    assert.deepEqual([still.type, readImageHeader(still.bytes)], ["image/png", SQUARE]);
    if (content === undefined) continue;
    assert.equal(source.type, name === "gifs" ? "image/gif" : "image/webp");
    assert.deepEqual(source.bytes.subarray(0, content.length), content);
  }
});

Deno.test("POST /realm/emoji/{emoji_name} refuses other formats and pictures that cannot be decoded", async () => {
  await using chat = await startChat();
  const riff = [0x52, 0x49, 0x46, 0x46, 1, 2, 3, 4];
  const refuse = async (begin: readonly number[], msg: string) => {
    const { status, body } = await upload(chat, chat.member, "other", [file(begin)]);
    assert.deepEqual([status, body.msg], [400, msg]);
  };
  const others = [[..."<svg"].map((char) => char.charCodeAt(0)), [], riff, [0x89, 0x50], [0xff, 0xd8]];
  for (const begin of others) await refuse(begin, "Invalid image format");
  const undecodable = [
    [..."GIF89a"].map((char) => char.charCodeAt(0)),
    [0xff, 0xd8, 0xff, 0xe0],
    [...riff, 0x57, 0x45, 0x42, 0x50],
    PNG.slice(0, 40),
  ];
  for (const begin of undecodable) {
    await refuse(begin, "Could not decode image; did you upload an image file?");
  }
  const bomb = [...PNG];
  bomb.splice(16, 8, 0, 0xff, 0, 0, 0, 0xff, 0, 0);
  await refuse(bomb, "Image size exceeds limit.");
  assert.deepEqual(await emojiOf(chat, chat.member), []);
});

Deno.test("POST /realm/emoji/{emoji_name} refuses invalid names and files and stores nothing", async () => {
  await using chat = await startChat();
  assert.equal((await upload(chat, chat.member, "rose2")).status, 200);
  await chat.events();
  const letters =
    "Emoji names must contain only lowercase English letters, digits, spaces, dashes, underscores, " +
    "and periods.";
  const refusals: [TestUser, string, Blob[], string][] = [
    [chat.member, "rose2", [file(PNG)], "A custom emoji with this name already exists."],
    [chat.member, "Rose", [file(PNG)], letters],
    [chat.member, "röse", [file(PNG)], letters],
    [chat.member, "rose_", [file(PNG)], "Emoji names must end with either a letter or digit."],
    [chat.member, "x".repeat(101), [file(PNG)], "emoji_name is too long (limit: 100 characters)"],
    [chat.member, "car", [file(PNG)], "Only administrators can override default emoji."],
    [chat.member, "tulip9", [], "You must upload exactly one file."],
    [chat.member, "tulip9", [file(PNG), file(PNG)], "You must upload exactly one file."],
    [
      chat.member,
      "tulip9",
      [file(PNG, 5 * MIB + 1)],
      "Uploaded file is larger than the allowed limit of 5 MiB",
    ],
    [chat.member, "tulip9", [file(PNG, 9 * MIB)], "Uploaded file is larger than the allowed limit of 5 MiB"],
    [chat.guest, "tulip9", [file(PNG)], "Not allowed for guest users"],
    [chat.bot, "tulip9", [file(PNG)], "This endpoint does not accept bot requests."],
  ];
  for (const [user, name, files, msg] of refusals) {
    const { status, body } = await upload(chat, user, name, files);
    assert.deepEqual([status, body.msg], [400, msg]);
  }
  assert.equal((await upload(chat, null, "tulip9")).status, 401);
  assert.equal((await chat.call(null, "GET /realm/emoji")).status, 401);
  assert.equal((await emojiOf(chat, chat.member)).length, 1);
  assert.deepEqual(await chat.events(), []);
  const { kv } = chat.services.store;
  const chunks = await Array.fromAsync(kv.list({ prefix: [chat.realm.id, "emoji_picture"] }));
  assert.equal(chunks.length, 1);
  assert.equal((await upload(chat, chat.admin, "car")).status, 200);
});

Deno.test("of concurrent uploads of one name, exactly one succeeds and only its image is stored", async () => {
  await using chat = await startChat();
  // Each account has one picture at a time.
  const users = [chat.owner, chat.admin, chat.moderator, chat.member];
  const answers = await Promise.all(users.map((user) => upload(chat, user, "rose2")));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400]);
  assert.equal((await emojiOf(chat, chat.member)).length, 1);
  const { kv } = chat.services.store;
  const chunks = await Array.fromAsync(kv.list({ prefix: [chat.realm.id, "emoji_picture"] }));
  assert.equal(chunks.length, 1);
});

Deno.test("custom emoji appear in messages and reactions, also after their deactivation", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  await upload(chat, chat.member, "rose2");
  const [emoji] = await emojiOf(chat, chat.member);
  const id = await send(chat, chat.member, { to: channel, content: "a :rose2: b :none: :car:" });
  const { message } = (await chat.call(chat.owner, `GET /messages/${id}`)).body;
  assert.match(message.content, new RegExp(`<img [^>]*src="${emoji?.["source_url"]}"`));
  assert.match(message.content, /b :none: <span/);
  const react = (user: TestUser, params: Record<string, unknown>) =>
    chat.call(user, `POST /messages/${id}/reactions`, params);
  assert.equal((await react(chat.member, { emoji_name: "rose2" })).status, 200);
  const reaction = { emoji_name: "rose2", emoji_code: emoji?.["id"], reaction_type: "realm_emoji" };
  const wrong = await react(chat.owner, { ...reaction, emoji_name: "rose3", reaction_type: "unicode_emoji" });
  assert.equal(wrong.body.msg, "Invalid emoji code.");
  const remove = (user: TestUser, name = "rose2") => chat.call(user, `DELETE /realm/emoji/${name}`);
  const foreign = await remove(chat.moderator);
  assert.deepEqual(
    [foreign.status, foreign.body.code, foreign.body.msg],
    [400, "UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator or emoji author"],
  );
  for (const user of [chat.member, chat.outsider]) {
    const { status, body } = await remove(user, "none");
    assert.deepEqual([status, body.code, body.msg], [404, "BAD_REQUEST", "Emoji 'none' does not exist"]);
  }
  assert.equal((await remove(chat.outsider)).body.msg, "Emoji 'rose2' does not exist");
  await chat.events();
  assert.equal((await remove(chat.member)).status, 200);
  assert.deepEqual((await chat.events()).map(({ event }) => event), [
    { type: "realm_emoji", op: "update_one", emoji_id: emoji?.["id"], data: { deactivated: true } },
  ]);
  assert.equal((await remove(chat.member)).body.msg, "Emoji 'rose2' does not exist");
  assert.equal((await emojiOf(chat, chat.member))[0]?.["deactivated"], true);
  const { reactions } = (await chat.call(chat.owner, `GET /messages/${id}`)).body.message;
  assert.partialDeepStrictEqual(reactions, [{ ...reaction, user_id: chat.member.id }]);
  // A deactivated emoji can be added to an existing reaction, but not as a new one.
  assert.equal((await react(chat.owner, reaction)).status, 200);
  const other = await send(chat, chat.member, { to: channel, content: ":rose2:" });
  const first = await chat.call(chat.owner, `POST /messages/${other}/reactions`, reaction);
  assert.equal(first.body.msg, "This custom emoji has been deactivated.");
  const renamed = await chat.call(chat.owner, `POST /messages/${other}/reactions`, {
    ...reaction,
    emoji_name: "x",
  });
  assert.equal(renamed.body.msg, "Invalid custom emoji name.");
  // The name is available again, and administrators can remove the emoji of others.
  assert.equal((await upload(chat, chat.moderator, "rose2")).status, 200);
  assert.equal((await remove(chat.admin)).status, 200);
});
