import assert from "node:assert/strict";
import { createInviteLink, inviteAddress, listInvites } from "@/tests/casts/invites_cast.ts";
import { flashOf, FORM, PAGE } from "@/tests/casts/admin_invitations_cast.ts";
import { JOIN_FORM, startMailingChat } from "@/tests/casts/join_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { type PageVisitor, signIn, visitPages } from "@/tests/helpers/pages.ts";

const SHOW = { action: "show" };
const pathOf = (id: number) => `${PAGE}/email/${id}/link`;

function linkIn(html: string): string {
  return /value="http:\/\/localhost:8000(\/join\/i[^"]+)"/.exec(html)?.[1] ?? "";
}

Deno.test("the link of an email invitation is shown on request, audited without it, and admits the person", async () => {
  await using chat = await startChat();
  const id = await inviteAddress(chat, chat.member, "noor@example.com", { invite_as: 600 });
  const admin = await signIn(chat, chat.admin);
  const list = await admin.get(PAGE);
  assert.ok(list.html.includes(`action="${pathOf(id)}"`));
  assert.ok(!list.html.includes("/join/i"));
  assert.ok(!(await admin.get(pathOf(id))).html.includes("/join/i"));
  const shown = await admin.post(pathOf(id), SHOW);
  assert.equal(shown.headers.get("cache-control"), "no-store, no-transform");
  const link = linkIn(shown.html);
  const audit = (await admin.get("/admin/audit")).html;
  assert.match(audit, /Showed the link of the invitation to (<[^>]*>)*noor@example\.com/);
  assert.ok(!audit.includes(link));
  const joined = await visitPages(chat).post(link, JOIN_FORM);
  assert.deepEqual([joined.status, joined.location], [303, "/connect?joined=1"]);
  assert.equal((await admin.post(pathOf(id), SHOW)).status, 404);
});

Deno.test("only those who may resend an invitation see its link", async () => {
  await using chat = await startChat();
  const high = await inviteAddress(chat, chat.owner, "boss@example.com", { invite_as: 100 });
  const expired = await inviteAddress(chat, chat.admin, "late@example.com", { invite_expires_in_minutes: 1 });
  const link = await createInviteLink(chat, chat.admin);
  const refused = async (visitor: PageVisitor, id: number) => {
    const { status, html } = await visitor.post(pathOf(id), SHOW);
    return status >= 400 && linkIn(html) === "";
  };
  const admin = await signIn(chat, chat.admin);
  assert.ok(await refused(admin, high));
  assert.ok(linkIn((await (await signIn(chat, chat.owner)).post(pathOf(high), SHOW)).html) !== "");
  assert.ok(await refused(admin, link + 1000));
  assert.ok(await refused(await signIn(chat, chat.member), expired));
  assert.ok(await refused(await signIn(chat, chat.outsider), expired));
  chat.clock.time += 120_000;
  assert.ok(await refused(admin, expired));
});

Deno.test("without delivered email no page claims that an invitation was sent, and its folder is named", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const { html } = await admin.get(PAGE);
  assert.match(html, /This server sends no email; it is written to files in data\/mail\./);
  assert.match(html, /People who open a link join immediately\./);
  assert.match(html, /href="\/admin\/organization#joining"/);
  const { headers } = await admin.post(PAGE, { ...FORM, emails: "noor@example.com" });
  assert.match(await flashOf(admin, headers), /1 person invited\. No email was sent: copy the link below/);
  const [invite] = await listInvites(chat, chat.admin);
  const list = await admin.get(PAGE);
  assert.ok(!list.html.includes("/resend"));
  assert.match(
    (await admin.get(`${PAGE}/email/${invite?.id}/resend`)).html,
    /nothing reaches the invited person/,
  );
  const partly = await admin.post(PAGE, { ...FORM, emails: "ivo@example.com, nobody" });
  assert.match(partly.html, /1 person invited\. No email was sent/);
  await using mailing = await startMailingChat();
  const other = await signIn(mailing, mailing.admin);
  const sent = await other.post(PAGE, { ...FORM, emails: "noor@example.com" });
  assert.doesNotMatch(await flashOf(other, sent.headers), /No email/);
  const page = (await other.get(PAGE)).html;
  assert.ok(page.includes("/resend") && !page.includes("sends no email"));
  assert.match(page, /People who open a link must confirm their address by email\./);
});

Deno.test("the organization decides whether addresses are confirmed, and pages say what holds", async () => {
  await using chat = await startMailingChat();
  const id = await createInviteLink(chat, chat.admin);
  const owner = await signIn(chat, chat.owner);
  const settings = async () => (await owner.get("/admin/organization")).html;
  const choose = async (email_confirmation: string) => {
    const form = (await settings()).split("<form").find((part) => part.includes('value="joining"')) ?? "";
    const seen = /name="seen" value="([\w-]+)"/.exec(form)?.[1] ?? "";
    const kept = { disallow_disposable_email_addresses: "true", waiting_period_threshold: "0" };
    return await owner.post("/admin/organization", { action: "joining", seen, ...kept, email_confirmation });
  };
  assert.match(await settings(), /value="automatic" checked/);
  assert.equal((await choose("not_required")).status, 303);
  assert.match((await owner.get(`${PAGE}/link/${id}`)).html, /People who open a link join immediately\./);
  const path = new URL((await chat.call(chat.owner, "POST /invites/multiuse")).body["invite_link"]).pathname;
  assert.match((await visitPages(chat).get(path)).html, /name="password"/);
  assert.equal((await choose("required")).status, 303);
  assert.match((await visitPages(chat).get(path)).html, /We will send a link to this address/);
  assert.equal((await choose("sometimes")).status, 400);
  const audit = (await owner.get("/admin/audit")).html;
  assert.match(audit, /Confirm email addresses of people who join by link/);
  assert.match(audit, /Never.*Always/s);
  await using unsent = await startChat();
  const page = (await (await signIn(unsent, unsent.owner)).get("/admin/organization")).html;
  assert.match(
    page,
    /Nobody can join by link: addresses must be confirmed, but this server sends no email\./,
  );
});

Deno.test("a link that was shown ends when who saw it may not see it any more", async () => {
  await using chat = await startChat();
  const id = await inviteAddress(chat, chat.owner, "noor@example.com", { invite_as: 200 });
  const link = linkIn((await (await signIn(chat, chat.admin)).post(pathOf(id), SHOW)).html);
  assert.equal((await visitPages(chat).get(link)).status, 200);
  await chat.call(chat.owner, `PATCH /users/${chat.admin.id}`, { role: 400 });
  assert.equal((await visitPages(chat).get(link)).status, 404);
  assert.equal((await visitPages(chat).post(link, JOIN_FORM)).status, 404);
});
