import assert from "node:assert/strict";
import { readRealmBySubdomain } from "@/lib/chat/organization/organizations/model.ts";
import { confirmEmailChange } from "@/lib/chat/people/user_settings/change_account.ts";
import {
  type ApiResponse,
  startChat,
  type TestChat,
  type TestParams,
  type TestUser,
} from "@/tests/helpers/chat.ts";

// Rules for joining and for addresses: PATCH /realm, POST /users, PATCH /users/{user} and PATCH /settings.

const PASSWORD = "seven quiet lanterns";
const DISPOSABLE = "visitor@mailinator.com";

async function restrict(chat: TestChat, ...domains: [string, boolean][]): Promise<void> {
  for (const [domain, allow_subdomains] of domains) {
    const { body } = await chat.call(chat.owner, "POST /realm/domains", { domain, allow_subdomains });
    assert.equal(body.msg, "");
  }
  const { status } = await chat.call(chat.owner, "PATCH /realm", { emails_restricted_to_domains: true });
  assert.equal(status, 200);
}

function create(chat: TestChat, email: string): Promise<ApiResponse> {
  return chat.call(chat.admin, "POST /users", { email, password: PASSWORD, full_name: "Visitor" });
}

async function refusalOf(call: Promise<ApiResponse>): Promise<string> {
  const { status, body } = await call;
  assert.deepEqual([status, body.code], [400, "BAD_REQUEST"], JSON.stringify(body));
  return body.msg;
}

async function registerRealm(chat: TestChat, user: TestUser): Promise<TestParams> {
  return (await chat.call(user, "POST /register", { fetch_event_types: ["realm"] })).body;
}

Deno.test("PATCH /realm changes the rules for joining and the welcome message and sends them to all users", async () => {
  await using chat = await startChat();
  const before = await registerRealm(chat, chat.guest);
  assert.equal(before["realm_emails_restricted_to_domains"], false);
  assert.equal(before["realm_disallow_disposable_email_addresses"], true);
  assert.equal(before["realm_welcome_message_custom_text"], "");
  const sent = {
    emails_restricted_to_domains: true,
    disallow_disposable_email_addresses: false,
    welcome_message_custom_text: "🌱".repeat(8000),
  };
  const { status, body } = await chat.call(chat.owner, "PATCH /realm", sent);
  assert.deepEqual([status, body], [200, { result: "success", msg: "" }]);
  assert.deepEqual(await chat.events(), [{
    event: { type: "realm", op: "update_dict", property: "default", data: sent },
    audience: "everyone",
  }]);
  const after = await registerRealm(chat, chat.guest);
  for (const [name, value] of Object.entries(sent)) assert.equal(after[`realm_${name}`], value);
  assert.equal((await chat.call(chat.owner, "PATCH /realm", sent)).status, 200);
  assert.deepEqual(await chat.events(), []);
  const none = { welcome_message_custom_text: "" };
  assert.equal((await chat.call(chat.admin, "PATCH /realm", none)).status, 200);
  const [update] = await chat.events();
  assert.deepEqual(update?.event["data"], none);
});

Deno.test("PATCH /realm lets only owners change the rules for joining and refuses invalid values", async () => {
  await using chat = await startChat();
  for (const name of ["emails_restricted_to_domains", "disallow_disposable_email_addresses"]) {
    const { body } = await chat.call(chat.admin, "PATCH /realm", { [name]: true });
    assert.deepEqual([body.code, body.msg], ["UNAUTHORIZED_PRINCIPAL", "Must be an organization owner"]);
    const bad = chat.call(chat.owner, "PATCH /realm", { [name]: 1 });
    assert.equal(await refusalOf(bad), `${name} is not a boolean`);
  }
  const long = { welcome_message_custom_text: "🌱".repeat(8001), name: "New" };
  assert.equal(
    await refusalOf(chat.call(chat.admin, "PATCH /realm", long)),
    "welcome_message_custom_text is too long (limit: 8000 characters)",
  );
  const { body } = await chat.call(chat.moderator, "PATCH /realm", { welcome_message_custom_text: "Hi" });
  assert.equal(body.msg, "Must be an organization administrator");
  assert.deepEqual(await chat.events(), []);
});

