import assert from "node:assert/strict";
import { createOwnersSamples } from "@/tests/casts/admin_samples_cast.ts";
import { readForm } from "@/tests/casts/form_cast.ts";
import { listAdminRoutes, toAdminPath } from "@/tests/helpers/admin_routes.ts";
import { closePages } from "@/tests/helpers/admin_samples.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { type PageVisitor, readCsv, signIn } from "@/tests/helpers/pages.ts";

/** The stream of events goes on; the overview leads to an open page. */
const OTHER_ROUTES = ["/admin/events", "/admin"];
const ROUTES = listAdminRoutes().filter(({ pattern }) => !OTHER_ROUTES.includes(pattern));
/** Routes that every holder of one of the permissions reaches. */
const SHARED = ["/admin/find", "/admin/find/records", "/admin/people", "/admin/shortcuts", "/admin/theme"];

async function allow(chat: TestChat, setting: string, ...users: readonly TestUser[]): Promise<void> {
  const value = { direct_members: users.map(({ id }) => id), direct_subgroups: [] };
  const { body } = await chat.call(chat.owner, "PATCH /realm", { [setting]: { new: value } });
  assert.equal(body.result, "success", body.msg);
}

/** Returns the routes that do not refuse a visitor, whatever else they answer. */
async function listOpen(
  visitor: PageVisitor,
  toPath: (pattern: string) => string,
): Promise<readonly string[]> {
  const open: string[] = [];
  for (const { pattern } of ROUTES) {
    const path = toPath(pattern);
    const statuses = [
      (await visitor.get(path)).status,
      (await visitor.post(path, { action: "none" })).status,
    ];
    assert.ok(statuses.every((status) => status === 403) || !statuses.includes(403), `${path} ${statuses}`);
    if (!statuses.includes(403)) open.push(pattern);
  }
  return open;
}

Deno.test("each permission opens its pages and no others, for members and not for guests", async () => {
  await using chat = await startChat();
  const samples = await createOwnersSamples(chat);
  await closePages(chat);
  const toPath = (pattern: string) => toAdminPath(pattern, samples);
  const visitors = await Promise.all(
    [chat.moderator, chat.member, chat.guest].map((user) => signIn(chat, user)),
  );
  for (const visitor of visitors) assert.deepEqual(await listOpen(visitor, toPath), []);
  const [, member, guest] = visitors;
  assert.ok(member !== undefined && guest !== undefined);

  const invitations = ["/admin/invitations", "/admin/invitations/revoke"];
  const expected = {
    can_invite_users_group: [
      ...invitations,
      ...["link", "resend", "revoke"].map((name) => `/admin/invitations/email/[id]/${name}`),
    ],
    create_multiuse_invite_group: [
      ...invitations,
      "/admin/invitations/link/[id]",
      "/admin/invitations/link/[id]/revoke",
    ],
    can_create_groups: ["/admin/groups", "/admin/groups/new"],
    can_create_public_channel_group: ["/admin/channels", "/admin/channels/new"],
    can_create_private_channel_group: ["/admin/channels", "/admin/channels/new"],
    can_add_custom_emoji_group: ["/admin/organization/emoji", "/admin/organization/emoji/[name]/deactivate"],
  };
  for (const [setting, patterns] of Object.entries(expected)) {
    await allow(chat, setting, chat.member, chat.guest);
    assert.deepEqual(await listOpen(member, toPath), [...patterns, ...SHARED].sort(), setting);
    assert.deepEqual(await listOpen(guest, toPath), [], setting);
    await closePages(chat);
  }
  const [channel, group] = [samples["channels"], samples["groups"]];
  const mine = { new: { direct_members: [chat.member.id], direct_subgroups: [] } };
  await chat.call(chat.owner, `PATCH /streams/${channel}`, { can_administer_channel_group: mine });
  await chat.call(chat.owner, `PATCH /user_groups/${group}`, { can_add_members_group: mine });
  assert.deepEqual(
    await listOpen(member, toPath),
    [
      "/admin/channels",
      "/admin/channels/[id]",
      "/admin/channels/[id]/archive",
      "/admin/groups",
      "/admin/groups/[id]",
    ]
      .concat(SHARED).sort(),
  );
  await chat.call(chat.owner, `PATCH /user_groups/${group}`, { can_manage_group: mine });
  assert.ok((await listOpen(member, toPath)).includes("/admin/groups/[id]/deactivate"));
});

