// No text that clients send is stored with a NUL character.
import assert from "node:assert/strict";
import { makeChannel } from "@/tests/casts/messages_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

Deno.test("texts are stored without NUL characters", async () => {
  await using chat = await startChat();
  const { owner, member, bot } = chat;
  const channel = await makeChannel(chat, "Garden", { description: "a\0b" });
  const choices = { a: { text: "A\0sh", order: "1" } };
  const field = await succeed(chat, owner, "POST /realm/profile_fields", {
    ...{ name: "Tree", hint: "a\0b", field_type: 3, field_data: choices },
  });
  const note = await succeed(chat, owner, "POST /realm/profile_fields", { name: "Note", field_type: 2 });
  await succeed(chat, owner, "POST /realm/filters", {
    ...{ pattern: "#\0(?P<id>[0-9]+)", url_template: "https://x.example/\0{id}" },
  });
  await succeed(chat, owner, "POST /realm/playgrounds", {
    ...{ name: "a\0b", pygments_language: "Py\0thon", url_template: "https://x.example/\0{code}" },
  });
  await succeed(chat, owner, "PATCH /realm", { description: "a\0b", welcome_message_custom_text: "a\0b" });
  await succeed(chat, owner, `PATCH /streams/${channel}`, { description: "c\0d" });
  await succeed(chat, owner, "POST /user_groups/create", { name: "g", description: "a\0b", members: [] });
  await succeed(chat, owner, "POST /channel_folders/create", { name: "f", description: "a\0b" });
  await succeed(chat, member, "PATCH /users/me/profile_data", { data: [{ id: note.id, value: "a\0b" }] });
  await succeed(chat, member, "POST /navigation_views", { fragment: "x\0y", is_pinned: true, name: "a\0b" });
  await succeed(chat, member, "POST /saved_snippets", { title: "a\0b", content: "a\0b" });
  await succeed(chat, member, "POST /users/me/status", { status_text: "a\0b" });
  await succeed(chat, member, "POST /drafts", {
    drafts: [{ type: "", to: [], topic: "", content: "a\0b" }],
  });
  await succeed(chat, bot, "PUT /bot_storage", { storage: { "k\0": "a\0b" } });
  const read = [
    [member, "GET /realm/profile_fields", {}],
    [member, "GET /realm/linkifiers", {}],
    [member, "POST /register", {}],
    [member, "GET /streams", {}],
    [member, "GET /user_groups", {}],
    [member, "GET /channel_folders", {}],
    [member, "GET /navigation_views", {}],
    [member, "GET /saved_snippets", {}],
    [member, "GET /drafts", {}],
    [member, `GET /users/${member.id}`, { include_custom_profile_fields: true }],
    [member, `GET /users/${member.id}/status`, {}],
    [bot, "GET /bot_storage", {}],
  ] as const;
  const texts: string[] = [];
  for (const [user, endpoint, params] of read) {
    const text = JSON.stringify(await succeed(chat, user, endpoint, params));
    assert.ok(!/\\u0000/.test(text), `${endpoint} contains NUL`);
    texts.push(text);
  }
  assert.match(texts.join(""), new RegExp(`"id":${field.id}.*"hint":"ab".*A`));
});

Deno.test("names and ids with NUL characters are refused, also within JSON", async () => {
  await using chat = await startChat();
  await makeChannel(chat, "Garden");
  const subscribe = { subscriptions: [{ name: "Gar\0den" }] };
  const subscribed = await chat.call(chat.member, "POST /users/me/subscriptions", subscribe);
  assert.equal(subscribed.body["msg"], "Invalid character in channel name, at position 4.");
  const alert = await chat.call(chat.member, "POST /users/me/alert_words", { alert_words: ["a\0b"] });
  assert.equal(alert.body["msg"], "Invalid character in alert word, at position 2.");
  const sent = await chat.call(chat.member, "POST /messages", {
    ...{ type: "stream", to: "Gar\0den", topic: "t", content: "x" },
  });
  assert.equal(sent.status, 400);
});
