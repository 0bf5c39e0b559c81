import assert from "node:assert/strict";
import { confirmEmailChange } from "@/lib/chat/people/user_settings/change_account.ts";
import { readPendingEmail } from "@/lib/chat/people/user_settings/store.ts";
import { EMAIL_LINK_LIFETIME_MS } from "@/lib/chat/people/user_settings/model/settings.ts";
import { getUser, readUser } from "@/lib/chat/organization/users/store.ts";
import { putUser } from "@/lib/chat/people/put_user.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { transact } from "@/lib/store/transact.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { alterSettings } from "@/tests/helpers/realm.ts";

const PATCH = "PATCH /settings";
const NEW = "new.address@example.com";
const GONE = 404;

async function readPerson(chat: TestChat, { id, realm }: TestUser): Promise<UserRecord> {
  const user = await readUser(chat.services.chat, realm.id, id);
  assert.ok(user !== null);
  return user;
}

async function change(chat: TestChat, { id }: TestUser, changes: Partial<UserRecord>): Promise<void> {
  await transact(chat.services.store, async (tx) => {
    await putUser(tx, chat.realm.id, { ...await getUser(tx, chat.realm.id, id), ...changes });
  });
}

/** Returns the path of the link in the last mail to an address. */
async function linkTo(chat: TestChat, address: string): Promise<string> {
  const mail = (await chat.mails()).filter(({ to }) =>
    to?.[0]?.address?.toLowerCase() === address.toLowerCase()
  ).at(-1);
  const path = /\/account\/confirm-email\/[a-z2-7]{32}/.exec(mail?.text ?? "")?.[0];
  assert.ok(path !== undefined, mail?.text ?? "");
  assert.ok(mail?.html?.includes(path));
  return path;
}

async function ask(chat: TestChat, address = NEW): Promise<string> {
  const { status, body } = await chat.call(chat.member, PATCH, { email: address });
  assert.deepEqual([status, body], [200, { result: "success", msg: "" }]);
  return await linkTo(chat, address);
}

function toBody(method: string): RequestInit {
  return method === "POST" ? { body: new URLSearchParams() } : {};
}

async function follow(
  chat: TestChat,
  path: string,
  method = "GET",
  host?: string,
): Promise<[number, string]> {
  const headers = { accept: "text/html", "sec-fetch-site": "same-origin" };
  const response = await chat.request(path, { method, headers, ...toBody(method) }, host);
  return [response.status, await response.text()];
}

Deno.test("confirming an address by its link changes it once and notifies the old address", async () => {
  await using chat = await startChat();
  const { member } = chat;
  const path = await ask(chat);
  const [mail] = await chat.mails();
  assert.equal(mail?.subject, "Confirm your new email address for Gardeners");
  assert.ok(mail?.text?.includes(`http://localhost:8000${path}`));
  assert.ok(!mail?.text?.includes("Member"), "no words of the sender's go to an address that is nobody's");
  const before = await readPerson(chat, member);
  assert.equal(before.delivery_email, member.email);
  assert.equal(await readPendingEmail(chat.services.chat, chat.realm.id, before), NEW);
  assert.deepEqual(await chat.events(), []);

  assert.ok((await follow(chat, path))[1].includes(NEW));
  assert.deepEqual(await readPerson(chat, member), before);
  const [status, html] = await follow(chat, path, "POST");
  assert.equal(status, 200);
  assert.ok(html.includes("Email address confirmed") && html.includes(NEW));
  const after = await readPerson(chat, member);
  assert.deepEqual(after, { ...before, delivery_email: NEW, session_epoch: before.session_epoch + 1 });
  assert.equal(await readPendingEmail(chat.services.chat, chat.realm.id, after), null);
  const toReceived = (news: object) => ({
    event: { type: "realm_user", op: "update", person: { user_id: member.id, ...news } },
    audience: "everyone",
  });
  assert.deepEqual(await chat.events(), [
    toReceived({ delivery_email: NEW }),
    toReceived({ new_email: NEW }),
  ]);
  const notice = (await chat.mails()).find(({ to }) => to?.[0]?.address === member.email);
  assert.equal(notice?.subject, "Your email address at Gardeners was changed");
  assert.ok(notice?.text?.includes(NEW));
  assert.equal((await chat.call({ ...member, email: NEW }, "GET /users/me")).status, 200);
  assert.equal((await chat.call(member, "GET /users/me")).status, 401);

  const [again, text] = await follow(chat, path, "POST");
  assert.equal(again, GONE);
  assert.ok(text.includes("This link no longer works") && !text.includes(NEW));
  assert.equal((await chat.mails()).length, 2);
});

