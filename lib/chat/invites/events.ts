import type { Tx } from "@/lib/store/transact.ts";
import type { AuditAction, AuditDetails } from "../audit/model.ts";
import { recordAudit } from "../audit/store.ts";
import { sendEvent } from "../events/send_events.ts";
import { isAdmin, type UserRecord } from "../users/model.ts";
import { inviteKeys, type InviteLinkRecord, type InviteOffer, type InviteRecord } from "./model.ts";

/** Organization and time of a change, in milliseconds since 1970 UTC. */
interface ChangeTime {
  readonly realmId: number;
  readonly now: number;
}

/** Maximum number of addresses in one audit entry; more do not fit. */
const MAX_AUDITED_ADDRESSES = 40;

/**
 * Sends administrators and the inviter an event that the active invitations changed, and invalidates cached
 * lists.
 */
export function sendInvitesEvents(tx: Tx, at: ChangeTime, inviter: UserRecord | null): void {
  tx.sum(inviteKeys.version(at.realmId), 1n);
  const event = { type: "invites_changed" };
  sendEvent(tx, at, { event, audience: "admins" });
  if (inviter !== null && !isAdmin(inviter)) sendEvent(tx, at, { event, audience: [inviter.id] });
}

/** Records the invitations of one request in the audit log, as one entry. */
export function auditInvites(
  tx: Tx,
  at: ChangeTime,
  { actor, offer, addresses }: { actor: UserRecord; offer: InviteOffer; addresses: readonly string[] },
): void {
  const list: AuditDetails = addresses.length === 1
    ? {}
    : { count: String(addresses.length), addresses: addresses.slice(0, MAX_AUDITED_ADDRESSES).join(", ") };
  recordAudit(tx, at, {
    acting_user_id: actor.id,
    action: "invite_created",
    target: { kind: "invite", id: offer.id, name: addresses[0] ?? "" },
    details: { role: String(offer.role), ...list },
  });
}

/** Records an action on the invitation of an address in the audit log. */
export function auditInvite(
  tx: Tx,
  at: ChangeTime,
  { actor, invite, action }: { actor: Pick<UserRecord, "id">; invite: InviteRecord; action: AuditAction },
): void {
  const target = { kind: "invite", id: invite.id, name: invite.email } as const;
  recordAudit(tx, at, { acting_user_id: actor.id, action, target });
}

/** Records an action on a reusable link in the audit log, named by its id because its URL is a secret. */
export function auditInviteLink(
  tx: Tx,
  at: ChangeTime,
  { actor, link, action, details = {} }: {
    actor: Pick<UserRecord, "id">;
    link: Pick<InviteLinkRecord, "id">;
    action: AuditAction;
    details?: AuditDetails;
  },
): void {
  const target = { kind: "invite_link", id: link.id, name: String(link.id) } as const;
  recordAudit(tx, at, { acting_user_id: actor.id, action, target, details });
}

/** Records in the audit log that a user joined by an invitation or by a reusable link. */
export function auditJoin(
  tx: Tx,
  at: ChangeTime,
  { user, invite }: { user: UserRecord; invite: Pick<InviteRecord, "id" | "via_link_id"> },
): void {
  const { id, full_name: name } = user;
  const { via_link_id: linkId } = invite;
  recordAudit(tx, at, {
    acting_user_id: id,
    action: linkId === null ? "invite_accepted" : "invite_link_used",
    target: linkId === null
      ? { kind: "invite", id: invite.id, name }
      : { kind: "invite_link", id: linkId, name },
    details: { role: String(user.role) },
  });
}
