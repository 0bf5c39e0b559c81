import assert from "node:assert/strict";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { visitPages } from "@/tests/helpers/pages.ts";
import { addChannel, channelsOf, directTexts, findPerson } from "@/tests/casts/newcomer_cast.ts";
import { invite, JOIN_FORM, storedInvite, titleOf } from "@/tests/casts/join_cast.ts";

async function countAccounts(chat: TestChat): Promise<number> {
  return (await chat.call(chat.owner, "GET /users")).body.members.length;
}

async function accept(chat: TestChat, path: string) {
  const visitor = visitPages(chat);
  const { status, location, html } = await visitor.post(path, JOIN_FORM);
  assert.deepEqual([status, location], [303, "/connect?joined=1"], titleOf(html));
  return visitor;
}

Deno.test("accepting creates an account with the offered role and signs the user in", async () => {
  await using chat = await startChat();
  const { path, id } = await invite(chat, { role: 300 }, { email: "Noor@Example.com" });
  await chat.events();
  const visitor = await accept(chat, path);
  assert.match((await visitor.get("/account")).html, /Noor Lake/);
  const { user } = await findPerson(chat);
  assert.deepEqual([user.role, user.full_name, user.delivery_email], [300, "Noor Lake", "Noor@Example.com"]);
  assert.equal((await storedInvite(chat, id))?.state, "accepted");
  const events = await chat.events();
  assert.deepEqual(
    events.filter(({ event }) => event.type !== "message").map((
      { event, audience },
    ) => [event.type, event.op, audience]),
    [
      ["realm_user", "add", "everyone"],
      ["user_group", "add_members", "everyone"],
      ["invites_changed", undefined, "admins"],
    ],
  );
  const signIn = await visitPages(chat).post("/login", {
    username: user.delivery_email,
    password: JOIN_FORM.password,
  });
  assert.equal(signIn.status, 303);
  const again = await visitPages(chat).get(path);
  assert.deepEqual([again.status, titleOf(again.html)], [404, "This invitation was already used"]);
});

Deno.test("the user joins the offered channels and groups that the inviter can still grant", async () => {
  await using chat = await startChat();
  const open = await addChannel(chat, "open");
  const secret = await addChannel(chat, "secret", { invite_only: true });
  const archived = await addChannel(chat, "archived");
  const foreign = await addChannel(chat, "foreign", { invite_only: true });
  const usual = await addChannel(chat, "usual");
  await chat.call(chat.owner, "POST /default_streams", { stream_id: usual });
  await chat.call(chat.admin, `DELETE /streams/${archived}`);
  const join = { subscriptions: [{ name: "secret" }], principals: [chat.moderator.id] };
  assert.equal((await chat.call(chat.admin, "POST /users/me/subscriptions", join)).body.result, "success");
  const group = async (user: TestUser, name: string) => {
    const { body } = await chat.call(user, "POST /user_groups/create", {
      name,
      description: "",
      members: [],
    });
    return body.group_id;
  };
  const groups = [
    await group(chat.moderator, "mine"),
    await group(chat.admin, "not mine"),
    await group(chat.moderator, "gone"),
  ];
  await chat.call(chat.moderator, `POST /user_groups/${groups[2]}/deactivate`);
  const { path } = await invite(chat, {
    inviter_id: chat.moderator.id,
    channel_ids: [open, secret, archived, foreign, 999_999],
    group_ids: [...groups, 999_999],
  });
  await chat.events();
  await accept(chat, path);
  const noor = await findPerson(chat);
  assert.deepEqual(await channelsOf(chat, noor), ["open", "secret"]);
  const members = await Promise.all(
    groups.map(async (id) => (await chat.call(chat.owner, `GET /user_groups/${id}/members`)).body.members),
  );
  assert.deepEqual(members.map((ids) => ids?.includes(noor.id) === true), [true, false, false]);
  const events = await chat.events();
  const sent = events.filter(({ event }) =>
    event.type === "subscription" || groups.some((id) => id === event["group_id"])
  );
  assert.deepEqual(sent.map(({ event, audience }) => [event.type, event.op, audience]), [
    ["user_group", "add_members", "everyone"],
    ["subscription", "add", [noor.id]],
    ["subscription", "peer_add", "members"],
    ["subscription", "add", [noor.id]],
    ["subscription", "peer_add", [chat.owner.id, chat.admin.id, chat.moderator.id, noor.id]],
  ]);
  assert.ok(
    events.some(({ event, audience }) =>
      event.type === "invites_changed" && JSON.stringify(audience) === JSON.stringify([chat.moderator.id])
    ),
  );
});

Deno.test("more default channels than fit in one commit are joined, by guests too", async () => {
  await using chat = await startChat();
  const names = Array.from({ length: 23 }, (_, at) => `channel ${String(at).padStart(2, "0")}`);
  for (const name of names) {
    await chat.call(chat.owner, "POST /default_streams", { stream_id: await addChannel(chat, name) });
  }
  const { path } = await invite(chat, { role: 600, include_realm_default_subscriptions: true });
  await accept(chat, path);
  assert.deepEqual(await channelsOf(chat, await findPerson(chat)), names);
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});

Deno.test("more groups than fit in one commit are joined", async () => {
  await using chat = await startChat();
  const group_ids: number[] = [];
  for (let at = 0; at < 12; at++) {
    const group = { name: `group ${at}`, description: "", members: [] };
    group_ids.push((await chat.call(chat.admin, "POST /user_groups/create", group)).body.group_id);
  }
  await accept(chat, (await invite(chat, { group_ids: [...group_ids, ...group_ids] })).path);
  const noor = await findPerson(chat);
  for (const id of group_ids) {
    const { body } = await chat.call(noor, `GET /user_groups/${id}/members/${noor.id}`);
    assert.equal(body.is_user_group_member, true);
  }
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
});

