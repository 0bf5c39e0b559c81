import assert from "node:assert/strict";
import {
  assertRefused,
  inviteAddress,
  inviteAddresses,
  listInvites,
  setPermission,
} from "@/tests/casts/invites_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";

Deno.test("POST /invites invites an address, lists it and mails it (B-inv-01, B-inv-34)", async () => {
  await using chat = await startChat();
  const { status, body } = await inviteAddresses(chat, chat.member, "New1@example.com");
  assert.deepEqual({ status, body }, { status: 200, body: { result: "success", msg: "" } });
  const now = chat.clock.now() / 1000;
  assert.deepEqual(await listInvites(chat, chat.member), [{
    id: 1,
    invited_by_user_id: chat.member.id,
    invited: now,
    expiry_date: now + 14400 * 60,
    invited_as: 400,
    notify_referrer_on_join: true,
    email: "New1@example.com",
    is_multiuse: false,
  }]);
  const [mail, ...more] = await chat.mails();
  assert.equal(more.length, 0);
  assert.deepEqual(mail?.to, [{ name: "", address: "New1@example.com" }]);
  assert.equal(mail?.subject, "Invitation to join Gardeners");
  assert.match(mail?.text ?? "", /Member \(member@example\.com\) invites you to join Gardeners\./);
  assert.match(mail?.text ?? "", /http:\/\/localhost:8000\/join\/i1-[a-z2-7]{32}\n/);
  assert.match(mail?.text ?? "", /until December 1, 2026 at 11:00\sAM UTC/);
});

Deno.test("POST /invites sends events to administrators and the inviter and reports unknown parameters", async () => {
  await using chat = await startChat();
  await inviteAddresses(chat, chat.member, "a@example.com");
  assert.deepEqual(await chat.events(), [
    { event: { type: "invites_changed" }, audience: "admins" },
    { event: { type: "invites_changed" }, audience: [chat.member.id] },
  ]);
  const { body } = await inviteAddresses(chat, chat.admin, "b@example.com", { color: "red" });
  assert.deepEqual(body["ignored_parameters_unsupported"], ["color"]);
  assert.deepEqual(await chat.events(), [{ event: { type: "invites_changed" }, audience: "admins" }]);
});

Deno.test("POST /invites refuses anonymous requests, bots and guests (B-inv-17, B-inv-35)", async () => {
  await using chat = await startChat();
  const anonymous = await inviteAddresses(chat, null, "a@example.com");
  assert.equal(anonymous.status, 401);
  assert.equal(anonymous.body["code"], "UNAUTHORIZED");
  assert.ok(anonymous.headers.has("www-authenticate"));
  const bot = await chat.call(chat.bot, "POST /invites");
  assertRefused(bot, "BAD_REQUEST", "This endpoint does not accept bot requests.");
  assertRefused(
    await chat.call(chat.guest, "POST /invites"),
    "BAD_REQUEST",
    "Not allowed for guest users",
  );
  assert.deepEqual(await chat.events(), []);
});

Deno.test("POST /invites refuses missing and invalid parameters (B-inv-03, B-inv-04, B-inv-23, B-inv-32)", async () => {
  await using chat = await startChat();
  const missing = await chat.call(chat.member, "POST /invites", { stream_ids: [] });
  assert.deepEqual(missing.body, {
    result: "error",
    msg: "Missing 'invitee_emails' argument",
    code: "REQUEST_VARIABLE_MISSING",
    var_name: "invitee_emails",
  });
  const noChannels = await chat.call(chat.member, "POST /invites", { invitee_emails: "a@example.com" });
  assertRefused(noChannels, "REQUEST_VARIABLE_MISSING", "Missing 'stream_ids' argument");
  const refusals: [Record<string, unknown>, string][] = [
    [{ invite_as: "10" }, "Invalid invite_as: Value error, Not in the list of possible values"],
    [{ invite_as: '"400"' }, "invite_as is not an integer"],
    [{ stream_ids: "x" }, "stream_ids is not valid JSON"],
    [{ stream_ids: "[1,2.5]" }, "stream_ids[1] is not an integer"],
    [{ group_ids: "{}" }, "group_ids is not a list"],
    [{ group_ids: Array(501).fill(1) }, "group_ids is too large"],
    [{ invite_expires_in_minutes: "1.5" }, "invite_expires_in_minutes is not an integer"],
    [{ invite_expires_in_minutes: 1e8 }, "invite_expires_in_minutes is too large"],
    [{ include_realm_default_subscriptions: "yes" }, "include_realm_default_subscriptions is not valid JSON"],
    [{ notify_referrer_on_join: "1" }, "notify_referrer_on_join is not a boolean"],
    [
      { welcome_message_custom_text: "x".repeat(8001) },
      "welcome_message_custom_text is too long (limit: 8000 characters)",
    ],
  ];
  for (const [sent, msg] of refusals) {
    assertRefused(await inviteAddresses(chat, chat.admin, "a@example.com", sent), "BAD_REQUEST", msg);
  }
  assert.deepEqual(await listInvites(chat, chat.admin), []);
  assert.deepEqual(await chat.mails(), []);
});

