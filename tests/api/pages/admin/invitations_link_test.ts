import assert from "node:assert/strict";
import { inviteKeys, type InviteOffer } from "@/lib/chat/joining/invites/model.ts";
import { updateInviteLink } from "@/lib/chat/joining/invites/invite_links.ts";
import { getUser } from "@/lib/chat/organization/users/store.ts";
import { readRecord } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import { PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { signIn, visitPages } from "@/tests/helpers/pages.ts";
import { createInviteLink, makeChannel, setPermission } from "@/tests/casts/invites_cast.ts";
import { flashOf, FORM, PAGE } from "@/tests/casts/admin_invitations_cast.ts";
import { JOIN_FORM, lastMail, startMailingChat } from "@/tests/casts/join_cast.ts";

const LINK = `${PAGE}/link/1`;

function readOffer(chat: TestChat, id = 1): Promise<InviteOffer | null> {
  return readRecord<InviteOffer>(chat.services.store.kv, inviteKeys.offer(chat.realm.id, id));
}

function revisionIn(html: string): string {
  return /name="seen" value="([^"]+)"/.exec(html)?.[1] ?? "";
}

/** Joins through the link that a page shows. */
async function joinBy(chat: TestChat, html: string, email: string): Promise<number> {
  const path = /http:\/\/localhost:8000(\/join\/[^<"]+)/.exec(html)?.[1] ?? "";
  await visitPages(chat).post(path, { email });
  const { path: proof } = await lastMail(chat);
  return (await visitPages(chat).post(proof, JOIN_FORM)).status;
}

Deno.test("a new link is shown in full with its QR code and counts the users who joined", async () => {
  await using chat = await startMailingChat();
  const visitor = await signIn(chat, chat.admin);
  const sent = await visitor.post(`${PAGE}?kind=link`, { ...FORM, action: "create_link", lasts: "never" });
  assert.equal(sent.location, LINK);
  assert.equal(await flashOf(visitor, sent.headers, LINK), "Link created. You can share it now.");
  const { html } = await visitor.get(LINK);
  assert.match(html, /<code[^>]*>http:\/\/localhost:8000\/join\/m1-[a-z2-7]{32}</);
  assert.ok(html.includes("nobody joined yet") && html.includes("QR code of the link"));
  assert.equal(await joinBy(chat, html, "noor@example.org"), 303);
  assert.equal(await joinBy(chat, html, "ines@example.org"), 303);
  assert.ok((await visitor.get(LINK)).html.includes("2 users joined"));
  assert.ok((await visitor.get(PAGE)).html.includes("2 users joined"));
});

Deno.test("copying the link is the one primary action of its page", async () => {
  await using chat = await startChat();
  await createInviteLink(chat, chat.admin);
  const { html } = await (await signIn(chat, chat.admin)).get(LINK);
  const buttons = [...html.matchAll(/<button[^>]*class="([^"]*)"[^>]*>([^<]*)</g)];
  const primary = buttons.filter(([, look = ""]) => look.includes(PRIMARY_BUTTON));
  assert.deepEqual(primary.map(([, , label]) => label), ["Copy link"]);
});

Deno.test("the QR code can be downloaded", async () => {
  await using chat = await startChat();
  await createInviteLink(chat, chat.admin);
  const visitor = await signIn(chat, chat.admin);
  const { headers, html } = await visitor.post(LINK, { action: "qr" });
  assert.equal(headers.get("content-type"), "image/svg+xml");
  assert.match(headers.get("content-disposition") ?? "", /^attachment/);
  assert.match(html, /^<svg xmlns=.*<path d="M/);
  assert.equal((await visitor.post(`${PAGE}/link/99`, { action: "qr" })).status, 404);
  await chat.call(chat.admin, "DELETE /invites/multiuse/1");
  assert.equal((await visitor.post(LINK, { action: "qr" })).status, 404);
});

Deno.test("changing a link's role and channels sends an event and an audit entry", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, chat.admin, "design");
  await createInviteLink(chat, chat.admin);
  const visitor = await signIn(chat, chat.admin);
  const seen = revisionIn((await visitor.get(LINK)).html);
  await chat.events();
  const fields = { action: "save", seen, role: "600", channel: String(channel), defaults: "true" };
  const sent = await visitor.post(LINK, fields);
  assert.equal(await flashOf(visitor, sent.headers, LINK), "Link saved.");
  const offer = await readOffer(chat);
  assert.deepEqual(
    [offer?.role, offer?.channel_ids, offer?.include_realm_default_subscriptions],
    [600, [channel], true],
  );
  assert.deepEqual((await chat.events()).map(({ event }) => event["type"]), ["invites_changed"]);
  const audit = (await visitor.get("/admin/audit")).html.replace(/<[^>]*>/g, "");
  assert.ok(audit.includes("Changed the invitation link 1"));
});

Deno.test("the second of two administrators who change a link gets a conflict, and nothing is lost", async () => {
  await using chat = await startChat();
  await createInviteLink(chat, chat.admin);
  const [one, other] = [await signIn(chat, chat.admin), await signIn(chat, chat.owner)];
  const seen = revisionIn((await one.get(LINK)).html);
  assert.equal((await one.post(LINK, { action: "save", seen, role: "600" })).status, 303);
  const late = await other.post(LINK, { action: "save", seen, role: "300" });
  assert.equal(late.status, 400);
  assert.ok(
    late.html.includes("Someone else changed this") && /<option value="300" selected/.test(late.html),
  );
  assert.equal((await readOffer(chat))?.role, 600);
  const again = await other.post(LINK, { action: "save", seen: revisionIn(late.html), role: "300" });
  assert.equal(again.status, 303);
  assert.equal((await readOffer(chat))?.role, 300);
});

Deno.test("of two changes of a link at the same moment, one gets a conflict", async () => {
  await using chat = await startChat();
  await createInviteLink(chat, chat.admin);
  const admin = await signIn(chat, chat.admin);
  const visitors = [admin, await signIn(chat, chat.owner)];
  const seen = revisionIn((await admin.get(LINK)).html);
  const roles = ["600", "300"];
  const sent = await Promise.all(
    visitors.map((visitor, at) => visitor.post(LINK, { action: "save", seen, role: roles[at] ?? "" })),
  );
  assert.deepEqual(sent.map(({ status }) => status).sort(), [303, 400]);
  const saved = roles[sent.findIndex(({ status }) => status === 303)];
  assert.equal(String((await readOffer(chat))?.role), saved);
});

Deno.test("updateInviteLink() grants no more than the caller and the link's creator may grant", async () => {
  await using chat = await startChat();
  await setPermission(chat, "create_multiuse_invite_group", "role:members");
  await createInviteLink(chat, chat.member);
  const channel = await makeChannel(chat, chat.owner, "secret", { invite_only: true });
  const change = async (user: TestUser, changes: { role?: 200 | 300 | 400; channel_ids?: number[] }) => {
    const actingUser = await transact(chat.services.store, (tx) => getUser(tx, chat.realm.id, user.id));
    const whole = {
      role: 400,
      channel_ids: [],
      group_ids: [],
      include_realm_default_subscriptions: false,
      ...changes,
    };
    await updateInviteLink(chat.services.chat, { realm: chat.realm, actingUser }, {
      id: 1,
      change: () => ({ ...whole, role: changes.role ?? 400 }),
    });
  };
  const refusals: [Parameters<typeof change>, string][] = [
    [[chat.admin, { role: 300 }], "Whoever made this link may not invite to that role."],
    [[chat.member, { role: 200 }], "Must be an organization administrator"],
    [[chat.moderator, {}], "Must be an organization administrator"],
    [[chat.admin, { channel_ids: [channel] }], `Invalid channel ID ${channel}. No invites were sent.`],
    [[chat.owner, { channel_ids: [channel] }], `Invalid channel ID ${channel}. No invites were sent.`],
  ];
  for (const [asked, message] of refusals) await assert.rejects(() => change(...asked), { message });
  await chat.call(chat.admin, "DELETE /invites/multiuse/1");
  await assert.rejects(() => change(chat.admin, {}), { message: "Invitation has already been revoked" });
  assert.equal((await readOffer(chat))?.role, 400);
});

Deno.test("unknown links and those of another organization are not found", async () => {
  await using chat = await startChat();
  await createInviteLink(chat, chat.admin);
  const visitor = await signIn(chat, chat.admin);
  for (const path of ["99", "x", "1e3"]) {
    assert.equal((await visitor.get(`${PAGE}/link/${path}`)).status, 404);
  }
  for (const user of [chat.member, chat.guest]) {
    assert.equal((await (await signIn(chat, user)).get(LINK)).status, 403);
  }
  assert.equal(
    (await visitPages(chat, "other.localhost:8000").get(LINK)).location?.startsWith("/login"),
    true,
  );
});