Deno.test("the new user is welcomed and the inviter is notified", async () => {
  await using chat = await startChat();
  await accept(chat, (await invite(chat, { welcome_message_custom_text: "Mind the **bees**." })).path);
  const noor = await findPerson(chat);
  assert.deepEqual(await directTexts(chat, noor), ["Mind the **bees**."]);
  assert.deepEqual(await directTexts(chat, chat.admin), [
    `@_**Noor Lake|${noor.id}** accepted your invitation to join **Gardeners**.`,
  ]);
});

Deno.test("without a message of its own, an invitation uses the organization's current welcome message", async () => {
  await using chat = await startChat();
  const { path } = await invite(chat);
  const settings = { welcome_message_custom_text: "Wipe your boots." };
  assert.equal((await chat.call(chat.owner, "PATCH /realm", settings)).body.result, "success");
  await accept(chat, path);
  assert.deepEqual(await directTexts(chat, await findPerson(chat)), ["Wipe your boots."]);
});

Deno.test("without a welcome message and announcements, no message is sent", async () => {
  await using chat = await startChat();
  const quiet = { welcome_message_custom_text: "", notify_referrer_on_join: false };
  await accept(chat, (await invite(chat, quiet)).path);
  assert.deepEqual(await directTexts(chat, await findPerson(chat)), []);
  assert.deepEqual(await directTexts(chat, chat.admin), []);
});

Deno.test("twenty concurrent acceptances create one account", async () => {
  await using chat = await startChat();
  const { path } = await invite(chat);
  const before = await countAccounts(chat);
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => visitPages(chat).post(path, JOIN_FORM)),
  );
  assert.equal(outcomes.filter(({ status }) => status === 303).length, 1);
  const others = outcomes.filter(({ status }) => status !== 303);
  assert.deepEqual(
    new Set(others.map(({ status, html }) => `${status} ${titleOf(html)}`)),
    new Set(["404 This invitation was already used"]),
  );
  assert.equal(await countAccounts(chat), before + 1);
});

Deno.test("of two invitations for one address, accepting one uses up the other", async () => {
  await using chat = await startChat();
  const one = await invite(chat);
  const other = await invite(chat, {}, { email: "NOOR@example.com" });
  const withdrawn = await invite(chat, {}, { state: "revoked" });
  await accept(chat, one.path);
  assert.equal(titleOf((await visitPages(chat).get(other.path)).html), "This invitation was already used");
  assert.equal((await storedInvite(chat, withdrawn.id))?.state, "revoked");
});

Deno.test("changes since the form was opened apply", async () => {
  await using chat = await startChat();
  const taken = await invite(chat, {}, { email: "taken@example.com" });
  const demoted = await invite(chat, { role: 200 });
  for (const { path } of [taken, demoted]) assert.equal((await visitPages(chat).get(path)).status, 200);
  await chat.add("taken");
  assert.equal(
    titleOf((await visitPages(chat).post(taken.path, JOIN_FORM)).html),
    "You are already a member of Gardeners",
  );
  await chat.call(chat.owner, `PATCH /users/${chat.admin.id}`, { role: 300 });
  const refused = await visitPages(chat).post(demoted.path, JOIN_FORM);
  assert.deepEqual([refused.status, titleOf(refused.html)], [404, "This invitation is no longer valid"]);
  assert.equal((await storedInvite(chat, demoted.id))?.state, "pending");
});

Deno.test("an invalid name and a weak password are reported, and input is kept except the password", async () => {
  await using chat = await startChat();
  const { path, id } = await invite(chat);
  const forms: [Record<string, string>, string[]][] = [
    [{}, ["Name must not be empty.", "The password is too short. Use 8 or more characters."]],
    [{ ...JOIN_FORM, full_name: "x".repeat(101) }, ["Name too long."]],
    [{ ...JOIN_FORM, full_name: "a*b" }, ["Invalid characters in name."]],
    [{ ...JOIN_FORM, password: "noor@example" }, [
      "The password contains your name, email address or organization. Choose other words.",
    ]],
    [{ ...JOIN_FORM, password: "x".repeat(1001) }, ["New password is too long."]],
  ];
  for (const [form, problems] of forms) {
    const { status, html } = await visitPages(chat).post(path, form);
    assert.equal(status, 400);
    for (const problem of problems) assert.ok(html.includes(problem), problem);
    assert.ok(!form["password"] || !html.includes(`value="${form["password"]}"`));
  }
  const { html } = await visitPages(chat).post(path, { full_name: "Noor", password: "abc" });
  assert.match(html, /value="Noor"/);
  assert.equal((await storedInvite(chat, id))?.state, "pending");
});

Deno.test("a form from another site creates no account", async () => {
  await using chat = await startChat();
  const { path, id } = await invite(chat);
  const foreign: Record<string, string>[] = [
    { "sec-fetch-site": "cross-site", origin: "http://evil.example" },
    { origin: "null" },
    { origin: "http://other.localhost:8000" },
    {},
  ];
  for (const headers of foreign) {
    const { status } = await visitPages(chat).post(path, JOIN_FORM, headers);
    assert.equal(status, 400, JSON.stringify(headers));
  }
  assert.equal((await storedInvite(chat, id))?.state, "pending");
  assert.equal((await chat.request(path, { method: "PUT" })).status, 405);
});
