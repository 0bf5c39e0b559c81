import assert from "node:assert/strict";
import { RESET_LIFETIME_MS } from "@/lib/chat/people/auth/reset_password.ts";
import { PASSWORD, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { startMailingChat } from "@/tests/casts/join_cast.ts";
import { startSmtp } from "@/tests/casts/mail_cast.ts";
import { visitPages } from "@/tests/helpers/pages.ts";

const NEW = "orange lantern 77 walk";

async function requestLink(chat: TestChat, email: string): Promise<string> {
  const { status, html } = await visitPages(chat).post("/forgot-password", { email });
  assert.equal(status, 200);
  return html;
}

async function linkFrom(chat: TestChat): Promise<string> {
  const mails = await chat.mails();
  const link = /http:\/\/localhost:8000(\/reset-password\/\w+)/.exec(mails.at(-1)?.text ?? "")?.[1];
  assert.ok(link);
  return link;
}

async function canSignIn(chat: TestChat, password: string): Promise<boolean> {
  const { status } = await visitPages(chat).post("/login", { username: chat.member.email, password });
  return status === 303;
}

Deno.test("the mailed link sets a new password once and ends every session", async () => {
  await using chat = await startMailingChat();
  const visitor = visitPages(chat);
  await visitor.post("/login", { username: chat.member.email, password: PASSWORD });
  await requestLink(chat, " MEMBER@example.com ");
  const link = await linkFrom(chat);
  assert.match((await visitPages(chat).get(link)).html, /new_password/);
  const weak = await visitPages(chat).post(link, { new_password: "abc" });
  assert.equal(weak.status, 400);
  assert.ok(weak.html.includes("The password is too short."));
  const done = await visitPages(chat).post(link, { new_password: NEW });
  assert.deepEqual([done.status, done.location], [303, "/login?notice=reset"]);
  assert.equal((await visitor.get("/account")).status, 303);
  assert.equal(await canSignIn(chat, PASSWORD), false);
  assert.ok(await canSignIn(chat, NEW));
  assert.equal((await visitPages(chat).get(link)).status, 404);
  assert.equal((await visitPages(chat).post(link, { new_password: PASSWORD })).status, 404);
});

Deno.test("responses do not reveal whether an address has an account, and only accounts get mail", async () => {
  await using chat = await startMailingChat();
  await chat.call(chat.owner, `DELETE /users/${chat.guest.id}`);
  await chat.mails();
  const known = await requestLink(chat, chat.member.email);
  for (const email of ["nobody@example.com", chat.outsider.email, chat.bot.email, chat.guest.email]) {
    assert.equal((await requestLink(chat, email)).replaceAll(email, chat.member.email), known);
  }
  const mails = await chat.mails();
  assert.deepEqual(mails.map(({ to }) => to?.[0]?.address), [chat.member.email]);
});

Deno.test("a link expires after an hour, with a newer password, and in another organization", async () => {
  await using chat = await startMailingChat();
  await requestLink(chat, chat.member.email);
  const first = await linkFrom(chat);
  await requestLink(chat, chat.member.email);
  const second = await linkFrom(chat);
  assert.notEqual(first, second);
  assert.equal((await visitPages(chat, "other.localhost:8000").get(first)).status, 404);
  assert.equal((await visitPages(chat).post(second, { new_password: NEW })).status, 303);
  assert.equal((await visitPages(chat).post(first, { new_password: PASSWORD })).status, 404);
  await requestLink(chat, chat.member.email);
  const third = await linkFrom(chat);
  chat.clock.time += RESET_LIFETIME_MS;
  assert.equal((await visitPages(chat).get(third)).status, 404);
  assert.equal((await visitPages(chat).post(third, { new_password: PASSWORD })).status, 404);
  assert.ok(await canSignIn(chat, NEW));
});

Deno.test("an address can request only a few mails a day", async () => {
  await using chat = await startMailingChat({
    env: { RATE_LIMITS: '{"mail_address":{"points":2,"seconds":86400}}' },
  });
  await requestLink(chat, chat.member.email);
  await requestLink(chat, chat.member.email);
  const { status, html } = await visitPages(chat).post("/forgot-password", { email: chat.member.email });
  assert.equal(status, 429);
  assert.match(html, /Too many requests/);
  assert.equal((await chat.mails()).length, 2);
});

Deno.test("mail is sent through a configured SMTP server", async () => {
  await using smtp = await startSmtp();
  await using chat = await startChat({
    env: { SMTP_URL: smtp.url, MAIL_FROM: "Garden <garden@example.com>" },
  });
  await requestLink(chat, chat.member.email);
  assert.match(await (await chat.request("/metrics")).text(), /^sotto_mail_queue_depth 1$/m);
  await chat.services.mailer.sweep();
  const [mail] = smtp.received;
  assert.equal(smtp.received.length, 1);
  assert.deepEqual([mail?.recipients, mail?.sender], [[chat.member.email], "garden@example.com"]);
  assert.match(mail?.email.text ?? "", /\/reset-password\/\w{32}/);
  assert.match(await (await chat.request("/metrics")).text(), /^sotto_mail_queue_depth 0$/m);
});
