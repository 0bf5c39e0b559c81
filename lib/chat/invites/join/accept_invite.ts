import type { ChatApp } from "@/lib/chat/app.ts";
import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import { addUser } from "@/lib/chat/permissions/add_user.ts";
import { countJoining } from "@/lib/chat/statistics/store.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { accountsLock } from "@/lib/chat/users/store.ts";
import type { Key } from "@/lib/kv/key.ts";
import { afterCommit } from "@/lib/kv/after_commit.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
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
import { resolveInviteInTransaction, type UnusableInvite, type UsableInvite } from "./resolve_invite.ts";

/** Token of an invitation, and the name and password of the new user, both validated. */
export interface InviteAcceptance {
  readonly token: string;
  readonly fullName: string;
  readonly password: string;
}

/** The new user, or the reason why the invitation cannot be accepted. */
export type JoinOutcome = { readonly kind: "joined"; readonly user: UserRecord } | UnusableInvite;

interface CreatedAccount {
  readonly user: UserRecord;
  /** Key of the groups and channels that this commit had no room for. */
  readonly pendingJoin: Key;
}

/**
 * Creates an account by an invitation of its address, once, with the offered role, channels and groups as far
 * as the inviter may still grant them. Then sends the welcome notices.
 */
export async function acceptInvite(
  app: ChatApp,
  realm: RealmRecord,
  { token, fullName, password }: InviteAcceptance,
): Promise<JoinOutcome> {
  const passwordHash = await app.passwords.hash(password);
  const created = await transact(app.store, async (tx): Promise<CreatedAccount | UnusableInvite> => {
    const resolved = await resolveInviteInTransaction(app, tx, { realmId: realm.id, token });
    if (resolved.kind === "link") return { kind: "dead", reason: "unknown" };
    return resolved.kind === "invite"
      ? await createAccount(app, tx, { usable: resolved, fullName, passwordHash })
      : resolved;
  }, accountsLock(realm.id));
  if ("kind" in created) return created;
  // A worker completes a join that cannot be completed now.
  await afterCommit(() => completeJoin(app, created.pendingJoin));
  return { kind: "joined", user: created.user };
}

async function createAccount(
  app: ChatApp,
  tx: Tx,
  { usable, fullName, passwordHash }: { usable: UsableInvite; fullName: string; passwordHash: string },
): Promise<CreatedAccount> {
  const { permissions, offer, invite, inviter } = usable;
  const { realm } = permissions;
  const account = { deliveryEmail: invite.email, fullName, role: offer.role, passwordHash };
  const user = await addUser(app, tx, { realm, user: account });
  await acceptInvitesOfAddress(app, tx, usable);
  auditJoin(tx, { realmId: realm.id, now: permissions.now }, { user, invite });
  const newcomer = { user, inviter };
  const groupIds = offer.group_ids;
  await joinOfferedGroups(tx, permissions, { newcomer, groupIds: groupIds.slice(0, MAX_GROUPS_PER_COMMIT) });
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
