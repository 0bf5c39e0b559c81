// GET /saved_snippets, POST /saved_snippets, PATCH /saved_snippets/{saved_snippet_id}, DELETE /saved_snippets/{saved_snippet_id}
import assert from "node:assert/strict";
import { snippets } from "@/lib/chat/messages/saved_snippets.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

const MISSING = [404, "BAD_REQUEST", "Saved snippet does not exist."];

async function keep(
  chat: TestChat,
  user: TestUser,
  title = "Greeting",
  content = "Hello **you**",
): Promise<number> {
  const { status, body } = await chat.call(user, "POST /saved_snippets", { title, content });
  assert.equal(status, 200, JSON.stringify(body));
  return body.saved_snippet_id;
}

async function snippetsOf(chat: TestChat, user: TestUser) {
  return (await chat.call(user, "GET /saved_snippets")).body.saved_snippets;
}

async function ask(chat: TestChat, user: TestUser | null, endpoint: string, params = {}) {
  const { status, body } = await chat.call(user, endpoint, params);
  return [status, body.code, body.msg];
}

Deno.test("POST /saved_snippets stores a snippet that GET /saved_snippets returns only to its owner", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, bot, outsider } = chat;
  const { status, body } = await chat.call(member, "POST /saved_snippets", {
    title: "  Greeting ",
    content: "\n Hello **you**\n",
    spare: 1,
  });
  const id = body.saved_snippet_id;
  const success = { result: "success", msg: "" };
  assert.equal(status, 200);
  assert.deepEqual(body, { ...success, saved_snippet_id: id, ignored_parameters_unsupported: ["spare"] });
  const date_created = Math.floor(chat.clock.time / 1000);
  const snippet = { id, title: "Greeting", content: "Hello **you**", date_created };
  assert.deepEqual(await chat.events(), [{
    event: { type: "saved_snippets", op: "add", saved_snippet: snippet },
    audience: [member.id],
  }]);
  const given = await chat.call(member, "GET /saved_snippets", { spare: 1 });
  assert.deepEqual(given.body, {
    ...success,
    saved_snippets: [snippet],
    ignored_parameters_unsupported: ["spare"],
  });
  for (const user of [owner, admin, moderator, guest, bot, outsider]) {
    assert.deepEqual(await snippetsOf(chat, user), []);
    const own = await keep(chat, user);
    assert.deepEqual((await snippetsOf(chat, user)).map((one: { id: number }) => one.id), [own]);
  }
  const second = await keep(chat, member);
  const ids = (await snippetsOf(chat, member)).map((one: { id: number }) => one.id);
  assert.deepEqual(ids, [id, second], "a title need not be unique, and the oldest stands first");
});

Deno.test("PATCH /saved_snippets/{saved_snippet_id} changes the sent parts (B-snip-01)", async () => {
  await using chat = await startChat();
  const id = await keep(chat, chat.member, "Old", "text");
  const [before] = await snippetsOf(chat, chat.member);
  await chat.events();
  const path = `PATCH /saved_snippets/${id}`;
  const { body } = await chat.call(chat.member, path, { title: "  New  ", date_created: 1 });
  assert.deepEqual(body, { result: "success", msg: "", ignored_parameters_unsupported: ["date_created"] });
  const renamed = { ...before, title: "New" };
  assert.deepEqual(await snippetsOf(chat, chat.member), [renamed]);
  assert.deepEqual(await chat.events(), [{
    event: { type: "saved_snippets", op: "update", saved_snippet: renamed },
    audience: [chat.member.id],
  }]);
  assert.equal((await chat.call(chat.member, path, { content: " more " })).status, 200);
  assert.deepEqual(await snippetsOf(chat, chat.member), [{ ...renamed, content: "more" }]);
  await chat.events();
  // An empty change succeeds for every id.
  for (const unknown of [id, 99_999_999]) {
    assert.equal((await chat.call(chat.member, `PATCH /saved_snippets/${unknown}`)).status, 200);
  }
  assert.deepEqual(await chat.events(), []);
});

