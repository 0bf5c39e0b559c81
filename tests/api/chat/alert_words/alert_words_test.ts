// GET /users/me/alert_words, POST /users/me/alert_words, DELETE /users/me/alert_words
import assert from "node:assert/strict";
import { alertWordList } from "@/lib/chat/people/alert_words.ts";
import { registerClient } from "@/tests/casts/events_cast.ts";
import { fetchMessageIds, makeChannel, send, sendDirect } from "@/tests/casts/messages_cast.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const PATH = "/users/me/alert_words";

async function flagsOf(chat: TestChat, user: TestUser, id: number): Promise<string[]> {
  return (await succeed(chat, user, `GET /messages/${id}`)).message.flags;
}

Deno.test("alert words are added, listed and removed by their owner, who alone receives the event", async () => {
  await using chat = await startChat();
  const { member, guest, bot } = chat;
  const success = { result: "success", msg: "" };
  assert.deepEqual((await chat.call(member, `GET ${PATH}`)).body, { ...success, alert_words: [] });
  const sent = { alert_words: [" rose ", "red tulip", "ROSE", "", "  "] };
  const added = await chat.call(member, `POST ${PATH}`, sent);
  assert.deepEqual(added.body, { ...success, alert_words: ["rose", "red tulip"] });
  const event = { type: "alert_words", alert_words: ["rose", "red tulip"] };
  assert.deepEqual(await chat.events(), [{ event, audience: [member.id] }]);
  // Nothing new: no event.
  assert.deepEqual((await chat.call(member, `POST ${PATH}`, { alert_words: ["Rose"] })).body, added.body);
  assert.deepEqual((await chat.call(member, `DELETE ${PATH}`, { alert_words: ["weed"] })).body, added.body);
  assert.deepEqual(await chat.events(), []);
  for (const user of [guest, bot, chat.outsider]) {
    assert.deepEqual((await succeed(chat, user, `GET ${PATH}`)).alert_words, []);
    assert.deepEqual((await succeed(chat, user, `POST ${PATH}`, { alert_words: ["x"] })).alert_words, ["x"]);
  }
  await chat.events();
  const { alert_words } = await succeed(chat, member, "POST /register", {
    fetch_event_types: ["alert_words"],
  });
  assert.deepEqual(alert_words, ["rose", "red tulip"]);
  const removed = await chat.call(member, `DELETE ${PATH}`, { alert_words: ["ROSE", "x"] });
  assert.deepEqual(removed.body, { ...success, alert_words: ["red tulip"] });
  const rest = { type: "alert_words", alert_words: ["red tulip"] };
  assert.deepEqual(await chat.events(), [{ event: rest, audience: [member.id] }]);
  assert.deepEqual((await succeed(chat, guest, `GET ${PATH}`)).alert_words, ["x"]);
  const other = await succeed(chat, guest, "POST /register", { fetch_event_types: ["message"] });
  assert.equal(other["alert_words"], undefined);
});

Deno.test("alert words that are invalid or too many are refused and change nothing", async () => {
  await using chat = await startChat();
  const refuse = async (alert_words: unknown, method = "POST") => {
    const { status, body } = await chat.call(chat.member, `${method} ${PATH}`, { alert_words });
    return [status, body.code, body.msg];
  };
  const long = "alert_words[1] is too long (limit: 100 characters)";
  assert.deepEqual(await refuse(["a", "a".repeat(101)]), [400, "BAD_REQUEST", long]);
  assert.deepEqual(await refuse(["a", "🌷".repeat(101)], "DELETE"), [400, "BAD_REQUEST", long]);
  assert.deepEqual(await refuse([1]), [400, "BAD_REQUEST", "alert_words[0] is not a string"]);
  assert.deepEqual(await refuse({ a: 1 }), [400, "BAD_REQUEST", "alert_words is not a list"]);
  const hidden = "Invalid character in alert word, at position 2.";
  assert.deepEqual(await refuse(["fine", "a\u202eb"]), [400, "BAD_REQUEST", hidden]);
  for (const method of ["POST", "DELETE"]) {
    const { body } = await chat.call(chat.member, `${method} ${PATH}`);
    assert.equal(body.code, "REQUEST_VARIABLE_MISSING");
  }
  assert.equal((await chat.call(null, `GET ${PATH}`)).status, 401);
  assert.deepEqual(await chat.events(), []);
  const all = Array.from({ length: alertWordList.max }, (_, at) => `${at}`.padEnd(100, "x"));
  assert.deepEqual((await succeed(chat, chat.member, `POST ${PATH}`, { alert_words: all })).alert_words, all);
  const full = [400, "BAD_REQUEST", "You can have 100 alert words at most."];
  assert.deepEqual(await refuse(["another"]), full);
  await succeed(chat, chat.member, `POST ${PATH}`, { alert_words: [all[0]] });
  assert.deepEqual((await succeed(chat, chat.member, `GET ${PATH}`)).alert_words, all);
});

Deno.test("a message with an alert word has the flag for those who received it and have the word", async () => {
  await using chat = await startChat();
  const { owner, member, moderator, admin } = chat;
  const channel = await makeChannel(chat, "Garden");
  const before = await send(chat, owner, { to: channel, content: "a rose" });
  chat.clock.time += 1000;
  await succeed(chat, member, `POST ${PATH}`, { alert_words: ["rose"] });
  await succeed(chat, admin, `POST ${PATH}`, { alert_words: ["rose"] });
  const client = await registerClient(chat, member, { event_types: ["message", "update_message"] });
  const other = await registerClient(chat, moderator, { event_types: ["message"] });
  chat.clock.time += 1000;
  const id = await send(chat, owner, { to: channel, content: "A *Rose*!" });
  const plain = await send(chat, owner, { to: channel, content: "primrose" });
  const own = await sendDirect(chat, member, [owner], "my rose");
  const events = await client.receive();
  assert.deepEqual(events.map(({ message, flags }) => [message.id, flags]), [
    [id, ["has_alert_word"]],
    [plain, []],
    [own, ["read", "has_alert_word"]],
  ]);
  assert.deepEqual((await other.receive()).map(({ flags }) => flags), [[], []]);
  // The admin is not subscribed, and the first message is older than the word.
  assert.deepEqual(await flagsOf(chat, admin, id), ["read", "historical"]);
  assert.deepEqual(await flagsOf(chat, member, before), []);
  const narrow = [{ operator: "is", operand: "alerted" }];
  assert.deepEqual(await fetchMessageIds(chat, member, { narrow }), [id, own]);
  assert.deepEqual(await fetchMessageIds(chat, owner, { narrow }), []);
  // An edit gives and takes the flag.
  chat.clock.time += 1000;
  await succeed(chat, owner, `PATCH /messages/${plain}`, { content: "prime rose" });
  await succeed(chat, owner, `PATCH /messages/${id}`, { content: "A tulip" });
  const edits = await client.receive();
  assert.deepEqual(edits.map(({ message_id, flags }) => [message_id, flags]), [
    [plain, ["has_alert_word"]],
    [id, []],
  ]);
  await succeed(chat, member, `DELETE ${PATH}`, { alert_words: ["Rose"] });
  assert.deepEqual(await fetchMessageIds(chat, member, { narrow }), []);
});
