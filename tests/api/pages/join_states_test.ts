import assert from "node:assert/strict";
import { transact } from "@/lib/kv/transact.ts";
import { PASSWORD, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { visitPages } from "@/tests/helpers/pages.ts";
import { alterRealm, alterSettings } from "@/tests/helpers/realm.ts";
import { invite, JOIN_FORM, makeLink, titleOf } from "./join_invites.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Both that the page is shown and that sending the form makes nothing. */
async function assertDead(chat: TestChat, path: string, title: string, host?: string): Promise<void> {
  const visitor = visitPages(chat, host);
  const { status, html } = await visitor.get(path);
  assert.deepEqual([status, titleOf(html)], [404, title]);
  assert.ok(!html.includes("<form"));
  const sent = await visitor.post(path, { ...JOIN_FORM, email: "ivo@example.com" });
  assert.deepEqual([sent.status, titleOf(sent.html)], [404, title]);
  assert.equal(visitor.token(), null);
  assert.equal((await chat.mails()).length, 0);
}

Deno.test("an invitation shows where to, by whom and as what, and the name it was sent with", async () => {
  await using chat = await startChat();
  const { path } = await invite(chat, { role: 600 }, { suggested_name: "Noor L." });
  const { status, html, headers } = await visitPages(chat).get(path);
  assert.equal(status, 200);
  assert.equal(titleOf(html), "Join Gardeners");
  const words = html.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
  assert.ok(words.includes("Admin invites you to Gardeners as a guest. You sign in with noor@example.com."));
  assert.match(html, /value="Noor L\."/);
  assert.match(html, /autocomplete="new-password"/i);
  // The key goes to no other site.
  assert.equal(headers.get("referrer-policy"), "same-origin");
});

Deno.test("every role is named in words", async () => {
  await using chat = await startChat();
  const words = [[100, "an owner"], [200, "an administrator"], [300, "a moderator"], [
    400,
    "a member",
  ]] as const;
  for (const [role, text] of words) {
    const { path } = await makeLink(chat, { role, inviter_id: chat.owner.id });
    assert.ok((await visitPages(chat).get(path)).html.includes(` as ${text}.`));
  }
});

Deno.test("looking at a link uses nothing up", async () => {
  await using chat = await startChat();
  const { path } = await invite(chat);
  for (let times = 0; times < 3; times++) assert.equal((await visitPages(chat).get(path)).status, 200);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("a link that never was one leads nowhere, whatever its id", async () => {
  await using chat = await startChat();
  const { path } = await invite(chat);
  const link = await makeLink(chat);
  const title = "This link does not exist";
  const flipped = path.slice(0, -1) + (path.endsWith("a") ? "b" : "a");
  const crossed = path.replace("/join/i", "/join/m");
  for (
    const wrong of [
      flipped,
      crossed,
      link.path.replace("/join/m", "/join/i"),
      path.replace(/i\d+-/, "i999-"),
      path + "a",
      path.toUpperCase().replace("/JOIN/", "/join/"),
      "/join/x",
      "/join/i1",
      `/join/i${"9".repeat(15)}-${"a".repeat(32)}`,
      `/join/${"a".repeat(2000)}`,
      "/join/%00",
    ]
  ) await assertDead(chat, wrong, title);
  await assertDead(chat, path, title, "other.localhost:8000");
  await assertDead(chat, link.path, title, "other.localhost:8000");
});

Deno.test("an invitation and a link end when their time is over, or when they are withdrawn", async () => {
  await using chat = await startChat();
  await assertDead(
    chat,
    (await invite(chat, {}, { state: "revoked" })).path,
    "This invitation was withdrawn",
  );
  await assertDead(
    chat,
    (await invite(chat, {}, { state: "accepted" })).path,
    "This invitation was already used",
  );
  await assertDead(
    chat,
    (await makeLink(chat, {}, { is_revoked: true })).path,
    "This invitation was withdrawn",
  );
  const one = await invite(chat);
  const link = await makeLink(chat);
  const endless = await invite(chat, { expires_at: null });
  chat.clock.time += 10 * DAY;
  assert.equal((await visitPages(chat).get(one.path)).status, 200);
  chat.clock.time += 1;
  await assertDead(chat, one.path, "This invitation has expired");
  await assertDead(chat, link.path, "This invitation has expired");
  assert.equal((await visitPages(chat).get(endless.path)).status, 200);
});

Deno.test("a link is as good as its inviter: demoted or deactivated, he lets nobody in", async () => {
  await using chat = await startChat();
  const title = "This invitation no longer holds";
  const inviter_id = chat.moderator.id;
  const one = await invite(chat, { inviter_id, role: 300 });
  const other = await invite(chat, { inviter_id, role: 400 });
  const link = await makeLink(chat, { inviter_id });
  assert.equal((await visitPages(chat).get(one.path)).status, 200);
  // Reusable links are for administrators unless the organization decides otherwise.
  await assertDead(chat, link.path, title);
  const { body } = await chat.call(chat.owner, `PATCH /users/${chat.moderator.id}`, { role: 400 });
  assert.equal(body.result, "success");
  await assertDead(chat, one.path, title);
  assert.equal((await visitPages(chat).get(other.path)).status, 200);
  await chat.call(chat.owner, `DELETE /users/${chat.moderator.id}`);
  await assertDead(chat, other.path, title);
});

Deno.test("a link falls with the right to invite, which each kind has its own of", async () => {
  await using chat = await startChat();
  const one = await invite(chat);
  const link = await makeLink(chat);
  const nobody = chat.realm.first_system_group_id;
  await alterRealm(chat, { permissions: { can_invite_users_group: nobody } });
  await assertDead(chat, one.path, "This invitation no longer holds");
  assert.equal((await visitPages(chat).get(link.path)).status, 200);
  await alterRealm(chat, { permissions: { create_multiuse_invite_group: nobody } });
  assert.equal((await visitPages(chat).get(one.path)).status, 200);
  await assertDead(chat, link.path, "This invitation no longer holds");
});

Deno.test("who belongs to the organization is told so", async () => {
  await using chat = await startChat();
  const { path } = await invite(chat, {}, { email: "MEMBER@example.com" });
  const shown = await visitPages(chat).get(path);
  assert.deepEqual([shown.status, titleOf(shown.html)], [200, "You already belong to Gardeners"]);
  assert.match(shown.html, /has an account there/);
  const visitor = visitPages(chat);
  await visitor.post("/login", { username: chat.member.email, password: PASSWORD });
  for (const { path } of [await invite(chat), await makeLink(chat)]) {
    const { status, html } = await visitor.get(path);
    assert.deepEqual([status, titleOf(html)], [200, "You already belong to Gardeners"]);
    assert.match(html, /This browser is signed in there/);
    const sent = await visitor.post(path, { ...JOIN_FORM, email: "ivo@example.com" });
    assert.equal(titleOf(sent.html), "You already belong to Gardeners");
  }
  assert.equal((await chat.mails()).length, 0);
});

Deno.test("an address that the organization takes no longer cannot join", async () => {
  await using chat = await startChat();
  const { path } = await invite(chat);
  await alterSettings(chat, {
    emails_restricted_to_domains: true,
    domains: [{ domain: "example.org", allow_subdomains: false }],
  });
  await assertDead(chat, path, "This address cannot join");
  await alterSettings(chat, { emails_restricted_to_domains: false });
  assert.equal((await visitPages(chat).get(path)).status, 200);
  const placeholder = await invite(chat, {}, { email: `user${chat.member.id}@localhost` });
  await assertDead(chat, placeholder.path, "This address cannot join");
});

Deno.test("nobody joins an organization that is deactivated", async () => {
  await using chat = await startChat();
  const { path } = await invite(chat);
  await alterRealm(chat, { is_deactivated: true });
  await assertDead(chat, path, "This organization is closed");
});

Deno.test("names are text, whatever they hold", async () => {
  await using chat = await startChat();
  const evil = `"><img src=x onerror=alert(1)></script><b>`;
  await alterRealm(chat, { name: evil });
  const key = [chat.realm.id, "user", chat.admin.id];
  await transact(
    chat.services.store,
    async (tx) => tx.set(key, { ...await tx.get<object>(key), full_name: evil }),
  );
  const one = await invite(chat, {}, { suggested_name: evil, email: `"<img src=x>"@example.com` });
  const { path } = await makeLink(chat);
  const shown = [
    await visitPages(chat).get(one.path),
    await visitPages(chat).post(one.path, { full_name: evil, password: "x" }),
    await visitPages(chat).get(path),
    await visitPages(chat).post(path, { email: evil }),
    await visitPages(chat).get("/join/x"),
  ];
  for (const { html, headers } of shown) {
    assert.ok(!html.includes("<img"), html);
    assert.ok(!html.includes("<b>"));
    assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/);
  }
});

Deno.test("guessing links is limited by address, and a key is in no log", async () => {
  await using chat = await startChat({ env: { RATE_LIMITS: '{"join":{"points":3,"seconds":60}}' } });
  const { path } = await invite(chat);
  const wrong = `/join/i1-${"a".repeat(32)}`;
  for (let guess = 0; guess < 3; guess++) assert.equal((await visitPages(chat).get(wrong)).status, 404);
  const refused = await visitPages(chat).get(path);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  assert.equal((await visitPages(chat).post(path, JOIN_FORM)).status, 429);
  const log = await chat.log();
  assert.match(log, /"route":"\/join\/:key"/);
  assert.ok(!log.includes(path.slice("/join/".length)) && !log.includes("a".repeat(32)));
});
