import { listValues } from "@/lib/store/reads.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { type Caller, isAdmin, mailboxOf, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { DAY_MS } from "@/lib/core/clock.ts";
import { AppError } from "@/lib/core/errors.ts";
import { type Key, readCount } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import {
  generateSalt,
  invitationFailed,
  type Invitee,
  inviteKeys,
  type InviteLinkRecord,
  type InviteOffer,
  type InviteRecord,
  isEndedByDeactivation,
  isExpired,
  type MailingRecord,
  MAX_INVITES_PER_ADDRESS,
  retentionOptions,
} from "./model.ts";

interface ActiveEmailInvite {
  readonly kind: "email";
  readonly invite: InviteRecord;
  readonly offer: InviteOffer;
}

export interface ActiveInviteLink {
  readonly kind: "link";
  readonly link: InviteLinkRecord;
  readonly offer: InviteOffer;
}

/** An invitation or a reusable link that can still be used to join. */
export type ActiveInvite = ActiveEmailInvite | ActiveInviteLink;

/** Invitations counted against an organization's daily limit. */
interface InvitationCount {
  readonly realmId: number;
  /** Number of addresses invited, or invited again. */
  readonly count: number;
}

/** Estimated memory of an active invitation, in bytes. */
const INVITE_BYTES = 1000;

/**
 * Reads the invitations and links that can still be used: all of them for administrators, their own for
 * others. Invitations of addresses come first, then reusable links, each oldest first. Cached until the next
 * change.
 */
export async function readActiveInvites(
  app: ChatApp,
  { realm, actingUser }: Caller,
): Promise<readonly ActiveInvite[]> {
  const now = app.clock.now();
  const canSeeAll = isAdmin(actingUser);
  const invites = (await readCached(app, realm.id)).filter(({ offer }) =>
    (canSeeAll || offer.inviter_id === actingUser.id) && !isExpired(offer, now)
  );
  const inviters = new Map<number, UserRecord | null>();
  await Promise.all(
    Array.from(
      new Set(invites.map(({ offer }) => offer.inviter_id)),
      async (id) => inviters.set(id, await readUser(app, realm.id, id)),
    ),
  );
  return invites.filter(({ offer }) => {
    const inviter = inviters.get(offer.inviter_id) ?? null;
    return inviter !== null && !isEndedByDeactivation(inviter, offer);
  });
}

/** Counts the users who joined by each of some links, in the order of the links. */
export async function countJoinsByLink(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  linkIds: readonly number[],
): Promise<readonly number[]> {
  return await Promise.all(
    linkIds.map(async (id) => Number(await readCount(store.kv, inviteKeys.joinedBy(realmId, id)))),
  );
}

/** @throws AppError INVITATION_FAILED. */
export async function requireBelowDailyLimit(
  app: ChatApp,
  tx: Tx,
  { realmId, count }: InvitationCount,
): Promise<void> {
  const rule = app.config.rateLimits?.invitations;
  if (rule === undefined) return;
  const sent = await tx.get<number>(inviteKeys.day(realmId, dayOf(app, rule.seconds))) ?? 0;
  if (sent + count <= rule.points) return;
  throw invitationFailed(
    "To protect users, Sotto limits the number of invitations you can send in one day. " +
      "Because you have reached the limit, no invitations were sent.",
    { isLimitReached: true },
  );
}

/** Counts invitations against the daily limit, in the transaction that sends them. */
export async function countInvitations(
  app: ChatApp,
  tx: Tx,
  { realmId, count }: InvitationCount,
): Promise<void> {
  const rule = app.config.rateLimits?.invitations;
  if (rule === undefined) return;
  const key = inviteKeys.day(realmId, dayOf(app, rule.seconds));
  // After twice the period, the counter is no longer read.
  tx.set(key, (await tx.get<number>(key) ?? 0) + count, { expireIn: 2 * rule.seconds * 1000 });
}

/** @throws AppError RATE_LIMIT_HIT when the mailbox has received too many. */
export async function countResentInvite(
  app: ChatApp,
  tx: Tx,
  { realmId, email }: { realmId: number; email: string },
): Promise<void> {
  const rule = app.config.rateLimits?.mail_recipient;
  if (rule === undefined) return;
  const period = dayOf(app, rule.seconds);
  const key = inviteKeys.resent(realmId, mailboxOf(email), period);
  const sent = await tx.get<number>(key) ?? 0;
  if (sent < rule.points) return void tx.set(key, sent + 1, { expireIn: 2 * rule.seconds * 1000 });
  const retryAfter = Math.max(1, Math.ceil((period + 1) * rule.seconds - app.clock.now() / 1000));
  throw new AppError(
    "RATE_LIMIT_HIT",
    `This address has received this invitation too often. Please try again in ${retryAfter} seconds.`,
    { retryAfter },
  );
}

