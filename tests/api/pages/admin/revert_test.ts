import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import { type PageVisitor, signIn } from "@/tests/helpers/pages.ts";

function revertPathIn(html: string): string {
  return /href="(\/admin\/audit\/[^/"]+\/revert)"/.exec(html)?.[1] ?? assert.fail("nothing can be reverted");
}

function seenIn(html: string): string {
  return /name="seen" value="([^"]+)"/.exec(html)?.[1] ?? "";
}

async function confirm(visitor: PageVisitor, path: string, fields: Record<string, string> = {}) {
  const { html } = await visitor.get(path);
  return await visitor.post(path, { action: "revert", seen: seenIn(html), ...fields });
}

Deno.test("a change of the audit log is reverted once, and its entry links the reversal", async () => {
  await using chat = await startChat();
  const owner = await signIn(chat, chat.owner);
  chat.clock.time++;
  await chat.call(chat.owner, "PATCH /realm", { message_content_edit_limit_seconds: 60 });
  const path = revertPathIn((await owner.get("/admin/audit")).html);
  const page = await owner.get(path);
  assert.match(page.html, /Revert this change\?/);
  assert.match(page.html, /1 minute.*10 minutes/s);
  assert.doesNotMatch(page.html, /Replace the newer values/);
  for (const [person, status] of [[chat.moderator, 403], [chat.outsider, 404]] as const) {
    assert.equal((await (await signIn(chat, person)).get(path)).status, status);
  }
  chat.clock.time++;
  const done = await confirm(owner, path);
  assert.equal(done.location, "/admin/audit");
  const log = await owner.get("/admin/audit");
  assert.match(log.html, /Change reverted\./);
  assert.match(log.html, /1 minute → 10 minutes/);
  assert.ok(log.html.includes(`href="${path}">Reverts an earlier change`));
  assert.match((await owner.get(path)).html, /Owner reverted this change on /);
  const again = await owner.post(path, { action: "revert", seen: seenIn(page.html) });
  assert.equal(again.status, 400);
  assert.equal((await owner.get("/admin/audit/x/revert")).status, 404);
});

Deno.test("the page that reverts a change names values that were changed since and asks to replace them", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const { body: { id: channel } } = await chat.call(chat.owner, "POST /channels/create", {
    name: "Beds",
    subscribers: [chat.owner.id],
  });
  const rename = async (name: string) => {
    chat.clock.time++;
    await chat.call(chat.owner, `PATCH /streams/${channel}`, { new_name: name });
  };
  await rename("Roses");
  const path = revertPathIn((await admin.get("/admin/audit")).html);
  await rename("Tulips");
  const { html } = await admin.get(path);
  assert.match(html, /Tulips.*Changed again since. This change had set: Roses.*Beds/s);
  const refused = await confirm(admin, path);
  assert.equal(refused.status, 400);
  assert.match(refused.html, /Select “Replace the newer values”, or cancel\./);
  const seen = seenIn(html);
  await rename("Lilies");
  const stale = await admin.post(path, { action: "revert", seen, replace: "true" });
  assert.match(stale.html, /Someone else changed these values/);
  assert.equal((await confirm(admin, path, { replace: "true" })).status, 303);
  const { body } = await chat.call(chat.owner, `GET /streams/${channel}`);
  assert.equal(body["stream"].name, "Beds");
});

Deno.test("the page that reverts a change describes values of every kind", async () => {
  await using chat = await startChat();
  const owner = await signIn(chat, chat.owner);
  const shown = async (endpoint: string, params: Record<string, unknown>, expected: RegExp) => {
    chat.clock.time++;
    assert.equal((await chat.call(chat.owner, endpoint, params)).status, 200, endpoint);
    const { html } = await owner.get(revertPathIn((await owner.get("/admin/audit")).html));
    assert.match(html.split("<tbody")[1] ?? "", expected);
  };
  const { body: { id } } = await chat.call(chat.owner, "POST /channels/create", {
    name: "Garden",
    subscribers: [chat.owner.id],
  });
  const stream = `PATCH /streams/${id}`;
  await shown(
    stream,
    { can_send_message_group: { new: chat.realm.first_system_group_id + 1 } },
    /Owners.*Everyone/s,
  );
  await shown(stream, { new_name: "Beds", description: "Roses" }, /Beds.*Garden.*Roses.*none/s);
  await shown(`PATCH /users/${chat.member.id}`, { full_name: "Mia" }, /Mia.*Member/s);
  await shown("PATCH /realm", { message_content_edit_limit_seconds: "unlimited" }, /unlimited.*10 minutes/s);
  const announcements = { new_stream_announcements_stream_id: id };
  await shown("PATCH /realm", announcements, /#Beds.*none/s);
});

Deno.test("a change of a role has no page that reverts it, and its entry links the user", async () => {
  await using chat = await startChat();
  const owner = await signIn(chat, chat.owner);
  await chat.call(chat.owner, `PATCH /users/${chat.member.id}`, { role: 300 });
  const { html } = await owner.get("/admin/audit");
  assert.match(html, /Role: Member → Moderator/);
  assert.ok(html.includes(`href="/admin/users/${chat.member.id}"`));
  assert.doesNotMatch(html, /\/revert"/);
});
