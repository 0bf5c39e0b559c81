import assert from "node:assert/strict";
import { MIB, uploadKeys } from "@/lib/chat/organization/files/model.ts";
import { openSottoStore, recordBackupTime } from "@/lib/services/sotto_store.ts";
import { upload } from "@/tests/casts/files_cast.ts";
import { inviteAddresses } from "@/tests/casts/invites_cast.ts";
import { startSmtp } from "@/tests/casts/mail_cast.ts";
import { makeChannel, send } from "@/tests/casts/messages_cast.ts";
import { startChat, type TestUser } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

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

/** Returns the text alternatives of the lines of the last days, by the name of the figure. */
function trendsIn(html: string): Readonly<Record<string, string>> {
  const figures = html.matchAll(
    /<a[^>]* class="text-small[^>]*>([^<]*)<\/a>.*?<svg[^>]*aria-label="([^"]*)"/gs,
  );
  return Object.fromEntries(Array.from(figures, ([, name = "", description = ""]) => [name, description]));
}

/** Returns the texts of the entries of a section, without markup. */
function entriesIn(html: string, id: string): readonly string[] {
  const section = html.split(`<section aria-labelledby="${id}-title"`)[1]?.split("</section>")[0] ?? "";
  return [...section.matchAll(/<li[^>]*>(.*?)<\/li>/gs)].map(([, entry = ""]) =>
    entry.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ").trim()
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
    "Create the first channel: To do",
    "Invite people by link: To do",
    // The requests of this test use the owner's key.
    "Connect an app: Done",
    "Check email delivery: To do",
    "Use HTTPS: To do",
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
  assert.deepEqual(stepsIn((await visitor.get(PAGE)).html), []);
});

Deno.test("each step links to the place that explains it, and commands are those of the operator", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.owner);
  const { html } = await visitor.get(PAGE);
  const steps = /<ol[\s\S]*?<\/ol>/.exec(html)?.[0] ?? "";
  const links = [...steps.matchAll(/href="(\/docs\/[^"#]+)#([^"]+)"/g)];
  assert.equal(links.length, stepsIn(html).length);
  for (const [, path = "", anchor = ""] of links) {
    assert.ok((await visitor.get(path)).html.includes(`id="${anchor}"`), `${path}#${anchor}`);
  }
  assert.ok(stepsIn(html).includes("Connect an app: To do"));
  const commands = [...steps.matchAll(/<code[^>]*>([^<]*)</g)].map(([, command = ""]) => command);
  const deno = `(npx --yes deno@${Deno.version.deno}|deno) task`;
  assert.equal(commands.length, 3);
  assert.match(
    commands[0] ?? "",
    new RegExp(`SMTP_URL=smtp://user:password@mail.example:587 ${deno} start$`),
  );
  assert.match(commands[1] ?? "", new RegExp(`BASE_URL=https://sotto.example ${deno} start$`));
  assert.match(commands[2] ?? "", new RegExp(`${deno} -q admin backup backup.kv$`));
});

Deno.test("the second person of an organization is found among many bots", async () => {
  await using chat = await startChat();
  for (const user of [chat.admin, chat.moderator, chat.member, chat.guest]) {
    await chat.call(chat.owner, `DELETE /users/${user.id}`);
  }
  for (let number = 0; number < 20; number++) await chat.add(`bot${number}`, 400, 1);
  await chat.add("person");
  const visitor = await signIn(chat, chat.owner);
  assert.ok(stepsIn((await visitor.get(PAGE)).html).includes("Invite people by link: Done"));
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
  assert.match((await visitor.get(PAGE)).html, /Email is not configured, so invitations and password resets/);
  assert.equal((await visitor.post(PAGE, { action: "hide_steps" })).status, 303);
  const { html } = await visitor.get(PAGE);
  assert.deepEqual(stepsIn(html), []);
  assert.match(html, /Email is not configured, so invitations are not delivered\./);
  assert.match(html, /The address does not use HTTPS/);
  await visitor.post(PAGE, { action: "show_steps" });
  assert.ok(stepsIn((await visitor.get(PAGE)).html).length > 0);
});

Deno.test("the overview counts the people who were active today and this week once each", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.owner);
  const report = (user: TestUser) => chat.call(user, "POST /users/me/presence", { status: "active" });
  const shown = async () => {
    const { html } = await visitor.get(PAGE);
    return [figuresIn(html)["Users active today"], /([\d,]+) this week/.exec(html)?.[1]];
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

Deno.test("figures stand beside the first steps, each with its last 30 days in words", async () => {
  await using chat = await startChat();
  const to = await makeChannel(chat, "garden");
  for (const content of ["a leaf", "a seed"]) await send(chat, chat.member, { to, content });
  await upload(chat, chat.member, { name: "a.txt", content: "x".repeat(2048), type: "text/plain" });
  const link = await chat.shorten("https://example.com/");
  await chat.request(link);
  chat.clock.time += DAY_MS;
  await chat.request(link);
  await send(chat, chat.guest, {
    to: await makeChannel(chat, "beds", { subscribers: [chat.guest.id] }),
    content: "a",
  });
  const visitor = await signIn(chat, chat.owner);
  const { html } = await visitor.get(PAGE);
  assert.ok(stepsIn(html).length > 0);
  assert.deepEqual(figuresIn(html), {
    "Users active today": "2",
    "Messages today": "2",
    "Visits today": "1",
    "Uploaded files": "2 KiB",
  });
  assert.match(html, /3 this week/);
  const trends = trendsIn(html);
  // Days before the organization are unknown, so the lowest day is not one of them.
  assert.equal(
    trends["Messages today"],
    "Last 30 days. Highest: 3 messages, Nov 21, 2026. Lowest: 2 messages, Nov 22, 2026.",
  );
  assert.match(trends["Visits today"] ?? "", /^Last 30 days\. Highest: 1 visit, /);
  assert.match(trends["Uploaded files"] ?? "", /Highest: 2 KiB, Nov 21, 2026/);
});

Deno.test("the size of files at the end of each day follows from what was added and removed since", async () => {
  await using chat = await startChat();
  const add = (bytes: number) =>
    upload(chat, chat.member, { name: "a.txt", content: "x".repeat(bytes), type: "text/plain" });
  await add(4096);
  chat.clock.time += DAY_MS;
  await add(2048);
  chat.clock.time += DAY_MS;
  const { attachments } = await succeed(chat, chat.member, "GET /attachments");
  const [{ id }] = attachments.filter(({ size }: { size: number }) => size === 4096);
  await succeed(chat, chat.member, `DELETE /attachments/${id}`);
  const { html } = await (await signIn(chat, chat.owner)).get(PAGE);
  assert.equal(
    trendsIn(html)["Uploaded files"],
    "Last 30 days. Highest: 6 KiB, Nov 22, 2026. Lowest: 2 KiB, Nov 23, 2026.",
  );
});

Deno.test("the size of the store is shown where it is a file, to the root organization", async () => {
  const folder = await Deno.makeTempDir();
  {
    await using chat = await startChat({ store: await openSottoStore(`${folder}/sotto.kv`) });
    await chat.services.storeSizeSampler.sweep();
    chat.clock.time += 2 * DAY_MS;
    const { html } = await (await signIn(chat, chat.owner)).get(PAGE);
    assert.match(figuresIn(html)["Store on disk"] ?? "", /^[\d.]+ (KiB|MiB)$/);
    assert.match(trendsIn(html)["Store on disk"] ?? "", /Lowest: .*, Nov 2[13], 2026\.$/);
    const others = figuresIn((await (await signIn(chat, chat.outsider)).get(PAGE)).html);
    assert.deepEqual(Object.keys(others), ["Users active today", "Messages today", "Uploaded files"]);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("the latest changes lead to their targets and to who made them", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.owner);
  for (let number = 1; number <= 6; number++) {
    chat.clock.time += 60_000;
    await succeed(chat, chat.admin, "POST /channel_folders/create", {
      name: `beds ${number}`,
      description: "",
    });
  }
  const { html } = await visitor.get(PAGE);
  const changes = entriesIn(html, "changes");
  assert.equal(changes.length, 5);
  assert.match(changes[0] ?? "", /^Created the channel folder beds 6 Admin · this minute$/);
  assert.match(changes[4] ?? "", /beds 2 Admin · 4 minutes ago$/);
  assert.match(html, /href="\/admin\/channel-folders\/\d+"[^>]*><bdi[^>]*>beds 6/);
  assert.match(html, new RegExp(`href="/admin/users/${chat.admin.id}"`));
});

Deno.test("invitations that expire within a day and nearly full storage need attention", async () => {
  await using chat = await startChat({ env: { UPLOAD_QUOTA_MIB: "1", SMTP_URL: "smtp://mail.example" } });
  const visitor = await signIn(chat, chat.owner);
  const problems = async () => entriesIn((await visitor.get(PAGE)).html, "problems");
  const ofServer = await problems();
  await inviteAddresses(chat, chat.admin, "ivo@example.com, jun@example.com");
  await succeed(chat, chat.admin, "POST /invites/multiuse", { invite_expires_in_minutes: "null" });
  assert.deepEqual(await problems(), ofServer);
  await chat.services.store.kv.set(uploadKeys.spaceUsed(chat.realm.id), 0.95 * MIB);
  chat.clock.time += 9 * DAY_MS;
  const later = await signIn(chat, chat.owner);
  const { html } = await later.get(PAGE);
  assert.deepEqual(entriesIn(html, "problems"), [
    "Uploads fill 95% of their storage. View status : Uploads fill 95% of their storage.",
    "2 invitations expire within a day. View invitations : 2 invitations expire within a day.",
    ...ofServer,
  ]);
  const path = /href="(\/admin\/invitations\?expiry=[^"]*)"/.exec(html)?.[1] ?? "";
  const listed = (await later.get(path)).html;
  assert.ok(["ivo@example.com", "jun@example.com"].every((address) => listed.includes(address)));
});
