import type { Key } from "@/lib/kv/key.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { Caller } from "../users/caller.ts";
import { getUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import { noSuchInvitation } from "./failure.ts";
import { inviteKeys, type InviteOffer, type InviteRecord } from "./invite.ts";
import { requireMayManage } from "./rights.ts";

/** An invitation that waits for its answer, for somebody who may manage it. */
export interface AccessedInvite {
  readonly invite: InviteRecord;
  readonly offer: InviteOffer;
}

/**
 * An invitation of an address that waits for its answer, expired or not, for a caller who may manage it.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function accessInvite(tx: Tx, caller: Caller, id: number): Promise<AccessedInvite> {
  const realmId = caller.realm.id;
  const invite = await readById<InviteRecord>(tx, id, inviteKeys.invite(realmId, id));
  if (invite?.state !== "pending" || invite.via_link_id !== null) throw noSuchInvitation();
  const { offer } = await accessOffer(tx, caller, invite.offer_id);
  return { invite, offer };
}

/**
 * What was offered, for a caller who may manage it, and the caller as the transaction sees him.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function accessOffer(
  tx: Tx,
  { realm, actingUser }: Caller,
  offerId: number,
): Promise<{ offer: InviteOffer; user: UserRecord }> {
  const offer = await tx.get<InviteOffer>(inviteKeys.offer(realm.id, offerId));
  if (offer === null) throw noSuchInvitation();
  // The caller's role may have changed since the request was let in.
  const user = await getUser(tx, realm.id, actingUser.id);
  requireMayManage(user, offer);
  return { offer, user };
}

/** What lies under an id from a path, which may be any number. */
export async function readById<T>(tx: Tx, id: number, key: Key): Promise<T | null> {
  return Number.isSafeInteger(id) ? await tx.get<T>(key) : null;
}
