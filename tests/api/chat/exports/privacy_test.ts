import assert from "node:assert/strict";
import { isStillAllowed, readExportScope } from "@/lib/chat/register/exports/archive/rows.ts";
import { exportData, type UnpackedArchive } from "@/tests/casts/exports_cast.ts";
import { upload } from "@/tests/casts/files_cast.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** Sends a message with a file and returns words that occur in the archive if it is included. */
async function sendWithFile(chat: TestChat, by: TestUser, to: object): Promise<string> {
  const word = `word${crypto.randomUUID().slice(0, 8)}`;
  const { url } = (await upload(chat, by, { name: `${word}.txt`, content: word })).body;
  await succeed(chat, by, "POST /messages", { ...to, content: `${word} [file](${url})` });
  return word;
}

function assertWords(
  archive: UnpackedArchive,
  words: Readonly<Record<string, string>>,
  wanted: string[],
): void {
  archive.manifest();
  const found = Object.entries(words).filter(([, word]) => archive.contains(word)).map(([name]) => name);
  assert.deepEqual(found.toSorted(), wanted.toSorted());
}

const inChannel = (to: number) => ({ type: "channel", to, topic: "plans" });
const direct = (...users: TestUser[]) => ({ type: "direct", to: users.map(({ id }) => id) });
const allow = (chat: TestChat, user: TestUser, isAllowed = true) =>
  succeed(chat, user, "PATCH /settings", { allow_private_data_export: isAllowed });

Deno.test("archives contain private data only of users who allow it", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest, outsider } = chat;
  const create = async (name: string, users: TestUser[], more: object = {}): Promise<number> =>
    (await succeed(chat, owner, "POST /channels/create", {
      ...{ name, description: `about ${name}`, subscribers: users.map(({ id }) => id) },
      ...more,
    })).id;
  const closed = { invite_only: true };
  const open = await create("opengarden", [owner, member, guest]);
  const shared = await create("sharedattic", [owner, member], {
    ...closed,
    history_public_to_subscribers: true,
  });
  const hidden = await create("hiddencellar", [owner, moderator], closed);
  const guarded = await create("guardedtower", [owner], { ...closed, history_public_to_subscribers: false });
  await succeed(chat, owner, "PATCH /realm", {
    moderation_request_channel_id: hidden,
    new_stream_announcements_stream_id: open,
  });
  const moved = await succeed(chat, owner, "POST /messages", {
    ...inChannel(hidden),
    topic: "cellartopic",
    content: "movedword",
  });
  await succeed(chat, owner, `PATCH /messages/${moved.id}`, {
    ...{ stream_id: open, topic: "plans" },
    ...{ send_notification_to_new_thread: false, send_notification_to_old_thread: false },
  });
  const foreign = await succeed(chat, outsider, "POST /channels/create", {
    name: "foreigngarden",
    subscribers: [],
  });
  const words = {
    open: await sendWithFile(chat, member, inChannel(open)),
    moved: "movedword",
    shared: await sendWithFile(chat, owner, inChannel(shared)),
    hidden: await sendWithFile(chat, owner, inChannel(hidden)),
    hiddenName: "hiddencellar",
    hiddenTopic: "cellartopic",
    guardedEarly: await sendWithFile(chat, owner, inChannel(guarded)),
    ownDirect: await sendWithFile(chat, member, direct(owner)),
    othersDirect: await sendWithFile(chat, owner, direct(admin)),
    sharedName: "sharedattic",
    guardedName: "guardedtower",
    foreign: await sendWithFile(chat, outsider, inChannel(foreign.id)),
    foreignName: "foreigngarden",
  };
  await succeed(chat, owner, "POST /users/me/subscriptions", {
    subscriptions: [{ name: "guardedtower" }],
    principals: [member.id],
  });
  const all = { ...words, guardedLate: await sendWithFile(chat, owner, inChannel(guarded)) };

  assertWords(await exportData(chat, admin), all, ["open", "moved"]);
  assertWords(await exportData(chat, admin, "full_with_consent"), all, ["open", "moved"]);
  await allow(chat, member);
  const members = ["open", "moved", "shared", "sharedName", "guardedName", "guardedLate", "ownDirect"];
  const archive = await exportData(chat, admin, "full_with_consent");
  assertWords(archive, all, members);
  const organization = JSON.parse(archive.text("organization.json"));
  assert.deepEqual(
    [
      organization.settings.moderation_request_channel_id,
      organization.settings.new_stream_announcements_stream_id,
    ],
    [null, open],
  );
  const [message] = archive.rows("messages.jsonl").filter(({ type }) => type === "direct");
  assert.deepEqual(message?.["recipient_ids"], [owner.id, member.id]);
  assert.deepEqual(archive.rows("channels.jsonl").map(({ id }) => id), [open, shared, guarded]);
  // The public extent ignores consents.
  assertWords(await exportData(chat, admin), all, ["open", "moved"]);
  await succeed(chat, owner, `DELETE /users/${member.id}`);
  assertWords(await exportData(chat, admin, "full_with_consent"), all, members);
});

Deno.test("archives contain no secrets, and addresses only where administrators see them", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest } = chat;
  const visibility = (user: TestUser, email_address_visibility: number) =>
    succeed(chat, user, "PATCH /settings", { email_address_visibility });
  await visibility(member, 4);
  await visibility(admin, 4);
  await visibility(guest, 3);
  await visibility(moderator, 2);
  const note = { type: "", to: [], topic: "", content: "draftword", timestamp: 50 };
  await succeed(chat, owner, "POST /drafts", { drafts: [note] });
  await succeed(chat, owner, "POST /invites", { invitee_emails: "invited@example.com", stream_ids: [] });
  await succeed(chat, owner, "PATCH /realm", { welcome_message_custom_text: "welcomeword" });
  const archive = await exportData(chat, admin);
  const emails = Object.fromEntries(archive.rows("users.jsonl").map(({ id, email }) => [id, email]));
  assert.deepEqual(
    [owner, admin, moderator, member, guest, chat.bot].map(({ id }) => emails[id]),
    ["owner@example.com", null, "moderator@example.com", null, "guest@example.com", "bot@example.com"],
  );
  const { api_key } = await succeed(chat, admin, "POST /users/me/api_key/regenerate");
  for (
    const word of [api_key, owner.apiKey, admin.apiKey, "draftword", "invited@example.com", "welcomeword"]
  ) {
    assert.equal(archive.contains(word), false, word);
  }
  for (
    const word of ["password", "api_key", "token", "member@example.com", "admin@example.com", "outsider"]
  ) {
    assert.equal(archive.contains(word), false, word);
  }
});

Deno.test("a consent that is withdrawn while an archive is written makes the attempt invalid", async () => {
  await using chat = await startChat();
  const { member, moderator, realm } = chat;
  const { chat: app } = chat.services;
  const read = () =>
    readExportScope(app, { realm, type: "full_with_consent", check: () => Promise.resolve() });
  const none = await read();
  await allow(chat, member);
  const scope = await read();
  assert.deepEqual([[...none.consenting.keys()], [...scope.consenting.keys()]], [[], [member.id]]);
  await allow(chat, moderator);
  assert.deepEqual([await isStillAllowed(app, none), await isStillAllowed(app, scope)], [true, true]);
  await allow(chat, member, false);
  assert.deepEqual([await isStillAllowed(app, none), await isStillAllowed(app, scope)], [true, false]);
});