function dayOf({ clock }: ChatApp, seconds: number): number {
  return Math.floor(clock.now() / (seconds * 1000));
}

async function readCached(app: ChatApp, realmId: number): Promise<readonly ActiveInvite[]> {
  const readVersion = async () => Number(await readCount(app.store.kv, inviteKeys.version(realmId)));
  const version = await readVersion();
  const cached = await app.cache.get(`invitations ${realmId}`, [version], async () => {
    const invites = await readAll(app, realmId);
    return { invites, size: INVITE_BYTES * invites.length, isSettled: await readVersion() === version };
  });
  // A list read while invitations changed may already contain the next version, so it is not used.
  return cached.isSettled ? cached.invites : await readAll(app, realmId);
}

async function readAll({ store: { kv }, clock }: ChatApp, realmId: number): Promise<readonly ActiveInvite[]> {
  const now = clock.now();
  const stored = await listValues<InviteOffer>(kv, inviteKeys.offers(realmId));
  const offers = new Map(stored.filter((offer) => !isExpired(offer, now)).map((offer) => [offer.id, offer]));
  if (offers.size === 0) return [];
  const invites: ActiveInvite[] = [];
  for (const invite of await listValues<InviteRecord>(kv, inviteKeys.invites(realmId))) {
    const offer = offers.get(invite.offer_id);
    const isPending = invite.state === "pending" && invite.via_link_id === null;
    if (offer !== undefined && isPending) invites.push({ kind: "email", invite, offer });
  }
  for (const link of await listValues<InviteLinkRecord>(kv, inviteKeys.links(realmId))) {
    const offer = offers.get(link.offer_id);
    if (offer !== undefined && !link.is_revoked) invites.push({ kind: "link", link, offer });
  }
  return invites;
}

export interface NewInvites {
  readonly realmId: number;
  readonly invitees: readonly Invitee[];
  /** Expiry of their offer, in milliseconds since 1970 UTC; null for never. */
  readonly expires_at: number | null;
}

/** Written invitations, which are valid once their offer is stored. */
export interface StagedInvites {
  readonly offerId: number;
  readonly inviteIds: readonly number[];
}

const REMINDER_MIN_VALIDITY_MS = 4 * DAY_MS;
const REMINDER_LEAD_MS = 2 * DAY_MS;

/** Writes invitations, for a new offer unless one is named. */
export async function writeInvites(
  app: ChatApp,
  tx: Tx,
  { realmId, invitees, expires_at, offerId }: NewInvites & { offerId?: number | undefined },
): Promise<StagedInvites> {
  const offer_id = offerId ?? await tx.nextId("invite_offer");
  const inviteIds: number[] = [];
  for (const { email, name } of invitees) {
    const id = await tx.nextId("invite");
    inviteIds.push(id);
    const record: InviteRecord = {
      id,
      offer_id,
      email,
      suggested_name: name,
      state: "pending",
      salt: generateSalt(),
      via_link_id: null,
      expires_at: null,
    };
    tx.set(inviteKeys.invite(realmId, id), record, retentionOptions(app, { expires_at }));
  }
  // Unchecked reads are enough: every concurrent writer of the index also takes an id of the sequence that this
  // transaction has read.
  await Promise.all(invitees.map(async ({ email }, index) => {
    const key = inviteKeys.ofAddress(realmId, email);
    const ids = await tx.peek<readonly number[]>(key) ?? [];
    const id = inviteIds[index];
    if (id !== undefined) tx.set(key, [...ids, id].slice(-MAX_INVITES_PER_ADDRESS));
  }));
  return { offerId: offer_id, inviteIds };
}

/** Writes the mailings of an offer; returns the key of the one due now, null for an expired offer. */
export function writeMailings(
  tx: Tx,
  realmId: number,
  { offer, inviteIds }: { offer: InviteOffer; inviteIds: readonly number[] },
): Key | null {
  const { id, created_at, expires_at } = offer;
  if (expires_at !== null && expires_at < created_at) return null;
  const common = { realm_id: realmId, offer_id: id, invite_ids: inviteIds };
  const key = inviteKeys.mailing(created_at, realmId, id);
  tx.set(key, { kind: "invitation", ...common } satisfies MailingRecord);
  if (expires_at !== null && expires_at - created_at >= REMINDER_MIN_VALIDITY_MS) {
    const reminder: MailingRecord = { kind: "reminder", ...common };
    tx.set(inviteKeys.mailing(expires_at - REMINDER_LEAD_MS, realmId, id), reminder);
  }
  return key;
}
