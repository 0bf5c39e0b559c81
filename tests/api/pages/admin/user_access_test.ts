import assert from "node:assert/strict";
import { deriveApiKey } from "@/lib/chat/people/auth/api_keys.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";

const pathOf = ({ id }: TestUser) => `/admin/users/${id}`;

async function isActive(chat: TestChat, { id }: TestUser): Promise<boolean> {
  return (await chat.call(chat.owner, `GET /users/${id}`)).body.user.is_active;
}

Deno.test("/admin/users/{id}/deactivate names the user and their bots, and acts only on confirmation", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const member = await signIn(chat, chat.member);
  const path = `${pathOf(chat.member)}/deactivate`;
  const asked = await admin.get(path);
  assert.match(asked.html, /Deactivate Member\?/);
  assert.match(asked.html, /1 bot is also deactivated[^<]*Bot\./);
  assert.equal(await isActive(chat, chat.member), true);
  const { status, location } = await admin.post(path, { action: "deactivate" });
  assert.deepEqual([status, location], [303, pathOf(chat.member)]);
  assert.equal(await isActive(chat, chat.member), false);
  assert.equal(await isActive(chat, chat.bot), false);
  assert.equal((await member.get("/account")).status, 303);
  const gone = await admin.get(pathOf(chat.member));
  assert.match(gone.html, /Member deactivated\./);
  assert.equal((await admin.get(path)).status, 404);
  assert.equal((await admin.post(pathOf(chat.member), { action: "reactivate" })).status, 303);
  assert.equal(await isActive(chat, chat.member), true);
  assert.equal(await isActive(chat, chat.bot), false);
});

Deno.test("/admin/users/{id}/reset-key invalidates the key of a user or a bot and shows no key", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  for (const person of [chat.member, chat.bot]) {
    const path = `${pathOf(person)}/reset-key`;
    assert.match((await admin.get(path)).html, /Reset the API key of/);
    assert.equal((await chat.call(person, "GET /users/me")).status, 200);
    const { status, location } = await admin.post(path, { action: "reset_key" });
    assert.equal(status, 303);
    assert.equal((await chat.call(person, "GET /users/me")).body.code, "INVALID_API_KEY");
    const { html } = await admin.get(location ?? "");
    assert.match(html, /API key of [A-Za-z]+ reset\./);
    const apiKey = deriveApiKey(chat.services.chat, chat.realm.id, { id: person.id, key_generation: 2 });
    assert.equal((await chat.call({ ...person, apiKey }, "GET /users/me")).status, 200);
    assert.ok(!html.includes(apiKey));
  }
  const refused = await admin.post(`${pathOf(chat.owner)}/reset-key`, { action: "reset_key" });
  assert.match(refused.html, /Must be an organization owner/);
  assert.equal((await chat.call(chat.owner, "GET /users/me")).status, 200);
});

Deno.test("/admin/users/{id} ends all sessions of a user", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const [one, other] = [await signIn(chat, chat.member), await signIn(chat, chat.member)];
  assert.match((await admin.get(pathOf(chat.member))).html, /Signed in in 2 browsers\./);
  await admin.post(pathOf(chat.member), { action: "end_sessions" });
  assert.match((await admin.get(pathOf(chat.member))).html, /All sessions of Member ended\./);
  for (const visitor of [one, other]) assert.equal((await visitor.get("/account")).status, 303);
  assert.equal((await chat.call(chat.member, "GET /users/me")).status, 200);
  assert.match((await admin.get(pathOf(chat.member))).html, /Not signed in in any browser\./);
});

Deno.test("/admin/users/{id} lists groups, channels and bots, and escapes their names", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const name = "<script>alert(1)</script>";
  const group = await chat.call(chat.owner, "POST /user_groups/create", {
    name,
    description: "",
    members: [chat.member.id],
  });
  const channel = await chat.call(chat.owner, "POST /channels/create", {
    name,
    subscribers: [chat.member.id],
  });
  const { html } = await admin.get(pathOf(chat.member));
  assert.ok(html.includes(`/admin/groups/${group.body.group_id}"`));
  assert.ok(html.includes(`/admin/channels/${channel.body.id}"`));
  assert.ok(html.includes(pathOf(chat.bot)));
  assert.doesNotMatch(html, /<script>alert/);
  assert.match((await admin.get(pathOf(chat.bot))).html, /Generic bot · Owner: Member/);
});

Deno.test("/admin/users/{id} renames a bot and keeps its address", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const { html } = await admin.get(pathOf(chat.bot));
  const seen = /name="seen" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const form = { action: "save", seen, full_name: "Robin", role: "400", email: "stolen@example.com" };
  assert.equal((await admin.post(pathOf(chat.bot), form)).status, 303);
  const { body } = await chat.call(chat.owner, `GET /users/${chat.bot.id}`);
  assert.deepEqual([body.user.full_name, body.user.delivery_email], ["Robin", chat.bot.email]);
});

Deno.test("unknown accounts are not found, and unknown forms are refused", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  for (const id of ["0", "999999", "x", "1e3", String(chat.outsider.id)]) {
    assert.equal((await admin.get(`/admin/users/${id}`)).status, 404, id);
    assert.ok((await admin.post(`/admin/users/${id}`, { action: "end_sessions" })).status >= 400);
  }
  assert.equal((await admin.post(pathOf(chat.member), { action: "explode" })).status, 400);
});

Deno.test("a user is added to groups and channels on their page, which shows their avatar", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.owner);
  const path = `/admin/users/${chat.member.id}`;
  const { body: group } = await chat.call(chat.owner, "POST /user_groups/create", {
    ...{ name: "hive", description: "", members: [] },
  });
  const { body: channel } = await chat.call(chat.owner, "POST /channels/create", {
    ...{ name: "roof", subscribers: [] },
  });
  const { html } = await admin.get(path);
  assert.match(html, new RegExp(` src="/avatar/${chat.member.id}\\?[^"]*version=1`));
  assert.match(html, /<select[^>]*name="group".*>hive<.*<select[^>]*name="channel".*>#roof</s);
  for (
    const [fields, problem] of [
      [{ action: "add_group" }, "Choose a group."],
      [{ action: "add_group", group: "99999" }, "Invalid user group"],
      [{ action: "add_channel", channel: "99999" }, "Choose a channel."],
    ] as const
  ) assert.ok((await admin.post(path, fields)).html.includes(problem), problem);
  assert.equal(
    (await admin.post(path, { action: "add_group", group: String(group["group_id"]) })).status,
    303,
  );
  assert.equal(
    (await admin.post(path, { action: "add_channel", channel: String(channel["id"]) })).status,
    303,
  );
  const after = (await admin.get(path)).html;
  assert.match(
    after,
    /href="\/admin\/groups\/\d+"><bdi[^>]*>hive<.*href="\/admin\/channels\/\d+"><bdi[^>]*>#roof</s,
  );
  assert.doesNotMatch(after, /<select[^>]*name="(group|channel)"/);
  await chat.call(chat.owner, `DELETE /users/${chat.guest.id}`);
  assert.doesNotMatch((await admin.get(`/admin/users/${chat.guest.id}`)).html, /name="(group|channel)"/);
});
