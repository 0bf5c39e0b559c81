import assert from "node:assert/strict";
import { inviteKeys, type InviteRecord } from "@/lib/chat/joining/invites/model.ts";
import { transact } from "@/lib/store/transact.ts";
import {
  assertRefused,
  createInviteLink,
  inviteAddress,
  inviteAddresses,
  listInvites,
  setPermission,
} from "@/tests/casts/invites_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";

Deno.test("GET /invites lists the caller's own invitations, and all of them for administrators (B-ginv-01)", async () => {
  await using chat = await startChat();
  const link = await createInviteLink(chat, chat.owner);
  await inviteAddress(chat, chat.member, "a@example.com");
  await inviteAddress(chat, chat.moderator, "b@example.com");
  await inviteAddress(chat, chat.owner, "c@example.com", { invite_as: 100 });
  const shown = async (user: typeof chat.member) =>
    (await listInvites(chat, user)).map((item) => item["email"] ?? item["id"]);
  assert.deepEqual(await shown(chat.member), ["a@example.com"]);
  assert.deepEqual(await shown(chat.moderator), ["b@example.com"]);
  assert.deepEqual(await shown(chat.admin), ["a@example.com", "b@example.com", "c@example.com", link]);
  assert.deepEqual(await shown(chat.owner), await shown(chat.admin));
  assert.deepEqual(await shown(chat.outsider), []);
});

Deno.test("GET /invites lists links for the role of owner only to owners", async () => {
  await using chat = await startChat();
  const link = await createInviteLink(chat, chat.owner, { invite_as: 100 });
  const ids = async (user: typeof chat.member) => (await listInvites(chat, user)).map((item) => item["id"]);
  assert.deepEqual(await ids(chat.owner), [link]);
  assert.deepEqual(await ids(chat.admin), []);
});

Deno.test("GET /invites omits expired, revoked and accepted invitations (B-ginv-03, B-ginv-04)", async () => {
  await using chat = await startChat();
  await inviteAddress(chat, chat.admin, "short@example.com", { invite_expires_in_minutes: 1 });
  await createInviteLink(chat, chat.admin, { invite_expires_in_minutes: 1 });
  const revoked = await createInviteLink(chat, chat.admin);
  const used = await inviteAddress(chat, chat.admin, "used@example.com");
  const proof = await inviteAddress(chat, chat.admin, "proof@example.com");
  assert.equal((await listInvites(chat, chat.admin)).length, 5);
  await chat.call(chat.admin, `DELETE /invites/multiuse/${revoked}`);
  const change = (id: number, part: Partial<InviteRecord>) =>
    transact(chat.services.store, async (tx) => {
      const key = inviteKeys.invite(chat.realm.id, id);
      tx.set(key, { ...await tx.get<InviteRecord>(key), ...part });
    });
  await change(used, { state: "accepted" });
  await change(proof, { via_link_id: revoked });
  chat.clock.time += 60_000;
  assert.equal((await listInvites(chat, chat.admin)).length, 2);
  chat.clock.time += 1;
  assert.deepEqual(await listInvites(chat, chat.admin), []);
  for (const id of [used, proof]) {
    assertRefused(await chat.call(chat.admin, `DELETE /invites/${id}`), "BAD_REQUEST", "No such invitation");
    assertRefused(
      await chat.call(chat.admin, `POST /invites/${id}/resend`),
      "BAD_REQUEST",
      "No such invitation",
    );
  }
});

Deno.test("GET /invites refuses anonymous requests, guests and bots (B-ginv-05, B-ginv-06)", async () => {
  await using chat = await startChat();
  assert.equal((await chat.call(null, "GET /invites")).status, 401);
  assertRefused(await chat.call(chat.guest, "GET /invites"), "BAD_REQUEST", "Not allowed for guest users");
  assertRefused(
    await chat.call(chat.bot, "GET /invites"),
    "BAD_REQUEST",
    "This endpoint does not accept bot requests.",
  );
  const { body } = await chat.call(chat.member, "GET /invites", { color: "red" });
  assert.deepEqual(body, {
    result: "success",
    msg: "",
    invites: [],
    ignored_parameters_unsupported: ["color"],
  });
});

