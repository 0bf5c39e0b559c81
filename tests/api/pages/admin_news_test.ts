// What an admin page is told of changes that others make
import assert from "node:assert/strict";
import { POSITION_HEADER } from "@/lib/client/page_action.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { StreamReader } from "@/tests/helpers/event_stream.ts";
import { type PageVisitor, signIn } from "@/tests/helpers/pages.ts";

const FOLDERS = "/admin/channel-folders";

/** Where a page listens, with the id up to which it knows everything. */
function lineIn(html: string): string {
  const [, path, position] = /id="page-news"[^>]* data-path="([^"]*)" data-position="(\d+)"/.exec(html) ?? [];
  assert.ok(path !== undefined && position !== undefined, "the page listens");
  return `${path.replaceAll("&amp;", "&")}&last_event_id=${position}&away=0`;
}

async function open(chat: TestChat, visitor: PageVisitor, line: string): Promise<StreamReader> {
  const headers = { cookie: `sotto_session=${visitor.token()}`, "sec-fetch-site": "same-origin" };
  return new StreamReader(await chat.request(line, { headers }));
}

async function makeFolder(chat: TestChat, name: string): Promise<void> {
  await chat.call(chat.owner, "POST /channel_folders/create", { name, description: "" });
}

Deno.test("a page is told of everything that is committed after it was read, and of nothing before", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const first = lineIn((await visitor.get(FOLDERS)).html);
  await makeFolder(chat, "one");
  const second = lineIn((await visitor.get(FOLDERS)).html);
  await makeFolder(chat, "two");
  const nameOf = async (line: string) => {
    const stream = await open(chat, visitor, line);
    const [event] = await stream.take(1);
    await stream.leave();
    return event.channel_folder.name;
  };
  assert.deepEqual([await nameOf(first), await nameOf(second)], ["one", "two"]);
});

Deno.test("a page knows what its own form did, by whatever way it is shown then", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const form = { action: "create", name: "Rosebeds", description: "" };
  const { location } = await visitor.post(FOLDERS, form);
  const lines = [lineIn((await visitor.get(location ?? "")).html)];
  // It is refused, and shows the page again.
  const refused = await visitor.post(FOLDERS, form);
  assert.equal(refused.status, 400);
  lines.push(lineIn(refused.html));
  for (const line of lines) {
    const stream = await open(chat, visitor, line);
    assert.equal((await stream.any())?.type, "here", "there is nothing to tell");
    await stream.leave();
  }
});

Deno.test("a script is told up to where its page knows everything, unless nothing was changed", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  await makeFolder(chat, "one");
  await makeFolder(chat, "two");
  const line = lineIn((await visitor.get(FOLDERS)).html);
  const headers = { accept: "application/json", "sec-fetch-site": "same-origin" };
  const { body } = await chat.call(chat.owner, "GET /channel_folders");
  const ids = body.channel_folders.map(({ id }: { id: number }) => id);
  const fields = { action: "reorder", order: ids.toReversed().join(","), id: String(ids[0]) };
  const moved = await visitor.post(FOLDERS, fields, headers);
  assert.equal(moved.status, 200);
  const stream = await open(chat, visitor, line);
  const [event] = await stream.take(1);
  assert.deepEqual([event.type, event.op], ["channel_folder", "reorder"]);
  const position = Number(moved.headers.get(POSITION_HEADER));
  assert.ok(position >= event.id);
  await makeFolder(chat, "three");
  assert.ok((await stream.take(1))[0].id > position);
  await stream.leave();

  const wrong = await visitor.post(FOLDERS, { action: "create", name: "one", description: "" }, headers);
  assert.deepEqual([wrong.status, wrong.headers.get(POSITION_HEADER)], [400, null]);
  for (const path of ["/admin/invitations", "/admin/linkifiers/new", "/admin/profile-fields/new"]) {
    const draft = await visitor.post(path, { action: "preview", emails: "a@example.com" }, headers);
    assert.deepEqual([draft.status, draft.headers.get(POSITION_HEADER)], [200, null], path);
  }
});

Deno.test("pages that need no news, refusals and what strangers see have no line", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  for (const path of ["/admin", "/admin/users/new", "/admin/groups/999", "/admin/stats"]) {
    const { html } = await visitor.get(path);
    assert.ok(!html.includes('id="page-news"'), path);
  }
});
