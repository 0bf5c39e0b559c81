import assert from "node:assert/strict";
import { type Person, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { addLinkifier, TICKET } from "./linkifiers_cast.ts";
import { makeChannel, send } from "./messages_cast.ts";

const LINK = '<p>see <a href="https://x.example/7">TKT-7</a></p>';

async function read(chat: TestChat, id: number, who: Person = chat.member) {
  const { status, body } = await chat.call(who, `GET /messages/${id}`, { apply_markdown: true });
  assert.equal(status, 200, JSON.stringify(body));
  return body.message;
}

async function rendered(chat: TestChat, content: string, who: Person = chat.member): Promise<string> {
  const { status, body } = await chat.call(who, "POST /messages/render", { content });
  assert.equal(status, 200, JSON.stringify(body));
  return body.rendered;
}

Deno.test("what a linkifier finds becomes a link in a message and in its topic, when they are read", async () => {
  await using chat = await startChat();
  await addLinkifier(chat);
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
  const asked = { anchor: "newest", num_before: 1, num_after: 0 };
  const { body } = await chat.call(chat.owner, "GET /messages", asked);
  assert.equal(body.messages[0].content, LINK);
  assert.deepEqual(body.messages[0].topic_links, links);
});

Deno.test("an edited message is linkified anew, a moved one by its topic, and what was rendered before stays", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "tickets");
  const id = await send(chat, chat.member, { to, content: "see TKT-7" });
  const old = await send(chat, chat.member, { to, content: "see TKT-7", topic: "other" });
  assert.equal((await read(chat, id)).content, "<p>see TKT-7</p>");
  const filter = await addLinkifier(chat);
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

Deno.test("linkifiers act from the moment they are there, in their order, in their organization alone", async () => {
  await using chat = await startChat();
  await addLinkifier(chat, {}, chat.outsider);
  assert.equal(await rendered(chat, "see TKT-7"), "<p>see TKT-7</p>");
  const first = await addLinkifier(chat, {
    pattern: "TKT-(?P<id>7)",
    url_template: "https://first.example/{id}",
  });
  const second = await addLinkifier(chat);
  assert.match(await rendered(chat, "see TKT-7 TKT-8"), /first\.example\/7.*x\.example\/8/);
  await chat.call(chat.admin, "PATCH /realm/linkifiers", { ordered_linkifier_ids: [second, first] });
  assert.equal(await rendered(chat, "see TKT-7"), LINK);
  assert.equal(await rendered(chat, "see TKT-7", chat.outsider), LINK);
  const change = { ...TICKET, url_template: "https://new.example/{id}" };
  await chat.call(chat.admin, `PATCH /realm/filters/${second}`, change);
  assert.match(await rendered(chat, "see TKT-7"), /new\.example\/7/);
});

Deno.test("code, links, mentions and mathematics are left alone", async () => {
  await using chat = await startChat();
  await addLinkifier(chat);
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

Deno.test("no template and no text makes an address that runs anything", async () => {
  await using chat = await startChat();
  await addLinkifier(chat, { pattern: "js(?P<id>\\S+)", url_template: "javascript:{+id}" });
  await addLinkifier(chat, { pattern: "data(?P<id>\\S+)", url_template: "data:{+id}" });
  await addLinkifier(chat, { pattern: "any(?P<x>.+)", url_template: "{+x}" });
  await addLinkifier(chat, { pattern: "at(?P<x>.+)", url_template: "https://x.example/{x}" });
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

Deno.test("hostile patterns leave a long message readable", async () => {
  await using chat = await startChat();
  for (const [at, pattern] of ["^(a+)+$", "(a|a)*b", "(x+x+)+y", "(a.*z|a)"].entries()) {
    await addLinkifier(chat, { pattern, url_template: `https://x.example/${at}` });
  }
  const content = "a ".repeat(4999).trim();
  const html = await rendered(chat, content);
  assert.equal(html.replace(/<[^>]*>/g, ""), content);
});
