import type { Key } from "@/lib/kv/key.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import {
  peekPermissionContext,
  type PermissionContext,
  readPermissionContext,
} from "../permissions/group_world.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { addressProblem } from "../users/address_policy.ts";
import { placeholderId } from "../users/email.ts";
import { foldEmail, userKeys, type UserRecord } from "../users/user.ts";
import {
  inviteKeys,
  type InviteLinkRecord,
  type InviteOffer,
  type InviteRecord,
  isExpired,
} from "./invite.ts";
import { type InvitePermission, isBacked } from "./rights.ts";
import { isInviteSecret, parseInviteToken } from "./token.ts";

/**
 * Why nobody joins by a link: it never was one, ran out, was withdrawn, was used, its inviter may no longer offer what it
 * offers, the organization takes no such address, or is deactivated.
 */
export type DeadReason = "unknown" | "expired" | "revoked" | "used" | "not_backed" | "refused" | "closed";

/** What stands behind a link that still opens. */
export interface OpenOffer {
  readonly permissions: PermissionContext;
  readonly offer: InviteOffer;
  readonly inviter: UserRecord;
}

/** An invitation that may be accepted now. */
export interface OpenInvite extends OpenOffer {
  readonly kind: "invite";
  readonly invite: InviteRecord;
}

/** A reusable link that takes addresses now. */
export interface OpenLink extends OpenOffer {
  readonly kind: "link";
  readonly link: InviteLinkRecord;
}

/** What a link leads to that does not open; `member` is one whose address has an account. */
export type ClosedInvite =
  | { readonly kind: "dead"; readonly reason: DeadReason }
  | { readonly kind: "member" };

/** What the key of a link leads to. */
export type OpenedInvite = OpenInvite | OpenLink | ClosedInvite;

/** What a key leads to at this moment; nothing is used up. */
export function openInvite(app: ChatApp, realm: RealmRecord, key: string): Promise<OpenedInvite> {
  return open(app, realm.id, {
    key,
    get: (at) => app.reads.read(at),
    readPermissions: () => peekPermissionContext(app, realm),
  });
}

/** What a key leads to as a transaction sees it, which runs again when that changes; in eight checked reads at most. */
export function openInviteIn(app: ChatApp, tx: Tx, { realmId, key }: KeyOfRealm): Promise<OpenedInvite> {
  return open(app, realmId, {
    key,
    get: (at) => tx.get(at),
    readPermissions: () => readPermissionContext(app, tx, realmId),
  });
}

/** The key of a link, and the organization whose address it was opened at. */
export interface KeyOfRealm {
  readonly realmId: number;
  readonly key: string;
}

interface Source {
  readonly key: string;
  readonly get: <T>(at: Key) => Promise<T | null>;
  readonly readPermissions: () => Promise<PermissionContext>;
}

async function open(app: ChatApp, realmId: number, source: Source): Promise<OpenedInvite> {
  const parsed = parseInviteToken(source.key);
  if (parsed === null) return dead("unknown");
  const { kind, id, secret } = parsed;
  if (kind === "link") {
    const link = await source.get<InviteLinkRecord>(inviteKeys.link(realmId, id));
    const isKnown = link !== null &&
      await isInviteSecret(app, { kind, realmId, id, salt: link.salt }, secret);
    return isKnown ? await openLink(realmId, source, link) : dead("unknown");
  }
  const invite = await source.get<InviteRecord>(inviteKeys.invite(realmId, id));
  const isKnown = invite !== null &&
    await isInviteSecret(app, { kind, realmId, id, salt: invite.salt }, secret);
  return isKnown ? await openOne(app, { realmId, source }, invite) : dead("unknown");
}

async function openLink(realmId: number, source: Source, link: InviteLinkRecord): Promise<OpenedInvite> {
  if (link.is_revoked) return dead("revoked");
  const backed = await readBacked(realmId, source, {
    offerId: link.offer_id,
    permission: "create_multiuse_invite_group",
  });
  return "kind" in backed ? backed : { kind: "link", link, ...backed };
}

async function openOne(
  app: Pick<ChatApp, "clock" | "config">,
  { realmId, source }: { realmId: number; source: Source },
  invite: InviteRecord,
): Promise<OpenedInvite> {
  if (invite.state === "accepted") return dead("used");
  if (invite.state === "revoked" || await isLinkGone(realmId, source, invite)) return dead("revoked");
  if (isExpired(invite, app.clock.now())) return dead("expired");
  const permission = invite.via_link_id === null ? "can_invite_users_group" : "create_multiuse_invite_group";
  const backed = await readBacked(realmId, source, { offerId: invite.offer_id, permission });
  if ("kind" in backed) return backed;
  if (await source.get<number>(userKeys.byEmail(realmId, invite.email)) !== null) {
    // Outside a transaction it may have been used between the two reads.
    const current = await source.get<InviteRecord>(inviteKeys.invite(realmId, invite.id));
    return current?.state === "accepted" ? dead("used") : { kind: "member" };
  }
  return await isRefused(app, backed.permissions.realm, invite.email)
    ? dead("refused")
    : { kind: "invite", invite, ...backed };
}

/** Whether nobody may have an account with a valid address; one that stands for an account in the API belongs to it. */
async function isRefused(
  app: Pick<ChatApp, "config">,
  realm: RealmRecord,
  address: string,
): Promise<boolean> {
  return placeholderId(app, realm, foldEmail(address)) !== undefined ||
    await addressProblem(realm, address) !== null;
}

/** A proof of an address falls with the link that it was asked for by. */
async function isLinkGone(realmId: number, { get }: Source, { via_link_id }: InviteRecord): Promise<boolean> {
  if (via_link_id === null) return false;
  return (await get<InviteLinkRecord>(inviteKeys.link(realmId, via_link_id)))?.is_revoked !== false;
}

/** What is offered, while its inviter may still offer it. */
async function readBacked(
  realmId: number,
  { get, readPermissions }: Source,
  { offerId, permission }: { offerId: number; permission: InvitePermission },
): Promise<OpenOffer | ClosedInvite> {
  const offer = await get<InviteOffer>(inviteKeys.offer(realmId, offerId));
  if (offer === null) return dead("unknown");
  const permissions = await readPermissions();
  if (permissions.realm.is_deactivated) return dead("closed");
  if (isExpired(offer, permissions.now)) return dead("expired");
  const inviter = await get<UserRecord>(userKeys.user(realmId, offer.inviter_id));
  const asked = { ...offer, permission };
  return inviter !== null && isBacked(permissions, inviter, asked)
    ? { permissions, offer, inviter }
    : dead("not_backed");
}

function dead(reason: DeadReason): ClosedInvite {
  return { kind: "dead", reason };
}
