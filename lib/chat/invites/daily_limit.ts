import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { invitationFailed } from "./failure.ts";
import { inviteKeys } from "./invite.ts";

/** Which invitations are counted against an organization's limit. */
export interface Counted {
  readonly realmId: number;
  /** Addresses that are invited, or invited again. */
  readonly count: number;
}

/**
 * Refuses more invitations than an organization may send in a day.
 * @throws AppError INVITATION_FAILED.
 */
export async function requireBelowLimit(app: ChatApp, tx: Tx, { realmId, count }: Counted): Promise<void> {
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

/** Counts invitations that are sent, in the same transaction. */
export async function countInvitations(app: ChatApp, tx: Tx, { realmId, count }: Counted): Promise<void> {
  const rule = app.config.rateLimits?.invitations;
  if (rule === undefined) return;
  const key = inviteKeys.day(realmId, dayOf(app, rule.seconds));
  // Nobody asks for it any more by the time at which it may go.
  tx.set(key, (await tx.get<number>(key) ?? 0) + count, { expireIn: 2 * rule.seconds * 1000 });
}

function dayOf({ clock }: ChatApp, seconds: number): number {
  return Math.floor(clock.now() / (seconds * 1000));
}