Deno.test("POST /invites refuses an empty list and ignores one that contains only separators (B-inv-02)", async () => {
  await using chat = await startChat();
  const msg = "You must specify at least one email address.";
  assertRefused(await inviteAddresses(chat, chat.member, ""), "BAD_REQUEST", msg);
  assert.equal((await inviteAddresses(chat, chat.member, " ,\n;\r\n")).status, 200);
  assert.deepEqual(await listInvites(chat, chat.member), []);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("POST /invites accepts pasted lists of addresses (B-inv-05, B-inv-06, B-inv-08)", async () => {
  await using chat = await startChat();
  await inviteAddresses(
    chat,
    chat.member,
    "bob@x.example.com,     carol@x.example.com,\n   dave@x.example.com\n\n\nearl@x.example.com",
  );
  await inviteAddresses(
    chat,
    chat.member,
    "Email One <a1@example.com>,EmailTwo<a2@example.com>\na3@example.com",
  );
  await inviteAddresses(chat, chat.member, "x@example.com,");
  const emails = (await listInvites(chat, chat.member)).map(({ email }) => email);
  assert.deepEqual(emails, [
    ...["bob", "carol", "dave", "earl"].map((name) => `${name}@x.example.com`),
    ...["a1", "a2", "a3", "x"].map((name) => `${name}@example.com`),
  ]);
  assert.equal((await chat.mails()).length, 8);
});

Deno.test("POST /invites creates a new invitation each time an address is invited again", async () => {
  await using chat = await startChat();
  await inviteAddresses(chat, chat.member, "a@example.com, A@example.com");
  await inviteAddresses(chat, chat.admin, "A@EXAMPLE.com");
  const items = await listInvites(chat, chat.admin);
  assert.deepEqual(items.map(({ email }) => email), ["a@example.com", "A@EXAMPLE.com"]);
  assert.equal((await chat.mails()).length, 2);
});

Deno.test("POST /invites requires the permission to invite (B-inv-18)", async () => {
  await using chat = await startChat();
  await setPermission(chat, "can_invite_users_group", "role:administrators");
  const refused = await inviteAddresses(chat, chat.member, "", { invite_as: 100, stream_ids: [9] });
  assertRefused(refused, "BAD_REQUEST", "Insufficient permission");
  assert.equal((await inviteAddresses(chat, chat.admin, "a@example.com")).status, 200);
});

Deno.test("POST /invites allows the caller's own role or a more restricted one (B-inv-20, B-inv-22)", async () => {
  await using chat = await startChat();
  const people = { owner: 100, admin: 200, moderator: 300, member: 400 } as const;
  for (const [name, own] of Object.entries(people)) {
    const user = chat[
      name === "owner" ? "owner" : name === "admin" ? "admin" : name === "moderator" ? "moderator" : "member"
    ];
    for (const role of [100, 200, 300, 400, 600]) {
      const answer = await inviteAddresses(chat, user, `${name}${role}@example.com`, { invite_as: role });
      if (role >= own) {
        assert.equal(answer.status, 200, `${name} ${role}`);
      } else if (role === 100) {
        assertRefused(answer, "UNAUTHORIZED_PRINCIPAL", "Must be an organization owner");
      } else assertRefused(answer, "BAD_REQUEST", "Must be an organization administrator");
    }
  }
  const roles = (await listInvites(chat, chat.member)).map(({ invited_as }) => invited_as);
  assert.deepEqual(roles, [400, 600]);
});

Deno.test("POST /invites creates invitations that never expire for null and expired ones for 0 and less (B-inv-33)", async () => {
  await using chat = await startChat();
  await inviteAddress(chat, chat.member, "ever@example.com", { invite_expires_in_minutes: null });
  for (const minutes of [0, -5, -99_999_999]) {
    const answer = await inviteAddresses(chat, chat.member, "gone@example.com", {
      invite_expires_in_minutes: minutes,
    });
    assert.equal(answer.status, 200);
  }
  const items = await listInvites(chat, chat.member);
  assert.deepEqual(items.map(({ email, expiry_date }) => [email, expiry_date]), [["ever@example.com", null]]);
  assert.equal((await chat.mails()).length, 1);
});

Deno.test("POST /invites uses the operator's default validity", async () => {
  await using chat = await startChat({ env: { INVITATION_LINK_VALIDITY_MINUTES: "30" } });
  await inviteAddress(chat, chat.member, "a@example.com");
  const [item] = await listInvites(chat, chat.member);
  assert.equal(item?.["expiry_date"] - item?.["invited"], 30 * 60);
});
