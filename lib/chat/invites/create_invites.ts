import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { type PermissionContext, readPermissionContext } from "../permissions/group_world.ts";
import type { Caller } from "../users/caller.ts";
import { getUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import { checkAddresses } from "./check_addresses.ts";
import { countInvitations, requireBelowLimit } from "./daily_limit.ts";
import { invitationFailed } from "./failure.ts";
import { inviteKeys } from "./invite.ts";
import { writeMailings } from "./mailing.ts";
import { noteInvites } from "./note_invite.ts";
import { expiryOf, keptUntil, type SentOffer, toOffer } from "./offer.ts";
import { type Invitee, parseEmailList } from "./parse_email_list.ts";
import { requireMayInvite, requireMayOffer } from "./rights.ts";
import { sendMailing } from "./send_mailing.ts";
import { INVITES_QUEUE, type NewInvites, type Staged, stageInvites, writeInvites } from "./stage_invites.ts";
import { tellOfInvites } from "./tell_of_invites.ts";

/** What a request to invite addresses sent. */
export interface SentInvites extends SentOffer {
  readonly invitee_emails: string;
}

/** What is asked for, and by whom. */
interface Request {
  readonly caller: Caller;
  readonly sent: SentInvites;
  readonly invitees: readonly Invitee[];
}

/**
 * Invites addresses and mails each of them. Those that accounts have already are left out, which is told by a refusal
 * after the others were invited; after any other refusal nobody was.
 * @throws AppError INVITATION_FAILED, UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function createInvites(app: ChatApp, caller: Caller, sent: SentInvites): Promise<void> {
  const invitees = parseEmailList(sent.invitee_emails);
  const request = { caller, sent, invitees };
  // Once before the addresses are looked up, so that nobody learns of accounts who may not invite.
  const { permissions } = await transact(app.store, (tx) => admit(app, tx, request));
  const { fit, refused, taken } = await checkAddresses(app, permissions.realm, invitees);
  if (refused.length > 0) {
    const errors = [...refused, ...taken];
    throw invitationFailed("Some emails did not validate, so we didn't send any invitations.", { errors });
  }
  if (fit.length > 0) await keepInvites(app, request, fit);
  if (taken.length === 0) return;
  if (fit.length === 0) throw invitationFailed("We weren't able to invite anyone.", { errors: taken });
  throw invitationFailed(
    "Some of those addresses are already using Sotto, so we didn't send them an invitation. " +
      "We did send invitations to everyone else!",
    { errors: taken, isSent: true },
  );
}

/** Checks the caller and the offer in the order in which clients are told of problems. */
async function admit(
  app: ChatApp,
  tx: Tx,
  { caller, sent, invitees }: Request,
): Promise<{ permissions: PermissionContext; user: UserRecord }> {
  const realmId = caller.realm.id;
  const permissions = await readPermissionContext(app, tx, realmId);
  // The caller's role may have changed since the request was let in.
  const user = await getUser(tx, realmId, caller.actingUser.id);
  requireMayInvite(permissions, user, { permission: "can_invite_users_group", role: sent.invite_as });
  if (sent.invitee_emails === "") {
    throw new AppError("BAD_REQUEST", "You must specify at least one email address.");
  }
  await requireMayOffer(tx, permissions, { user, sent });
  await requireBelowLimit(app, tx, { realmId, count: invitees.length });
  return { permissions, user };
}

/** The commit that writes the offer makes all of its invitations count, and is the last. */
async function keepInvites(app: ChatApp, request: Request, fit: readonly Invitee[]): Promise<void> {
  const realmId = request.caller.realm.id;
  const wanted = { realmId, invitees: fit, expires_at: expiryOf(app, request.sent) };
  const staged = await stageInvites(app, wanted);
  const mailing = await transact(
    app.store,
    (tx) => makeOffer(app, tx, { request, wanted, staged }),
    INVITES_QUEUE,
  );
  if (mailing === null) return;
  try {
    await sendMailing(app, mailing);
  } catch {
    // They are invited, whatever keeps the mails: those that are left are found by the next look for them.
  }
}

async function makeOffer(
  app: ChatApp,
  tx: Tx,
  { request, wanted, staged }: { request: Request; wanted: NewInvites; staged: Staged | null },
): Promise<Key | null> {
  const realmId = request.caller.realm.id;
  const { permissions, user } = await admit(app, tx, request);
  const { offerId, inviteIds } = staged ?? await writeInvites(app, tx, wanted);
  const offer = toOffer(app, { id: offerId, inviterId: user.id, sent: request.sent });
  tx.set(inviteKeys.offer(realmId, offerId), offer, keptUntil(app, offer));
  await countInvitations(app, tx, { realmId, count: wanted.invitees.length });
  const at = { realmId, now: permissions.now };
  noteInvites(tx, at, { actor: user, offer, invitees: wanted.invitees });
  tellOfInvites(tx, at, user);
  return writeMailings(tx, realmId, { offer, inviteIds });
}