Deno.test("/admin leads holders of a permission to their first page, and the account page has the link", async () => {
  await using chat = await startChat();
  await closePages(chat);
  const { owner, member, guest } = chat;
  const visitor = await signIn(chat, member);
  const requireClosed = async (closed: PageVisitor) => {
    assert.equal((await closed.get("/admin")).status, 403);
    assert.equal((await closed.post("/admin", { action: "none" })).status, 403);
    for (const page of ["/account", "/connect"]) {
      assert.doesNotMatch((await closed.get(page)).html, /Administration/, page);
    }
  };
  await requireClosed(visitor);
  const leads = {
    can_add_custom_emoji_group: "/admin/organization/emoji",
    can_create_groups: "/admin/groups",
    can_create_public_channel_group: "/admin/channels",
    create_multiuse_invite_group: "/admin/invitations",
  };
  for (const [setting, path] of Object.entries(leads)) {
    await allow(chat, setting, member, guest);
    const { status, location } = await visitor.get("/admin");
    assert.deepEqual([status, location], [303, path], setting);
    assert.equal((await visitor.get(path)).status, 200);
    assert.equal((await visitor.post("/admin", { action: "none" })).status, 403);
    for (const page of ["/account", "/connect"]) {
      const { html } = await visitor.get(page);
      assert.match(html, new RegExp(`href="${path}"[^>]*>Administration`), page);
    }
  }
  await requireClosed(await signIn(chat, guest));
  await closePages(chat);
  const mine = { direct_members: [member.id], direct_subgroups: [] };
  await chat.call(owner, "POST /channels/create", {
    ...{ name: "garden", subscribers: [owner.id], can_administer_channel_group: mine },
  });
  assert.equal((await visitor.get("/admin")).location, "/admin/channels");
});

Deno.test("a path that only resembles an open one stays closed", async () => {
  await using chat = await startChat();
  const member = await signIn(chat, chat.member);
  assert.equal((await member.get("/admin/groups")).status, 200);
  for (
    const path of [
      "/admin",
      "/admin/",
      "/admin/users/",
      "/admin//users",
      "/admin/Groups",
      "/admin/groups/../users",
      "/admin/groups/%2e%2e/users",
      "/admin/groups/1%2f..%2f..%2fusers",
      "/admin/groups/1/../../users",
      "/admin/groups;/admin/users",
      "/admin/users?x=/admin/groups",
      "/admin/users/export",
      "/admin/organization",
      "/admin/organization/emoji%2f..%2fstatus",
      "/admin/organization/permissions",
      "/admin/events?page=/admin/users",
    ]
  ) {
    const { status, html } = await member.get(path);
    assert.ok([400, 403, 404].includes(status) || (status >= 300 && status < 400), `${path} ${status}`);
    assert.ok(!html.includes(chat.admin.email), path);
  }
});

