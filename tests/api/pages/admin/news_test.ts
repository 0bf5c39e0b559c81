// Reports of other users' changes on admin pages
import assert from "node:assert/strict";
import { POSITION_HEADER } from "@/lib/client/page_action.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { StreamReader } from "@/tests/helpers/event_stream.ts";
import { type PageVisitor, signIn } from "@/tests/helpers/pages.ts";

const FOLDERS = "/admin/channel-folders";

/** Returns the path of the page's stream, with the id of the last event that the page reflects. */
function streamPathIn(html: string): string {
  const [, path, position] = /id="page-news"[^>]* data-path="([^"]*)" data-position="(\d+)"/.exec(html) ?? [];
  assert.ok(path !== undefined && position !== undefined, "the page listens");
  return `${path.replaceAll("&amp;", "&")}&last_event_id=${position}&away=0`;
}

async function open(chat: TestChat, visitor: PageVisitor, line: string): Promise<StreamReader> {
  const headers = { cookie: `sotto_session=${visitor.token()}`, "sec-fetch-site": "same-origin" };
  return new StreamReader(await chat.request(line, { headers }));
}

async function createFolder(chat: TestChat, name: string): Promise<void> {
  await chat.call(chat.owner, "POST /channel_folders/create", { name, description: "" });
}

Deno.test("a page receives every event committed after it was read, and none from before", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const first = streamPathIn((await visitor.get(FOLDERS)).html);
  await createFolder(chat, "one");
  const second = streamPathIn((await visitor.get(FOLDERS)).html);
  await createFolder(chat, "two");
  const nameOf = async (line: string) => {
    const stream = await open(chat, visitor, line);
    const [event] = await stream.take(1);
    await stream.leave();
    return event.channel_folder.name;
  };
  assert.deepEqual([await nameOf(first), await nameOf(second)], ["one", "two"]);
});

Deno.test("a page's position includes its own form's change, however it is shown", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const form = { action: "create", name: "Rosebeds", description: "" };
  const { location } = await visitor.post(FOLDERS, form);
  const lines = [streamPathIn((await visitor.get(location ?? "")).html)];
  // The form is refused and the page is shown again.
  const refused = await visitor.post(FOLDERS, form);
  assert.equal(refused.status, 400);
  lines.push(streamPathIn(refused.html));
  for (const line of lines) {
    const stream = await open(chat, visitor, line);
    assert.equal((await stream.any())?.type, "here", "there is nothing to tell");
    await stream.leave();
  }
});

Deno.test("a script receives the position of its page unless nothing changed", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  await createFolder(chat, "one");
  await createFolder(chat, "two");
  const line = streamPathIn((await visitor.get(FOLDERS)).html);
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
  await createFolder(chat, "three");
  assert.ok((await stream.take(1))[0].id > position);
  await stream.leave();

  const wrong = await visitor.post(FOLDERS, { action: "create", name: "one", description: "" }, headers);
  assert.deepEqual([wrong.status, wrong.headers.get(POSITION_HEADER)], [400, null]);
  for (const path of ["/admin/invitations", "/admin/linkifiers/new", "/admin/profile-fields/new"]) {
    const draft = await visitor.post(path, { action: "preview", emails: "a@example.com" }, headers);
    assert.deepEqual([draft.status, draft.headers.get(POSITION_HEADER)], [200, null], path);
  }
});

Deno.test("pages without news, refusals and pages for anonymous visitors have no stream", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  for (const path of ["/admin", "/admin/users/new", "/admin/groups/999", "/admin/stats"]) {
    const { html } = await visitor.get(path);
    assert.ok(!html.includes('id="page-news"'), path);
  }
});