Deno.test("POST /users refuses an address outside the organization's domains", async () => {
  await using chat = await startChat();
  await restrict(chat, ["example.com", false], ["bücher.example", true]);
  await chat.events();
  for (const email of ["new@example.org", "new@sub.example.com", "new@notbücher.example"]) {
    assert.equal(await refusalOf(create(chat, email)), `Email '${email}' not allowed in this organization`);
  }
  const plus = await refusalOf(create(chat, "new+1@example.com"));
  assert.equal(plus, "Email addresses containing + are not allowed.");
  assert.deepEqual(await chat.events(), []);
  for (const email of ["new@EXAMPLE.com", "a@Bücher.example", "a@deep.sub.xn--bcher-kva.example"]) {
    assert.equal((await create(chat, email)).status, 200);
  }
});

Deno.test("a restriction without domains keeps everyone from joining, in this organization only", async () => {
  await using chat = await startChat();
  await restrict(chat);
  const email = "new@example.com";
  assert.equal(await refusalOf(create(chat, email)), `Email '${email}' not allowed in this organization`);
  const created = await chat.call(chat.outsider, "POST /users", {
    email,
    password: PASSWORD,
    full_name: "New",
  });
  assert.equal(created.status, 200);
});

Deno.test("disposable addresses are refused unless the organization allows them", async () => {
  await using chat = await startChat();
  assert.equal(
    await refusalOf(create(chat, DISPOSABLE)),
    "Disposable email addresses are not allowed in this organization",
  );
  const real = "Please use your real email address.";
  const change = { new_email: DISPOSABLE };
  assert.equal(await refusalOf(chat.call(chat.admin, `PATCH /users/${chat.member.id}`, change)), real);
  const own = { email: DISPOSABLE };
  assert.equal(await refusalOf(chat.call(chat.member, "PATCH /settings", own)), real);
  assert.deepEqual(await chat.events(), []);
  assert.deepEqual(await chat.mails(), []);
  const allowed = { disallow_disposable_email_addresses: false };
  assert.equal((await chat.call(chat.owner, "PATCH /realm", allowed)).status, 200);
  assert.equal((await create(chat, DISPOSABLE)).status, 200);
});

Deno.test("a changed address has to be in the organization's domains; existing addresses stay valid", async () => {
  await using chat = await startChat();
  await restrict(chat, ["example.org", false]);
  const patch = (new_email: string) =>
    chat.call(chat.admin, `PATCH /users/${chat.member.id}`, { new_email, full_name: "New name" });
  await chat.events();
  assert.equal(await refusalOf(patch("new@example.com")), "Outside your domain.");
  const plus = "Email addresses containing + are not allowed.";
  assert.equal(await refusalOf(patch("new+1@example.org")), plus);
  assert.equal(
    await refusalOf(chat.call(chat.guest, "PATCH /settings", { email: "g@example.com" })),
    "Outside your domain.",
  );
  assert.deepEqual(await chat.events(), []);
  assert.equal((await patch(chat.member.email)).status, 200);
  assert.equal((await patch("new@example.org")).status, 200);
  const bot = { full_name: "Robot", short_name: "robot" };
  assert.equal((await chat.call(chat.admin, "POST /bots", bot)).status, 200);
});

Deno.test("confirmEmailChange() refuses an address that the organization no longer allows", async () => {
  await using chat = await startChat();
  const asked = await chat.call(chat.member, "PATCH /settings", { email: "new@example.net" });
  assert.equal(asked.status, 200);
  const mail = (await chat.mails()).at(-1);
  const token = /\/account\/confirm-email\/([a-z2-7]{32})/.exec(mail?.text ?? "")?.[1];
  assert.ok(token !== undefined, mail?.text ?? "");
  await restrict(chat, ["example.com", false]);
  const realm = await readRealmBySubdomain(chat.services.chat, "");
  assert.ok(realm !== null);
  assert.equal(await confirmEmailChange(chat.services.chat, realm, token), null);
});