Deno.test("holders of permissions see only their pages, records and controls", async () => {
  await using chat = await startChat();
  const { owner, member, moderator } = chat;
  await closePages(chat);
  const create = async (by: TestUser, name: string) =>
    (await chat.call(by, "POST /user_groups/create", { name, description: "", members: [owner.id] })).body
      .group_id;
  const secret = (await chat.call(owner, "POST /channels/create", {
    ...{ name: "secret-plans", subscribers: [owner.id], invite_only: true },
  })).body.id;
  await allow(chat, "can_create_groups", member);
  const others = await create(owner, "others-group");
  const visitor = await signIn(chat, member);
  assert.match((await visitor.get("/admin/groups")).html, /You manage no groups yet/);
  const mine = await create(member, "my-group");
  await chat.call(owner, `PATCH /streams/${secret}`, { can_send_message_group: { new: mine } });

  const list = await visitor.get("/admin/groups");
  assert.ok(list.html.includes("my-group") && !list.html.includes("others-group"));
  const file = await readCsv(visitor, "/admin/groups");
  assert.deepEqual(file.map(([, name]) => name), ["Name", "my-group"], "a file has what the list shows");
  await allow(chat, "can_create_public_channel_group", member);
  const channels = await visitor.get("/admin/channels");
  assert.match(channels.html, /You administer no channels yet/);
  assert.doesNotMatch(channels.html, /There are no channels yet|Create the first channel/);
  await allow(chat, "can_create_public_channel_group");
  const places = [...list.html.matchAll(/<a [^>]*href="(\/admin[^"?#]*)/g)].map(([, path]) => path);
  assert.deepEqual(
    [...new Set(places)].sort(),
    [
      ...["/admin/find", "/admin/groups", `/admin/groups/${mine}`, "/admin/groups/new", "/admin/shortcuts"],
    ].sort(),
  );
  const page = (await visitor.get(`/admin/groups/${mine}`)).html;
  assert.ok(!page.includes("secret-plans") && page.includes("A channel that you cannot see"));
  assert.ok(!page.includes("/admin/users/"));
  const preview = await visitor.post(`/admin/groups/${mine}`, {
    ...{ action: "impact_csv", edit: "add_people", people: String(moderator.id) },
  });
  assert.match(preview.html, /Members of my-group/);
  assert.doesNotMatch(preview.html, /secret-plans/);

  for (const path of [`/admin/groups/${others}`, `/admin/groups/${others}/deactivate`, "/admin/groups/999"]) {
    assert.equal((await visitor.get(path)).status, 403, path);
    assert.equal((await visitor.post(path, { action: "deactivate" })).status, 403, path);
  }
  const found = JSON.parse((await visitor.get("/admin/find/records?q=o")).html).found;
  for (const { path } of found) {
    assert.ok(!path.startsWith("/admin") || (await visitor.get(path)).status !== 403, path);
  }
  assert.ok(!JSON.stringify(found).includes("others-group"));
  assert.match((await visitor.get("/account")).html, /href="\/admin\/groups"[^>]*>Administration/);
  assert.doesNotMatch((await (await signIn(chat, chat.guest)).get("/account")).html, /Administration/);
});

Deno.test("holders of permissions find no hidden addresses, and only their own invitations", async () => {
  await using chat = await startChat();
  const { owner, admin, member } = chat;
  await chat.call(owner, "POST /invites", { ...{ invitee_emails: "theirs@example.com", stream_ids: [] } });
  await chat.call(owner, "POST /invites/multiuse", { stream_ids: [] });
  await chat.call(admin, "PATCH /settings", { email_address_visibility: 3 });
  const visitor = await signIn(chat, member);
  for (const query of ["Admin", admin.email, admin.email.slice(0, 8)]) {
    const { html } = await visitor.get(`/admin/people?${new URLSearchParams({ q: query })}`);
    assert.ok(!html.includes(admin.email), query);
  }
  const { html } = await visitor.get("/admin/invitations");
  assert.ok(!html.includes("theirs@example.com") && !html.includes("/join/"));
  assert.ok(!html.includes("welcome_text"), "only administrators choose a welcome message");
  assert.doesNotMatch(html, /reusable link|open a link/, "the page offers nothing that is refused");
  const file = await visitor.post("/admin/invitations", { action: "export" });
  assert.ok(file.status === 200 && !file.html.includes("theirs@example.com"));
  const { invites } = (await chat.call(owner, "GET /invites")).body;
  for (const { id } of invites) {
    for (const page of ["link", "resend", "revoke"]) {
      const path = `/admin/invitations/email/${id}/${page}`;
      const action = page === "link" ? "show" : page;
      assert.equal((await visitor.get(path)).status, 404, path);
      assert.ok([400, 404].includes((await visitor.post(path, { action })).status), path);
    }
  }
  const chosen = invites.map(({ id }: { id: number }) => `email-${id}`);
  await visitor.post("/admin/invitations/revoke", { action: "revoke", chosen });
  assert.equal((await chat.call(owner, "GET /invites")).body.invites.length, 2);
});

Deno.test("administrators of a channel reach no other channel, and cannot do what only administrators may", async () => {
  await using chat = await startChat();
  const { owner, member, guest } = chat;
  await closePages(chat);
  const create = async (name: string, fields: object = {}) =>
    (await chat.call(owner, "POST /channels/create", { name, subscribers: [owner.id], ...fields })).body.id;
  const named = { direct_members: [member.id], direct_subgroups: [] };
  const mine = await create("mine", { can_administer_channel_group: named, invite_only: true });
  const others = await create("others", { invite_only: true });
  const visitor = await signIn(chat, member);
  const { html } = await visitor.get(`/admin/channels/${mine}`);
  assert.ok(!html.includes("is_default_stream") && !html.includes('name="retention"'));
  assert.ok(!(await visitor.get("/admin/channels")).html.includes("others"));
  for (const path of ["", "/archive", "/permissions"]) {
    assert.equal((await visitor.get(`/admin/channels/${others}${path}`)).status, 403);
    assert.equal((await visitor.post(`/admin/channels/${others}${path}`, { action: "save" })).status, 403);
  }
  assert.equal((await visitor.get(`/admin/channels/${mine}/permissions`)).status, 403);
  const fields = readForm(html, "save");
  const refused = await visitor.post(`/admin/channels/${mine}`, { ...fields, is_default_stream: "true" });
  assert.ok(refused.status >= 400);
  const limited = await visitor.post(`/admin/channels/${mine}`, {
    ...fields,
    retention: "days",
    retention_days: "1",
  });
  assert.ok(limited.status >= 400);
  const { body } = await chat.call(owner, `GET /streams/${mine}`);
  assert.equal(body.stream.message_retention_days, null);
  const saved = await visitor.post(`/admin/channels/${mine}`, { ...fields, description: "Ours" });
  assert.equal(saved.status, 303);
  assert.ok(!(await visitor.get(`/admin/channels/${mine}`)).html.includes(`(${guest.id})`));
});

Deno.test("a page of many records opens and closes with each change that decides it, and with time", async () => {
  await using chat = await startChat();
  await closePages(chat);
  const { owner, member, realm } = chat;
  const visitor = await signIn(chat, member);
  const open = async () => {
    const statuses = ["/admin/channels", "/admin/channels"].map(async (path) =>
      (await visitor.get(path)).status
    );
    const [status, again] = await Promise.all(statuses);
    assert.equal(status, again);
    return status === 200;
  };
  const group = await chat.call(owner, "POST /user_groups/create", {
    name: "g",
    description: "",
    members: [],
  });
  const groupId = group.body["group_id"];
  const channel = await chat.call(owner, "POST /channels/create", {
    name: "garden",
    subscribers: [owner.id],
    can_administer_channel_group: groupId,
  });
  assert.equal(await open(), false);
  await chat.call(owner, `POST /user_groups/${groupId}/members`, { add: [member.id] });
  assert.equal(await open(), true);
  await chat.call(owner, `POST /user_groups/${groupId}/members`, { delete: [member.id] });
  assert.equal(await open(), false);
  const administer = (group: number) =>
    chat.call(owner, `PATCH /streams/${channel.body["id"]}`, {
      can_administer_channel_group: { new: group },
    });
  await administer(realm.first_system_group_id + 3);
  assert.equal(await open(), false);
  await chat.call(owner, `PATCH /users/${member.id}`, { role: 300 });
  assert.equal(await open(), true);
  await chat.call(owner, `PATCH /users/${member.id}`, { role: 400 });
  assert.equal(await open(), false);

  await chat.call(owner, "PATCH /realm", { waiting_period_threshold: 3 });
  await administer(realm.first_system_group_id + 4);
  assert.equal(await open(), false);
  chat.clock.time += 4 * 86_400_000;
  assert.equal(await open(), true);
});
