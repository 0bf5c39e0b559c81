import assert from "node:assert/strict";
import {
  assertRefused,
  createInviteLink,
  listInvites,
  makeChannel,
  setPermission,
} from "@/tests/casts/invites_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";

Deno.test("POST /invites/multiuse creates a link that GET /invites lists (B-mlink-01)", async () => {
  await using chat = await startChat();
  const { status, body } = await chat.call(chat.admin, "POST /invites/multiuse");
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ["result", "msg", "invite_link"]);
  assert.match(body["invite_link"], /^http:\/\/localhost:8000\/join\/m1-[a-z2-7]{32}$/);
  assert.deepEqual(await chat.events(), [{ event: { type: "invites_changed" }, audience: "admins" }]);
  const now = chat.clock.now() / 1000;
  assert.deepEqual(await listInvites(chat, chat.admin), [{
    id: 1,
    invited_by_user_id: chat.admin.id,
    invited: now,
    expiry_date: now + 14400 * 60,
    invited_as: 400,
    notify_referrer_on_join: false,
    link_url: body["invite_link"],
    is_multiuse: true,
  }]);
  assert.deepEqual(await chat.mails(), []);
});

Deno.test("POST /invites/multiuse creates distinct links and reports unknown parameters", async () => {
  await using chat = await startChat();
  const links = new Set<string>();
  for (let count = 0; count < 20; count++) {
    const { body } = await chat.call(chat.admin, "POST /invites/multiuse", { notify_referrer_on_join: true });
    assert.deepEqual(body["ignored_parameters_unsupported"], ["notify_referrer_on_join"]);
    links.add(body["invite_link"].split("-")[1]);
  }
  assert.equal(links.size, 20);
});

Deno.test("POST /invites/multiuse returns a URL of the caller's organization", async () => {
  await using chat = await startChat();
  const { body } = await chat.call(chat.outsider, "POST /invites/multiuse");
  assert.match(body["invite_link"], /^http:\/\/other\.localhost:8000\/join\/m1-/);
  assert.deepEqual(await listInvites(chat, chat.owner), []);
});

Deno.test("POST /invites/multiuse requires the permission to create links (B-mlink-03, B-mlink-04)", async () => {
  await using chat = await startChat();
  const attempt = (sent: Record<string, unknown> = {}, user = chat.member) =>
    chat.call(user, "POST /invites/multiuse", sent);
  assertRefused(await attempt({ invite_as: 100 }), "BAD_REQUEST", "Insufficient permission");
  await setPermission(chat, "create_multiuse_invite_group", "role:members");
  assert.equal((await attempt()).status, 200);
  for (const role of ["200", "300"]) {
    assertRefused(await attempt({ invite_as: role }), "BAD_REQUEST", "Must be an organization administrator");
  }
  assert.equal((await attempt({ invite_as: 600 })).status, 200);
  assert.equal((await attempt({ invite_as: 300 }, chat.moderator)).status, 200);
});

Deno.test("POST /invites/multiuse refuses roles, channels, groups and texts that the caller may not offer (B-mlink-05, B-mlink-06, B-mlink-07)", async () => {
  await using chat = await startChat();
  await setPermission(chat, "create_multiuse_invite_group", "role:members");
  const channel = await makeChannel(chat, chat.owner, "garden");
  await setPermission(chat, "can_add_subscribers_group", "role:administrators");
  const refusals: [object, string, string][] = [
    [{ invite_as: "100", stream_ids: [9] }, "UNAUTHORIZED_PRINCIPAL", "Must be an organization owner"],
    [{ stream_ids: "[99999999]" }, "BAD_REQUEST", "Invalid channel ID 99999999. No invites were sent."],
    [{ invite_as: "7" }, "BAD_REQUEST", "Invalid invite_as: Value error, Not in the list of possible values"],
    [{ group_ids: [99999999] }, "BAD_REQUEST", "Invalid user group"],
    [{ stream_ids: "no" }, "BAD_REQUEST", "stream_ids is not valid JSON"],
  ];
  for (const [sent, code, msg] of refusals) {
    assertRefused(await chat.call(chat.admin, "POST /invites/multiuse", { ...sent }), code, msg);
  }
  const byMember = (sent: Record<string, unknown>) => chat.call(chat.member, "POST /invites/multiuse", sent);
  assertRefused(
    await byMember({ stream_ids: [channel] }),
    "BAD_REQUEST",
    "You do not have permission to subscribe other users to channels.",
  );
  assertRefused(
    await byMember({ welcome_message_custom_text: "hi" }),
    "BAD_REQUEST",
    "Must be an organization administrator",
  );
  assert.deepEqual(await listInvites(chat, chat.owner), []);
});

