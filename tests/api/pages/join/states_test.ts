import assert from "node:assert/strict";
import { transact } from "@/lib/store/transact.ts";
import { PASSWORD, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { visitPages } from "@/tests/helpers/pages.ts";
import { alterRealm, alterSettings } from "@/tests/helpers/realm.ts";
import { createLink, invite, JOIN_FORM, titleOf } from "@/tests/casts/join_cast.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Asserts that the page is shown and that sending the form creates nothing. */
async function assertUnavailable(chat: TestChat, path: string, title: string, host?: string): Promise<void> {
  const visitor = visitPages(chat, host);
  const { status, html } = await visitor.get(path);
  assert.deepEqual([status, titleOf(html)], [404, title]);
  assert.ok(!html.includes("<form"));
  const sent = await visitor.post(path, { ...JOIN_FORM, email: "ivo@example.com" });
  assert.deepEqual([sent.status, titleOf(sent.html)], [404, title]);
  assert.equal(visitor.token(), null);
  assert.equal((await chat.mails()).length, 0);
}

Deno.test("an invitation shows organization, inviter and role, and fills in the invited name", async () => {
  await using chat = await startChat();
  const { path } = await invite(chat, { role: 600 }, { suggested_name: "Noor L." });
  const { status, html, headers } = await visitPages(chat).get(path);
  assert.equal(status, 200);
  assert.equal(titleOf(html), "Join Gardeners");
  const messages = html.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
  assert.ok(
    messages.includes("Admin invites you to Gardeners as a guest. You will sign in with noor@example.com."),
  );
  assert.match(html, /value="Noor L\."/);
  assert.match(html, /autocomplete="new-password"/i);
  // The key is not sent to other sites.
  assert.equal(headers.get("referrer-policy"), "no-referrer");
});

Deno.test("an invitation names every role", async () => {
  await using chat = await startChat();
  const messages = [[100, "an owner"], [200, "an administrator"], [300, "a moderator"], [
    400,
    "a member",
  ]] as const;
  for (const [role, text] of messages) {
    const { path } = await createLink(chat, { role, inviter_id: chat.owner.id });
    assert.ok((await visitPages(chat).get(path)).html.includes(` as ${text}.`));
  }
});

Deno.test("opening a link does not use it up", async () => {
  await using chat = await startChat();
  const { path } = await invite(chat);
  for (let times = 0; times < 3; times++) assert.equal((await visitPages(chat).get(path)).status, 200);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("an invalid link shows the same page, whatever its id", async () => {
  await using chat = await startChat();
  const { path } = await invite(chat);
  const link = await createLink(chat);
  const title = "Invitation not found";
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
  ) await assertUnavailable(chat, wrong, title);
  await assertUnavailable(chat, path, title, "other.localhost:8000");
  await assertUnavailable(chat, link.path, title, "other.localhost:8000");
});

Deno.test("invitations and links end when they expire or are revoked", async () => {
  await using chat = await startChat();
  await assertUnavailable(
    chat,
    (await invite(chat, {}, { state: "revoked" })).path,
    "This invitation was revoked",
  );
  await assertUnavailable(
    chat,
    (await invite(chat, {}, { state: "accepted" })).path,
    "This invitation was already used",
  );
  await assertUnavailable(
    chat,
    (await createLink(chat, {}, { is_revoked: true })).path,
    "This invitation was revoked",
  );
  const one = await invite(chat);
  const link = await createLink(chat);
  const endless = await invite(chat, { expires_at: null });
  chat.clock.time += 10 * DAY;
  assert.equal((await visitPages(chat).get(one.path)).status, 200);
  chat.clock.time += 1;
  await assertUnavailable(chat, one.path, "This invitation has expired");
  await assertUnavailable(chat, link.path, "This invitation has expired");
  assert.equal((await visitPages(chat).get(endless.path)).status, 200);
});

Deno.test("a link stops working when its inviter is demoted or deactivated", async () => {
  await using chat = await startChat();
  const title = "This invitation is no longer valid";
  const inviter_id = chat.moderator.id;
  const one = await invite(chat, { inviter_id, role: 300 });
  const other = await invite(chat, { inviter_id, role: 400 });
  const link = await createLink(chat, { inviter_id });
  assert.equal((await visitPages(chat).get(one.path)).status, 200);
  // Reusable links are for administrators unless the organization decides otherwise.
  await assertUnavailable(chat, link.path, title);
  const { body } = await chat.call(chat.owner, `PATCH /users/${chat.moderator.id}`, { role: 400 });
  assert.equal(body.result, "success");
  await assertUnavailable(chat, one.path, title);
  assert.equal((await visitPages(chat).get(other.path)).status, 200);
  await chat.call(chat.owner, `DELETE /users/${chat.moderator.id}`);
  await assertUnavailable(chat, other.path, title);
});

Deno.test("a link depends on its inviter's permission for that kind of invitation", async () => {
  await using chat = await startChat();
  const one = await invite(chat);
  const link = await createLink(chat);
  const nobody = chat.realm.first_system_group_id;
  await alterRealm(chat, { permissions: { can_invite_users_group: nobody } });
  await assertUnavailable(chat, one.path, "This invitation is no longer valid");
  assert.equal((await visitPages(chat).get(link.path)).status, 200);
  await alterRealm(chat, { permissions: { create_multiuse_invite_group: nobody } });
  assert.equal((await visitPages(chat).get(one.path)).status, 200);
  await assertUnavailable(chat, link.path, "This invitation is no longer valid");
});

Deno.test("an existing user of the organization sees that they are already a member", async () => {
  await using chat = await startChat();
  const { path } = await invite(chat, {}, { email: "MEMBER@example.com" });
  const shown = await visitPages(chat).get(path);
  assert.deepEqual([shown.status, titleOf(shown.html)], [200, "You are already a member of Gardeners"]);
  assert.match(shown.html, /already has an account/);
  const visitor = visitPages(chat);
  await visitor.post("/login", { username: chat.member.email, password: PASSWORD });
  for (const { path } of [await invite(chat), await createLink(chat)]) {
    const { status, html } = await visitor.get(path);
    assert.deepEqual([status, titleOf(html)], [200, "You are already a member of Gardeners"]);
    assert.match(html, /You are signed in\./);
    const sent = await visitor.post(path, { ...JOIN_FORM, email: "ivo@example.com" });
    assert.equal(titleOf(sent.html), "You are already a member of Gardeners");
  }
  assert.equal((await chat.mails()).length, 0);
});

Deno.test("an address that the organization no longer accepts cannot join", async () => {
  await using chat = await startChat();
  const { path } = await invite(chat);
  await alterSettings(chat, {
    emails_restricted_to_domains: true,
    domains: [{ domain: "example.org", allow_subdomains: false }],
  });
  await assertUnavailable(chat, path, "This address cannot join");
  await alterSettings(chat, { emails_restricted_to_domains: false });
  assert.equal((await visitPages(chat).get(path)).status, 200);
  const placeholder = await invite(chat, {}, { email: `user${chat.member.id}@localhost` });
  await assertUnavailable(chat, placeholder.path, "This address cannot join");
});

Deno.test("no one can join a deactivated organization", async () => {
  await using chat = await startChat();
  const { path } = await invite(chat);
  await alterRealm(chat, { is_deactivated: true });
  await assertUnavailable(chat, path, "This organization is deactivated");
});

Deno.test("names are escaped, whatever they contain", async () => {
  await using chat = await startChat();
  const evil = `"><img src=x onerror=alert(1)></script><b>`;
  await alterRealm(chat, { name: evil });
  const key = [chat.realm.id, "user", chat.admin.id];
  await transact(
    chat.services.store,
    async (tx) => tx.set(key, { ...await tx.get<object>(key), full_name: evil }),
  );
  const one = await invite(chat, {}, { suggested_name: evil, email: `"<img src=x>"@example.com` });
  const { path } = await createLink(chat);
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

Deno.test("guessing links is limited by address, and no log contains a key", async () => {
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