Deno.test("GET and HEAD requests and unknown links change nothing", async () => {
  await using chat = await startChat();
  const path = await ask(chat);
  assert.deepEqual(await follow(chat, path, "HEAD"), [200, ""]);
  assert.equal((await readPerson(chat, chat.member)).delivery_email, chat.member.email);
  for (
    const other of [
      `${path}a`,
      path.slice(0, -1),
      "/account/confirm-email/%F0%9F",
      "/account/confirm-email/x",
    ]
  ) {
    for (const method of ["GET", "POST"]) {
      assert.ok([400, GONE].includes((await follow(chat, other, method))[0]), other);
    }
  }
  assert.equal((await follow(chat, path, "GET", "other.localhost:8000"))[0], GONE);
  assert.equal((await follow(chat, path, "PUT"))[0], 405);
  assert.equal((await follow(chat, path))[0], 200);
  assert.equal((await readPerson(chat, chat.member)).delivery_email, chat.member.email);
});

const INVALIDATIONS: readonly [reason: string, invalidate: (chat: TestChat) => Promise<unknown>][] = [
  ["a day has passed", (chat) => Promise.resolve(chat.clock.time += EMAIL_LINK_LIFETIME_MS)],
  [
    "another account took the address",
    (chat) => change(chat, chat.guest, { delivery_email: NEW.toUpperCase() }),
  ],
  ["the account was deactivated", (chat) => change(chat, chat.member, { is_active: false })],
  ["sessions have ended, as with a new password", (chat) => change(chat, chat.member, { session_epoch: 2 })],
  ["address changes are disabled", (chat) => alterSettings(chat, { email_changes_disabled: true })],
  ["another address has been requested", (chat) => ask(chat, "third@example.com")],
];

for (const [reason, invalidate] of INVALIDATIONS) {
  Deno.test(`the link no longer works when ${reason}`, async () => {
    await using chat = await startChat();
    const path = await ask(chat);
    await invalidate(chat);
    await chat.events();
    for (const method of ["GET", "POST"]) assert.equal((await follow(chat, path, method))[0], GONE);
    assert.equal((await readPerson(chat, chat.member)).delivery_email, chat.member.email);
    assert.deepEqual(await chat.events(), []);
  });
}

Deno.test("only one of several parallel requests for a link changes the address", async () => {
  await using chat = await startChat();
  const token = (await ask(chat)).split("/").at(-1) ?? "";
  const all = Array.from({ length: 8 }, () => confirmEmailChange(chat.services.chat, chat.realm, token));
  const done = await Promise.all(all);
  assert.deepEqual(done.filter((address) => address !== null), [NEW]);
  assert.equal((await chat.mails()).length, 2);
});

Deno.test("PATCH /settings ignores the current address and accepts it in another case", async () => {
  await using chat = await startChat();
  await alterSettings(chat, { email_changes_disabled: true });
  const { status } = await chat.call(chat.member, PATCH, { email: ` ${chat.member.email} ` });
  assert.deepEqual([status, await chat.mails()], [200, []]);
  await alterSettings(chat, { email_changes_disabled: false });
  const path = await ask(chat, "Member@Example.com");
  assert.equal((await follow(chat, path, "POST"))[0], 200);
  assert.equal((await readPerson(chat, chat.member)).delivery_email, "Member@Example.com");
  assert.equal((await chat.call(chat.member, "GET /users/me")).status, 200);
});

