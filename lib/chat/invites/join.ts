import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import { accountQueue } from "../accounts/account_queue.ts";
import type { ChatApp } from "../app.ts";
import { groupQueue, type GroupWorld, readGroupWorld } from "../permissions/group_world.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { addUser } from "../permissions/add_user.ts";
import { getUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import { inviteKeys, type InviteOffer, type InviteRecord } from "./invite.ts";
import {
  joinChannels,
  MAX_CHANNELS_AT_ONCE,
  type Newcomer,
  type OfferedChannel,
  offeredChannels,
} from "./join_channels.ts";
import { joinGroups, MAX_GROUPS_AT_ONCE } from "./join_groups.ts";
import { noteJoined } from "./note_invite.ts";
import { keptUntil } from "./offer.ts";
import { type ClosedInvite, type OpenInvite, openInviteIn } from "./open_invite.ts";
import { tellOfInvites } from "./tell_of_invites.ts";
import { welcome } from "./welcome.ts";

/** Who wants to join: a link's key, and a name and a password that were checked before. */
export interface Joiner {
  readonly key: string;
  readonly fullName: string;
  readonly password: string;
}

/** The account that an invitation made; or what the link leads to where it made none. */
export type JoinOutcome = { readonly kind: "joined"; readonly user: UserRecord } | ClosedInvite;

interface Made {
  readonly opened: OpenInvite;
  readonly user: UserRecord;
  /** What this commit had no room for. */
  readonly later: { readonly groupIds: readonly number[]; readonly channels: readonly OfferedChannel[] };
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
  await joinLater(app, realm, made);
  await welcome(app, made);
  return { kind: "joined", user: made.user };
}

async function makeAccount(
  app: ChatApp,
  tx: Tx,
  { opened, fullName, passwordHash }: { opened: OpenInvite; fullName: string; passwordHash: string },
): Promise<Made> {
  const { world, offer, invite, inviter } = opened;
  const { realm } = world;
  const account = { deliveryEmail: invite.email, fullName, role: offer.role, passwordHash };
  const user = await addUser(app, tx, { realm, user: account });
  await endInvites(app, tx, opened);
  noteJoined(tx, { realmId: realm.id, now: world.now }, { user, invite });
  const newcomer = { user, inviter };
  const groupIds = offer.group_ids;
  await joinGroups(tx, world, { newcomer, groupIds: groupIds.slice(0, MAX_GROUPS_AT_ONCE) });
  const channels = await offeredChannels(tx, realm.id, offer);
  await joinChannels(app, tx, { world, newcomer, channels: channels.slice(0, MAX_CHANNELS_AT_ONCE) });
  const later = {
    groupIds: groupIds.slice(MAX_GROUPS_AT_ONCE),
    channels: channels.slice(MAX_CHANNELS_AT_ONCE),
  };
  return { opened, user, later };
}

/** An address joins once: every invitation of it is used up. */
async function endInvites(app: ChatApp, tx: Tx, { world, invite, inviter }: OpenInvite): Promise<void> {
  const realmId = world.realm.id;
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
    tellOfInvites(tx, { realmId, now: world.now }, inviter);
  }
}

/**
 * Further channels and groups, some in each commit. The account is there by now: what cannot be joined does not keep its
 * user out.
 */
async function joinLater(app: ChatApp, { id: realmId }: RealmRecord, { opened, user, later }: Made) {
  const inCommit = async (work: (tx: Tx, world: GroupWorld, newcomer: Newcomer) => Promise<void>) => {
    const joined = transact(app.store, async (tx) => {
      const world = await readGroupWorld(app, tx, realmId);
      await work(tx, world, { user, inviter: await getUser(tx, realmId, opened.inviter.id) });
    }, groupQueue(realmId));
    await joined.catch((error) => {
      if (!(error instanceof AppError)) throw error;
    });
  };
  for (const groupIds of inParts(later.groupIds, MAX_GROUPS_AT_ONCE)) {
    await inCommit((tx, world, newcomer) => joinGroups(tx, world, { newcomer, groupIds }));
  }
  for (const channels of inParts(later.channels, MAX_CHANNELS_AT_ONCE)) {
    await inCommit((tx, world, newcomer) => joinChannels(app, tx, { world, newcomer, channels }));
  }
}

function inParts<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from(
    { length: Math.ceil(items.length / size) },
    (_, at) => items.slice(at * size, (at + 1) * size),
  );
}
