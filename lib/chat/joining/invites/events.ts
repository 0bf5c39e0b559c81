import { z } from "zod";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import type { AuditAction, AuditDetails } from "@/lib/chat/organization/audit/model.ts";
import { recordAudit } from "@/lib/chat/organization/audit/store.ts";
import { MAX_DEFAULT_CHANNELS } from "@/lib/chat/organization/channels/model/channel.ts";
import { sendEvent } from "@/lib/chat/organization/events/send_events.ts";
import { type RealmRecord, realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import {
  bool,
  described,
  exact,
  intChoice,
  json,
  optional,
  scalar,
  text,
  withDefault,
} from "@/lib/chat/organization/params/param.ts";
import {
  type Caller,
  isAdmin,
  isOwner,
  ROLE,
  ROLES,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { toSeconds } from "@/lib/core/clock.ts";
import type { Tx } from "@/lib/store/transact.ts";
import {
  createInviteToken,
  inviteKeys,
  type InviteLinkRecord,
  type InviteOffer,
  type InviteRecord,
} from "./model.ts";
import { type ActiveInvite, readActiveInvites } from "./store.ts";

/** Maximum length of the welcome text, in code points. */
const MAX_WELCOME = 8000;
/** Maximum length of a list of addresses, in code points: most of the largest form. */
const MAX_ADDRESSES = 1_000_000;
/** Maximum number of groups of an invitation: an offer is one record of the store. */
const MAX_GROUPS = 500;
/** About 190 years, so that every expiry is a valid date. */
const MAX_MINUTES = 99_999_999;

const channelIds = described(
  json(z.array(z.int()).max(MAX_DEFAULT_CHANNELS)),
  "Ids of the channels to which new users are subscribed.",
);

const offerParams = {
  invite_expires_in_minutes: described(
    optional(scalar(z.int().min(-MAX_MINUTES).max(MAX_MINUTES).nullable())),
    "null for never, the operator's default if omitted. Zero or less creates an expired invitation.",
  ),
  invite_as: described(withDefault(intChoice(ROLES), ROLE.member), "Role of the new users."),
  group_ids: described(
    withDefault(json<readonly number[]>(z.array(z.int()).max(MAX_GROUPS)), []),
    "Ids of the user groups to which new users are added.",
  ),
  include_realm_default_subscriptions: withDefault(bool(), false),
  welcome_message_custom_text: described(
    optional(text({ max: MAX_WELCOME })),
    "Welcome message in Markdown, only from administrators. null for the organization's own, empty for none.",
  ),
};

export const createInvitesParams = {
  invitee_emails: described(
    exact(text({ max: MAX_ADDRESSES })),
    "Addresses, also with names as in `Ada <ada@example.com>`, separated by commas, semicolons or lines.",
  ),
  stream_ids: channelIds,
  ...offerParams,
  notify_referrer_on_join: withDefault(bool(), true),
};

export const createInviteLinkParams = {
  stream_ids: withDefault<readonly number[]>(channelIds, []),
  ...offerParams,
};

const inviteSchema = z.object({
  id: z.int().meta({ description: "Unique in combination with `is_multiuse`." }),
  invited_by_user_id: z.int(),
  invited: z.int().meta({ description: "Seconds since 1970 UTC." }),
  expiry_date: z.int().nullable().meta({ description: "Seconds since 1970 UTC; null for never." }),
  invited_as: z.int(),
  email: z.string().optional().meta({ description: "Only for the invitation of an address." }),
  notify_referrer_on_join: z.boolean(),
  link_url: z.string().optional().meta({ description: "Only for a reusable link." }),
  is_multiuse: z.boolean(),
}).meta({ id: "Invitation" });

export const invitesSchema = z.object({ invites: z.array(inviteSchema) });

export const createdInviteLinkSchema = z.object({ invite_link: z.string() });

export function inviteLinkUrl(app: UrlApp, realm: RealmRecord, link: InviteLinkRecord): string {
  return toUrl(app, realm, { kind: "link", ...link });
}

/** Returns the absolute URL by which the invitation of an address is accepted. */
export function inviteUrl(app: UrlApp, realm: RealmRecord, invite: InviteRecord): string {
  return toUrl(app, realm, { kind: "invite", ...invite });
}

type UrlApp = Pick<ChatApp, "config" | "secretKey">;

function toUrl(
  app: UrlApp,
  realm: RealmRecord,
  { kind, id, salt }: { readonly kind: "link" | "invite"; readonly id: number; readonly salt: string },
): string {
  return `${realmUrl(app, realm)}/join/${createInviteToken(app, { kind, realmId: realm.id, id, salt })}`;
}

/** Lists the active invitations and links that the caller may see; links for owners only to owners. */
export async function listInvites(app: ChatApp, caller: Caller) {
  const invites = await readActiveInvites(app, caller);
  return invites.filter((item) => canSeeUrl(caller, item)).map((item) => {
    const { id } = item.kind === "email" ? item.invite : item.link;
    const { inviter_id, created_at, expires_at, role, notify_referrer_on_join } = item.offer;
    const fields = {
      id,
      invited_by_user_id: inviter_id,
      invited: toSeconds(created_at),
      expiry_date: expires_at === null ? null : toSeconds(expires_at),
      invited_as: role,
      notify_referrer_on_join,
    };
    return item.kind === "email"
      ? { ...fields, email: item.invite.email, is_multiuse: false }
      : { ...fields, link_url: inviteLinkUrl(app, caller.realm, item.link), is_multiuse: true };
  });
}

/** Only owners see the URL of a link for owners, with which any administrator could become one. */
function canSeeUrl({ actingUser }: Caller, { kind, offer }: ActiveInvite): boolean {
  return kind === "email" || offer.role !== ROLE.owner || isOwner(actingUser);
}

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

/** Records an action in the audit log; a reusable link is named by its id because its URL is a secret. */
export function auditInvite(
  tx: Tx,
  at: ChangeTime,
  { actor, invite: { id, email }, action, details }: {
    actor: Pick<UserRecord, "id">;
    invite: { id: number; email?: string };
    action: AuditAction;
    details?: AuditDetails;
  },
): void {
  const target = email === undefined
    ? { kind: "invite_link", id, name: String(id) } as const
    : { kind: "invite", id, name: email } as const;
  recordAudit(tx, at, { acting_user_id: actor.id, action, target, details: details ?? {} });
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
