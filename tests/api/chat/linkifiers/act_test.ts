import assert from "node:assert/strict";
import { createLinkifier, TICKET } from "@/tests/casts/linkifiers_cast.ts";
import { makeChannel, send } from "@/tests/casts/messages_cast.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

const LINK = '<p>see <a href="https://x.example/7">TKT-7</a></p>';

async function read(chat: TestChat, id: number, user: TestUser = chat.member) {
  const { status, body } = await chat.call(user, `GET /messages/${id}`, { apply_markdown: true });
  assert.equal(status, 200, JSON.stringify(body));
  return body.message;
}

async function rendered(chat: TestChat, content: string, user: TestUser = chat.member): Promise<string> {
  const { status, body } = await chat.call(user, "POST /messages/render", { content });
  assert.equal(status, 200, JSON.stringify(body));
  return body.rendered;
}

Deno.test("matches of a linkifier become links in messages and topics", async () => {
  await using chat = await startChat();
  await createLinkifier(chat);
  const to = await makeChannel(chat, "tickets");
  const id = await send(chat, chat.member, {
    to,
    topic: "TKT-1 and https://a.example",
    content: "see TKT-7",
  });
  const links = [
    { text: "TKT-1", url: "https://x.example/1" },
    { text: "https://a.example", url: "https://a.example" },
  ];
  const message = await read(chat, id);
  assert.equal(message.content, LINK);
  assert.deepEqual(message.topic_links, links);
  const query = { anchor: "newest", num_before: 1, num_after: 0 };
  const { body } = await chat.call(chat.owner, "GET /messages", query);
  assert.equal(body.messages[0].content, LINK);
  assert.deepEqual(body.messages[0].topic_links, links);
});

Deno.test("editing a message applies current linkifiers, moving it changes its topic links, and older messages stay unchanged", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "tickets");
  const id = await send(chat, chat.member, { to, content: "see TKT-7" });
  const old = await send(chat, chat.member, { to, content: "see TKT-7", topic: "other" });
  assert.equal((await read(chat, id)).content, "<p>see TKT-7</p>");
  const filter = await createLinkifier(chat);
  assert.equal((await read(chat, old)).content, "<p>see TKT-7</p>", "it was rendered when it was sent");
  const edited = await chat.call(chat.member, `PATCH /messages/${id}`, {
    content: "see TKT-7",
    topic: "TKT-2",
  });
  assert.equal(edited.status, 200, JSON.stringify(edited.body));
  assert.deepEqual((await read(chat, id)).topic_links, [{ text: "TKT-2", url: "https://x.example/2" }]);
  await chat.call(chat.member, `PATCH /messages/${id}`, { content: "now see TKT-8" });
  assert.match((await read(chat, id)).content, /now see <a href="https:\/\/x\.example\/8">TKT-8<\/a>/);
  await chat.call(chat.admin, `DELETE /realm/filters/${filter}`);
  assert.equal(await rendered(chat, "see TKT-7"), "<p>see TKT-7</p>");
  assert.deepEqual((await read(chat, id)).topic_links, []);
});

Deno.test("linkifiers apply once created, in their order, and only in their organization", async () => {
  await using chat = await startChat();
  await createLinkifier(chat, {}, chat.outsider);
  assert.equal(await rendered(chat, "see TKT-7"), "<p>see TKT-7</p>");
  const first = await createLinkifier(chat, {
    pattern: "TKT-(?P<id>7)",
    url_template: "https://first.example/{id}",
  });
  const second = await createLinkifier(chat);
  assert.match(await rendered(chat, "see TKT-7 TKT-8"), /first\.example\/7.*x\.example\/8/);
  await chat.call(chat.admin, "PATCH /realm/linkifiers", { ordered_linkifier_ids: [second, first] });
  assert.equal(await rendered(chat, "see TKT-7"), LINK);
  assert.equal(await rendered(chat, "see TKT-7", chat.outsider), LINK);
  const change = { ...TICKET, url_template: "https://new.example/{id}" };
  await chat.call(chat.admin, `PATCH /realm/filters/${second}`, change);
  assert.match(await rendered(chat, "see TKT-7"), /new\.example\/7/);
});

Deno.test("linkifiers do not apply to code and links", async () => {
  await using chat = await startChat();
  await createLinkifier(chat);
  const texts = [
    "`TKT-7`",
    "```\nTKT-7\n```",
    "    TKT-7",
    "[TKT-7](https://a.example/)",
    "https://a.example/,TKT-7",
  ];
  for (const text of texts) assert.doesNotMatch(await rendered(chat, text), /x\.example/, text);
  for (const text of ["**TKT-7**", "> TKT-7", "* TKT-7", "(TKT-7)", "a\nTKT-7"]) {
    assert.match(await rendered(chat, text), /<a href="https:\/\/x\.example\/7">TKT-7<\/a>/, text);
  }
});

Deno.test("no template and no text produces a URL with an executable scheme", async () => {
  await using chat = await startChat();
  await createLinkifier(chat, { pattern: "js(?P<id>\\S+)", url_template: "javascript:{+id}" });
  await createLinkifier(chat, { pattern: "data(?P<id>\\S+)", url_template: "data:{+id}" });
  await createLinkifier(chat, { pattern: "any(?P<x>.+)", url_template: "{+x}" });
  await createLinkifier(chat, { pattern: "at(?P<x>.+)", url_template: "https://x.example/{x}" });
  const hostile = [
    "jsalert(1)",
    "datatext/html,x",
    "anyjavascript:alert(1)",
    "anyjava\tscript:x",
    "any//x.example",
  ];
  for (const text of [...hostile, "any javascript:x", "any/local", "anyhttps://a@b.example/"]) {
    assert.doesNotMatch(await rendered(chat, text), /href="(?!https:\/\/a@b)/, text);
  }
  const html = await rendered(chat, `at"onmouseover="alert(1)<script>`);
  assert.match(html, /^<p><a href="https:\/\/x\.example\/%22onmouseover%3D%22alert%281%29%3Cscript%3E">/);
  const to = await makeChannel(chat, "tickets");
  const id = await send(chat, chat.member, { to, topic: "anyjavascript:alert(1)", content: "x" });
  assert.deepEqual((await read(chat, id)).topic_links, []);
});

Deno.test("a long message stays readable with hostile patterns", async () => {
  await using chat = await startChat();
  for (const [at, pattern] of ["^(a+)+$", "(a|a)*b", "(x+x+)+y", "(a.*z|a)"].entries()) {
    await createLinkifier(chat, { pattern, url_template: `https://x.example/${at}` });
  }
  const content = "a ".repeat(4999).trim();
  const html = await rendered(chat, content);
  assert.equal(html.replace(/<[^>]*>/g, ""), content);
});