Deno.test("DELETE /saved_snippets/{saved_snippet_id} deletes a snippet", async () => {
  await using chat = await startChat();
  const [first, second] = [await keep(chat, chat.guest), await keep(chat, chat.guest)];
  await chat.events();
  const { status, body } = await chat.call(chat.guest, `DELETE /saved_snippets/${first}`);
  assert.deepEqual([status, body], [200, { result: "success", msg: "" }]);
  assert.deepEqual(await chat.events(), [{
    event: { type: "saved_snippets", op: "remove", saved_snippet_id: first },
    audience: [chat.guest.id],
  }]);
  assert.deepEqual((await snippetsOf(chat, chat.guest)).map((one: { id: number }) => one.id), [second]);
  assert.deepEqual(await ask(chat, chat.guest, `DELETE /saved_snippets/${first}`), MISSING);
  assert.deepEqual(await ask(chat, chat.guest, `PATCH /saved_snippets/${first}`, { title: "x" }), MISSING);
});

Deno.test("snippets of others and unknown ids are not found, and a malformed id matches no route", async () => {
  await using chat = await startChat();
  const id = await keep(chat, chat.member);
  const before = await snippetsOf(chat, chat.member);
  await chat.events();
  for (const user of [chat.owner, chat.guest, chat.bot, chat.outsider]) {
    for (const missing of [id, 0, 99_999_999, "9".repeat(20), "9".repeat(400)]) {
      assert.deepEqual(await ask(chat, user, `PATCH /saved_snippets/${missing}`, { title: "mine" }), MISSING);
      assert.deepEqual(await ask(chat, user, `DELETE /saved_snippets/${missing}`), MISSING);
    }
  }
  for (const none of ["x", "-1", "1.0", "1e3", "%20"]) {
    const [status, code] = await ask(chat, chat.member, `DELETE /saved_snippets/${none}`);
    assert.deepEqual([status, code], [404, "NOT_FOUND"]);
  }
  assert.deepEqual([await snippetsOf(chat, chat.member), await chat.events()], [before, []]);
  const endpoints = ["GET /saved_snippets", "POST /saved_snippets"];
  for (const call of [...endpoints, `PATCH /saved_snippets/${id}`, `DELETE /saved_snippets/${id}`]) {
    assert.deepEqual((await ask(chat, null, call)).slice(0, 2), [401, "UNAUTHORIZED"]);
  }
});

Deno.test("invalid snippets are refused and change nothing (B-snip-05, B-snip-06)", async () => {
  await using chat = await startChat();
  const id = await keep(chat, chat.member);
  const before = await snippetsOf(chat, chat.member);
  await chat.events();
  const fine = { title: "t", content: "c" };
  const refusals: [Record<string, string>, string][] = [
    [{ title: "   " }, "title cannot be blank"],
    [{ title: "" }, "title cannot be blank"],
    [{ title: " \0\n" }, "title cannot be blank"],
    [{ content: "\n\t " }, "content cannot be blank"],
    [{ title: "A".repeat(61) }, "title is too long (limit: 60 characters)"],
    [{ title: "🌷".repeat(61) }, "title is too long (limit: 60 characters)"],
    [{ content: "a".repeat(10_001) }, "content is too long (limit: 10000 characters)"],
  ];
  for (const [wrong, msg] of refusals) {
    const sent = { ...fine, ...wrong };
    const refused = [400, "BAD_REQUEST", msg];
    assert.deepEqual(await ask(chat, chat.member, "POST /saved_snippets", sent), refused);
    assert.deepEqual(await ask(chat, chat.member, `PATCH /saved_snippets/${id}`, sent), refused);
    // Parameters are checked before the owner of the snippet.
    assert.deepEqual(await ask(chat, chat.member, "PATCH /saved_snippets/99999999", wrong), refused);
  }
  const missing = [400, "REQUEST_VARIABLE_MISSING"];
  const without = async (params: object) => await ask(chat, chat.member, "POST /saved_snippets", params);
  assert.deepEqual(await without({ content: "c" }), [...missing, "Missing 'title' argument"]);
  assert.deepEqual(await without({ title: "t" }), [...missing, "Missing 'content' argument"]);
  assert.deepEqual([await snippetsOf(chat, chat.member), await chat.events()], [before, []]);
});

