import type { ChatApp } from "@/lib/chat/app.ts";
import { getLinkJoining, type RealmRecord } from "@/lib/chat/organizations/model.ts";
import { addUser, type NewUser } from "@/lib/chat/permissions/add_user.ts";
import { countJoining } from "@/lib/chat/statistics/store.ts";
import { userKeys, type UserRecord } from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { auditJoin, sendInvitesEvents } from "../events.ts";
import { inviteKeys, type InviteOffer, type InviteRecord, retentionOptions } from "../model.ts";
import { completeJoin, writePendingJoin } from "./complete_join.ts";
import {
  joinOfferedChannels,
  listOfferedChannels,
  markDefaultChannels,
  MAX_CHANNELS_PER_COMMIT,
} from "./join_channels.ts";
import { joinOfferedGroups, MAX_GROUPS_PER_COMMIT } from "./join_groups.ts";
import { requireJoinableAddress } from "./request_join_link.ts";
import {
  resolveInviteInTransaction,
  type UnusableInvite,
  type UsableInvite,
  type UsableInviteLink,
  type UsableOffer,
} from "./resolve_invite.ts";

/** Token of an invitation, and the name and password of the new user, both validated. */
export interface InviteAcceptance {
  readonly token: string;
  readonly fullName: string;
  readonly password: string;
  /** Address that the visitor to a reusable link entered. */
  readonly address?: string;
}

/** The new user, or the reason why the invitation cannot be accepted. */
export type JoinOutcome = { readonly kind: "joined"; readonly user: UserRecord } | UnusableInvite;

interface CreatedAccount {
  readonly user: UserRecord;
  /** Key of the groups and channels that this commit had no room for. */
  readonly pendingJoin: Key;
}

/** Values of a new account that the offer does not decide. */
type Joiner = Pick<NewUser, "fullName" | "passwordHash" | "deliveryEmail">;

/**
 * Creates an account by an invitation of its address, once, or by a reusable link of an organization that needs no
 * confirmed addresses, with the offered role, channels and groups as far as the inviter may still grant them. Then
 * sends the welcome notices.
 * @throws AppError BAD_REQUEST for an address that cannot join by the link.
 */
export async function acceptInvite(
  app: ChatApp,
  realm: RealmRecord,
  { token, fullName, password, address = "" }: InviteAcceptance,
): Promise<JoinOutcome> {
  const passwordHash = await app.passwords.hash(password);
  const created = await transact(app.store, async (tx): Promise<CreatedAccount | UnusableInvite> => {
    const resolved = await resolveInviteInTransaction(app, tx, { realmId: realm.id, token });
    if (resolved.kind === "link") {
      return await joinByLink(app, tx, resolved, { deliveryEmail: address, fullName, passwordHash });
    }
    if (resolved.kind !== "invite") return resolved;
    const joiner = { deliveryEmail: resolved.invite.email, fullName, passwordHash };
    return await joinByInvite(app, tx, resolved, joiner);
  });
  if ("kind" in created) return created;
  // A worker completes a join that cannot be completed now.
  await afterCommit(() => completeJoin(app, created.pendingJoin));
  return { kind: "joined", user: created.user };
}

async function joinByInvite(
  app: ChatApp,
  tx: Tx,
  usable: UsableInvite,
  joiner: Joiner,
): Promise<CreatedAccount> {
  const { permissions: { realm, now }, offer, invite } = usable;
  const user = await addUser(app, tx, { realm, user: { ...joiner, role: offer.role } });
  await acceptInvitesOfAddress(app, tx, usable);
  auditJoin(tx, { realmId: realm.id, now }, { user, invite });
  return await joinOffered(app, tx, usable, user);
}