Deno.test("PATCH /settings refuses invalid addresses, sends no mail and changes nothing else", async () => {
  await using chat = await startChat();
  const refusals: [email: string, msg: string][] = [
    ["", "Enter a valid email address."],
    ["nobody", "Enter a valid email address."],
    ["a@example.com\r\nBcc: b@example.com", "Enter a valid email address."],
    ["a@example.com, b@example.com", "Enter a valid email address."],
    ["Ann <a@example.com>", "Enter a valid email address."],
    [`${"a".repeat(250)}@example.com`, "Enter a valid email address."],
    ['"a b"@example.com', "Enter a valid email address."],
    [`user${chat.guest.id}@localhost`, "Please use your real email address."],
    [chat.guest.email, "Email is already in use."],
    [` ${chat.bot.email.toUpperCase()} `, "Email is already in use."],
  ];
  const before = await readPerson(chat, chat.member);
  for (const [email, msg] of refusals) {
    const { status, body } = await chat.call(chat.member, PATCH, {
      email,
      full_name: "Ann",
      timezone: "UTC",
    });
    assert.deepEqual([status, body], [400, { result: "error", msg, code: "BAD_REQUEST" }], email);
  }
  await alterSettings(chat, { email_changes_disabled: true });
  const { body } = await chat.call(chat.member, PATCH, { email: "nobody", full_name: "" });
  assert.equal(body.msg, "Email address changes are disabled in this organization.");
  assert.deepEqual(await readPerson(chat, chat.member), before);
  assert.deepEqual([await chat.mails(), await chat.events()], [[], []]);
  assert.equal((await chat.call(chat.admin, PATCH, { email: NEW })).status, 200);
  assert.equal((await follow(chat, await linkTo(chat, NEW), "POST"))[0], 200);
  // Addresses are unique within an organization.
  assert.equal((await chat.call(chat.outsider, PATCH, { email: chat.member.email })).status, 200);
});

Deno.test("PATCH /settings neither sends nor counts a mail when another parameter is refused", async () => {
  await using chat = await startChat({
    env: { RATE_LIMITS: '{"email_change":{"points":1,"seconds":3600}}' },
  });
  for (const rest of [{ full_name: "Ann*" }, { new_password: "x" }, { default_language: "xx" }]) {
    assert.equal((await chat.call(chat.member, PATCH, { email: NEW, ...rest })).status, 400);
  }
  assert.deepEqual(await chat.mails(), []);
  await ask(chat);
  const { status, body, headers } = await chat.call(chat.member, PATCH, { email: NEW, color_scheme: 2 });
  assert.deepEqual([status, body.code], [429, "RATE_LIMIT_HIT"]);
  assert.ok(body["retry-after"] > 0 && headers.has("retry-after"));
  assert.deepEqual([(await chat.mails()).length, await chat.events()], [1, []]);
  assert.equal((await chat.call(chat.guest, PATCH, { email: "guest2@example.com" })).status, 200);
});

Deno.test("events with a hidden address are only sent to users who can see it", async () => {
  await using chat = await startChat();
  const { member } = chat;
  const placeholder = `user${member.id}@localhost`;
  const toReceived = (audience: unknown, news: object) => ({
    event: { type: "realm_user", op: "update", person: { user_id: member.id, ...news } },
    audience,
  });
  const toSetting = (value: number) => ({
    event: { type: "user_settings", op: "update", property: "email_address_visibility", value },
    audience: [member.id],
  });
  await chat.call(member, PATCH, { email_address_visibility: 3 });
  assert.deepEqual(await chat.events(), [
    toSetting(3),
    toReceived("everyone", { delivery_email: null }),
    toReceived("everyone", { new_email: placeholder }),
    toReceived("admins", { delivery_email: member.email }),
    toReceived([member.id], { delivery_email: member.email }),
  ]);
  assert.equal((await chat.call(member, "GET /users/me")).body.email, placeholder);
  assert.equal((await follow(chat, await ask(chat), "POST"))[0], 200);
  assert.deepEqual(await chat.events(), [
    toReceived("admins", { delivery_email: NEW }),
    toReceived([member.id], { delivery_email: NEW }),
  ]);
  await chat.call({ ...member, email: placeholder }, PATCH, { email_address_visibility: 1 });
  assert.deepEqual(await chat.events(), [
    toSetting(1),
    toReceived("everyone", { delivery_email: NEW }),
    toReceived("everyone", { new_email: NEW }),
  ]);
});
