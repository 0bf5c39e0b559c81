import assert from "node:assert/strict";
import { makeChannel, startChat } from "@/tests/casts/messages_cast.ts";

Deno.test("POST /messages/render returns HTML and sends nothing", async () => {
  await using chat = await startChat();
  const content = `**a** :car: @**Admin|${chat.admin.id}**`;
  for (const user of [chat.owner, chat.admin, chat.moderator, chat.member, chat.guest, chat.bot]) {
    const { status, body } = await chat.call(user, "POST /messages/render", { content, spare: "1" });
    assert.equal(status, 200);
    assert.match(body.rendered, /^<p><strong>a<\/strong> <span .*emoji-1f697.*class="user-mention"/);
    assert.deepEqual(Object.keys(body), ["result", "msg", "rendered", "ignored_parameters_unsupported"]);
  }
  assert.equal((await chat.call(chat.member, "POST /messages/render", { content: "" })).body.rendered, "");
  const script = await chat.call(chat.member, "POST /messages/render", { content: "<script>x</script>" });
  assert.doesNotMatch(script.body.rendered, /<script/);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("POST /messages/render does not reveal channels without metadata access", async () => {
  await using chat = await startChat();
  await makeChannel(chat, "Secret", { invite_only: true, subscribers: [chat.owner.id] });
  const render = async (user: typeof chat.member) =>
    (await chat.call(user, "POST /messages/render", { content: "#**Secret**" })).body.rendered;
  assert.match(await render(chat.owner), /<a /);
  assert.doesNotMatch(await render(chat.member), /<a /);
  assert.doesNotMatch(await render(chat.outsider), /<a /);
});

Deno.test("POST /messages/render refuses invalid content", async () => {
  await using chat = await startChat();
  assert.equal((await chat.call(null, "POST /messages/render", { content: "a" })).status, 401);
  const missing = await chat.call(chat.member, "POST /messages/render");
  assert.deepEqual(
    [missing.status, missing.body.code, missing.body.var_name],
    [400, "REQUEST_VARIABLE_MISSING", "content"],
  );
  const long = await chat.call(chat.member, "POST /messages/render", { content: "x".repeat(10_001) });
  assert.equal(long.body.msg, "content is too long (limit: 10000 characters)");
});
