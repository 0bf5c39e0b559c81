import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import {
  findEmailProblem,
  foldEmail,
  parsePlaceholderEmail,
  userKeys,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { canManageInvite, type InvitePermission, isInviterAuthorized } from "./access.ts";
import {
  inviteKeys,
  type InviteLinkRecord,
  type InviteOffer,
  type InviteRecord,
  isExpired,
  isInviteSecret,
  parseInviteToken,
} from "./model.ts";

/**
 * Reason why a token cannot be used to join. `not_backed`: the inviter may no longer invite to the offered
 * role; `refused`: the organization does not accept the address; `closed`: the organization is deactivated.
 */
type UnusableReason = "unknown" | "expired" | "revoked" | "used" | "not_backed" | "refused" | "closed";

export interface UsableOffer {
  readonly permissions: PermissionContext;
  readonly offer: InviteOffer;
  readonly inviter: UserRecord;
}

/** An invitation that can be accepted now. */
export interface UsableInvite extends UsableOffer {
  readonly kind: "invite";
  readonly invite: InviteRecord;
}

/** A reusable link through which visitors can join now. */
export interface UsableInviteLink extends UsableOffer {
  readonly kind: "link";
  readonly link: InviteLinkRecord;
}

/** An invitation or link that cannot be used to join; `member` if its address has an account. */
export type UnusableInvite =
  | { readonly kind: "dead"; readonly reason: UnusableReason }
  | { readonly kind: "member" };

type ResolvedInvite = UsableInvite | UsableInviteLink | UnusableInvite;

/** Source of the records that a token refers to: a transaction, in which a token takes at most eight checked reads. */
type TokenSource = Pick<Tx, "get" | "organization">;

/** Resolves a token without changing anything. */
export function resolveInvite(app: ChatApp, realm: RealmRecord, token: string): Promise<ResolvedInvite> {
  const source = { get: app.reads.read, organization: app.readOrganization };
  return resolveInviteWithin(app, source, { realmId: realm.id, token });
}

export async function resolveInviteWithin(
  app: ChatApp,
  source: TokenSource,
  { realmId, token }: { realmId: number; token: string },
): Promise<ResolvedInvite> {
  const parsed = parseInviteToken(token);
  if (parsed === null) return unusable("unknown");
  const { kind, id, secret } = parsed;
  if (kind === "link") {
    const link = await source.get<InviteLinkRecord>(inviteKeys.link(realmId, id));
    const isKnown = link !== null &&
      await isInviteSecret(app, { kind, realmId, id, salt: link.salt }, secret);
    if (!isKnown) return unusable("unknown");
    if (link.is_revoked) return unusable("revoked");
    const permission = "create_multiuse_invite_group";
    const usable = await readUsableOffer(app, source, { realmId, offerId: link.offer_id, permission });
    return "kind" in usable ? usable : { kind: "link", link, ...usable };
  }
  const invite = await source.get<InviteRecord>(inviteKeys.invite(realmId, id));
  const isKnown = invite !== null &&
    await isInviteSecret(app, { kind, realmId, id, salt: invite.salt }, secret);
  return isKnown ? await resolveEmailInvite(app, { realmId, source }, invite) : unusable("unknown");
}

async function resolveEmailInvite(
  app: Pick<ChatApp, "clock" | "config">,
  { realmId, source }: { realmId: number; source: TokenSource },
  invite: InviteRecord,
): Promise<ResolvedInvite> {
  if (invite.state === "accepted") return unusable("used");
  // A revoked reusable link revokes the personal join links of its visitors, too.
  const link = invite.via_link_id === null
    ? null
    : await source.get<InviteLinkRecord>(inviteKeys.link(realmId, invite.via_link_id));
  const isLinkRevoked = invite.via_link_id !== null && link?.is_revoked !== false;
  if (invite.state === "revoked" || isLinkRevoked) return unusable("revoked");
  if (isExpired(invite, app.clock.now())) return unusable("expired");
  const permission = invite.via_link_id === null ? "can_invite_users_group" : "create_multiuse_invite_group";
  const usable = await readUsableOffer(app, source, { realmId, offerId: invite.offer_id, permission });
  if ("kind" in usable) return usable;
  if (!await isSafelyShown(realmId, source, { invite, offer: usable.offer })) return unusable("not_backed");
  if (await source.get<number>(userKeys.byEmail(realmId, invite.email)) !== null) {
    // Outside a transaction the invitation may have been accepted between the two reads.
    const current = await source.get<InviteRecord>(inviteKeys.invite(realmId, invite.id));
    return current?.state === "accepted" ? unusable("used") : { kind: "member" };
  }
  const { realm } = usable.permissions;
  // A placeholder address belongs to the account that it represents.
  const isRefused = parsePlaceholderEmail(app, realm, foldEmail(invite.email)) !== undefined ||
    await findEmailProblem(realm, invite.email) !== null;
  return isRefused ? unusable("refused") : { kind: "invite", invite, ...usable };
}

/** Returns whether everyone who was shown the URL of an invitation might still see it. */
async function isSafelyShown(
  realmId: number,
  source: TokenSource,
  { invite, offer }: { invite: InviteRecord; offer: InviteOffer },
): Promise<boolean> {
  const ids = invite.shown_to ?? [];
  const users = await Promise.all(ids.map((id) => source.get<UserRecord>(userKeys.user(realmId, id))));
  return users.every((user) => user !== null && user.is_active && canManageInvite(user, offer));
}

/** Reads an offer that its inviter may still make, or the reason why it cannot be used. */
async function readUsableOffer(
  { clock }: Pick<ChatApp, "clock">,
  source: TokenSource,
  { realmId, offerId, permission }: { realmId: number; offerId: number; permission: InvitePermission },
): Promise<UsableOffer | UnusableInvite> {
  const offer = await source.get<InviteOffer>(inviteKeys.offer(realmId, offerId));
  if (offer === null) return unusable("unknown");
  const permissions = permissionsOf(await source.organization(realmId), clock);
  if (permissions.realm.is_deactivated) return unusable("closed");
  if (isExpired(offer, permissions.now)) return unusable("expired");
  const inviter = await source.get<UserRecord>(userKeys.user(realmId, offer.inviter_id));
  const terms = { ...offer, permission };
  return inviter !== null && isInviterAuthorized(permissions, inviter, terms)
    ? { permissions, offer, inviter }
    : unusable("not_backed");
}

function unusable(reason: UnusableReason): UnusableInvite {
  return { kind: "dead", reason };
}