Deno.test("lengths count in code points, and hostile texts are returned unchanged", async () => {
  await using chat = await startChat();
  const texts: [string, string][] = [
    ["🌷".repeat(60), "🌹".repeat(10_000)],
    [` ${"A".repeat(60)} `, ` ${"a".repeat(10_000)} `],
    ["<script>alert(1)</script>", "'; DROP TABLE \u202e\u200b\ud7ff ${x} {{y}}"],
    ["__proto__", '{"a": [null]}'],
    ["e\u0301 \u00e9", "a\r\nb\u2028c"],
  ];
  for (const [title, content] of texts) await keep(chat, chat.member, title, content);
  const stored = (await snippetsOf(chat, chat.member))
    .map(({ title, content }: Record<string, unknown>) => [title, content]);
  assert.deepEqual(stored, texts.map(([title, content]) => [title.trim(), content.trim()]));
  for (const { event } of await chat.events()) assert.ok(JSON.stringify(event).length < 64 * 1024);
});

Deno.test("an account can have the maximum number of snippets, also with parallel requests", async () => {
  await using chat = await startChat();
  const { kv } = chat.services.store;
  const countKey = [...snippets.countKey({ realm: chat.realm, actingUser: chat.member })];
  await kv.set(countKey, snippets.max - 2);
  const params = { title: "t", content: "c" };
  const calls = Array.from({ length: 6 }, () => ask(chat, chat.member, "POST /saved_snippets", params));
  const refused = (await Promise.all(calls)).filter(([status]) => status !== 200);
  const full = [400, "BAD_REQUEST", `You can keep ${snippets.max} saved snippets at most.`];
  assert.deepEqual(refused, [full, full, full, full]);
  const [{ id }, ...others] = await snippetsOf(chat, chat.member);
  assert.equal(others.length, 1);
  await keep(chat, chat.admin);
  await chat.call(chat.member, `DELETE /saved_snippets/${id}`);
  await keep(chat, chat.member);
  const [problem] = (await checkChat(kv)).problems;
  assert.match(
    problem ?? "",
    new RegExp(`counts of saved snippets, ${chat.member.id} is ${snippets.max}, not 2`),
  );
  await kv.set(countKey, 2);
  assert.deepEqual((await checkChat(kv)).problems, []);
});

Deno.test("parallel changes of different parts are all applied, and a snippet is deleted once", async () => {
  await using chat = await startChat();
  const id = await keep(chat, chat.member);
  const path = `PATCH /saved_snippets/${id}`;
  for (let round = 0; round < 5; round++) {
    const [title, content] = [`title ${round}`, `content ${round}`];
    await Promise.all([
      chat.call(chat.member, path, { title }),
      chat.call(chat.member, path, { content }),
    ]);
    const [snippet] = await snippetsOf(chat, chat.member);
    assert.deepEqual([snippet.title, snippet.content], [title, content]);
  }
  const deletes = Array.from({ length: 4 }, () => ask(chat, chat.member, `DELETE /saved_snippets/${id}`));
  const statuses = (await Promise.all(deletes)).map(([status]) => status);
  assert.deepEqual(statuses.sort(), [200, 404, 404, 404]);
  const { kv } = chat.services.store;
  assert.equal(
    (await kv.get([...snippets.countKey({ realm: chat.realm, actingUser: chat.member })])).value,
    null,
  );
});

Deno.test("POST /register returns the caller's snippets", async () => {
  await using chat = await startChat();
  await keep(chat, chat.member);
  const params = { fetch_event_types: ["saved_snippets"] };
  const { body } = await chat.call(chat.member, "POST /register", params);
  assert.deepEqual(body.saved_snippets, await snippetsOf(chat, chat.member));
  for (const user of [chat.owner, chat.bot, chat.outsider]) {
    assert.deepEqual((await chat.call(user, "POST /register", params)).body.saved_snippets, []);
  }
  const other = await chat.call(chat.member, "POST /register", { fetch_event_types: ["message"] });
  assert.ok(!("saved_snippets" in other.body));
});
