import assert from "node:assert/strict";
import { migrate } from "@/lib/store/migrate.ts";
import { statisticsKeys } from "@/lib/chat/organization/statistics/store.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { DAY_MS } from "@/lib/core/clock.ts";
import { MIGRATIONS } from "@/lib/services/migrations.ts";
import { upload } from "@/tests/casts/files_cast.ts";
import { createInviteLink, inviteAddresses, listInvites, makeChannel } from "@/tests/casts/invites_cast.ts";
import { JOIN_FORM, lastMail, startMailingChat } from "@/tests/casts/join_cast.ts";
import { growthSince, readSums, sendDirect, sendTo } from "@/tests/casts/statistics_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { visitPages } from "@/tests/helpers/pages.ts";

/** Day of the fake clock: 2026-11-21. */
const TODAY = 20_778;

/** Creates a public and a private channel with the member and returns their ids. */
async function makeChannels(chat: TestChat): Promise<readonly [number, number]> {
  const subscribers = [chat.owner.id, chat.member.id];
  return [
    await makeChannel(chat, chat.owner, "beds", { subscribers }),
    await makeChannel(chat, chat.owner, "shed", { subscribers, invite_only: true }),
  ];
}

/** Sends messages of every kind, changes some of them, uploads files, invites and lets people join. */
async function fillOrganization(chat: TestChat): Promise<void> {
  const [beds, shed] = await makeChannels(chat);
  const moved = await sendTo(chat, chat.member, beds);
  await sendTo(chat, chat.member, shed);
  chat.clock.time += DAY_MS;
  await sendDirect(chat, chat.member, chat.admin);
  await sendDirect(chat, chat.member, chat.admin, chat.owner);
  const move = await chat.call(chat.owner, `PATCH /messages/${moved}`, { stream_id: shed, topic: "moved" });
  assert.equal(move.status, 200, JSON.stringify(move.body));
  await upload(chat, chat.member, { name: "a.png", content: "12345", type: "image/png" });
  await upload(chat, chat.member, { name: "a.pdf", content: "123", type: "application/pdf" });
  await inviteAddresses(chat, chat.admin, "ivo@example.com, jun@example.com");
  await visitPages(chat).post((await lastMail(chat)).path, JOIN_FORM);
  const linkId = await createInviteLink(chat, chat.admin);
  const link = (await listInvites(chat, chat.admin)).find(({ id, is_multiuse }) =>
    is_multiuse && id === linkId
  );
  chat.clock.time += DAY_MS;
  await visitPages(chat).post(new URL(String(link?.["link_url"])).pathname, { email: "kai@example.com" });
  await visitPages(chat).post((await lastMail(chat)).path, JOIN_FORM);
}

Deno.test("messages sent at once are counted exactly, by kind and by channel", async () => {
  await using chat = await startChat();
  const [beds, shed] = await makeChannels(chat);
  const before = await readSums(chat);
  await Promise.all([
    ...Array.from({ length: 30 }, (_, at) => sendTo(chat, chat.member, beds, `topic ${at % 3}`)),
    ...Array.from({ length: 20 }, () => sendTo(chat, chat.owner, shed)),
    ...Array.from({ length: 10 }, () => sendDirect(chat, chat.member, chat.admin)),
    sendDirect(chat, chat.member, chat.member),
    ...Array.from({ length: 5 }, () => sendDirect(chat, chat.member, chat.admin, chat.owner)),
  ]);
  assert.deepEqual(growthSince(before, await readSums(chat)), {
    [`messages ${TODAY} public`]: 30,
    [`messages ${TODAY} private`]: 20,
    [`messages ${TODAY} direct`]: 11,
    [`messages ${TODAY} group`]: 5,
    [`channel_messages ${TODAY} ${beds}`]: 30,
    [`channel_messages ${TODAY} ${shed}`]: 20,
  });
});

Deno.test("a refused message is not counted, and edits, moves and deletions change no sum", async () => {
  await using chat = await startChat();
  const [beds, shed] = await makeChannels(chat);
  const [edited, deleted] = [await sendTo(chat, chat.member, beds), await sendTo(chat, chat.member, beds)];
  const before = await readSums(chat);
  const refused = await chat.call(chat.guest, "POST /messages", {
    type: "channel",
    to: shed,
    topic: "t",
    content: "hello",
  });
  assert.equal(refused.status, 400);
  const move = {
    stream_id: shed,
    topic: "u",
    send_notification_to_old_thread: false,
    send_notification_to_new_thread: false,
  };
  const changes = [
    await chat.call(chat.member, `PATCH /messages/${edited}`, { content: "changed" }),
    await chat.call(chat.owner, `PATCH /messages/${edited}`, move),
    await chat.call(chat.owner, `DELETE /messages/${deleted}`),
  ];
  assert.deepEqual(changes.map(({ status }) => status), [200, 200, 200]);
  assert.deepEqual(growthSince(before, await readSums(chat)), {});
});