/** The invitations of the address stay pending: nobody has proved that it is theirs. */
async function joinByLink(
  app: ChatApp,
  tx: Tx,
  usable: UsableInviteLink,
  joiner: Joiner,
): Promise<CreatedAccount> {
  const { permissions: { realm, now }, offer, link } = usable;
  if (getLinkJoining(app, realm) !== "at_once") {
    throw new AppError("BAD_REQUEST", "Addresses must be confirmed now. Open the invitation again.");
  }
  await requireJoinableAddress(app, realm, joiner.deliveryEmail);
  const userId = await tx.get<number>(userKeys.byEmail(realm.id, joiner.deliveryEmail));
  if (userId !== null) throw addressTaken();
  const user = await addUser(app, tx, { realm, user: { ...joiner, role: offer.role } });
  const at = { realmId: realm.id, now };
  tx.sum(inviteKeys.joinedBy(realm.id, link.id), 1n);
  countJoining(tx, at, { step: "linked" });
  auditJoin(tx, at, { user, invite: { id: 0, via_link_id: link.id } });
  return await joinOffered(app, tx, usable, user);
}

/** Returns the refusal of a visitor's address that has an account. */
export function addressTaken(): AppError {
  return new AppError(
    "BAD_REQUEST",
    "This address already has an account. Sign in, or ask an administrator for a sign-in link.",
  );
}

/** Adds a new user to the offered groups and channels for which this commit has room. */
async function joinOffered(
  app: ChatApp,
  tx: Tx,
  { permissions, offer, inviter }: UsableOffer,
  user: UserRecord,
): Promise<CreatedAccount> {
  const { realm } = permissions;
  const newcomer = { user, inviter };
  const groupIds = offer.group_ids;
  joinOfferedGroups(tx, permissions, { newcomer, groupIds: groupIds.slice(0, MAX_GROUPS_PER_COMMIT) });
  const channelIds = await listOfferedChannels(tx, realm.id, offer);
  const channels = await markDefaultChannels(tx, realm.id, channelIds.slice(0, MAX_CHANNELS_PER_COMMIT));
  await joinOfferedChannels(app, tx, { permissions, newcomer, channels });
  const pendingJoin = writePendingJoin(tx, permissions.now, {
    realm_id: realm.id,
    user_id: user.id,
    inviter_id: inviter.id,
    offer_id: offer.id,
    group_ids: groupIds.slice(MAX_GROUPS_PER_COMMIT),
    channel_ids: channelIds.slice(MAX_CHANNELS_PER_COMMIT),
  });
  return { user, pendingJoin };
}

/** Marks every pending invitation of the address as accepted: an address joins once. */
async function acceptInvitesOfAddress(
  app: ChatApp,
  tx: Tx,
  { permissions, invite, inviter }: UsableInvite,
): Promise<void> {
  const realmId = permissions.realm.id;
  const ids = await tx.get<readonly number[]>(inviteKeys.ofAddress(realmId, invite.email)) ?? [];
  const others = await Promise.all(
    // A peek is enough: this commit claims the address, so the other invitations cannot be accepted
    // concurrently.
    ids.map((id) => tx.peek<InviteRecord>(inviteKeys.invite(realmId, id))),
  );
  const pending = [invite, ...others.filter((other) => other !== null && other.id !== invite.id)]
    .filter((item) => item?.state === "pending").filter((item) => item !== null);
  for (const item of pending) {
    const accepted: InviteRecord = { ...item, state: "accepted" };
    const expires_at = item.expires_at ??
      (await tx.peek<InviteOffer>(inviteKeys.offer(realmId, item.offer_id)))?.expires_at ?? null;
    tx.set(inviteKeys.invite(realmId, item.id), accepted, retentionOptions(app, { expires_at }));
  }
  if (invite.via_link_id !== null) tx.sum(inviteKeys.joinedBy(realmId, invite.via_link_id), 1n);
  const at = { realmId, now: permissions.now };
  // No list contains personal join links, so accepting one changes none.
  const isInvited = pending.some(({ via_link_id }) => via_link_id === null);
  if (isInvited) sendInvitesEvents(tx, at, inviter);
  countJoining(tx, at, { step: isInvited ? "accepted" : "linked" });
}
