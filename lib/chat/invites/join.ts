import type { Key } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import { accountQueue } from "../accounts/account_queue.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { addUser } from "../permissions/add_user.ts";
import type { UserRecord } from "../users/user.ts";
import { finishJoining, writeJoining } from "./finish_joining.ts";
import { inviteKeys, type InviteOffer, type InviteRecord } from "./invite.ts";
import { joinChannels, MAX_CHANNELS_AT_ONCE, offeredChannels, withDefaults } from "./join_channels.ts";
import { joinGroups, MAX_GROUPS_AT_ONCE } from "./join_groups.ts";
import { noteJoined } from "./note_invite.ts";
import { keptUntil } from "./offer.ts";
import { type ClosedInvite, type OpenInvite, openInviteIn } from "./open_invite.ts";
import { tellOfInvites } from "./tell_of_invites.ts";

/** Who wants to join: a link's key, and a name and a password that were checked before. */
export interface Joiner {
  readonly key: string;
  readonly fullName: string;
  readonly password: string;
}

/** The account that an invitation made; or what the link leads to where it made none. */
export type JoinOutcome = { readonly kind: "joined"; readonly user: UserRecord } | ClosedInvite;

interface Made {
  readonly user: UserRecord;
  /** The note of what this commit had no room for. */
  readonly joining: Key;
}

/**
 * Makes an account by an invitation of its address, once, with the role, the channels and the groups that were offered,
 * as far as the inviter may still give them at this moment. Afterwards the newcomer is welcomed and the inviter told.
 */
export async function join(
  app: ChatApp,
  realm: RealmRecord,
  { key, fullName, password }: Joiner,
): Promise<JoinOutcome> {
  const passwordHash = await app.passwords.hash(password);
  const made = await transact(app.store, async (tx): Promise<Made | ClosedInvite> => {
    const opened = await openInviteIn(app, tx, { realmId: realm.id, key });
    if (opened.kind === "link") return { kind: "dead", reason: "unknown" };
    return opened.kind === "invite" ? await makeAccount(app, tx, { opened, fullName, passwordHash }) : opened;
  }, accountQueue(realm.id));
  if ("kind" in made) return made;
  await finishJoining(app, made.joining);
  return { kind: "joined", user: made.user };
}

async function makeAccount(
  app: ChatApp,
  tx: Tx,
  { opened, fullName, passwordHash }: { opened: OpenInvite; fullName: string; passwordHash: string },
): Promise<Made> {
  const { permissions, offer, invite, inviter } = opened;
  const { realm } = permissions;
  const account = { deliveryEmail: invite.email, fullName, role: offer.role, passwordHash };
  const user = await addUser(app, tx, { realm, user: account });
  await endInvites(app, tx, opened);
  noteJoined(tx, { realmId: realm.id, now: permissions.now }, { user, invite });
  const newcomer = { user, inviter };
  const groupIds = offer.group_ids;
  await joinGroups(tx, permissions, { newcomer, groupIds: groupIds.slice(0, MAX_GROUPS_AT_ONCE) });
  const channelIds = await offeredChannels(tx, realm.id, offer);
  const channels = await withDefaults(tx, realm.id, channelIds.slice(0, MAX_CHANNELS_AT_ONCE));
  await joinChannels(app, tx, { permissions, newcomer, channels });
  const joining = writeJoining(tx, permissions.now, {
    realm_id: realm.id,
    user_id: user.id,
    inviter_id: inviter.id,
    offer_id: offer.id,
    group_ids: groupIds.slice(MAX_GROUPS_AT_ONCE),
    channel_ids: channelIds.slice(MAX_CHANNELS_AT_ONCE),
  });
  return { user, joining };
}

/** An address joins once: every invitation of it is used up. */
async function endInvites(app: ChatApp, tx: Tx, { permissions, invite, inviter }: OpenInvite): Promise<void> {
  const realmId = permissions.realm.id;
  const ids = await tx.get<readonly number[]>(inviteKeys.ofAddress(realmId, invite.email)) ?? [];
  const others = await Promise.all(
    // Nobody accepts them meanwhile, as the address is claimed by this commit.
    ids.map((id) => tx.peek<InviteRecord>(inviteKeys.invite(realmId, id))),
  );
  const ended = [invite, ...others.filter((other) => other !== null && other.id !== invite.id)]
    .filter((one) => one?.state === "pending").filter((one) => one !== null);
  for (const one of ended) {
    const accepted: InviteRecord = { ...one, state: "accepted" };
    const expires_at = one.expires_at ??
      (await tx.peek<InviteOffer>(inviteKeys.offer(realmId, one.offer_id)))?.expires_at ?? null;
    tx.set(inviteKeys.invite(realmId, one.id), accepted, keptUntil(app, { expires_at }));
  }
  if (invite.via_link_id !== null) tx.sum(inviteKeys.joinedBy(realmId, invite.via_link_id), 1n);
  // Proofs of addresses stand in no list.
  if (ended.some(({ via_link_id }) => via_link_id === null)) {
    tellOfInvites(tx, { realmId, now: permissions.now }, inviter);
  }
}
