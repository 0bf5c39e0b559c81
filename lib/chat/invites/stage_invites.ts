import { toHex } from "@/lib/core/bytes.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { inviteKeys, type InviteRecord } from "./invite.ts";
import { keptUntil } from "./offer.ts";
import type { Invitee } from "./parse_email_list.ts";

/** Invitations that are written and count as soon as their offer is. */
export interface Staged {
  readonly offerId: number;
  readonly inviteIds: readonly number[];
}

/** What invitations are made of. */
export interface NewInvites {
  readonly realmId: number;
  readonly invitees: readonly Invitee[];
  /** When their offer ends, in milliseconds since 1970 UTC; null never. */
  readonly expires_at: number | null;
}

/** The line in which invitations wait for each other within this process: their ids come from one sequence. */
export const INVITES_QUEUE = "invites";
/** Invitations of one commit: two records each, and the store takes a thousand. */
const AT_ONCE = 300;
/** The invitations of one address that are known by it; older ones end by themselves. */
export const MAX_OF_ADDRESS = 50;
const SALT_BYTES = 16;

/**
 * Writes the invitations of many addresses, some in each commit, for an offer that is not there yet; null where they
 * are few enough to be written together with it.
 */
export async function stageInvites(
  app: ChatApp,
  { realmId, invitees, expires_at }: NewInvites,
): Promise<Staged | null> {
  if (invitees.length <= AT_ONCE) return null;
  const inviteIds: number[] = [];
  let offerId: number | undefined;
  for (let at = 0; at < invitees.length; at += AT_ONCE) {
    const some = { realmId, invitees: invitees.slice(at, at + AT_ONCE), expires_at, offerId };
    const staged: Staged = await transact(app.store, (tx) => writeInvites(app, tx, some), INVITES_QUEUE);
    inviteIds.push(...staged.inviteIds);
    offerId = staged.offerId;
  }
  return offerId === undefined ? null : { offerId, inviteIds };
}

/** Writes invitations in a transaction, for a new offer unless one is named. */
export async function writeInvites(
  app: ChatApp,
  tx: Tx,
  { realmId, invitees, expires_at, offerId }: NewInvites & { offerId?: number | undefined },
): Promise<Staged> {
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
      salt: newSalt(),
      via_link_id: null,
      expires_at: null,
    };
    tx.set(inviteKeys.invite(realmId, id), record, keptUntil(app, { expires_at }));
  }
  await Promise.all(invitees.map(({ email }, at) => noteAddress(tx, realmId, { email, id: inviteIds[at] })));
  return { offerId: offer_id, inviteIds };
}

/** A new salt of a link's secret. */
export function newSalt(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(SALT_BYTES)));
}

/** Unchecked: who else writes such a list takes an id of the sequence that this transaction has read before. */
async function noteAddress(
  tx: Tx,
  realmId: number,
  { email, id }: { email: string; id: number | undefined },
): Promise<void> {
  const key = inviteKeys.ofAddress(realmId, email);
  const ids = await tx.peek<readonly number[]>(key) ?? [];
  if (id !== undefined) tx.set(key, [...ids, id].slice(-MAX_OF_ADDRESS));
}
