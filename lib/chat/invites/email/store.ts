import type { ChatApp } from "@/lib/chat/app.ts";
import type { Key } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import {
  generateSalt,
  type Invitee,
  inviteKeys,
  type InviteOffer,
  type InviteRecord,
  type MailingRecord,
  MAX_INVITES_PER_ADDRESS,
  retentionOptions,
} from "../model.ts";

/** Addresses to invite. */
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

const DAY_MS = 24 * 60 * 60 * 1000;
/** Minimum validity of an invitation with a reminder. */
const REMINDER_MIN_VALIDITY_MS = 4 * DAY_MS;
/** Time between the reminder and the expiry. */
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
  await Promise.all(
    invitees.map(({ email }, index) => addToAddress(tx, realmId, { email, id: inviteIds[index] })),
  );
  return { offerId: offer_id, inviteIds };
}

/**
 * Writes the mailings of an offer, now and for its reminder; returns the key of the one that is due now, or
 * null if the offer has already expired.
 */
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

/**
 * Adds an invitation to the index of its address. An unchecked read is enough: every concurrent writer of the
 * index also takes an id of the sequence that this transaction has read.
 */
async function addToAddress(
  tx: Tx,
  realmId: number,
  { email, id }: { email: string; id: number | undefined },
): Promise<void> {
  const key = inviteKeys.ofAddress(realmId, email);
  const ids = await tx.peek<readonly number[]>(key) ?? [];
  if (id !== undefined) tx.set(key, [...ids, id].slice(-MAX_INVITES_PER_ADDRESS));
}
