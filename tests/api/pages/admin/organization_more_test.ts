import assert from "node:assert/strict";
import { emojiKeys } from "@/lib/chat/organization/emoji.ts";
import { permissionRules } from "@/lib/chat/organization/permissions/model/registry.ts";
import { transact } from "@/lib/store/transact.ts";
import { composeMail } from "@/lib/mail/mail.ts";
import { claimMail, enqueueMail, giveUpMail, listDueMail } from "@/lib/mail/queue.ts";
import { permissionFields } from "@/lib/ui/permission_fields.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { type PageVisitor, signIn } from "@/tests/helpers/pages.ts";
import { readStoredRealm } from "@/tests/helpers/realm.ts";
import { type RowToWrite, writeRows } from "@/tests/helpers/write_rows.ts";

const PAGE = "/admin/organization";
const PICTURE = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

/** Returns the permission's fields as the page shows them, with another group selected. */
async function fieldsWithGroup(
  visitor: PageVisitor,
  setting: string,
  group: number,
): Promise<Record<string, string>> {
  const { html } = await visitor.get(`${PAGE}/permissions`);
  const { wasGroup } = permissionFields(setting);
  const was = new RegExp(`name="${wasGroup}" value="(\\d+)"`).exec(html)?.[1];
  assert.ok(was !== undefined, setting);
  return { action: "save", [setting]: String(group), [wasGroup]: was };
}

Deno.test("/admin/organization changes and removes the icon, which pages then show", async () => {
  await using chat = await startChat();
  const [admin, member] = [await signIn(chat, chat.admin), await signIn(chat, chat.member)];
  const send = async (content: Uint8Array<ArrayBuffer>, visitor = admin) => {
    const form = new FormData();
    form.set("action", "icon");
    form.set("icon", new File([content], "icon.png", { type: "image/png" }));
    return await visitor.post(PAGE, form);
  };
  const shown = /<img src="[^"]+" alt="Icon of Gardeners"/;
  assert.doesNotMatch((await admin.get(PAGE)).html, shown);
  assert.match((await send(new Uint8Array([1, 2, 3]))).html, /id="icon-problem"/);
  assert.match((await send(new Uint8Array())).html, /id="icon-problem"[^>]*>Choose a picture\./);
  assert.equal((await send(PICTURE, member)).status, 403);
  assert.equal((await send(PICTURE)).status, 303);
  assert.match((await admin.get(PAGE)).html, shown);
  assert.match((await member.get("/account")).html, shown);
  assert.equal((await admin.post(PAGE, { action: "remove_icon" })).status, 303);
  assert.doesNotMatch((await admin.get(PAGE)).html, shown);
});

Deno.test("every permission of the organization is on its page and can be changed there", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.owner);
  const administrators = chat.realm.first_system_group_id + 2;
  const { html } = await visitor.get(`${PAGE}/permissions`);
  for (const { setting } of permissionRules("realm")) {
    assert.match(html, new RegExp(`name="${setting}"`), setting);
  }
  const fields = await fieldsWithGroup(visitor, "can_create_groups", administrators);
  const shown = await visitor.post(`${PAGE}/permissions`, { ...fields, section: "groups" });
  assert.deepEqual([shown.status, shown.location], [303, `${PAGE}/permissions#groups`]);
  assert.equal((await readStoredRealm(chat)).permissions["can_create_groups"], administrators);
  const events = (await chat.events()).map(({ event }) => event);
  assert.deepEqual(events.at(-1)?.["data"], { can_create_groups: administrators });
});

Deno.test("a permission changed meanwhile is reported as a conflict and kept", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.owner);
  const first = chat.realm.first_system_group_id;
  const setting = "can_add_subscribers_group";
  const fields = await fieldsWithGroup(visitor, setting, first + 2);
  await chat.call(chat.admin, "PATCH /realm", { [setting]: { new: first + 1 } });
  const late = await visitor.post(`${PAGE}/permissions`, { ...fields, section: "channels" });
  assert.equal(late.status, 400);
  assert.match(late.html, /Someone else changed this/);
  assert.equal((await readStoredRealm(chat)).permissions[setting], first + 1);
});

Deno.test("administrators see the owners' permissions without controls", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const { html } = await visitor.get(`${PAGE}/permissions`);
  assert.match(html, /Only owners can change these:/);
  assert.ok(
    !html.includes('name="can_create_groups"') && html.includes('name="can_set_topics_policy_group"'),
  );
  const owners = await signIn(chat, chat.owner);
  const fields = await fieldsWithGroup(owners, "can_create_groups", chat.realm.first_system_group_id + 2);
  const forced = await visitor.post(`${PAGE}/permissions`, { ...fields, section: "groups" });
  assert.match(forced.html, /Must be an organization owner/);
  assert.deepEqual((await readStoredRealm(chat)).permissions, {});
});

