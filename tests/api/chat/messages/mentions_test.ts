// POST /messages with mentions of users and groups, by names as written and in another case
import assert from "node:assert/strict";
import { makeChannel, send, startChat } from "@/tests/casts/messages_cast.ts";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** A channel and a user with a name in mixed case. */
async function startGarden(): Promise<{ chat: TestChat; to: number; max: TestUser }> {
  const chat = await startChat();
  await succeed(chat, chat.member, "PATCH /settings", { full_name: "Max Émile" });
  return { chat, to: await makeChannel(chat, "Garden"), max: chat.member };
}

/** Sends a message as the owner; returns its HTML and flags as a user gets them. */
async function sendAndFetch(
  chat: TestChat,
  { to, content, reader }: { to: number; content: string; reader: TestUser },
): Promise<{ html: string; isMentioned: boolean }> {
  const id = await send(chat, chat.owner, { to, content });
  const { message } = await succeed(chat, reader, `GET /messages/${id}`);
  return { html: message.content, isMentioned: message.flags.includes("mentioned") };
}

Deno.test("a mention by name finds the user regardless of case and shows the user's own spelling", async () => {
  const { chat, to, max: reader } = await startGarden();
  await using _ = chat;
  for (const name of ["Max Émile", "max émile", "MAX ÉMILE"]) {
    const { html, isMentioned } = await sendAndFetch(chat, { to, content: `@**${name}** hi`, reader });
    const mention = `<span class="user-mention" data-user-id="${reader.id}">@Max Émile</span>`;
    assert.deepEqual([html, isMentioned], [`<p>${mention} hi</p>`, true], name);
    const silent = await sendAndFetch(chat, { to, content: `@_**${name}** hi`, reader });
    const silentMention = `<span class="user-mention silent" data-user-id="${reader.id}">Max Émile</span>`;
    assert.deepEqual([silent.html, silent.isMentioned], [`<p>${silentMention} hi</p>`, false], name);
  }
});

Deno.test("a mention by name prefers the user who has it as written", async () => {
  const { chat, to, max } = await startGarden();
  await using _ = chat;
  const other = await chat.add("other");
  await succeed(chat, other, "PATCH /settings", { full_name: "max émile" });
  const find = async (name: string) => {
    const { html } = await sendAndFetch(chat, { to, content: `@**${name}**`, reader: max });
    return Number(/data-user-id="(\d+)"/.exec(html)?.[1]);
  };
  assert.equal(await find("Max Émile"), max.id);
  assert.equal(await find("max émile"), other.id);
  assert.equal(await find("MAX ÉMILE"), Math.min(max.id, other.id));
  await succeed(chat, chat.owner, `DELETE /users/${other.id}`);
  assert.equal(await find("max émile"), max.id);
});

Deno.test("a mention by name and id, and one of a group, needs the name as written", async () => {
  const { chat, to, max: reader } = await startGarden();
  await using _ = chat;
  await succeed(chat, chat.owner, "POST /user_groups/create", {
    name: "Gardeners",
    description: "",
    members: [reader.id],
  });
  const expected: readonly (readonly [content: string, isMentioned: boolean])[] = [
    [`@**Max Émile|${reader.id}**`, true],
    [`@**max émile|${reader.id}**`, false],
    [`@**|${reader.id}**`, true],
    [`@**Max Émile|${chat.owner.id}**`, false],
    ["@*Gardeners*", true],
    ["@*gardeners*", false],
    ["@_*Gardeners*", false],
    ["@**Nobody**", false],
  ];
  for (const [content, wanted] of expected) {
    const { html, isMentioned } = await sendAndFetch(chat, { to, content, reader });
    assert.equal(isMentioned, wanted, content);
    if (wanted || content.startsWith("@_")) assert.match(html, /-mention/);
    else assert.doesNotMatch(html, /-mention/);
  }
});
