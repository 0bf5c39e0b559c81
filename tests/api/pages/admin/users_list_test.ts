import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import { addUser } from "@/lib/chat/people/users/create_user.ts";
import { transact } from "@/lib/store/transact.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { listPageAssets } from "@/tests/helpers/page_assets.ts";
import { type PageVisitor, signIn } from "@/tests/helpers/pages.ts";

const DAY_MS = 86_400_000;

/** Returns the names in the list at a query, in order. */
async function namesAt(visitor: PageVisitor, query: string): Promise<string[]> {
  const { html } = await visitor.get(`/admin/users?${query}`);
  return [...html.matchAll(/href="\/admin\/users\/\d+"><bdi>([^<]*)<\/bdi>/g)].map(([, name = ""]) => name);
}

async function exportAt(visitor: PageVisitor, query = ""): Promise<Record<string, string>[]> {
  const { html, status, headers } = await visitor.get(`/admin/users/export?${query}`);
  assert.equal(status, 200);
  assert.match(headers.get("content-type") ?? "", /^text\/csv/);
  return parse(html, { columns: true, bom: true });
}

/** Adds a user with a name that the API would refuse. */
async function addNamed(
  chat: TestChat,
  fullName: string,
  deliveryEmail = "named@example.com",
): Promise<void> {
  const { chat: app } = chat.services;
  const user = { deliveryEmail, fullName, role: 400, passwordHash: null } as const;
  await transact(
    app.store,
    (tx) => addUser({ app, tx, realm: chat.realm }, user),
  );
}

Deno.test("/admin/users takes fewer than 15 requests, however many accounts it shows", async () => {
  await using chat = await startChat();
  for (let at = 0; at < 30; at++) await addNamed(chat, `Person ${at}`, `person${at}@example.com`);
  const { html } = await (await signIn(chat, chat.owner)).get("/admin/users");
  const { styles, scripts } = await listPageAssets(chat, html);
  const pictures = new Set([...html.matchAll(/<img\b[^>]* src="([^"]*)"/g)].map(([, path]) => path));
  const fonts = 3;
  const count = 1 + styles.length + scripts.length + pictures.size + fonts;
  assert.ok(count < 15, `${count} requests`);
});

Deno.test("/admin/users is filtered by role and activity, and sorted by activity", async () => {
  await using chat = await startChat();
  const report = async (user: typeof chat.member) =>
    assert.equal((await chat.call(user, "POST /users/me/presence", { status: "active" })).status, 200);
  await report(chat.guest);
  chat.clock.time += 60 * DAY_MS;
  await report(chat.member);
  chat.clock.time += 10 * DAY_MS;
  await report(chat.owner);
  chat.clock.time += 60_000;
  const admin = await signIn(chat, chat.admin);
  assert.deepEqual(await namesAt(admin, "role=member"), ["Member"]);
  assert.deepEqual(await namesAt(admin, "role=member&tab=bots"), ["Bot"]);
  const { html: bots } = await admin.get("/admin/users?tab=bots");
  assert.match(bots, /Change 1 bot<.*1 of 1 bot</s);
  assert.deepEqual(await namesAt(admin, "role=500"), ["Admin", "Guest", "Member", "Moderator", "Owner"]);
  assert.deepEqual(await namesAt(admin, "activity=active7"), ["Admin", "Owner"]);
  assert.deepEqual(await namesAt(admin, "activity=active30"), ["Admin", "Member", "Owner"]);
  assert.deepEqual(await namesAt(admin, "activity=inactive30"), ["Guest", "Moderator"]);
  assert.deepEqual(await namesAt(admin, "activity=inactive90"), ["Moderator"]);
  assert.deepEqual(await namesAt(admin, "activity=never&role=moderator"), ["Moderator"]);
  assert.deepEqual(await namesAt(admin, "sort=active"), ["Admin", "Owner", "Member", "Guest", "Moderator"]);
  assert.deepEqual((await namesAt(admin, "sort=active&order=descending")).at(-1), "Admin");
  assert.match(
    (await admin.get("/admin/users?activity=active7&role=guest")).html,
    /No users match\./,
  );
});

Deno.test("/admin/users ignores activity where the organization hides presence", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  await chat.call(chat.owner, "PATCH /realm", { presence_disabled: true });
  assert.equal((await namesAt(admin, "activity=active7&sort=active")).length, 5);
  assert.doesNotMatch((await admin.get("/admin/users")).html, /name="activity"/);
});

Deno.test("/admin/users/export contains the filtered list, guarded against formulas", async () => {
  await using chat = await startChat();
  await addNamed(chat, '=1+1,"Ada"');
  const admin = await signIn(chat, chat.admin);
  const rows = await exportAt(admin);
  assert.equal(rows.length, 6);
  assert.deepEqual(Object.keys(rows[0] ?? {}), [
    "id",
    "full_name",
    "email",
    "role",
    "kind",
    "state",
    "joined",
    "last_active",
  ]);
  assert.ok(rows.some(({ full_name }) => full_name === '\'=1+1,"Ada"'));
  assert.deepEqual((await exportAt(admin, "role=guest")).map(({ email, role }) => [email, role]), [
    ["guest@example.com", "guest"],
  ]);
  await chat.call(chat.member, "PATCH /settings", { email_address_visibility: 4 });
  assert.deepEqual((await exportAt(admin, "q=memb")).map(({ email }) => email), [""]);
  const member = await signIn(chat, chat.member);
  assert.equal((await member.get("/admin/users/export")).status, 403);
});