async function sendPicture(
  chat: TestChat,
  visitor: PageVisitor,
  { name, picture, site = "same-origin" }: { name: string; picture: Uint8Array; site?: string },
) {
  const body = new FormData();
  body.set("action", "add");
  body.set("name", name);
  body.set("picture", new Blob([new Uint8Array(picture)]), "picture.png");
  const headers = {
    cookie: `sotto_session=${visitor.token()}`,
    "sec-fetch-site": site,
    accept: "text/html",
  };
  const response = await chat.request(`${PAGE}/emoji`, { method: "POST", headers, body });
  return { status: response.status, html: await response.text() };
}

Deno.test("an emoji is uploaded, found, and deactivated after a confirmation", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  assert.match((await visitor.get(`${PAGE}/emoji`)).html, /There are no custom emoji yet\./);
  assert.equal((await sendPicture(chat, visitor, { name: "party parrot", picture: PICTURE })).status, 303);
  const { html } = await visitor.get(`${PAGE}/emoji`);
  assert.match(html, /:party_parrot:/);
  assert.match(html, /<bdi>Admin<\/bdi>/);
  const url = /src="(\/emoji\/\d+\/\d+)/.exec(html)?.[1] ?? "";
  assert.equal((await chat.request(url)).headers.get("content-type"), "image/png");
  assert.match((await visitor.get(`${PAGE}/emoji?q=Parrot`)).html, /:party_parrot:/);
  assert.match((await visitor.get(`${PAGE}/emoji?q=cow`)).html, /No matching emoji\./);
  const question = `${PAGE}/emoji/party_parrot/deactivate`;
  assert.match((await visitor.get(question)).html, /Deactivate :party_parrot:\?/);
  assert.equal((await visitor.post(question, { action: "deactivate" })).location, `${PAGE}/emoji`);
  assert.match((await visitor.get(`${PAGE}/emoji`)).html, /There are no custom emoji yet\./);
  assert.equal((await visitor.get(question)).status, 404);
});

Deno.test("emoji are listed in pages, sorted by name", async () => {
  await using chat = await startChat();
  const record = {
    author_id: chat.owner.id,
    deactivated: false,
    content_type: "image/png",
    size: 1,
    picture: "x",
  };
  const rows = Array.from({ length: 205 }, (_, at): RowToWrite[] => {
    const name = `e${String(at + 1).padStart(3, "0")}`;
    return [
      [emojiKeys.emoji(chat.realm.id, at + 1), { id: at + 1, name, ...record }],
      [emojiKeys.byName(chat.realm.id, name), at + 1],
    ];
  });
  await writeRows(chat.services.store, rows.flat());
  const visitor = await signIn(chat, chat.owner);
  const names = (html: string) => [...new Set([...html.matchAll(/>:(e\d+):</g)].map(([, name]) => name))];
  const pages: (string | undefined)[][] = [];
  for (let path: string | undefined = ""; path !== undefined;) {
    const { html } = await visitor.get(`${PAGE}/emoji${path}`);
    pages.push(names(html));
    path = /href="\/admin\/organization\/emoji(\?[^"#]*)#list" rel="next"/.exec(html)?.[1];
  }
  assert.deepEqual(pages.map(({ length }) => length), [50, 50, 50, 50, 5]);
  assert.equal(new Set(pages.flat()).size, 205);
  assert.deepEqual(names((await visitor.get(`${PAGE}/emoji?q=E20`)).html), [
    "e200",
    "e201",
    "e202",
    "e203",
    "e204",
    "e205",
  ]);
  assert.equal((await visitor.get(`${PAGE}/emoji?page=${"9".repeat(5000)}`)).status, 200);
});

Deno.test("an emoji with a missing or invalid image or name is refused at its field", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.owner);
  await sendPicture(chat, visitor, { name: "taken", picture: PICTURE });
  const large = new Uint8Array(7 * 1024 * 1024);
  const refusals: [string, Uint8Array, RegExp][] = [
    ["fine", new Uint8Array(0), /Choose a picture\./],
    ["fine", new TextEncoder().encode("<svg onload=alert(1)>"), /Invalid image format/],
    ["NOT!", PICTURE, /Emoji names must contain only/],
    ["taken", PICTURE, /A custom emoji with this name already exists\./],
    ["fine", large, /larger than the allowed limit of 5 MiB/],
    ["fine", large.subarray(0, 5.5 * 1024 * 1024), /larger than the allowed limit of 5 MiB/],
  ];
  for (const [name, picture, sentence] of refusals) {
    const { status, html } = await sendPicture(chat, visitor, { name, picture });
    assert.equal(status, 400, String(sentence));
    assert.match(html, sentence);
    assert.match(html, /aria-invalid="true"|role="alert"/);
  }
  const foreign = await sendPicture(chat, visitor, { name: "fine", picture: PICTURE, site: "cross-site" });
  assert.equal(foreign.status, 400);
  assert.ok(!(await visitor.get(`${PAGE}/emoji`)).html.includes(":fine:"));
});

