import assert from "node:assert/strict";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { signIn, visitPages } from "@/tests/helpers/pages.ts";
import { alterSettings } from "@/tests/helpers/realm.ts";
import {
  createLink,
  invite,
  JOIN_FORM,
  JOIN_PASSWORD,
  revokeLink,
  titleOf,
} from "@/tests/casts/join_cast.ts";

// Joining by a reusable link without a confirmed address, as while no email is delivered.

const JOINED = [303, "/connect?joined=1"];

function join(chat: TestChat, path: string, email: string, form: object = {}) {
  return visitPages(chat).post(path, { ...JOIN_FORM, email, ...form });
}

async function roleOf(chat: TestChat, email: string): Promise<number | undefined> {
  return (await chat.call(chat.owner, `GET /users/${email}`)).body["user"]?.role;
}

Deno.test("a reusable link admits any number of people at once while no email is delivered", async () => {
  await using chat = await startChat();
  const { path } = await createLink(chat, { role: 600 });
  const { html } = await visitPages(chat).get(path);
  assert.equal(titleOf(html), "Join Gardeners");
  for (const name of ["full_name", "email", "password"]) assert.match(html, new RegExp(`name="${name}"`));
  for (const email of ["ivo@example.com", "jun@example.com"]) {
    const visitor = visitPages(chat);
    const { status, location } = await visitor.post(path, { ...JOIN_FORM, email: ` ${email} ` });
    assert.deepEqual([status, location], JOINED);
    assert.equal((await visitor.get("/account")).status, 200);
    assert.equal(await roleOf(chat, email), 600);
    const signedIn = await visitPages(chat).post("/login", { username: email, password: JOIN_PASSWORD });
    assert.equal(signedIn.status, 303);
  }
  assert.match((await (await signIn(chat, chat.owner)).get("/admin/invitations")).html, /2 users joined/);
  assert.deepEqual(await chat.mails(), []);
  assert.ok(!(await chat.events()).some(({ event }) => event.type === "invites_changed"));
  const { body } = await chat.call(chat.owner, "GET /invites");
  assert.equal(body["invites"].length, 1);
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});

Deno.test("all problems of the form are shown at their fields, and typed values are kept", async () => {
  await using chat = await startChat();
  const { path } = await createLink(chat);
  const { status, html } = await join(chat, path, "tomas@", { full_name: "", password: "abc" });
  assert.equal(status, 400);
  assert.equal(html.match(/aria-invalid="true"/g)?.length, 3);
  assert.match(html, /value="tomas@"/);
  assert.ok(!html.includes('value="abc"'));
  const refusals = [
    ["Ivo <ivo@example.com>", "Enter a valid email address."],
    [`user${chat.member.id}@localhost`, "Please use your real email address."],
    ["ivo@mailinator.com", "Please use your real email address."],
    [`${"x".repeat(300_000)}@example.com`, ""],
  ];
  for (const [email = "", problem = ""] of refusals) {
    const refused = await join(chat, path, email);
    assert.ok(refused.status >= 400, email.slice(0, 50));
    assert.ok(refused.html.includes(problem));
  }
});

Deno.test("an address with an account is refused, and the account is not touched", async () => {
  await using chat = await startChat();
  const { path } = await createLink(chat, { role: 200 });
  await chat.call(chat.owner, `DELETE /users/${chat.guest.id}`);
  await chat.events();
  for (const user of [chat.member, chat.guest, chat.bot]) {
    const { status, html } = await join(chat, path, user.email.toUpperCase());
    assert.equal(status, 400);
    assert.ok(html.includes("This address already has an account. Sign in, or ask an administrator"));
    const stranger = await visitPages(chat).post("/login", { username: user.email, password: JOIN_PASSWORD });
    assert.notEqual(stranger.status, 303);
  }
  assert.equal(await roleOf(chat, chat.member.email), 400);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("concurrent joins with one address make one account", async () => {
  await using chat = await startChat();
  const links = await Promise.all([createLink(chat), createLink(chat, { role: 600 })]);
  const outcomes = await Promise.all(
    [...links, ...links].map(({ path }) => join(chat, path, "ivo@example.com")),
  );
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), [303, 400, 400, 400]);
  for (const { html } of outcomes.filter(({ status }) => status === 400)) {
    assert.ok(html.includes("This address already has an account."));
  }
  const { members } = (await chat.call(chat.owner, "GET /users")).body;
  const found = members.filter((user: { delivery_email: string }) =>
    user.delivery_email === "ivo@example.com"
  );
  assert.equal(found.length, 1);
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});

Deno.test("the role is that of the link, and an invitation of the address stays as for any taken address", async () => {
  await using chat = await startChat();
  const one = await invite(chat, { role: 200 }, { email: "ivo@example.com" });
  const { path } = await createLink(chat, { role: 600 });
  assert.equal((await join(chat, path, "ivo@example.com")).status, 303);
  assert.equal(await roleOf(chat, "ivo@example.com"), 600);
  const opened = await visitPages(chat).get(one.path);
  assert.equal(titleOf(opened.html), "You are already a member of Gardeners");
  assert.equal(titleOf((await visitPages(chat).post(one.path, JOIN_FORM)).html), titleOf(opened.html));
  assert.equal(await roleOf(chat, "ivo@example.com"), 600);
  const { body } = await chat.call(chat.owner, "GET /invites");
  assert.deepEqual(body["invites"].map((item: { is_multiuse: boolean }) => item.is_multiuse), [false, true]);
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});

