import assert from "node:assert/strict";
import type { AuditRecord } from "@/lib/chat/organization/audit/model.ts";
import { listAuditRecords } from "@/lib/chat/organization/audit/store.ts";
import { acceptInvite } from "@/lib/chat/joining/invites/accept_invite.ts";
import { invite, JOIN_PASSWORD } from "@/tests/casts/join_cast.ts";
import { startChat, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";

const OFFER = { invite_expires_in_minutes: 60, invite_as: 400, stream_ids: [] };

async function act(chat: TestChat, user: TestUser, endpoint: string, params: TestParams = {}) {
  // Changes at the same time have no defined order.
  chat.clock.time++;
  const { status, body } = await chat.call(user, endpoint, params);
  assert.equal(status, 200, `${endpoint}: ${JSON.stringify(body)}`);
  return body;
}

/** Returns the records about targets of these kinds, oldest first. */
async function recordsAbout(chat: TestChat, ...kinds: readonly string[]): Promise<readonly AuditRecord[]> {
  const page = await listAuditRecords(chat.services.chat, chat.realm, { cursor: null, limit: 100 });
  return page.changes.toReversed().filter(({ target }) => kinds.includes(target.kind));
}

Deno.test("changes of linkifiers are audited with the differences", async () => {
  await using chat = await startChat();
  const fields = (pattern: string) => ({ pattern, url_template: "https://example.com/{id}" });
  const { id: first } = await act(chat, chat.admin, "POST /realm/filters", fields("#(?P<id>[0-9]+)"));
  const { id: second } = await act(chat, chat.admin, "POST /realm/filters", fields("T(?P<id>[0-9]+)"));
  await act(chat, chat.admin, `PATCH /realm/filters/${first}`, fields("##(?P<id>[0-9]+)"));
  await act(chat, chat.admin, `PATCH /realm/filters/${first}`, fields("##(?P<id>[0-9]+)"));
  await act(chat, chat.admin, "PATCH /realm/linkifiers", { ordered_linkifier_ids: [second, first] });
  await act(chat, chat.admin, `DELETE /realm/filters/${second}`);
  const records = await recordsAbout(chat, "linkifier");
  assert.deepEqual(records.map(({ action, target }) => [action, target.id]), [
    ["linkifier_created", first],
    ["linkifier_created", second],
    ["linkifier_changed", first],
    ["linkifier_reordered", 0],
    ["linkifier_deleted", second],
  ]);
  assert.deepEqual(records[2]?.details, { pattern: ["#(?P<id>[0-9]+)", "##(?P<id>[0-9]+)"] });
});

Deno.test("changes of profile fields are audited", async () => {
  await using chat = await startChat();
  const make = (name: string) => act(chat, chat.admin, "POST /realm/profile_fields", { name, field_type: 1 });
  const [{ id: first }, { id: second }] = [await make("Team"), await make("City")];
  await act(chat, chat.admin, `PATCH /realm/profile_fields/${first}`, { hint: "Where you work" });
  await act(chat, chat.admin, "PATCH /realm/profile_fields", { order: [second, first] });
  await act(chat, chat.admin, "PATCH /realm/profile_fields", { order: [second, first] });
  await act(chat, chat.admin, `DELETE /realm/profile_fields/${first}`);
  const records = await recordsAbout(chat, "profile_field");
  assert.deepEqual(records.map(({ action }) => action.replace("profile_field_", "")), [
    ...["created", "created", "changed", "reordered", "deleted"],
  ]);
  assert.deepEqual(records[2]?.details, { hint: ["", "Where you work"] });
});

Deno.test("invitations and links are audited without their secrets, one record per request", async () => {
  await using chat = await startChat();
  const emails = { ...OFFER, invitee_emails: "one@example.com, two@example.com" };
  await act(chat, chat.admin, "POST /invites", { ...emails, welcome_message_custom_text: "the gate code" });
  const link = await act(chat, chat.admin, "POST /invites/multiuse", OFFER);
  const { invites } = await act(chat, chat.admin, "GET /invites");
  const idOf = (isLink: boolean) =>
    invites.find((one: { is_multiuse: boolean }) => one.is_multiuse === isLink).id;
  await act(chat, chat.admin, `POST /invites/${idOf(false)}/resend`);
  await act(chat, chat.admin, `DELETE /invites/${idOf(false)}`);
  await act(chat, chat.owner, `DELETE /invites/multiuse/${idOf(true)}`);
  const records = await recordsAbout(chat, "invite", "invite_link");
  assert.deepEqual(records.map(({ action }) => action), [
    ...["invite_created", "invite_link_created", "invite_resent", "invite_revoked", "invite_link_revoked"],
  ]);
  const addresses = "one@example.com, two@example.com";
  assert.deepEqual(records[0]?.details, { role: "400", count: "2", addresses });
  const secret = String(link.invite_link).split("/").at(-1) ?? "?";
  assert.ok(!JSON.stringify(records).includes(secret));
  assert.doesNotMatch(JSON.stringify(records), /gate code/);
});

Deno.test("accepting an invitation is audited with the new user as the acting user", async () => {
  await using chat = await startChat();
  const { path } = await invite(chat);
  const token = path.split("/").at(-1) ?? "";
  const joiner = { token, fullName: "Noor Lake", password: JOIN_PASSWORD };
  const joined = await acceptInvite(chat.services.chat, chat.realm, joiner);
  assert.ok(joined.kind === "joined");
  const [record] = await recordsAbout(chat, "invite");
  assert.deepEqual([record?.action, record?.acting_user_id, record?.target.name], [
    ...["invite_accepted", joined.user.id, "Noor Lake"],
  ]);
});
