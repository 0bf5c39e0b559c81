import assert from "node:assert/strict";
import { closePages } from "@/tests/helpers/admin_samples.ts";
import { seedUsers } from "@/tests/casts/many_users_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { measureBaseline, measureLongestBlock, readThreadMs } from "@/tests/helpers/event_loop.ts";
import { type PageVisitor, signIn } from "@/tests/helpers/pages.ts";

interface Result {
  readonly line: string;
  readonly name: string;
  readonly note: string;
}

async function search(visitor: PageVisitor, query: string): Promise<readonly Result[]> {
  const { status, html } = await visitor.get(`/admin/people?${query}`);
  assert.equal(status, 200);
  return JSON.parse(html).results;
}

/** Creates a group without members and returns the path of its page. */
async function createGroup(chat: TestChat): Promise<string> {
  const { body } = await chat.call(chat.owner, "POST /user_groups/create", {
    name: "bees",
    description: "",
    members: [],
  });
  return `/admin/groups/${body["group_id"]}`;
}

Deno.test("/admin/people finds active people and groups by a part of their name, a few at a time", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  await createGroup(chat);
  const line = `Member (${chat.member.id})`;
  assert.deepEqual(await search(admin, "q=EMB"), [
    { line, name: "Member", note: "Member · member@example.com" },
  ]);
  assert.deepEqual((await search(admin, "q=member%40exam")).map((one) => one.line), [line]);
  await chat.call(chat.member, "PATCH /settings", { email_address_visibility: 4 });
  assert.deepEqual(await search(admin, "q=member%40exam"), [], "a hidden address finds nobody");
  assert.deepEqual(await search(admin, "q=be"), [{ line, name: "Member", note: "Member" }]);
  assert.deepEqual((await search(admin, "q=be&groups")).map((one) => one.line), [line, "@bees"]);
  assert.deepEqual((await search(admin, "q=%40be&groups")).map((one) => one.line), ["@bees"]);
  assert.deepEqual(await search(admin, "q="), []);
  await chat.call(chat.owner, `DELETE /users/${chat.member.id}`);
  assert.deepEqual(await search(admin, "q=emb"), []);
  for (let at = 0; at < 12; at++) await chat.add(`zoe${at}`);
  assert.equal((await search(admin, "q=zoe")).length, 8);
  assert.deepEqual(await search(await signIn(chat, chat.outsider), "q=zoe"), []);
});

Deno.test("/admin/people is limited to administrators and to a number of searches a minute", async () => {
  const limit = JSON.stringify({ people_search: { points: 2, seconds: 60 } });
  await using chat = await startChat({ env: { RATE_LIMITS: limit } });
  await closePages(chat);
  assert.equal((await (await signIn(chat, chat.member)).get("/admin/people?q=a")).status, 403);
  const admin = await signIn(chat, chat.admin);
  await search(admin, "q=a");
  await search(admin, "q=b");
  assert.equal((await admin.get("/admin/people?q=c")).status, 429);
  await search(await signIn(chat, chat.owner), "q=c");
});

Deno.test("a part of a name offers the people who match it, without a script", async () => {
  await using chat = await startChat();
  const owner = await signIn(chat, chat.owner);
  const path = await createGroup(chat);
  const form = { action: "add_people", people: "Guest\r\nmem" };
  const asked = await owner.post(path, form);
  assert.equal(asked.status, 400);
  assert.match(asked.html, /No active user is named “mem”\. Choose from the matches below\./);
  assert.match(asked.html, new RegExp(`name="people_choice" value="${chat.member.id}"`));
  assert.doesNotMatch(asked.html, new RegExp(`name="people_choice" value="${chat.guest.id}"`));
  const unmatched = await owner.post(path, { ...form, people_choice: String(chat.owner.id) });
  assert.equal(unmatched.status, 400, "only a match can be chosen");
  const chosen = await owner.post(path, { ...form, people_choice: String(chat.member.id) });
  assert.equal(chosen.status, 303);
  const { body } = await chat.call(chat.owner, `GET /user_groups/${path.split("/").at(-1)}/members`);
  assert.deepEqual(body["members"], [chat.member.id, chat.guest.id].sort((one, other) => one - other));
});

Deno.test("names of several people and several unclear names are chosen in one form", async () => {
  await using chat = await startChat();
  const owner = await signIn(chat, chat.owner);
  const path = await createGroup(chat);
  const [one, other] = [await chat.add("rosa"), await chat.add("rosalie")];
  await chat.call(chat.owner, `PATCH /users/${other.id}`, { full_name: "Rosa" });
  const asked = await owner.post(path, { action: "add_people", people: "rosa\r\nmem\r\nnobody" });
  assert.match(asked.html, /Several users are named “rosa”/);
  assert.match(asked.html, /No active user is named “nobody”\./);
  for (const { id } of [one, other, chat.member]) {
    assert.match(asked.html, new RegExp(`name="people_choice" value="${id}"`));
  }
  const people_choice = [String(other.id), String(chat.member.id)];
  const still = await owner.post(path, {
    action: "add_people",
    people: "rosa\r\nmem\r\nnobody",
    people_choice,
  });
  assert.doesNotMatch(still.html, /Several users/);
  const { status } = await owner.post(path, { action: "add_people", people: "rosa\r\nmem", people_choice });
  assert.equal(status, 303);
  const { body } = await chat.call(chat.owner, `GET /user_groups/${path.split("/").at(-1)}/members`);
  assert.deepEqual(body["members"], [chat.member.id, other.id].sort((a, b) => a - b));
});

Deno.test("a field for people names a thousand at most, however they are separated", async () => {
  await using chat = await startChat();
  const owner = await signIn(chat, chat.owner);
  const path = await createGroup(chat);
  for (const people of ["x,".repeat(1001), "x\r\n".repeat(1001), `${"x,".repeat(600)}\r\n`.repeat(2)]) {
    const { html } = await owner.post(path, { action: "add_people", people });
    assert.match(html, /1,000/);
  }
});

Deno.test("a thousand wrong names do not block the event loop", async () => {
  await using chat = await startChat();
  const owner = await signIn(chat, chat.owner);
  const path = await createGroup(chat);
  await seedUsers(chat, 5000);
  const people = Array.from({ length: 1000 }, (_, at) => `nobody ${at}`).join("\n");
  const work = () => owner.post(path, { action: "add_people", people });
  const { html } = await work();
  assert.match(html, /is named “nobody 4”/);
  assert.doesNotMatch(html, /is named “nobody 5”/);
  const ratios: number[] = [];
  while (ratios.length < 10 && !ratios.some((ratio) => ratio <= 3)) {
    ratios.push(await measureLongestBlock(work, readThreadMs) / await measureBaseline(readThreadMs));
  }
  assert.ok(ratios.some((ratio) => ratio <= 3), ratios.join(", "));
});
