import assert from "node:assert/strict";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";

/** Uses the noun that declared_once_test.ts adds to copies of the product's files. */
await using chat = await startChat();
const { member, guest } = chat;
const { kv } = chat.services.store;
const params = { title: "Rules", content: "#rules" };
const created = await chat.call(member, "POST /bookmarks", params);
assert.equal(created.status, 200, JSON.stringify(created.body));
const id = created.body["bookmark_id"];
const [stored] = await chat.events();
const event = JSON.parse(JSON.stringify(stored?.event));
assert.deepEqual([event.type, event.op, event.bookmark.id], ["bookmarks", "add", id]);
const path = `/bookmarks/${id}`;
assert.equal((await chat.call(guest, `PATCH ${path}`, { title: "mine" })).status, 404);
assert.equal((await chat.call(member, `PATCH ${path}`, { title: "All rules" })).status, 200);
const { bookmarks: listed } = (await chat.call(member, "GET /bookmarks")).body;
assert.deepEqual(listed.map(({ title }: { title: string }) => title), ["All rules"]);
const registered = await chat.call(member, "POST /register", { fetch_event_types: ["bookmarks"] });
assert.deepEqual(registered.body["bookmarks"], listed);
assert.ok(
  JSON.stringify(await (await chat.request("/openapi.json")).json()).includes("/bookmarks/{bookmark_id}"),
);
assert.deepEqual((await checkChat(kv)).problems, []);
await kv.set([chat.realm.id, "bookmark_count", member.id], 2);
assert.match((await checkChat(kv)).problems.join(), /counts of bookmarks, \d+ is 2, not 1/);
await kv.set([chat.realm.id, "bookmark_count", member.id], 1);
assert.equal((await chat.call(member, `DELETE ${path}`)).status, 200);
assert.deepEqual((await chat.call(member, "GET /bookmarks")).body["bookmarks"], []);

const visitor = await signIn(chat, chat.owner);
const page = "/admin/bookmarks";
assert.equal((await visitor.post(page, { action: "create", title: "Beds", content: "#beds" })).status, 303);
const list = (await visitor.get(page)).html;
assert.match(list, /Bookmark Beds added\..*<bdi>Beds<\/bdi>/s);
const [, own = ""] = /name="id" value="(\d+)"/.exec(list) ?? [];
assert.equal((await visitor.post(page, { action: "delete", id: own })).status, 303);
assert.doesNotMatch((await visitor.get(page)).html, /<bdi>Beds/);
