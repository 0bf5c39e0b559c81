import assert from "node:assert/strict";
import { JOIN_LINK_LIFETIME_MS } from "@/lib/chat/joining/invites/accept_invite.ts";
import type { TestChat } from "@/tests/helpers/chat.ts";
import { visitPages } from "@/tests/helpers/pages.ts";
import {
  createLink,
  invite,
  JOIN_FORM,
  lastMail,
  revokeLink,
  startMailingChat,
  titleOf,
} from "@/tests/casts/join_cast.ts";

async function requestJoinLink(chat: TestChat, path: string, email: string): Promise<string> {
  const { status, html } = await visitPages(chat).post(path, { email });
  assert.equal(status, 200);
  assert.equal(titleOf(html), "Check your email");
  return html;
}

Deno.test("a reusable link mails a join link to any number of addresses", async () => {
  await using chat = await startMailingChat();
  const { path } = await createLink(chat, { role: 600 });
  const shown = await visitPages(chat).get(path);
  assert.equal(titleOf(shown.html), "Join Gardeners");
  assert.match(shown.html, /name="email"/);
  for (const email of ["ivo@example.com", "jun@example.com"]) {
    await requestJoinLink(chat, path, ` ${email} `);
    const mail = await lastMail(chat);
    assert.equal(mail.to, email);
    assert.match(mail.text, /to join Gardeners with this email address/);
    assert.ok((await visitPages(chat).get(mail.path)).html.includes(email));
    const joined = await visitPages(chat).post(mail.path, JOIN_FORM);
    assert.deepEqual([joined.status, joined.location], [303, "/connect?joined=1"]);
    assert.equal(titleOf((await visitPages(chat).get(mail.path)).html), "This invitation was already used");
    const { body } = await chat.call(chat.owner, `GET /users/${email}`);
    assert.equal(body.user.role, 600);
  }
  // Users who join by a link change no list of invitations.
  const events = await chat.events();
  assert.ok(!events.some(({ event }) => event.type === "invites_changed"));
});

Deno.test("only the mail reveals whether an address has an account", async () => {
  await using chat = await startMailingChat();
  const { path } = await createLink(chat);
  const known = await requestJoinLink(chat, path, chat.member.email);
  const mail = await lastMail(chat);
  assert.equal(mail.to, chat.member.email);
  assert.match(mail.text, /You already have an account|it already has an account/);
  assert.match(mail.text, /http:\/\/localhost:8000\/login/);
  assert.equal(mail.path, "");
  const fresh = await requestJoinLink(chat, path, "ivo@example.com");
  assert.equal(fresh.replaceAll("ivo@example.com", chat.member.email), known);
  assert.equal(
    await requestJoinLink(chat, path, chat.bot.email),
    known.replaceAll(chat.member.email, chat.bot.email),
  );
  assert.equal((await chat.mails()).length, 2);
});

Deno.test("a deactivated account gets a mail that says so, and stays deactivated", async () => {
  await using chat = await startMailingChat();
  const { path } = await createLink(chat);
  await chat.call(chat.owner, `DELETE /users/${chat.member.id}`);
  await requestJoinLink(chat, path, chat.member.email);
  assert.match((await lastMail(chat)).text, /deactivated/);
});

Deno.test("addresses that cannot join are refused, and input is kept", async () => {
  await using chat = await startMailingChat();
  const { path } = await createLink(chat);
  const refusals = [
    ["", "Enter a valid email address."],
    ["tomas@", "Enter a valid email address."],
    ["Ivo <ivo@example.com>", "Enter a valid email address."],
    ["ivo@example.com\r\nBcc: x@example.com", "Enter a valid email address."],
    [`${"x".repeat(300)}@example.com`, "Enter a valid email address."],
    [`user${chat.member.id}@localhost`, "Please use your real email address."],
    ["ivo@mailinator.com", "Please use your real email address."],
  ];
  for (const [email = "", problem = ""] of refusals) {
    const { status, html } = await visitPages(chat).post(path, { email });
    assert.equal(status, 400, email);
    assert.ok(html.includes(problem), email);
  }
  const { html } = await visitPages(chat).post(path, { email: "tomas@" });
  assert.match(html, /value="tomas@"/);
  assert.equal((await chat.mails()).length, 0);
});

