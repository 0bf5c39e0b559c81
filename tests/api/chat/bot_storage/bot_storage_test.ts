// GET /bot_storage, PUT /bot_storage, DELETE /bot_storage
import assert from "node:assert/strict";
import { MAX_STORAGE_ENTRIES } from "@/lib/chat/people/bot_storage.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const NO_SUCH_KEY = [400, "BAD_REQUEST", "Key does not exist."];

async function stored(chat: TestChat, bot: TestUser, keys?: readonly string[]) {
  return (await succeed(chat, bot, "GET /bot_storage", keys === undefined ? {} : { keys })).storage;
}

async function ask(chat: TestChat, user: TestUser | null, endpoint: string, params = {}) {
  const { status, body } = await chat.call(user, endpoint, params);
  return [status, body.code, body.msg];
}

async function assertConsistent(chat: TestChat): Promise<void> {
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
}

Deno.test("keys of bot storage may have the names of inherited members", async () => {
  await using chat = await startChat();
  const { bot } = chat;
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
  assert.deepEqual(await ask(chat, bot, "GET /bot_storage", { keys: ["toString"] }), NO_SUCH_KEY);
  for (const name of names) {
    await succeed(chat, bot, "PUT /bot_storage", { storage: JSON.stringify({ [name]: `of ${name}` }) });
  }
  const all = Object.entries(await stored(chat, bot));
  assert.deepEqual(new Map(all), new Map(names.map((name) => [name, `of ${name}`])));
  assert.deepEqual(Object.entries(await stored(chat, bot, ["__proto__"])), [["__proto__", "of __proto__"]]);
  const refused = await chat.call(bot, "PUT /bot_storage", { storage: '{"__proto__":1}' });
  assert.equal(refused.body.msg, 'storage["__proto__"] is not a string');
  await succeed(chat, bot, "DELETE /bot_storage", { keys: ["__proto__"] });
  assert.equal(Object.hasOwn(await stored(chat, bot), "__proto__"), false);
  await assertConsistent(chat);
});

