import assert from "node:assert/strict";
import { getNotificationBot } from "@/lib/chat/people/put_user.ts";
import {
  assertRefused,
  inviteAddresses,
  listInvites,
  makeChannel,
  setPermission,
} from "@/tests/casts/invites_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { alterSettings } from "@/tests/helpers/realm.ts";

const NOT_VALIDATED = "Some emails did not validate, so we didn't send any invitations.";

Deno.test("POST /invites reports only the first problem, in the order of its checks", async () => {
  await using chat = await startChat({
    env: { RATE_LIMITS: JSON.stringify({ invitations: { points: 1, seconds: 86400 } }) },
  });
  const channel = await makeChannel(chat, chat.owner, "garden");
  await setPermission(chat, "can_add_subscribers_group", "role:administrators");
  const all = {
    invite_as: 100,
    stream_ids: [99999999],
    group_ids: [99999999],
    welcome_message_custom_text: "hi",
  };
  const attempt = (sent: object, emails = "bad, worse") =>
    inviteAddresses(chat, chat.member, emails, { ...all, ...sent });
  assertRefused(await attempt({}, ""), "UNAUTHORIZED_PRINCIPAL", "Must be an organization owner");
  assertRefused(
    await attempt({ invite_as: 200 }, ""),
    "BAD_REQUEST",
    "Must be an organization administrator",
  );
  const role = { invite_as: 400 };
  assertRefused(await attempt(role, ""), "BAD_REQUEST", "You must specify at least one email address.");
  assertRefused(await attempt(role), "BAD_REQUEST", "Invalid channel ID 99999999. No invites were sent.");
  assertRefused(
    await attempt({ ...role, stream_ids: [channel] }),
    "BAD_REQUEST",
    "You do not have permission to subscribe other users to channels.",
  );
  const noChannels = { ...role, stream_ids: [] };
  assertRefused(await attempt(noChannels), "BAD_REQUEST", "Invalid user group");
  const noGroups = { ...noChannels, group_ids: [] };
  assertRefused(await attempt(noGroups), "BAD_REQUEST", "Must be an organization administrator");
  const limited = await inviteAddresses(chat, chat.member, "bad, worse");
  assert.match(limited.body["msg"], /^To protect users, Sotto limits the number of invitations/);
  assert.equal((await inviteAddresses(chat, chat.member, "bad")).body["msg"], NOT_VALIDATED);
  assert.deepEqual(await listInvites(chat, chat.owner), []);
  assert.deepEqual(await chat.mails(), []);
});

Deno.test("POST /invites refuses unknown, archived, inaccessible and foreign channels by id (B-inv-24)", async () => {
  await using chat = await startChat();
  const secret = await makeChannel(chat, chat.owner, "secret", { invite_only: true });
  const old = await makeChannel(chat, chat.owner, "old");
  await chat.call(chat.owner, `DELETE /streams/${old}`);
  const foreign = await makeChannel(chat, chat.outsider, "foreign");
  const open = await makeChannel(chat, chat.owner, "open");
  for (const id of [99999999, -1, 9007199254740991, secret, old, foreign]) {
    const answer = await inviteAddresses(chat, chat.member, "a@example.com", { stream_ids: [open, id] });
    assertRefused(answer, "BAD_REQUEST", `Invalid channel ID ${id}. No invites were sent.`);
  }
  const sent = { stream_ids: [open, secret] };
  assert.equal((await inviteAddresses(chat, chat.owner, "a@example.com", sent)).status, 200);
});

Deno.test("POST /invites accepts default channels and those to which the caller may subscribe others (B-inv-26)", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, chat.owner, "garden");
  const own = await makeChannel(chat, chat.member, "own");
  await setPermission(chat, "can_add_subscribers_group", "role:administrators");
  const attempt = (id: number) => inviteAddresses(chat, chat.member, "a@example.com", { stream_ids: [id] });
  const msg = "You do not have permission to subscribe other users to channels.";
  assertRefused(await attempt(channel), "BAD_REQUEST", msg);
  assert.equal((await attempt(own)).status, 200);
  assert.equal(
    (await inviteAddresses(chat, chat.admin, "b@example.com", { stream_ids: [channel] })).status,
    200,
  );
  await chat.call(chat.owner, "POST /default_streams", { stream_id: channel });
  assert.equal((await attempt(channel)).status, 200);
});