Deno.test("the status page shows the server's configuration without secrets", async () => {
  const key = "a-key-that-nobody-must-see-0123456789";
  const env = {
    JWT_AUTH_KEYS: JSON.stringify({ "": { key, algorithms: ["HS256", "HS512"] } }),
    SMTP_URL: "smtp://user:hidden-password@mail.example:25",
    PUSH_BOUNCER_URL: "https://push.example/",
    UPLOAD_QUOTA_MIB: "2048",
    WEB_PUBLIC_STREAMS_ENABLED: "false",
    RATE_LIMITS: "on",
  };
  await using chat = await startChat({ env });
  const visitor = await signIn(chat, chat.admin);
  const { html } = await visitor.get(`${PAGE}/status`);
  const sentences = [
    /sent through an SMTP server/,
    /HS256 and HS512/,
    /sent through push\.example/,
    /Maximum size of a file: 25 MiB/,
    /Storage limit: 2 GiB/,
    /The server does not allow it/,
    /failed sign-ins are limited/,
    /feature level 500/,
  ];
  for (const sentence of sentences) assert.match(html, sentence);
  for (const secret of [key, "hidden-password", "mail.example"]) assert.ok(!html.includes(secret), secret);
  assert.match((await visitor.get(PAGE)).html, /WEB_PUBLIC_STREAMS_ENABLED is false/);
});

Deno.test("a test mail reaches the user who requests it, and the page says what waits and failed", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  assert.match((await visitor.get(`${PAGE}/status`)).html, /Email is not sent/);
  const { store } = chat.services;
  const mail = composeMail({
    to: { name: "Ada", address: "ada@example.com" },
    subject: "s",
    greeting: "g",
    paragraphs: ["p"],
    footer: "f",
  });
  await transact(store, (tx) => Promise.resolve(enqueueMail(tx, mail, chat.clock.now())));
  assert.match((await visitor.get(`${PAGE}/status`)).html, /1 email is waiting\./);
  const [waiting] = await listDueMail(store, chat.clock.now(), 1);
  assert.ok(waiting !== undefined);
  const claimed = await claimMail(store, waiting, chat.clock.now() + 1);
  assert.ok(claimed !== null);
  await giveUpMail(store, claimed, { failed_at: chat.clock.now(), reason: "refused" });
  const { html } = await visitor.get(`${PAGE}/status`);
  assert.match(html, /No email is waiting\./);
  assert.match(html, /1 email failed in the last 30 days\./);
  const shown = await visitor.post(`${PAGE}/status`, { action: "test_mail" });
  assert.deepEqual([shown.status, shown.location], [303, `${PAGE}/status#mail`]);
  const [sent] = await chat.mails();
  assert.equal(sent?.to?.[0]?.address, chat.admin.email);
  assert.match(sent?.subject ?? "", /Test email from Gardeners/);
});

Deno.test("only an owner who types its name deactivates the organization, and all users are signed out", async () => {
  await using chat = await startChat();
  const [owner, admin] = [await signIn(chat, chat.owner), await signIn(chat, chat.admin)];
  const path = `${PAGE}/deactivate`;
  assert.ok(!(await admin.get(path)).html.includes('name="typed"'));
  const forced = await admin.post(path, { action: "deactivate", typed: "Gardeners" });
  assert.equal(forced.status, 400);
  const wrong = await owner.post(path, { action: "deactivate", typed: "Gardner" });
  assert.equal(wrong.status, 400);
  assert.match(wrong.html, /Type Gardeners exactly as shown\./);
  assert.equal((await readStoredRealm(chat)).is_deactivated, false);
  const done = await owner.post(path, { action: "deactivate", typed: " Gardeners " });
  assert.deepEqual([done.status, done.location, owner.token()], [303, "/login", null]);
  assert.equal((await readStoredRealm(chat)).is_deactivated, true);
  assert.match((await admin.get(PAGE)).location ?? "", /^\/login/);
  assert.equal((await chat.call(chat.member, "GET /users/me")).body["code"], "REALM_DEACTIVATED");
});
