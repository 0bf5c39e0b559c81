import assert from "node:assert/strict";
import { download, upload } from "@/tests/casts/files_cast.ts";
import { makeChannel, send, sendDirect } from "@/tests/casts/messages_cast.ts";
import { createOpenChannel, setSpectatorAccess, startOpenChat } from "@/tests/casts/spectator_cast.ts";
import { alterRealm } from "@/tests/helpers/realm.ts";
import { file, PNG, postFiles } from "@/tests/casts/pictures_cast.ts";

const TEXT = { name: "notes.txt", content: "hello!", type: "text/plain" };

Deno.test("GET /user_uploads serves spectators files linked in open channels, for as long as these are open", async () => {
  await using chat = await startOpenChat();
  const open = await createOpenChannel(chat, "Garden");
  const closed = await makeChannel(chat, "Shed");
  const { body } = await upload(chat, chat.owner, TEXT);
  const url: string = body["url"];
  const status = async () => {
    const response = await download(chat, null, url);
    await response.body?.cancel();
    return response.status;
  };
  await send(chat, chat.owner, { to: closed, content: `[notes](${url})` });
  await sendDirect(chat, chat.owner, [chat.admin], `[notes](${url})`);
  assert.equal(await status(), 401);
  const id = await send(chat, chat.owner, { to: open, content: `[notes](${url})` });
  assert.equal(await status(), 200);
  await setSpectatorAccess(chat, false);
  assert.equal(await status(), 401);
  await setSpectatorAccess(chat, true);
  assert.equal(await status(), 200);
  await chat.call(chat.owner, `PATCH /messages/${id}`, { stream_id: closed });
  assert.equal(await status(), 401, "its message was moved away");
  await chat.call(chat.owner, `PATCH /messages/${id}`, { stream_id: open });
  assert.equal(await status(), 200);
  await alterRealm(chat, { is_deactivated: true });
  assert.equal(await status(), 401);
  await alterRealm(chat, { is_deactivated: false });
  await chat.call(chat.owner, `DELETE /streams/${open}`);
  assert.equal(await status(), 401);
});

Deno.test("GET /user_uploads redirects users without access to sign in, also when their session has ended", async () => {
  await using chat = await startOpenChat();
  const open = await createOpenChannel(chat, "Garden");
  const { body } = await upload(chat, chat.owner, TEXT);
  const url: string = body["url"];
  await send(chat, chat.owner, { to: open, content: `[notes](${url})` });
  const ask = async (headers: Record<string, string>, path = url) => {
    const response = await download(chat, null, path, headers);
    await response.body?.cancel();
    return [response.status, response.headers.get("location")];
  };
  const ended = { cookie: "sotto_session=ended" };
  assert.deepEqual(await ask({ accept: "text/html" }), [200, null]);
  assert.deepEqual(await ask(ended), [401, null]);
  const signIn = [303, `/login?next=${encodeURIComponent(url)}`];
  assert.deepEqual(await ask({ ...ended, accept: "text/html" }), signIn);
  const missing = url.replace("notes", "other");
  assert.deepEqual(await ask({}, missing), [401, null], "a missing file is not distinguishable");
});

Deno.test("spectators can load avatars and custom emoji", async () => {
  await using chat = await startOpenChat();
  const open = await createOpenChannel(chat, "Garden");
  const drawn = await send(chat, chat.member, { to: open, content: "hello" });
  const uploaded = await send(chat, chat.owner, { to: open, content: "hello" });
  await postFiles(chat, chat.owner, "/users/me/avatar", [file(PNG)]);
  await postFiles(chat, chat.owner, "/realm/emoji/rose", [file(PNG)]);
  const typeOf = async (address: string) => {
    const { pathname, search } = new URL(address, "http://localhost:8000");
    const picture = await download(chat, null, pathname + search);
    await picture.body?.cancel();
    return picture.status === 200 ? picture.headers.get("content-type") : picture.status;
  };
  const avatarOf = async (id: number) =>
    (await chat.call(null, `GET /messages/${id}`)).body["message"].avatar_url;
  assert.equal(await typeOf(await avatarOf(drawn)), "image/png");
  assert.equal(await typeOf(await avatarOf(uploaded)), "image/png");
  const { body } = await chat.call(null, "POST /register", { fetch_event_types: ["realm_emoji"] });
  const emoji: { name: string; source_url: string }[] = Object.values(body["realm_emoji"]);
  assert.deepEqual(emoji.map(({ name }) => name), ["rose"]);
  for (const { source_url } of emoji) assert.equal(await typeOf(source_url), "image/png");
});
