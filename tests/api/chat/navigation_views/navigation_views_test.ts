import assert from "node:assert/strict";
import { startChat, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const INBOX = { fragment: "inbox", is_pinned: true };
const UNREAD = { fragment: "narrow/is/unread", is_pinned: false, name: "Unread" };

async function viewsOf(chat: TestChat, user: TestUser) {
  return (await succeed(chat, user, "GET /navigation_views")).navigation_views;
}

async function refuse(chat: TestChat, endpoint: string, params: TestParams, expected: [number, string]) {
  const { status, body } = await chat.call(chat.member, endpoint, params);
  assert.deepEqual([status, body["msg"], body["code"]], [...expected, "BAD_REQUEST"]);
}

Deno.test("navigation views are added, edited and removed, each change with an event", async () => {
  await using chat = await startChat();
  const to = [chat.member.id];
  await succeed(chat, chat.member, "POST /navigation_views", INBOX);
  chat.clock.time += 1000;
  await succeed(chat, chat.member, "POST /navigation_views", UNREAD);
  assert.deepEqual(await chat.events(), [
    {
      event: { type: "navigation_view", op: "add", navigation_view: { ...INBOX, name: null } },
      audience: to,
    },
    { event: { type: "navigation_view", op: "add", navigation_view: UNREAD }, audience: to },
  ]);
  const all = [{ ...INBOX, name: null }, UNREAD];
  assert.deepEqual(await viewsOf(chat, chat.member), all);
  assert.deepEqual(await viewsOf(chat, chat.owner), []);
  const { navigation_views } = await succeed(chat, chat.member, "POST /register", {
    fetch_event_types: ["navigation_views"],
  });
  assert.deepEqual(navigation_views, all);
  const data = { is_pinned: true, name: "New" };
  const { fragment } = UNREAD;
  await chat.events();
  await succeed(chat, chat.member, `PATCH /navigation_views/${fragment}`, data);
  await succeed(chat, chat.member, `PATCH /navigation_views/${encodeURIComponent(fragment)}`, data);
  assert.deepEqual(await chat.events(), [
    { event: { type: "navigation_view", op: "update", fragment, data }, audience: to },
  ]);
  assert.deepEqual((await viewsOf(chat, chat.member))[1], { fragment, ...data });
  await succeed(chat, chat.member, `DELETE /navigation_views/${encodeURIComponent(fragment)}`);
  chat.clock.time += 1000;
  await succeed(chat, chat.member, "DELETE /navigation_views/inbox");
  assert.deepEqual(await chat.events(), [
    { event: { type: "navigation_view", op: "remove", fragment }, audience: to },
    { event: { type: "navigation_view", op: "remove", fragment: "inbox" }, audience: to },
  ]);
  assert.deepEqual(await viewsOf(chat, chat.member), []);
});

Deno.test("unsuitable names, taken views, unknown fragments and too many views are refused", async () => {
  await using chat = await startChat();
  await succeed(chat, chat.member, "POST /navigation_views", UNREAD);
  await succeed(chat, chat.member, "POST /navigation_views", INBOX);
  const builtIn: [number, string] = [400, "Built-in views cannot have a custom name."];
  const unnamed: [number, string] = [400, "Custom views must have a valid name."];
  const taken: [number, string] = [400, "Navigation view already exists."];
  await refuse(chat, "POST /navigation_views", { ...INBOX, fragment: "recent", name: "x" }, builtIn);
  await refuse(chat, "PATCH /navigation_views/inbox", { name: "x" }, builtIn);
  await refuse(chat, "POST /navigation_views", { fragment: "narrow/a", is_pinned: true }, unnamed);
  await refuse(chat, "POST /navigation_views", INBOX, taken);
  await refuse(chat, "POST /navigation_views", { ...UNREAD, fragment: "narrow/a" }, taken);
  await succeed(chat, chat.member, "POST /navigation_views", { ...UNREAD, fragment: "narrow/b", name: "B" });
  await refuse(chat, "PATCH /navigation_views/narrow/b", { name: "Unread" }, taken);
  const unknown: [number, string] = [404, "Navigation view does not exist."];
  await refuse(chat, "PATCH /navigation_views/narrow/none", { name: "x" }, unknown);
  await refuse(chat, "DELETE /navigation_views/narrow/none", {}, unknown);
  const wide = (at: number) => ({
    fragment: `${at}${"\u{1F331}".repeat(490)}`,
    is_pinned: true,
    name: `${at}`,
  });
  let count = 0;
  while ((await chat.call(chat.member, "POST /navigation_views", wide(count))).status === 200) count++;
  assert.ok(count > 10 && count < 100, `${count}`);
  await refuse(chat, "POST /navigation_views", wide(count), [400, "You have too many navigation views."]);
});

Deno.test("the name of a navigation view has up to 500 characters", async () => {
  await using chat = await startChat();
  const name = "\u{1F331}".repeat(500);
  await succeed(chat, chat.member, "POST /navigation_views", { ...UNREAD, name });
  assert.equal((await viewsOf(chat, chat.member))[0]?.name, name);
  const tooLong: [number, string] = [400, "name is too long (limit: 500 characters)"];
  await refuse(chat, "PATCH /navigation_views/narrow/is/unread", { name: `${name}x` }, tooLong);
});
