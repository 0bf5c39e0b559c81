import assert from "node:assert/strict";
import { readForm } from "@/tests/casts/form_cast.ts";
import { systemGroup } from "@/tests/casts/user_groups_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { type PageVisitor, signIn } from "@/tests/helpers/pages.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";

/** A form that carries the revision of what it shows, and a field that each of several administrators changes. */
interface RevisedForm {
  readonly action: string;
  readonly field: string;
  readonly find: (chat: TestChat) => string | Promise<string>;
}

async function create(chat: TestChat, endpoint: string, params: Record<string, unknown>) {
  return (await chat.call(chat.owner, `POST /${endpoint}`, params)).body;
}

const FORMS: Readonly<Record<string, RevisedForm>> = {
  user: { action: "save", field: "full_name", find: ({ member }) => `users/${member.id}` },
  bot: { action: "save", field: "full_name", find: ({ bot }) => `users/${bot.id}` },
  "profile of a user": {
    action: "profile",
    field: "profile_1",
    find: async (chat) => {
      assert.equal((await create(chat, "realm/profile_fields", { field_type: 1, name: "City" })).id, 1);
      return `users/${chat.member.id}`;
    },
  },
  channel: {
    action: "save",
    field: "description",
    find: async (chat) =>
      `channels/${(await create(chat, "channels/create", { name: "garden", subscribers: [] })).id}`,
  },
  group: {
    action: "save",
    field: "description",
    find: async (chat) => {
      const can_manage_group = systemGroup(chat, "role:administrators");
      const group = { name: "gardeners", description: "", members: [], can_manage_group };
      return `groups/${(await create(chat, "user_groups/create", group)).group_id}`;
    },
  },
  "channel folder": {
    action: "save",
    field: "description",
    find: async (chat) => {
      const folder = { name: "Outside", description: "" };
      return `channel-folders/${(await create(chat, "channel_folders/create", folder)).channel_folder_id}`;
    },
  },
  linkifier: {
    action: "save",
    field: "url_template",
    find: async (chat) => {
      const linkifier = { pattern: "TICKETS", url_template: "https://tickets.example/" };
      return `linkifiers/${(await create(chat, "realm/filters", linkifier)).id}`;
    },
  },
  "profile field": {
    action: "save",
    field: "hint",
    find: async (chat) =>
      `profile-fields/${(await create(chat, "realm/profile_fields", { field_type: 1, name: "City" })).id}`,
  },
  "profile of an organization": { action: "profile", field: "description", find: () => "organization" },
  "welcome message": {
    action: "welcome",
    field: "welcome_message_custom_text",
    find: () => "organization",
  },
  "invitation link": {
    action: "save",
    field: "role",
    find: async (chat) => {
      await create(chat, "invites/multiuse", {});
      return "invitations/link/1";
    },
  },
  "short link": {
    action: "save",
    field: "title",
    find: async (chat) => `links${await chat.shorten("https://example.com/")}`,
  },
};

/** Values that four administrators enter. */
const ENTERED: Readonly<Record<string, readonly string[]>> = {
  url_template: [1, 2, 3, 4].map((number) => `https://tickets.example/${number}`),
  role: ["200", "300", "400", "600"],
};

async function signInFour(chat: TestChat): Promise<readonly PageVisitor[]> {
  const admins = [chat.owner, chat.admin, await chat.add("ada", 200), await chat.add("bela", 200)];
  return await Promise.all(admins.map((admin) => signIn(chat, admin)));
}

for (const [name, { action, field, find }] of Object.entries(FORMS)) {
  Deno.test(`of changes to the same ${name} at the same time, all but one are refused`, async () => {
    await using chat = await startChat();
    const path = `/admin/${await find(chat)}`;
    const visitors = await signInFour(chat);
    const [first] = visitors;
    assert.ok(first !== undefined);
    const form = readForm((await first.get(path)).html, action);
    const entered = ENTERED[field] ?? ["One", "Two", "Three", "Four"];
    const pages = await Promise.all(
      visitors.map((visitor, at) => visitor.post(path, { ...form, [field]: entered[at] ?? "" })),
    );
    assert.deepEqual(pages.map(({ status }) => status).sort(), [303, 400, 400, 400]);
    for (const { html } of pages.filter(({ status }) => status === 400)) {
      assert.match(html, /Someone else changed this while you were editing/);
    }
    const stored = readForm((await first.get(path)).html, action);
    assert.equal(stored[field], entered[pages.findIndex(({ status }) => status === 303)]);
  });
}

Deno.test("a form is saved while others change the rest of the organization without pause", async () => {
  // The commits of a file take long enough for others to come between.
  await using folder = await createTestFolder();
  await using chat = await startChat({ env: { KV_URL: `${folder.path}/store.kv` } });
  const others = await Promise.all(Array.from({ length: 16 }, (_, at) => chat.add(`user${at}`)));
  const visitor = await signIn(chat, chat.owner);
  const path = `/admin/${await FORMS["channel folder"]?.find(chat)}`;
  let isSaved = false;
  const renaming = others.map(async ({ id }) => {
    for (let at = 0; !isSaved; at++) {
      await chat.call(chat.admin, `PATCH /users/${id}`, { full_name: `User ${id} ${at}` });
    }
  });
  const statuses: number[] = [];
  for (const description of ["One", "Two", "Three", "Four"]) {
    const form = readForm((await visitor.get(path)).html, "save");
    statuses.push((await visitor.post(path, { ...form, description })).status);
  }
  isSaved = true;
  await Promise.all(renaming);
  assert.deepEqual(statuses, [303, 303, 303, 303]);
});

Deno.test("a choice that users choose at the moment of its removal is not removed unconfirmed", async () => {
  await using folder = await createTestFolder();
  await using chat = await startChat({ env: { KV_URL: `${folder.path}/store.kv` } });
  const visitor = await signIn(chat, chat.owner);
  const field_data = { 0: { text: "North", order: "1" }, 1: { text: "South", order: "2" } };
  for (let round = 0; round < 10; round++) {
    const { id } = await create(chat, "realm/profile_fields", { field_type: 3, name: "Office", field_data });
    const path = `/admin/profile-fields/${id}`;
    const form = readForm((await visitor.get(path)).html, "save");
    const data = [{ id, value: "1" }];
    const [saved, ...chosen] = await Promise.all([
      visitor.post(path, { ...form, choice_key: ["0"], choice_text: ["North"] }),
      ...[chat.member, chat.moderator, chat.admin].map((user) =>
        chat.call(user, "PATCH /users/me/profile_data", { data })
      ),
    ]);
    const isChosen = chosen.some(({ status }) => status === 200);
    assert.equal(saved.status, isChosen ? 400 : 303);
    await chat.call(chat.owner, `DELETE /realm/profile_fields/${id}`);
  }
});
