import type { Tx } from "@/lib/kv/transact.ts";
import type { AuditAction, AuditDetails } from "../audit/change.ts";
import { recordAudit } from "../audit/note_change.ts";
import type { UserRecord } from "../users/user.ts";
import type { InviteLinkRecord, InviteOffer, InviteRecord } from "./invite.ts";
import type { Invitee } from "./parse_email_list.ts";

/** The organization, and when, in milliseconds since 1970 UTC. */
interface Moment {
  readonly realmId: number;
  readonly now: number;
}

/** Notes in the audit log whom somebody invited, all of a request in one line. */
export function noteInvites(
  tx: Tx,
  at: Moment,
  { actor, offer, invitees }: { actor: UserRecord; offer: InviteOffer; invitees: readonly Invitee[] },
): void {
  const addresses = invitees.map(({ email }) => email);
  const many: AuditDetails = addresses.length === 1
    ? {}
    : { count: String(addresses.length), addresses: addresses.slice(0, MAX_NAMED).join(", ") };
  recordAudit(tx, at, {
    acting_user_id: actor.id,
    action: "invite_created",
    target: { kind: "invite", id: offer.id, name: addresses[0] ?? "" },
    details: { role: String(offer.role), ...many },
  });
}

/** More addresses than a detail has room for. */
const MAX_NAMED = 40;

/** Notes what somebody did to an invitation of an address. */
export function noteInvite(
  tx: Tx,
  at: Moment,
  { actor, invite, action }: { actor: Pick<UserRecord, "id">; invite: InviteRecord; action: AuditAction },
): void {
  const target = { kind: "invite", id: invite.id, name: invite.email } as const;
  recordAudit(tx, at, { acting_user_id: actor.id, action, target });
}

/** Notes what somebody did to a reusable link, which is named by its number: its address is a secret. */
export function noteLink(
  tx: Tx,
  at: Moment,
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

/** Notes that somebody joined, by an invitation or by a reusable link. */
export function noteJoined(
  tx: Tx,
  at: Moment,
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
