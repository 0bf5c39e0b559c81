import { chunk } from "es-toolkit/array/chunk";
import type { ChatApp } from "@/lib/chat/app.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { INVITES_LOCK } from "../model.ts";
import { type NewInvites, type StagedInvites, writeInvites } from "./store.ts";

/** Maximum number of invitations in one commit: two records each, and the store takes a thousand. */
const MAX_INVITES_PER_COMMIT = 300;

/**
 * Writes many invitations in several commits, for an offer that is stored afterwards. Returns null if they
 * are few enough to be written in one commit with the offer.
 */
export async function stageInvites(
  app: ChatApp,
  { realmId, invitees, expires_at }: NewInvites,
): Promise<StagedInvites | null> {
  if (invitees.length <= MAX_INVITES_PER_COMMIT) return null;
  const inviteIds: number[] = [];
  let offerId: number | undefined;
  for (const batch of chunk(invitees, MAX_INVITES_PER_COMMIT)) {
    const invites = { realmId, invitees: batch, expires_at, offerId };
    const write = (tx: Tx) => writeInvites(app, tx, invites);
    const staged: StagedInvites = await transact(app.store, write, INVITES_LOCK);
    inviteIds.push(...staged.inviteIds);
    offerId = staged.offerId;
  }
  return offerId === undefined ? null : { offerId, inviteIds };
}