Deno.test("POST /invites refuses groups to which the caller may not add members (B-inv-28, B-inv-29)", async () => {
  await using chat = await startChat();
  const makeGroup = async (name: string, sent: object = {}) =>
    (await chat.call(chat.owner, "POST /user_groups/create", { name, description: "", members: [], ...sent }))
      .body["group_id"];
  const closed = await makeGroup("closed");
  const open = await makeGroup("open", {
    can_add_members_group: { direct_members: [chat.member.id], direct_subgroups: [] },
  });
  const gone = await makeGroup("gone");
  await chat.call(chat.owner, `POST /user_groups/${gone}/deactivate`);
  const { body } = await chat.call(chat.owner, "GET /user_groups");
  const system = body["user_groups"].find((group: { name: string }) => group.name === "role:members").id;
  const attempt = (id: number, user = chat.member) =>
    inviteAddresses(chat, user, "a@example.com", { group_ids: [id] });
  assertRefused(await attempt(99999999, chat.admin), "BAD_REQUEST", "Invalid user group");
  assertRefused(await attempt(gone, chat.owner), "BAD_REQUEST", "Invalid user group");
  assertRefused(await attempt(system, chat.owner), "BAD_REQUEST", "Insufficient permission");
  assertRefused(await attempt(closed), "BAD_REQUEST", "Insufficient permission");
  assertRefused(
    await inviteAddresses(chat, chat.outsider, "a@example.com", { group_ids: [open] }),
    "BAD_REQUEST",
    "Invalid user group",
  );
  assert.equal((await attempt(open)).status, 200);
});

Deno.test("POST /invites accepts a welcome text only from administrators, even an empty one (B-inv-31)", async () => {
  await using chat = await startChat();
  const attempt = (text: unknown, user = chat.member) =>
    inviteAddresses(chat, user, "a@example.com", { welcome_message_custom_text: text });
  const msg = "Must be an organization administrator";
  assertRefused(await attempt("hi"), "BAD_REQUEST", msg);
  assertRefused(await attempt(""), "BAD_REQUEST", msg);
  assert.equal((await attempt(null)).status, 200);
  assert.equal((await attempt("", chat.admin)).status, 200);
  assert.equal((await attempt("🌱".repeat(8000), chat.admin)).status, 200);
});

Deno.test("POST /invites invites no address if one is invalid, and reports existing accounts too (B-inv-13)", async () => {
  await using chat = await startChat();
  const { status, body } = await inviteAddresses(
    chat,
    chat.member,
    "Member@example.com, bad, fine@example.com, a b@example.com",
  );
  assert.equal(status, 400);
  assert.deepEqual(body, {
    result: "error",
    msg: NOT_VALIDATED,
    code: "INVITATION_FAILED",
    errors: [
      ["bad", "Invalid address.", false],
      ["a b@example.com", "Invalid address.", false],
      ["Member@example.com", "Already has an account.", false],
    ],
    sent_invitations: false,
    license_limit_reached: false,
    daily_limit_reached: false,
  });
  assert.deepEqual(await listInvites(chat, chat.owner), []);
  assert.deepEqual(await chat.mails(), []);
});