Deno.test("a link that expired, was revoked or is no longer backed admits nobody", async () => {
  await using chat = await startChat();
  const short = await createLink(chat, { expires_at: chat.clock.time + 1000 });
  const revoked = await createLink(chat);
  const high = await createLink(chat, { role: 100 });
  await revokeLink(chat, revoked.id);
  chat.clock.time += 1001;
  for (const { path } of [short, revoked, high]) {
    assert.equal((await join(chat, path, "ivo@example.com")).status, 404);
  }
  assert.equal(await roleOf(chat, "ivo@example.com"), undefined);
});

Deno.test("domains of the organization hold, also for a link that was opened before", async () => {
  await using chat = await startChat();
  const { path } = await createLink(chat);
  await alterSettings(chat, {
    emails_restricted_to_domains: true,
    domains: [{ domain: "example.org", allow_subdomains: false }],
  });
  const { status, html } = await join(chat, path, "ivo@example.com");
  assert.equal(status, 400);
  assert.match(html, /Outside your domain/);
  assert.equal((await join(chat, path, "ivo@example.org")).status, 303);
});

Deno.test("attempts are limited for each client address and for each link", async () => {
  await using chat = await startChat({
    env: { RATE_LIMITS: '{"join_client":{"points":3,"seconds":60}}' },
  });
  const { path } = await createLink(chat);
  for (let attempt = 0; attempt < 3; attempt++) {
    assert.equal((await join(chat, path, chat.member.email)).status, 400);
  }
  const refused = await join(chat, path, "ivo@example.com");
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  assert.match(refused.html, /value="ivo@example.com"/);
  assert.equal(await roleOf(chat, "ivo@example.com"), undefined);
  await using other = await startChat({ env: { RATE_LIMITS: '{"join_link":{"points":1,"seconds":60}}' } });
  const [first, second] = [await createLink(other), await createLink(other)];
  assert.equal((await join(other, first.path, "ivo@example.com")).status, 303);
  assert.equal((await join(other, first.path, "jun@example.com")).status, 429);
  assert.equal((await join(other, second.path, "jun@example.com")).status, 303);
});

Deno.test("a form from another site admits nobody", async () => {
  await using chat = await startChat();
  const { path } = await createLink(chat);
  const { status } = await visitPages(chat).post(path, { ...JOIN_FORM, email: "ivo@example.com" }, {
    origin: "http://evil.example",
    "sec-fetch-site": "cross-site",
  });
  assert.equal(status, 400);
  assert.equal(await roleOf(chat, "ivo@example.com"), undefined);
});

Deno.test("with confirmation required and no email, nobody joins by link and no email is claimed", async () => {
  await using chat = await startChat();
  const { path } = await createLink(chat);
  assert.equal((await visitPages(chat).get(path)).status, 200);
  const changed = await chat.call(chat.owner, "PATCH /realm", { email_confirmation: "required" });
  assert.equal(changed.status, 200);
  for (
    const { status, html } of [await visitPages(chat).get(path), await join(chat, path, "ivo@example.com")]
  ) {
    assert.deepEqual([status, titleOf(html)], [404, "This link cannot be used now"]);
    assert.match(html, /this server sends no email/);
  }
  assert.deepEqual(await chat.mails(), []);
  assert.equal(await roleOf(chat, "ivo@example.com"), undefined);
});

Deno.test("addresses of bots cannot join, and one that was taken keeps no bot away", async () => {
  await using chat = await startChat();
  const { path } = await createLink(chat);
  for (const email of ["notification-bot@localhost", "Deploy-bot@LOCALHOST"]) {
    const { status, html } = await join(chat, path, email);
    assert.equal(status, 400);
    assert.ok(html.includes("Please use your real email address."));
  }
  const taken = { email: "notification-bot@localhost", full_name: "Squatter", password: JOIN_PASSWORD };
  assert.equal((await chat.call(chat.owner, "POST /users", taken)).status, 200);
  assert.equal((await chat.call(chat.member, "POST /register")).status, 200);
});

Deno.test("where tokens sign people in, nobody joins with an address that is not confirmed", async () => {
  const key = { key: "a secret that is long enough for signing", algorithms: ["HS256"] };
  await using chat = await startChat({ env: { JWT_AUTH_KEYS: JSON.stringify({ "": key }) } });
  const { path } = await createLink(chat);
  assert.equal((await join(chat, path, "boss@example.com")).status, 404);
  await alterSettings(chat, { email_confirmation: "not_required" });
  assert.equal((await join(chat, path, "boss@example.com")).status, 303);
});

Deno.test("a form that is not filled in does not count towards the limit of a link", async () => {
  const limits = { join_link: { points: 1, seconds: 60 } };
  await using chat = await startChat({ env: { RATE_LIMITS: JSON.stringify(limits) } });
  const { path } = await createLink(chat);
  for (const email of ["", "ivo@"]) assert.equal((await join(chat, path, email)).status, 400);
  assert.equal((await join(chat, path, "ivo@example.com")).status, 303);
  assert.equal((await join(chat, path, "jun@example.com")).status, 429);
});