Deno.test("DELETE /invites/{invite_id} revokes an invitation once", async () => {
  await using chat = await startChat();
  const own = await inviteAddress(chat, chat.member, "a@example.com");
  const others = await inviteAddress(chat, chat.member, "b@example.com");
  await chat.events();
  const revoke = (user: typeof chat.member, id: number) => chat.call(user, `DELETE /invites/${id}`);
  assertRefused(await revoke(chat.moderator, own), "BAD_REQUEST", "No such invitation");
  assertRefused(await revoke(chat.outsider, own), "BAD_REQUEST", "No such invitation");
  assert.deepEqual(await chat.events(), []);
  assert.deepEqual((await revoke(chat.member, own)).body, { result: "success", msg: "" });
  assert.equal((await chat.events()).length, 2);
  assert.equal((await revoke(chat.admin, others)).status, 200);
  assert.deepEqual(await listInvites(chat, chat.admin), []);
  assertRefused(await revoke(chat.member, own), "BAD_REQUEST", "No such invitation");
  assertRefused(await revoke(chat.admin, 99999999), "BAD_REQUEST", "No such invitation");
  assert.equal((await chat.call(null, `DELETE /invites/${own}`)).status, 401);
});

Deno.test("DELETE /invites/{invite_id} revokes once for concurrent requests", async () => {
  await using chat = await startChat();
  const id = await inviteAddress(chat, chat.member, "a@example.com");
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => chat.call(chat.member, `DELETE /invites/${id}`)),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
});

Deno.test("DELETE /invites/{invite_id} lets only owners revoke an invitation for the role of owner", async () => {
  await using chat = await startChat();
  const id = await inviteAddress(chat, chat.owner, "a@example.com", { invite_as: 100 });
  for (const endpoint of [`DELETE /invites/${id}`, `POST /invites/${id}/resend`]) {
    assertRefused(
      await chat.call(chat.admin, endpoint),
      "UNAUTHORIZED_PRINCIPAL",
      "Must be an organization owner",
    );
  }
  const second = await chat.add("second", 100);
  assert.equal((await chat.call(second, `DELETE /invites/${id}`)).status, 200);
});

Deno.test("DELETE /invites/{invite_id} does not accept the id of a reusable link, nor vice versa", async () => {
  await using chat = await startChat();
  const link = await createInviteLink(chat, chat.admin);
  assertRefused(await chat.call(chat.admin, `DELETE /invites/${link}`), "BAD_REQUEST", "No such invitation");
  await chat.call(chat.admin, `DELETE /invites/multiuse/${link}`);
  const first = await inviteAddress(chat, chat.admin, "a@example.com");
  const second = await inviteAddress(chat, chat.admin, "b@example.com");
  assert.deepEqual([first, second], [1, 2]);
  assertRefused(
    await chat.call(chat.admin, `DELETE /invites/multiuse/${second}`),
    "BAD_REQUEST",
    "No such invitation",
  );
  assert.equal((await listInvites(chat, chat.admin)).length, 2);
});

Deno.test("POST /invites/{invite_id}/resend sends a pending invitation again with the same link", async () => {
  await using chat = await startChat();
  const id = await inviteAddress(chat, chat.member, "a@example.com");
  const before = await listInvites(chat, chat.member);
  await chat.events();
  const resend = (user: typeof chat.member) => chat.call(user, `POST /invites/${id}/resend`);
  assert.deepEqual((await resend(chat.member)).body, { result: "success", msg: "" });
  assert.equal((await resend(chat.admin)).status, 200);
  const texts = (await chat.mails()).map(({ text }) => text);
  assert.equal(texts.length, 3);
  assert.equal(new Set(texts).size, 1);
  assert.deepEqual(await listInvites(chat, chat.member), before);
  assert.deepEqual(await chat.events(), []);
  assertRefused(await resend(chat.moderator), "BAD_REQUEST", "No such invitation");
  assertRefused(await resend(chat.outsider), "BAD_REQUEST", "No such invitation");
  assertRefused(await resend(chat.guest), "BAD_REQUEST", "Not allowed for guest users");
  assertRefused(await resend(chat.bot), "BAD_REQUEST", "This endpoint does not accept bot requests.");
  assert.equal((await chat.call(null, `POST /invites/${id}/resend`)).status, 401);
  await chat.call(chat.member, `DELETE /invites/${id}`);
  assertRefused(await resend(chat.member), "BAD_REQUEST", "No such invitation");
  assert.equal((await chat.mails()).length, 3);
});