Deno.test("POST /invites skips addresses with an account and invites the others", async () => {
  await using chat = await startChat();
  const system = await getNotificationBot(chat.services.chat, chat.realm);
  await chat.call(chat.owner, `DELETE /users/${chat.moderator.id}`);
  const taken = `${chat.moderator.email}, MEMBER@example.com, ${system.delivery_email}, ${chat.bot.email}`;
  const some = await inviteAddresses(
    chat,
    chat.member,
    `new@example.com, MEMBER@example.com, ${chat.moderator.email}`,
  );
  assert.deepEqual(some.body, {
    result: "error",
    msg: "Some of those addresses are already using Sotto, so we didn't send them an invitation. " +
      "We did send invitations to everyone else!",
    code: "INVITATION_FAILED",
    errors: [
      ["MEMBER@example.com", "Already has an account.", false],
      [chat.moderator.email, "Account has been deactivated.", true],
    ],
    sent_invitations: true,
    license_limit_reached: false,
    daily_limit_reached: false,
  });
  assert.deepEqual((await listInvites(chat, chat.member)).map(({ email }) => email), ["new@example.com"]);
  const none = await inviteAddresses(chat, chat.member, taken);
  assert.equal(none.body["msg"], "We weren't able to invite anyone.");
  assert.equal(none.body["sent_invitations"], false);
  assert.deepEqual(none.body["errors"].map((problem: unknown[]) => problem.slice(1)), [
    ["Account has been deactivated.", true],
    ["Already has an account.", false],
    ["Reserved for system bots.", false],
    ["Already has an account.", false],
  ]);
  assert.equal((await chat.mails()).length, 1);
});

Deno.test("POST /invites ignores accounts of other organizations", async () => {
  await using chat = await startChat();
  assert.equal((await inviteAddresses(chat, chat.member, chat.outsider.email)).status, 200);
  assert.deepEqual(await listInvites(chat, chat.outsider), []);
});

Deno.test("POST /invites refuses addresses outside the organization's domains", async () => {
  await using chat = await startChat();
  await alterSettings(chat, {
    emails_restricted_to_domains: true,
    domains: [{ domain: "garden.example", allow_subdomains: true }],
  });
  const { body } = await inviteAddresses(
    chat,
    chat.member,
    "a@shed.GARDEN.example, b@garden.example.org, c+d@garden.example",
  );
  assert.deepEqual(body["errors"], [
    ["b@garden.example.org", "Outside your domain.", false],
    ["c+d@garden.example", "Email addresses containing + are not allowed.", false],
  ]);
  assert.equal((await inviteAddresses(chat, chat.member, "a@shed.GARDEN.example")).status, 200);
});

Deno.test("POST /invites refuses disposable addresses", async () => {
  await using chat = await startChat();
  const { body } = await inviteAddresses(chat, chat.member, "a@mailinator.com");
  assert.deepEqual(body["errors"], [["a@mailinator.com", "Please use your real email address.", false]]);
});

Deno.test("POST /invites refuses hosts with a single label, except localhost", async () => {
  await using chat = await startChat();
  const { body } = await inviteAddresses(chat, chat.member, "ann@example, bob@localhost");
  assert.equal(body["code"], "INVITATION_FAILED");
  assert.deepEqual(body["errors"], [["ann@example", "Invalid address.", false]]);
  assert.equal((await inviteAddresses(chat, chat.member, "bob@localhost")).status, 200);
});

Deno.test("POST /invites refuses hostile lists and more than 5,000 addresses", async () => {
  await using chat = await startChat();
  const hostile = [
    "<".repeat(20_000),
    '"'.repeat(20_000),
    "a".repeat(20_000) + "@x",
    "(".repeat(20_000),
    "a@b\0c.com",
  ];
  for (const text of hostile) {
    const { body } = await inviteAddresses(chat, chat.member, text);
    assert.equal(body["code"], "INVITATION_FAILED");
    assert.equal(body["errors"][0][1], "Invalid address.");
  }
  const many = Array.from({ length: 5001 }, (_, at) => `a${at}@x.example`).join();
  assertRefused(
    await inviteAddresses(chat, chat.member, many),
    "BAD_REQUEST",
    "You can invite 5000 people at once at most.",
  );
});

Deno.test("POST /invites prevents header injection by addresses and names", async () => {
  await using chat = await startChat();
  const { body } = await inviteAddresses(
    chat,
    chat.member,
    "a@example.com%0d%0aBcc:x@example.com, a@example.com\\nBcc: x@y.z",
  );
  assert.equal(body["code"], "INVITATION_FAILED");
  assert.deepEqual(await chat.mails(), []);
  assert.equal((await inviteAddresses(chat, chat.member, "Bcc: x@y.example <a@example.com>")).status, 200);
  const [mail] = await chat.mails();
  assert.equal(mail?.bcc, undefined);
  assert.deepEqual(mail?.to, [{ name: "", address: "a@example.com" }]);
});
