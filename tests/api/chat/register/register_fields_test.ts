// POST /register: every declared field has its type for every role, and values that never change are true.
import assert from "node:assert/strict";
import { FIXED_PERMISSIONS } from "@/lib/chat/organization/permissions/model/grants.ts";
import { ACCOUNT_FIELDS, FIELD_TYPES, type FieldType, PUBLIC_FIELDS } from "@/tests/casts/declared_fields.ts";
import { makeChannel, send } from "@/tests/casts/messages_cast.ts";
import { startOpenChat } from "@/tests/casts/spectator_cast.ts";
import { upload } from "@/tests/casts/files_cast.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** Returns the fields of a table that are missing or have another type. */
function listProblems(
  body: Readonly<Record<string, unknown>>,
  table: Readonly<Partial<Record<FieldType, string>>>,
): string[] {
  return (Object.keys(FIELD_TYPES) as FieldType[]).flatMap((type) =>
    (table[type] ?? "").split(/\s+/).filter((name) => name !== "")
      .filter((name) => !FIELD_TYPES[type].safeParse(body[name]).success)
      .map((name) => `${name} is no ${type}: ${JSON.stringify(body[name])}`)
  );
}

async function state(chat: TestChat, user: TestUser | null, types?: readonly string[]) {
  const params = types === undefined ? {} : { fetch_event_types: types };
  const { status, body } = await chat.call(user, "POST /register", params);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

Deno.test("POST /register returns every declared field with its type, to every role", async () => {
  await using chat = await startOpenChat();
  for (const user of [chat.owner, chat.admin, chat.moderator, chat.member, chat.guest, chat.bot]) {
    const body = await state(chat, user);
    assert.deepEqual([...listProblems(body, PUBLIC_FIELDS), ...listProblems(body, ACCOUNT_FIELDS)], []);
  }
  const open = await state(chat, null);
  assert.deepEqual(listProblems(open, PUBLIC_FIELDS), []);
  const hidden = Object.values(ACCOUNT_FIELDS).join(" ").split(/\s+/).filter((name) => name !== "");
  assert.deepEqual(hidden.filter((name) => name in open && name !== "queue_id"), []);
  assert.equal(open.queue_id, null);
});

Deno.test("POST /register returns the fields of each type only to clients that request it", async () => {
  await using chat = await startChat();
  const always = Object.keys(await state(chat, chat.member, []));
  for (
    const [type, name] of [
      ["onboarding_steps", "onboarding_steps"],
      ["stop_words", "stop_words"],
      ["default_stream_groups", "realm_default_stream_groups"],
      ["realm_embedded_bots", "realm_embedded_bots"],
      ["realm_incoming_webhook_bots", "realm_incoming_webhook_bots"],
      ["realm_billing", "realm_billing"],
    ] as const
  ) {
    const fields = Object.keys(await state(chat, chat.member, [type]));
    assert.deepEqual(fields.filter((field) => !always.includes(field)), [name]);
  }
});

Deno.test("POST /register names the sounds and emoji styles that the settings accept", async () => {
  await using chat = await startChat();
  const { user_settings } = await state(chat, chat.member, ["user_settings"]);
  assert.equal(user_settings.available_notification_sounds.includes(user_settings.notification_sound), true);
  for (const sound of user_settings.available_notification_sounds) {
    await succeed(chat, chat.member, "PATCH /settings", { notification_sound: sound });
  }
  const keys = user_settings.emojiset_choices.map(({ key }: { key: string }) => key);
  assert.equal(keys.includes(user_settings.emojiset), true);
  for (const key of keys) await succeed(chat, chat.member, "PATCH /settings", { emojiset: key });
});

Deno.test("POST /register describes permissions that cannot be changed as their only value", async () => {
  await using chat = await startChat();
  const { realm_user_groups: groups, ...body } = await state(chat, chat.guest, [
    "realm",
    "realm_user_groups",
  ]);
  const supported = body.server_supported_permission_settings.realm;
  for (const { setting, group } of FIXED_PERMISSIONS) {
    const { name } = groups.find(({ id }: { id: number }) => id === body[`realm_${setting}`]);
    assert.equal(name, group);
    const { require_system_group, allowed_system_groups, default_group_name } = supported[setting];
    assert.deepEqual([require_system_group, allowed_system_groups, default_group_name], [
      true,
      [group],
      group,
    ]);
  }
  const named = Object.keys(body).filter((name) => /^realm_(can_|create_multi|direct_).*/.test(name));
  assert.deepEqual(named.map((name) => name.slice("realm_".length)).sort(), Object.keys(supported).sort());
});

Deno.test("who may move, resolve, add emoji, create bots and write directly is as POST /register says", async () => {
  await using chat = await startChat();
  const { owner, moderator, member, guest } = chat;
  const everyone = [owner.id, moderator.id, member.id, guest.id];
  const [garden, shed] = [
    await makeChannel(chat, "Garden", { subscribers: everyone }),
    await makeChannel(chat, "Shed", { subscribers: everyone }),
  ];
  const edit = async (user: TestUser, change: object) => {
    const id = await send(chat, member, { to: garden, topic: "seeds", content: "hello" });
    return (await chat.call(user, `PATCH /messages/${id}`, { ...change })).status;
  };
  const outcomes = async (user: TestUser) => [
    await edit(user, { stream_id: shed }),
    await edit(user, { topic: `plants of ${user.id}` }),
    await edit(user, { topic: "✔ seeds", propagate_mode: "change_one" }),
    (await chat.call(user, "POST /bots", { full_name: "B", short_name: `b${user.id}` })).status,
    (await chat.call(user, "POST /messages", { type: "direct", to: [owner.id], content: "hi" })).status,
  ];
  assert.deepEqual(await outcomes(moderator), [200, 200, 200, 200, 200]);
  assert.deepEqual(await outcomes(member), [400, 200, 200, 200, 200]);
  const guestOutcomes = await outcomes(guest);
  assert.deepEqual(guestOutcomes.map((status) => status < 400), [false, false, false, false, true]);
  const emoji = await chat.call(guest, "POST /realm/emoji/rose");
  assert.deepEqual([emoji.status, emoji.body.msg], [400, "Not allowed for guest users"]);
});

Deno.test("messages show previews of images exactly when POST /register says so", async () => {
  await using chat = await startChat();
  const body = await state(chat, chat.member, ["realm"]);
  const { body: { url } } = await upload(chat, chat.member, {
    name: "plan.png",
    content: "x",
    type: "image/png",
  });
  const { rendered } = await succeed(chat, chat.member, "POST /messages/render", {
    content: `[plan](${url})`,
  });
  assert.equal(body.realm_inline_image_preview, rendered.includes("message_inline_image"));
  assert.equal(body.server_inline_image_preview, body.realm_inline_image_preview);
});

Deno.test("the older forms of permissions follow them, in the state and in events", async () => {
  await using chat = await startChat();
  const policies = async () => {
    const body = await state(chat, chat.member, ["realm"]);
    return [
      body.realm_wildcard_mention_policy,
      body.realm_create_public_stream_policy,
      body.realm_create_private_stream_policy,
      body.realm_create_web_public_stream_policy,
    ];
  };
  assert.deepEqual(await policies(), [5, 1, 1, 7]);
  const first = chat.realm.first_system_group_id;
  await succeed(chat, chat.owner, "PATCH /realm", {
    can_mention_many_users_group: { new: first + 6 },
    can_create_public_channel_group: {
      new: { direct_members: [chat.member.id], direct_subgroups: [first + 2] },
    },
    can_create_private_channel_group: { new: first + 3 },
    can_create_web_public_channel_group: { new: first },
  });
  assert.deepEqual(await policies(), [1, 1, 4, 6]);
  const events = (await chat.events()).map(({ event }) => event);
  const sent = events.find(({ type }) => type === "realm")?.["data"] as Readonly<Record<string, unknown>>;
  assert.deepEqual([sent["wildcard_mention_policy"], sent["create_private_stream_policy"]], [1, 4]);
});

Deno.test("server_emoji_data_url names the standard emoji, compressed and cached", async () => {
  await using chat = await startChat();
  const { server_emoji_data_url } = await state(chat, chat.member, ["realm"]);
  const path = new URL(server_emoji_data_url).pathname;
  const answer = await chat.request(path, { headers: { "accept-encoding": "br" } });
  assert.deepEqual([answer.status, answer.headers.get("content-encoding")], [200, "br"]);
  await answer.body?.cancel();
  const plain = await chat.request(path);
  const etag = plain.headers.get("etag") ?? "";
  const { code_to_names } = await plain.json();
  assert.deepEqual(code_to_names["1f44d"].slice(0, 3), ["+1", "thumbs_up", "like"]);
  assert.ok(Object.keys(code_to_names).length > 1800);
  const again = await chat.request(path, { headers: { "if-none-match": etag } });
  assert.deepEqual([again.status, await again.text()], [304, ""]);
  const id = await send(chat, chat.member, { to: await makeChannel(chat, "Garden"), content: "hello" });
  const [code, names] = Object.entries<string[]>(code_to_names).at(-1) ?? ["", []];
  for (const emoji_name of names) {
    await succeed(chat, chat.owner, `POST /messages/${id}/reactions`, {
      emoji_name,
      emoji_code: code,
      reaction_type: "unicode_emoji",
    });
    await succeed(chat, chat.owner, `DELETE /messages/${id}/reactions`, { emoji_name });
  }
});
