import assert from "node:assert/strict";
import { recordBackupTime } from "@/lib/kv/backup_time.ts";
import { startSmtp } from "@/tests/casts/mail_cast.ts";
import { startChat, type TestUser } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const PAGE = "/admin";

/** Returns the titles of the steps that a page shows, and whether each is done. */
function stepsIn(html: string): readonly string[] {
  return [...html.matchAll(/<h3[^>]*>([^<]*)<span[^>]*>: ([^<]*)</g)].map(([, title, state]) =>
    `${title}: ${state}`
  );
}

/** Returns the figures that a page shows, by name. */
function figuresIn(html: string): Readonly<Record<string, string>> {
  const list = /<section aria-labelledby="figures-title"[\s\S]*?<\/section>/.exec(html)?.[0] ?? "";
  return Object.fromEntries(
    [...list.matchAll(/<a[^>]*>([^<]*)<\/a><p[^>]*>([^<]*)</g)].map((
      [, name = "", value = ""],
    ) => [name, value]),
  );
}

Deno.test("a new organization is led through its first steps, which check themselves", async () => {
  await using smtp = await startSmtp();
  await using chat = await startChat({ env: { SMTP_URL: smtp.url } });
  for (const user of [chat.admin, chat.moderator, chat.member, chat.guest]) {
    await chat.call(chat.owner, `DELETE /users/${user.id}`);
  }
  const visitor = await signIn(chat, chat.owner);
  assert.deepEqual(stepsIn((await visitor.get(PAGE)).html), [
    "Check email delivery: To do",
    "Use HTTPS: To do",
    "Invite people: To do",
    "Create the first channel: To do",
    "Back up the server: To do",
  ]);
  const sent = await visitor.post(PAGE, { action: "test_mail" });
  assert.deepEqual([sent.status, sent.location], [303, PAGE]);
  assert.deepEqual(smtp.received.map(({ recipients }) => recipients), [[chat.owner.email]]);
  await chat.call(chat.owner, "POST /invites", { invitee_emails: "new@example.com", stream_ids: [] });
  await chat.call(chat.owner, "POST /channels/create", { name: "garden", subscribers: [] });
  await recordBackupTime(chat.services.store.kv, chat.clock.now());
  const { html } = await visitor.get(PAGE);
  assert.deepEqual(stepsIn(html).filter((step) => step.endsWith("To do")), ["Use HTTPS: To do"]);
  assert.match(html, /Last backup: Nov 21, 2026/);
  await visitor.post(PAGE, { action: "hide_steps" });
  const dashboard = (await visitor.get(PAGE)).html;
  assert.deepEqual(stepsIn(dashboard), []);
  assert.equal(figuresIn(dashboard)["Pending invitations"], "1");
});

Deno.test("the second person of an organization is found among many bots", async () => {
  await using chat = await startChat();
  for (const user of [chat.admin, chat.moderator, chat.member, chat.guest]) {
    await chat.call(chat.owner, `DELETE /users/${user.id}`);
  }
  for (let number = 0; number < 20; number++) await chat.add(`bot${number}`, 400, 1);
  await chat.add("person");
  const visitor = await signIn(chat, chat.owner);
  assert.ok(stepsIn((await visitor.get(PAGE)).html).includes("Invite people: Done"));
});

Deno.test("a test email that the mail server refuses is reported with the reason, and limited", async () => {
  await using smtp = await startSmtp({ onRcptTo: (_address, _session, done) => done(new Error("no")) });
  await using chat = await startChat({
    env: { SMTP_URL: smtp.url, RATE_LIMITS: '{"test_mail":{"points":2,"seconds":60}}' },
  });
  const visitor = await signIn(chat, chat.owner);
  const refused = await visitor.post(PAGE, { action: "test_mail" });
  assert.equal(refused.status, 400);
  assert.match(refused.html, /did not accept the test email \(EENVELOPE RCPT TO 550\)/);
  assert.match(
    (await visitor.get(PAGE)).html,
    /did not accept the last test email \(EENVELOPE RCPT TO 550\)/,
  );
  await visitor.post(PAGE, { action: "test_mail" });
  assert.equal((await visitor.post(PAGE, { action: "test_mail" })).status, 429);
});

Deno.test("without email the overview says so at once, and the steps can be hidden", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.owner);
  assert.match((await visitor.get(PAGE)).html, /Email isn't configured, so invitations and password resets/);
  assert.equal((await visitor.post(PAGE, { action: "hide_steps" })).status, 303);
  const { html } = await visitor.get(PAGE);
  assert.deepEqual(stepsIn(html), []);
  assert.match(html, /Email isn't configured, so invitations won't be delivered\./);
  assert.match(html, /The address does not use HTTPS/);
  await visitor.post(PAGE, { action: "show_steps" });
  assert.ok(stepsIn((await visitor.get(PAGE)).html).length > 0);
});

Deno.test("the overview counts the people who were active today and this week once each", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.owner);
  await visitor.post(PAGE, { action: "hide_steps" });
  const report = (user: TestUser) => chat.call(user, "POST /users/me/presence", { status: "active" });
  const shown = async () => {
    const figures = figuresIn((await visitor.get(PAGE)).html);
    return [figures["People active today"], figures["People active this week"]];
  };
  chat.clock.time = Date.UTC(2026, 10, 23, 12);
  // The owner counts by opening the page.
  assert.deepEqual(await shown(), ["1", "1"]);
  await report(chat.owner);
  await report(chat.member);
  chat.clock.time += 60 * 60 * 1000;
  await report(chat.owner);
  assert.deepEqual(await shown(), ["2", "2"]);
  chat.clock.time += DAY_MS;
  await report(chat.owner);
  await report(chat.guest);
  assert.deepEqual(await shown(), ["2", "3"]);
  chat.clock.time += 6 * DAY_MS;
  assert.deepEqual(await shown(), ["1", "1"]);
});
