import assert from "node:assert/strict";
import type { AuditRecord } from "@/lib/chat/audit/change.ts";
import { listChanges } from "@/lib/chat/audit/list_changes.ts";
import { join } from "@/lib/chat/invites/join.ts";
import { invite, JOIN_PASSWORD } from "@/tests/api/pages/join_invites.ts";
import { type Person, type Sent, startChat, type TestChat } from "@/tests/helpers/chat.ts";

const OFFER = { invite_expires_in_minutes: 60, invite_as: 400, stream_ids: [] };

async function act(chat: TestChat, who: Person, endpoint: string, params: Sent = {}) {
  // Changes of one moment have no order.
  chat.clock.time++;
  const { status, body } = await chat.call(who, endpoint, params);
  assert.equal(status, 200, `${endpoint}: ${JSON.stringify(body)}`);
  return body;
}

/** What was noted about one of some kinds, the oldest first. */
async function noted(chat: TestChat, ...kinds: readonly string[]): Promise<readonly AuditRecord[]> {
  const page = await listChanges(chat.services.chat, chat.realm, { cursor: null, limit: 100 });
  return page.changes.toReversed().filter(({ target }) => kinds.includes(target.kind));
}

Deno.test("changes of linkifiers are noted with what is other than before", async () => {
  await using chat = await startChat();
  const fields = (pattern: string) => ({ pattern, url_template: "https://example.com/{id}" });
  const { id: first } = await act(chat, chat.admin, "POST /realm/filters", fields("#(?P<id>[0-9]+)"));
  const { id: second } = await act(chat, chat.admin, "POST /realm/filters", fields("T(?P<id>[0-9]+)"));
  await act(chat, chat.admin, `PATCH /realm/filters/${first}`, fields("##(?P<id>[0-9]+)"));
  await act(chat, chat.admin, `PATCH /realm/filters/${first}`, fields("##(?P<id>[0-9]+)"));
  await act(chat, chat.admin, "PATCH /realm/linkifiers", { ordered_linkifier_ids: [second, first] });
  await act(chat, chat.admin, `DELETE /realm/filters/${second}`);
  const lines = await noted(chat, "linkifier");
  assert.deepEqual(lines.map(({ action, target }) => [action, target.id]), [
    ["linkifier_created", first],
    ["linkifier_created", second],
    ["linkifier_changed", first],
    ["linkifier_reordered", 0],
    ["linkifier_deleted", second],
  ]);
  assert.deepEqual(lines[2]?.details, { pattern: ["#(?P<id>[0-9]+)", "##(?P<id>[0-9]+)"] });
});

Deno.test("changes of profile fields are noted", async () => {
  await using chat = await startChat();
  const make = (name: string) => act(chat, chat.admin, "POST /realm/profile_fields", { name, field_type: 1 });
  const [{ id: first }, { id: second }] = [await make("Team"), await make("City")];
  await act(chat, chat.admin, `PATCH /realm/profile_fields/${first}`, { hint: "Where you work" });
  await act(chat, chat.admin, "PATCH /realm/profile_fields", { order: [second, first] });
  await act(chat, chat.admin, "PATCH /realm/profile_fields", { order: [second, first] });
  await act(chat, chat.admin, `DELETE /realm/profile_fields/${first}`);
  const lines = await noted(chat, "profile_field");
  assert.deepEqual(lines.map(({ action }) => action.replace("profile_field_", "")), [
    ...["created", "created", "changed", "reordered", "deleted"],
  ]);
  assert.deepEqual(lines[2]?.details, { hint: ["", "Where you work"] });
});

Deno.test("invitations and links are noted without what opens them, all of a request in one line", async () => {
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
  const lines = await noted(chat, "invite", "invite_link");
  assert.deepEqual(lines.map(({ action }) => action), [
    ...["invite_created", "invite_link_created", "invite_resent", "invite_revoked", "invite_link_revoked"],
  ]);
  const addresses = "one@example.com, two@example.com";
  assert.deepEqual(lines[0]?.details, { role: "400", count: "2", addresses });
  const secret = String(link.invite_link).split("/").at(-1) ?? "?";
  assert.ok(!JSON.stringify(lines).includes(secret));
  assert.doesNotMatch(JSON.stringify(lines), /gate code/);
});

Deno.test("who joins by an invitation is noted as the one who did it", async () => {
  await using chat = await startChat();
  const { path } = await invite(chat);
  const key = path.split("/").at(-1) ?? "";
  const joiner = { key, fullName: "Noor Lake", password: JOIN_PASSWORD };
  const joined = await join(chat.services.chat, chat.realm, joiner);
  assert.ok(joined.kind === "joined");
  const [line] = await noted(chat, "invite");
  assert.deepEqual([line?.action, line?.acting_user_id, line?.target.name], [
    ...["invite_accepted", joined.user.id, "Noor Lake"],
  ]);
});
