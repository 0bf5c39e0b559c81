import type { Key } from "@/lib/kv/key.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import { inviteKeys, type InviteOffer } from "./invite.ts";

/** Mails to invitations of one offer that are still to be composed. */
export interface MailingRecord {
  readonly kind: MailingKind;
  readonly realm_id: number;
  readonly offer_id: number;
  /** The invitations that still wait. */
  readonly invite_ids: readonly number[];
}

/** What the mails say: the first invitation, or that it ends soon. */
export type MailingKind = "invitation" | "reminder";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Invitations that are shorter are not followed by a reminder. */
const LONG_MS = 4 * DAY_MS;
/** How long before the end the reminder comes. */
const REMINDER_MS = 2 * DAY_MS;

/**
 * Notes the mails of an offer's invitations, for now and for their reminder, and gives the key of those for now; null
 * for what has expired from the start.
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
  if (expires_at !== null && expires_at - created_at >= LONG_MS) {
    const reminder: MailingRecord = { kind: "reminder", ...common };
    tx.set(inviteKeys.mailing(expires_at - REMINDER_MS, realmId, id), reminder);
  }
  return key;
}
