import assert from "node:assert/strict";
import { seedUsers } from "@/tests/casts/many_users_cast.ts";
import { startChat, type TestUser } from "@/tests/helpers/chat.ts";
import { measureBaseline, measureLongestBlock, readThreadMs } from "@/tests/helpers/event_loop.ts";
import { type PageVisitor, signIn } from "@/tests/helpers/pages.ts";

const PATH = "/admin/organization/permissions/who";

/** Returns the reason of each user whom the page lists, by name. */
async function listHolders(
  visitor: PageVisitor,
  permission: string,
  object = "",
): Promise<Record<string, string>> {
  const { html } = await visitor.get(`${PATH}?${new URLSearchParams({ permission, object })}`);
  const rows = [
    ...html.matchAll(
      /<tr[^>]*>(?:(?!<\/tr>).)*<bdi>([^<]*)<\/bdi>(?:(?!<\/tr>).)*<span dir="auto">([^<]*)</gs,
    ),
  ];
  return Object.fromEntries(rows.map(([, name = "", reason = ""]) => [name, reason]));
}

Deno.test("the page lists who has a permission, each with the shortest reason, as the actions decide", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, realm } = chat;
  const { body: { group_id: group } } = await chat.call(owner, "POST /user_groups/create", {
    ...{ name: "Gardeners", description: "", members: [member.id, guest.id] },
  });
  const value = { direct_members: [member.id], direct_subgroups: [group] };
  const { body: { id } } = await chat.call(owner, "POST /channels/create", {
    ...{ name: "Garden", subscribers: [owner.id, member.id, guest.id], invite_only: true },
    ...{ can_send_message_group: value, can_administer_channel_group: { ...value, direct_members: [] } },
  });
  const visitor = await signIn(chat, owner);
  assert.deepEqual(await listHolders(visitor, "realm.create_multiuse_invite_group"), {
    Admin: "Allowed to administrators (built-in default).",
    Owner: "Allowed to administrators (built-in default).",
  });
  const senders = await listHolders(visitor, "channel.can_send_message_group", "#garden");
  assert.deepEqual(senders, {
    Guest: "Allowed to members of Gardeners in this channel.",
    Member: "Allowed to this person by name in this channel.",
  });
  const send = async (user: TestUser) =>
    (await chat.call(user, "POST /messages", { type: "channel", to: id, topic: "x", content: "y" }))
      .status === 200;
  for (const user of [owner, admin, moderator, member, guest]) {
    const { full_name } = (await chat.call(user, "GET /users/me")).body;
    assert.equal(full_name in senders, await send(user), full_name);
  }
  assert.deepEqual(Object.keys(await listHolders(visitor, "channel.read", "Garden")), [
    "Guest",
    "Member",
    "Owner",
  ]);
  const administrators = await listHolders(visitor, "channel.can_administer_channel_group", "#Garden");
  assert.equal(administrators["Member"], "Allowed to members of Gardeners in this channel.");
  assert.equal(administrators["Admin"], "Allowed to administrators by a built-in rule.");
  assert.equal(administrators["Guest"], undefined, "guests never administer channels");
  const managers = await listHolders(visitor, "user_group.can_manage_group", "@Gardeners");
  assert.match(managers["Owner"] ?? "", /^Allowed to (owners|this person by name) /);

  const file = await visitor.post(`${PATH}?permission=channel.can_send_message_group&object=Garden`, {
    action: "export",
  });
  assert.match(file.headers.get("content-disposition") ?? "", /who-can\.csv/);
  assert.deepEqual(file.html.trim().split("\r\n").map((line) => line.split(",")[0]), [
    "User",
    "Guest",
    "Member",
  ]);
  const unknown = `${PATH}?permission=channel.can_send_message_group&object=Meadow`;
  assert.equal((await visitor.post(unknown, { action: "export" })).status, 404);
  await chat.call(owner, "PATCH /realm", {
    create_multiuse_invite_group: { new: realm.first_system_group_id },
  });
  assert.match(
    (await visitor.get(`${PATH}?permission=realm.create_multiuse_invite_group`)).html,
    /Nobody can\./,
  );
});

Deno.test("the page says what is missing, and shows only channels that the administrator can see", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const shows = async (query: string, text: RegExp) =>
    assert.match((await visitor.get(PATH + query)).html, text);
  await shows("", /Choose a permission to see who has it/);
  await shows("?permission=realm.nothing", /Choose a permission to see who has it/);
  await shows("?permission=channel.can_send_message_group", /Enter the channel as #name/);
  await shows("?permission=channel.can_send_message_group&object=none", /no channel or group of this name/);
  await shows("?permission=user_group.can_join_group&object=@none", /no channel or group of this name/);
  const empty = await visitor.post(`${PATH}?permission=channel.read&object=none`, { action: "export" });
  assert.equal(empty.html.trim().split("\r\n").length, 1);
});

Deno.test("10,000 users are decided in slices that do not block the event loop, on pages of 50", async () => {
  await using chat = await startChat();
  const ids = await seedUsers(chat, 10_000);
  const { body } = await chat.call(chat.owner, "POST /channels/create", {
    name: "main",
    subscribers: ids.slice(0, 80),
  });
  assert.equal(body.result, "success");
  const visitor = await signIn(chat, chat.owner);
  const query = "?permission=channel.can_send_message_group&object=main";
  const { html } = await visitor.get(`${PATH}${query}&page=2`);
  assert.match(html, /51–100 of 10,0\d\d/);
  for (
    const work of [() => visitor.get(PATH + query), () => visitor.post(PATH + query, { action: "export" })]
  ) {
    const ratios: number[] = [];
    while (ratios.length < 10 && !ratios.some((ratio) => ratio <= 1.2)) {
      ratios.push(await measureLongestBlock(work, readThreadMs) / await measureBaseline(readThreadMs));
    }
    assert.ok(ratios.some((ratio) => ratio <= 1.2), ratios.join(", "));
  }
});