Deno.test("the mailed link expires after a day, and with its reusable link and its inviter", async () => {
  await using chat = await startMailingChat();
  const link = await createLink(chat);
  await requestJoinLink(chat, link.path, "ivo@example.com");
  const { path } = await lastMail(chat);
  chat.clock.time += JOIN_LINK_LIFETIME_MS;
  assert.equal((await visitPages(chat).get(path)).status, 200);
  chat.clock.time += 1;
  assert.equal(titleOf((await visitPages(chat).post(path, JOIN_FORM)).html), "This invitation has expired");
  await requestJoinLink(chat, link.path, "ivo@example.com");
  const second = (await lastMail(chat)).path;
  await chat.call(chat.owner, `PATCH /users/${chat.admin.id}`, { role: 300 });
  const refused = await visitPages(chat).post(second, JOIN_FORM);
  assert.deepEqual([refused.status, titleOf(refused.html)], [404, "This invitation is no longer valid"]);
  await chat.call(chat.owner, `PATCH /users/${chat.admin.id}`, { role: 200 });
  assert.equal((await visitPages(chat).get(second)).status, 200);
  await revokeLink(chat, link.id);
  assert.equal(titleOf((await visitPages(chat).get(second)).html), "This invitation was revoked");
  assert.equal(
    titleOf((await visitPages(chat).post(second, JOIN_FORM)).html),
    "This invitation was revoked",
  );
});

Deno.test("the mailed link does not outlive a reusable link that expires sooner", async () => {
  await using chat = await startMailingChat();
  const { path } = await createLink(chat, { expires_at: chat.clock.time + 60_000 });
  await requestJoinLink(chat, path, "ivo@example.com");
  const mail = await lastMail(chat);
  chat.clock.time += 60_001;
  assert.equal(titleOf((await visitPages(chat).get(mail.path)).html), "This invitation has expired");
});

Deno.test("joining by a link uses up the address's invitations, and a second link creates no account", async () => {
  await using chat = await startMailingChat();
  const one = await invite(chat, {}, { email: "ivo@example.com" });
  const { path } = await createLink(chat);
  await requestJoinLink(chat, path, "ivo@example.com");
  const first = (await lastMail(chat)).path;
  await requestJoinLink(chat, path, "ivo@example.com");
  const second = (await lastMail(chat)).path;
  assert.notEqual(first, second);
  const outcomes = await Promise.all([first, second].map((at) => visitPages(chat).post(at, JOIN_FORM)));
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), [200, 303]);
  assert.equal(titleOf((await visitPages(chat).get(one.path)).html), "This invitation was already used");
  assert.ok((await chat.events()).some(({ event }) => event.type === "invites_changed"));
});

Deno.test("one address can request few mails, and a form from another site none", async () => {
  await using chat = await startMailingChat({
    env: { RATE_LIMITS: '{"join_mail":{"points":2,"seconds":86400}}' },
  });
  const { path } = await createLink(chat);
  const foreign = await visitPages(chat).post(path, { email: "ivo@example.com" }, {
    origin: "http://evil.example",
    "sec-fetch-site": "cross-site",
  });
  assert.equal(foreign.status, 400);
  await requestJoinLink(chat, path, "ivo@example.com");
  await requestJoinLink(chat, path, "jun@example.com");
  const { status, html } = await visitPages(chat).post(path, { email: "kim@example.com" });
  assert.equal(status, 429);
  assert.match(html, /Too many requests/);
  assert.equal((await chat.mails()).length, 2);
});
