import assert from "node:assert/strict";
import { statisticsKeys } from "@/lib/chat/organization/statistics/store.ts";
import { DAY_MS, dayOf } from "@/lib/core/clock.ts";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import { upload } from "@/tests/casts/files_cast.ts";
import { inviteAddresses, makeChannel } from "@/tests/casts/invites_cast.ts";
import { sendDirect, sendTo } from "@/tests/casts/statistics_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { signIn, visitPages } from "@/tests/helpers/pages.ts";

const PAGE = "/admin/activity";

/** Returns the markup of a section of the page. */
function sectionIn(html: string, id: string): string {
  return html.split(`id="${id}"`)[1]?.split("</section>")[0] ?? "";
}

/** Returns the text of a section: markup becomes spaces. */
function textIn(html: string, id: string): string {
  return sectionIn(html, id).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

/** Returns the rows of a CSV export as cells. */
async function exported(chat: TestChat, query: string): Promise<readonly (readonly string[])[]> {
  const visitor = await signIn(chat, chat.admin);
  const { status, html } = await visitor.get(`${PAGE}/export?${query}`);
  assert.equal(status, 200, query);
  return html.replace("\ufeff", "").trim().split("\r\n").map((line) => line.split(","));
}

/** Sends messages today and ten days ago, to channels and directly; each new channel has a notice. */
async function sendMessages(chat: TestChat): Promise<void> {
  const both = { subscribers: [chat.owner.id, chat.member.id] };
  const beds = await makeChannel(chat, chat.owner, "beds", both);
  const shed = await makeChannel(chat, chat.owner, "shed", { ...both, invite_only: true });
  for (let sent = 0; sent < 4; sent++) await sendTo(chat, chat.member, beds);
  chat.clock.time += 10 * DAY_MS;
  for (let sent = 0; sent < 3; sent++) await sendTo(chat, chat.member, beds);
  for (let sent = 0; sent < 5; sent++) await sendTo(chat, chat.member, shed);
  await sendDirect(chat, chat.member, chat.admin);
  await sendDirect(chat, chat.member, chat.admin, chat.owner);
}

Deno.test("/admin/activity is limited to administrators, each of their own organization", async () => {
  await using chat = await startChat();
  await sendMessages(chat);
  const member = await signIn(chat, chat.member);
  const outsider = await signIn(chat, chat.outsider);
  for (const path of [PAGE, `${PAGE}/export?what=messages`]) {
    const [anonymous, refused] = [await visitPages(chat).get(path), await member.get(path)];
    assert.deepEqual([anonymous.status, refused.status], [303, 403], path);
  }
  const { html } = await outsider.get(PAGE);
  assert.match(textIn(html, "messages"), /No messages in this period\./);
  assert.match(textIn(html, "channels"), /No messages to channels in this period\./);
  assert.match((await outsider.get("/admin")).html, /href="\/admin\/activity"/);
});

Deno.test("/admin/activity shows the messages by kind and compares them with the days before", async () => {
  await using chat = await startChat();
  await sendMessages(chat);
  const visitor = await signIn(chat, chat.admin);
  const { status, html } = await visitor.get(`${PAGE}?days=7`);
  assert.equal(status, 200);
  const text = textIn(html, "messages");
  assert.match(text, /10 messages, 67% more than in the 7 days before\./);
  assert.match(text, /Highest: 10 messages, Dec 1, 2026\. Lowest: 0 messages, Nov 25, 2026\./);
  const [, ...days] = await exported(chat, "what=messages&days=7");
  assert.deepEqual(days.at(-1), ["2026-12-01", "3", "5", "1", "1", "10"]);
  assert.equal(days.length, 7);
  const direct = textIn((await visitor.get(`${PAGE}?days=7&kind=direct`)).html, "messages");
  assert.match(direct, /1 message; none in the 7 days before\./);
  const weeks = await exported(chat, "what=messages&by=week&from=2026-11-16&to=2026-12-06");
  assert.deepEqual(weeks.slice(1).map(([date, ...counts]) => [date, counts.at(-1)]), [
    ["2026-11-16", "6"],
    ["2026-11-23", "0"],
    ["2026-11-30", "10"],
  ]);
});

Deno.test("/admin/activity lists the most active channels, as the page of channels shows them", async () => {
  await using chat = await startChat();
  await sendMessages(chat);
  for (const user of [chat.owner, chat.admin]) {
    const section = sectionIn((await (await signIn(chat, user)).get(`${PAGE}?days=7`)).html, "channels");
    assert.deepEqual([...section.matchAll(/<bdi>(.*?)<\/bdi>/g)].map(([, name]) => name), ["shed", "beds"]);
  }
  const rows = await exported(chat, "what=channels&days=30");
  assert.deepEqual(rows.slice(1).map(([, ...cells]) => cells), [
    ["beds", "public", "8"],
    ["shed", "protected", "6"],
  ]);
});

Deno.test("the most active channels of very many are those of the newest whole days", async () => {
  await using chat = await startChat();
  const { store: { kv } } = chat.services;
  const beds = await makeChannel(chat, chat.owner, "beds");
  const today = dayOf(chat.clock.time);
  for (let day = today - 3; day < today; day++) {
    const writer = new BulkWriter(kv);
    for (let part = beds; part < beds + 9000; part++) {
      const key = statisticsKeys.day(chat.realm.id, "channel_messages", { day, part });
      await writer.set(key, new Deno.KvU64(5n));
    }
    const total = statisticsKeys.day(chat.realm.id, "messages", { day, part: "public" });
    await writer.set(total, new Deno.KvU64(45_000n));
    await writer.flush();
  }
  const { html } = await (await signIn(chat, chat.admin)).get(`${PAGE}?days=7`);
  assert.match(textIn(html, "channels"), /so this list counts from Nov 19, 2026\./);
  // The notice of the new channel counts too.
  assert.match(textIn(html, "channels"), /beds Public Messages 11 /);
});

Deno.test("/admin/activity shows active and new users, and storage by kind", async () => {
  await using chat = await startChat();
  await upload(chat, chat.member, { name: "a.png", content: "x".repeat(2048), type: "image/png" });
  await inviteAddresses(chat, chat.admin, "ivo@example.com, jun@example.com");
  for (const user of [chat.member, chat.guest]) {
    await chat.call(user, "POST /users/me/presence", { status: "active" });
  }
  chat.clock.time += DAY_MS;
  await chat.call(chat.member, "POST /users/me/presence", { status: "active" });
  const visitor = await signIn(chat, chat.admin);
  const { html } = await visitor.get(`${PAGE}?days=7`);
  assert.match(textIn(html, "active"), /On average 0\.7 active users a day; none in the 7 days before\./);
  assert.match(textIn(html, "active"), /Highest: 3 active users, Nov 21, 2026\./);
  assert.match(textIn(html, "joining"), /5 new users; none in the 7 days before\./);
  assert.match(textIn(html, "files"), /2 KiB uploaded; none in the 7 days before\./);
  assert.match(textIn(html, "files"), /Storage by kind.*Images.*2 KiB.*Videos.*0 bytes/);
  const weeks = await exported(chat, "what=active&days=30&by=week");
  // Of both days of one week, the member and the administrator count once.
  assert.deepEqual(weeks.at(-1), ["2026-11-16", "3"]);
  assert.deepEqual((await exported(chat, "what=joining&days=7")).at(-2), ["2026-11-21", "5", "2", "0", "0"]);
  assert.deepEqual(
    (await exported(chat, "what=files&days=7")).at(-2),
    ["2026-11-21", "2048", "0", "0", "0", "0", "0"],
  );
  await chat.call(chat.owner, "PATCH /realm", { presence_disabled: true });
  assert.match(textIn((await visitor.get(PAGE)).html, "active"), /does not store presence/);
  assert.equal((await visitor.get(`${PAGE}/export?what=active`)).status, 404);
});

Deno.test("/admin/activity refuses days out of order at the form, and exports of other names", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const { status, html } = await visitor.get(`${PAGE}?from=2026-11-20&to=2026-11-10&kind=direct`);
  assert.equal(status, 200);
  assert.match(html, /role="alert"[^>]*>Enter the first and last day of a period of up to 731 days\./);
  assert.match(html, /name="from"[^>]*value="2026-11-20"/);
  assert.match(html, /type="hidden" name="kind" value="direct"/);
  assert.equal((await visitor.get(`${PAGE}/export?what=toString`)).status, 400);
});