Deno.test("uploads are counted by kind of file, when they are added and when they are removed", async () => {
  await using chat = await startChat();
  const files = [
    { name: "a.png", content: "12345", type: "image/png" },
    { name: "a.mp4", content: "1234", type: "video/mp4" },
    { name: "a.ogg", content: "123", type: "audio/ogg" },
    { name: "a.txt", content: "12", type: "text/plain" },
    { name: "a.zip", content: "1", type: "application/zip" },
  ];
  await Promise.all(files.map((file) => upload(chat, chat.member, file)));
  const { body } = await chat.call(chat.member, "GET /attachments");
  const image = body["attachments"].find(({ name }: { name: string }) => name === "a.png");
  chat.clock.time += DAY_MS;
  assert.equal((await chat.call(chat.member, `DELETE /attachments/${image.id}`)).status, 200);
  const sums = await readSums(chat);
  const of = (name: string) => Object.entries(sums).filter(([key]) => key.startsWith(name));
  assert.deepEqual(of("bytes"), [
    [`bytes_added ${TODAY} audio`, 3],
    [`bytes_added ${TODAY} document`, 2],
    [`bytes_added ${TODAY} image`, 5],
    [`bytes_added ${TODAY} other`, 1],
    [`bytes_added ${TODAY} video`, 4],
    [`bytes_removed ${TODAY + 1} image`, 5],
  ]);
  assert.deepEqual(of("storage_sum").map(([, size]) => size), [3, 2, 0, 1, 4]);
});

Deno.test("invitations, and people who join by them, are counted on their days", async () => {
  await using chat = await startMailingChat();
  const before = await readSums(chat);
  await fillOrganization(chat);
  const growth = Object.entries(growthSince(before, await readSums(chat)));
  assert.deepEqual(Object.fromEntries(growth.filter(([name]) => name.startsWith("joining"))), {
    [`joining ${TODAY + 1} invited`]: 2,
    [`joining ${TODAY + 1} accepted`]: 1,
    [`joining ${TODAY + 1} joined`]: 1,
    [`joining ${TODAY + 2} linked`]: 1,
    [`joining ${TODAY + 2} joined`]: 1,
  });
});

Deno.test("the migration counts stored records as they were counted when they were stored", async () => {
  await using chat = await startMailingChat();
  await fillOrganization(chat);
  const { store } = chat.services;
  const counted = await readSums(chat);
  assert.deepEqual((await checkChat(store.kv)).problems, []);
  for await (const { key } of store.kv.list({ prefix: [chat.realm.id] })) {
    if (key[1] === "day_sum" || key[1] === "storage_sum") await store.kv.delete(key);
  }
  assert.deepEqual(await readSums(chat), {});
  await store.kv.set(["schema_version"], 3);
  // Several processes that start at once take turns.
  await Promise.all([1, 2, 3].map(() => migrate(store, MIGRATIONS)));
  assert.deepEqual(await readSums(chat), counted);
  await migrate(store, MIGRATIONS);
  assert.deepEqual(await readSums(chat), counted);
});

Deno.test("check reports sizes and numbers of messages that do not match", async () => {
  await using chat = await startChat();
  const [beds] = await makeChannels(chat);
  await upload(chat, chat.member, { name: "a.png", content: "12345", type: "image/png" });
  const { kv } = chat.services.store;
  assert.deepEqual((await checkChat(kv)).problems, []);
  const day = { day: TODAY, part: beds };
  await kv.atomic()
    .sum([...statisticsKeys.day(chat.realm.id, "channel_messages", day)], 1n)
    .sum([...statisticsKeys.storage(chat.realm.id, "video")], 3n)
    .commit();
  const { problems } = await checkChat(kv);
  for (
    const wanted of [
      "the counted size of files of the kind video is 3 bytes; their size is 0",
      `the messages of day ${TODAY} are counted as 2 by kind and 3 by channel`,
    ]
  ) assert.ok(problems.some((problem) => problem.includes(wanted)), `${wanted} in\n${problems.join("\n")}`);
});