Deno.test("a bot stores, reads, replaces and removes values that no other account can read", async () => {
  await using chat = await startChat();
  const other = await chat.add("another", 400, 1);
  await chat.events();
  const { bot } = chat;
  assert.deepEqual(await stored(chat, bot), {});
  const put = await chat.call(bot, "PUT /bot_storage", { storage: { number: "1", "日": "🌷", "": "blank" } });
  assert.deepEqual(put.body, { result: "success", msg: "" });
  await succeed(chat, bot, "PUT /bot_storage", { storage: { number: "22", "a\0b": "\ufeffx" } });
  const all = { "": "blank", ab: "\ufeffx", number: "22", "日": "🌷" };
  assert.deepEqual(await stored(chat, bot), all);
  assert.deepEqual(await stored(chat, bot, ["number", "日", "number"]), { number: "22", "日": "🌷" });
  assert.deepEqual(await stored(chat, bot, []), {});
  assert.deepEqual(await ask(chat, bot, "GET /bot_storage", { keys: ["number", "none"] }), NO_SUCH_KEY);
  assert.deepEqual(await stored(chat, other), {});
  assert.deepEqual(await ask(chat, other, "GET /bot_storage", { keys: ["number"] }), NO_SUCH_KEY);
  assert.deepEqual(await ask(chat, bot, "DELETE /bot_storage", { keys: ["number", "none"] }), NO_SUCH_KEY);
  await succeed(chat, bot, "DELETE /bot_storage", { keys: ["number", "日"] });
  assert.deepEqual(await stored(chat, bot), { "": "blank", ab: "\ufeffx" });
  await assertConsistent(chat);
  await succeed(chat, other, "PUT /bot_storage", { storage: { number: "1" } });
  await succeed(chat, bot, "DELETE /bot_storage");
  assert.deepEqual([await stored(chat, bot), await stored(chat, other)], [{}, { number: "1" }]);
  await assertConsistent(chat);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("/bot_storage refuses everyone but bots", async () => {
  await using chat = await startChat();
  const refused = [400, "BAD_REQUEST", "This endpoint only accepts bot requests."];
  for (const endpoint of ["GET /bot_storage", "PUT /bot_storage", "DELETE /bot_storage"]) {
    for (const user of [chat.owner, chat.member, chat.guest]) {
      assert.deepEqual(await ask(chat, user, endpoint), refused);
    }
    assert.equal((await ask(chat, null, endpoint))[0], 401);
  }
});

Deno.test("invalid and too large bot storage is refused and changes nothing", async () => {
  await using chat = await startChat();
  const { bot } = chat;
  const put = (storage: unknown) => ask(chat, bot, "PUT /bot_storage", { storage });
  await succeed(chat, bot, "PUT /bot_storage", { storage: { kept: "1" } });
  assert.deepEqual(await put({ a: 1 }), [400, "BAD_REQUEST", 'storage["a"] is not a string']);
  assert.deepEqual(await put(["a"]), [400, "BAD_REQUEST", "storage is not a dict"]);
  assert.equal((await ask(chat, bot, "PUT /bot_storage"))[1], "REQUEST_VARIABLE_MISSING");
  const keyTooLong = [400, "BAD_REQUEST", "A key has at most 256 characters."];
  assert.deepEqual(await put({ kept: "2", ["k".repeat(257)]: "" }), keyTooLong);
  const valueTooLong = [400, "BAD_REQUEST", "A value has at most 60000 bytes."];
  assert.deepEqual(await put({ kept: "2", long: "日".repeat(20_001) }), valueTooLong);
  const value = "v".repeat(60_000);
  const portion = (name: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, value]));
  const tooMuch = [400, "BAD_REQUEST", "One request stores at most 500000 bytes."];
  assert.deepEqual(await put(portion("a", 9)), tooMuch);
  for (const name of ["a", "b"]) await succeed(chat, bot, "PUT /bot_storage", { storage: portion(name, 8) });
  const full = "Request exceeds storage limit by 20038 bytes. The limit is 1000000 bytes.";
  const before = Object.keys(await stored(chat, bot)).length;
  assert.deepEqual(await put({ kept: "2", c: value }), [400, "BAD_REQUEST", full]);
  assert.equal(Object.keys(await stored(chat, bot)).length, before);
  assert.deepEqual(await stored(chat, bot, ["kept"]), { kept: "1" });
  // Replacing a value by a shorter one needs no room.
  await succeed(chat, bot, "PUT /bot_storage", { storage: { a0: "", kept: "2" } });
  await assertConsistent(chat);
});

Deno.test("a bot has a limited number of keys, which one request removes", async () => {
  await using chat = await startChat();
  const { bot } = chat;
  const storage = Object.fromEntries(Array.from({ length: MAX_STORAGE_ENTRIES }, (_, at) => [`${at}`, "x"]));
  await succeed(chat, bot, "PUT /bot_storage", { storage });
  assert.deepEqual(await stored(chat, bot), storage);
  const full = [400, "BAD_REQUEST", "A bot can store 500 keys at most."];
  assert.deepEqual(await ask(chat, bot, "PUT /bot_storage", { storage: { one: "more" } }), full);
  await succeed(chat, bot, "PUT /bot_storage", { storage: { 7: "y" } });
  await succeed(chat, bot, "DELETE /bot_storage");
  assert.deepEqual(await stored(chat, bot), {});
  await assertConsistent(chat);
});

Deno.test("concurrent changes of a bot's storage are all counted", async () => {
  await using chat = await startChat();
  const { bot } = chat;
  const names = Array.from({ length: 10 }, (_, at) => `k${at}`);
  await Promise.all(
    names.map((name) => succeed(chat, bot, "PUT /bot_storage", { storage: { [name]: "1", all: name } })),
  );
  assert.deepEqual(Object.keys(await stored(chat, bot)), ["all", ...names]);
  await assertConsistent(chat);
});
