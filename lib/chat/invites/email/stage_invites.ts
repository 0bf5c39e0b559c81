import type { ChatApp } from "@/lib/chat/app.ts";
import { transact } from "@/lib/kv/transact.ts";
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
  for (let start = 0; start < invitees.length; start += MAX_INVITES_PER_COMMIT) {
    const chunk = {
      realmId,
      invitees: invitees.slice(start, start + MAX_INVITES_PER_COMMIT),
      expires_at,
      offerId,
    };
    const staged: StagedInvites = await transact(
      app.store,
      (tx) => writeInvites(app, tx, chunk),
      INVITES_LOCK,
    );
    inviteIds.push(...staged.inviteIds);
    offerId = staged.offerId;
  }
  return offerId === undefined ? null : { offerId, inviteIds };
}