Deno.test("POST /invites/multiuse refuses anonymous requests, bots and guests (B-mlink-08)", async () => {
  await using chat = await startChat();
  assert.equal((await chat.call(null, "POST /invites/multiuse")).status, 401);
  const guest = await chat.call(chat.guest, "POST /invites/multiuse");
  assertRefused(guest, "BAD_REQUEST", "Not allowed for guest users");
  const bot = await chat.call(chat.bot, "POST /invites/multiuse");
  assertRefused(bot, "BAD_REQUEST", "This endpoint does not accept bot requests.");
  assert.equal((await chat.call(chat.owner, "GET /invites/multiuse")).status, 405);
});

Deno.test("DELETE /invites/multiuse/{invite_id} revokes a link once (B-mrev-01, B-mrev-02, B-mrev-03, B-mrev-05)", async () => {
  await using chat = await startChat();
  await setPermission(chat, "create_multiuse_invite_group", "role:members");
  const first = await createInviteLink(chat, chat.member);
  const second = await createInviteLink(chat, chat.member);
  await chat.events();
  const revoke = (user: typeof chat.member, id: number) => chat.call(user, `DELETE /invites/multiuse/${id}`);
  assert.deepEqual((await revoke(chat.admin, first)).body, { result: "success", msg: "" });
  assert.deepEqual(await chat.events(), [
    { event: { type: "invites_changed" }, audience: "admins" },
    { event: { type: "invites_changed" }, audience: [chat.member.id] },
  ]);
  assert.deepEqual((await listInvites(chat, chat.admin)).map(({ id }) => id), [second]);
  assertRefused(await revoke(chat.admin, first), "BAD_REQUEST", "Invitation has already been revoked");
  assertRefused(await revoke(chat.moderator, first), "BAD_REQUEST", "Must be an organization administrator");
  assert.equal((await revoke(chat.member, second)).status, 200);
  for (const id of [99999999, 1e20]) {
    assertRefused(
      await chat.call(chat.admin, `DELETE /invites/multiuse/${BigInt(id)}`),
      "BAD_REQUEST",
      "No such invitation",
    );
  }
  assertRefused(await revoke(chat.outsider, second), "BAD_REQUEST", "No such invitation");
});

Deno.test("DELETE /invites/multiuse/{invite_id} lets only owners and its creator revoke a link for owners", async () => {
  await using chat = await startChat();
  const link = await createInviteLink(chat, chat.owner, { invite_as: 100 });
  const revoke = (user: typeof chat.member) => chat.call(user, `DELETE /invites/multiuse/${link}`);
  assertRefused(await revoke(chat.admin), "UNAUTHORIZED_PRINCIPAL", "Must be an organization owner");
  assertRefused(await revoke(chat.member), "UNAUTHORIZED_PRINCIPAL", "Must be an organization owner");
  assert.equal((await listInvites(chat, chat.owner)).length, 1);
  const owner = await chat.add("second", 100);
  await chat.call(owner, `PATCH /users/${chat.owner.id}`, { role: 400 });
  assert.equal((await revoke(chat.owner)).status, 200);
});

Deno.test("DELETE /invites/multiuse/{invite_id} revokes an expired link, once for concurrent requests", async () => {
  await using chat = await startChat();
  const link = await createInviteLink(chat, chat.admin, { invite_expires_in_minutes: 1 });
  chat.clock.time += 2 * 60_000;
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => chat.call(chat.admin, `DELETE /invites/multiuse/${link}`)),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body["msg"]);
  assert.deepEqual(new Set(refused), new Set(["Invitation has already been revoked"]));
});