Deno.test("POST /invites/{invite_id}/resend refuses expired invitations and ones whose inviter lost the permission", async () => {
  await using chat = await startChat();
  const short = await inviteAddress(chat, chat.member, "a@example.com", { invite_expires_in_minutes: 1 });
  const long = await inviteAddress(chat, chat.member, "b@example.com");
  chat.clock.time += 61_000;
  assertRefused(
    await chat.call(chat.member, `POST /invites/${short}/resend`),
    "BAD_REQUEST",
    "No such invitation",
  );
  await setPermission(chat, "can_invite_users_group", "role:administrators");
  assertRefused(
    await chat.call(chat.member, `POST /invites/${long}/resend`),
    "BAD_REQUEST",
    "No such invitation",
  );
  await setPermission(chat, "can_invite_users_group", "role:members");
  await chat.call(chat.owner, `DELETE /users/${chat.member.id}`);
  assertRefused(
    await chat.call(chat.admin, `POST /invites/${long}/resend`),
    "BAD_REQUEST",
    "No such invitation",
  );
});

Deno.test("the daily limit counts invitations and resent ones, also for concurrent requests", async () => {
  const rule = { invitations: { points: 4, seconds: 86400 } };
  await using chat = await startChat({ env: { RATE_LIMITS: JSON.stringify(rule) } });
  const id = await inviteAddress(chat, chat.member, "a@example.com");
  assert.equal((await inviteAddresses(chat, chat.member, "b@example.com")).status, 200);
  const overLimit = await inviteAddresses(chat, chat.admin, "c@example.com, d@example.com, e@example.com");
  assert.deepEqual(overLimit.body, {
    result: "error",
    msg: "To protect users, Sotto limits the number of invitations you can send in one day. " +
      "Because you have reached the limit, no invitations were sent.",
    code: "INVITATION_FAILED",
    errors: [],
    sent_invitations: false,
    license_limit_reached: false,
    daily_limit_reached: true,
  });
  const calls = Array.from(
    { length: 5 },
    (_, at) =>
      at === 2
        ? chat.call(chat.member, `POST /invites/${id}/resend`)
        : inviteAddresses(chat, chat.member, `x${at}@example.com`),
  );
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 2);
  const again = await chat.call(chat.member, `POST /invites/${id}/resend`);
  assert.equal(again.body["daily_limit_reached"], true);
  assert.equal((await chat.mails()).length, 4);
  assert.equal((await inviteAddresses(chat, chat.outsider, "c@example.com")).status, 200);
  chat.clock.time += 24 * 60 * 60 * 1000;
  assert.equal((await inviteAddresses(chat, chat.member, "f@example.com")).status, 200);
});

Deno.test("deactivating a user ends their invitations, which reactivation does not restore (B-ginv-03)", async () => {
  await using chat = await startChat();
  const kept = await inviteAddress(chat, chat.admin, "kept@example.com");
  const ended = await inviteAddress(chat, chat.moderator, "ended@example.com");
  const idsOf = async () => (await listInvites(chat, chat.owner)).map(({ id }) => id);
  assert.deepEqual(await idsOf(), [kept, ended]);
  await chat.events();
  await chat.call(chat.owner, `DELETE /users/${chat.moderator.id}`);
  const events = (await chat.events()).filter(({ event }) => event.type === "invites_changed");
  assert.deepEqual(events.map(({ audience }) => audience), ["admins"]);
  assert.deepEqual(await idsOf(), [kept]);
  await chat.call(chat.owner, `POST /users/${chat.moderator.id}/reactivate`);
  assert.deepEqual(await idsOf(), [kept]);
  const resent = await chat.call(chat.owner, `POST /invites/${ended}/resend`);
  assert.deepEqual([resent.status, resent.body.msg], [400, "No such invitation"]);
  chat.clock.time += 1;
  const fresh = await inviteAddress(chat, chat.moderator, "fresh@example.com");
  assert.deepEqual(await idsOf(), [kept, fresh]);
});
