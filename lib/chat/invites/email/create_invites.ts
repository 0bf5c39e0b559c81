import type { ChatApp } from "@/lib/chat/app.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import { readPermissionContext } from "@/lib/chat/permissions/store.ts";
import { countJoining } from "@/lib/chat/statistics/store.ts";
import type { Caller, UserRecord } from "@/lib/chat/users/model.ts";
import { getActingUser } from "@/lib/chat/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { requireCanInvite, requireCanOffer } from "../access.ts";
import { auditInvites, sendInvitesEvents } from "../events.ts";
import {
  getOfferExpiry,
  invitationFailed,
  type Invitee,
  inviteKeys,
  INVITES_LOCK,
  type OfferRequest,
  retentionOptions,
  toOffer,
} from "../model.ts";
import { countInvitations, requireBelowDailyLimit } from "../store.ts";
import { checkAddresses } from "./check_addresses.ts";
import { parseEmailList } from "./parse_email_list.ts";
import { sendMailing } from "./send_mailing.ts";
import { stageInvites } from "./stage_invites.ts";
import { type NewInvites, type StagedInvites, writeInvites, writeMailings } from "./store.ts";

/** Parameters of a request to invite addresses. */
export interface InvitesRequest extends OfferRequest {
  readonly invitee_emails: string;
}

/** A request to invite addresses and its caller. */
interface CallerRequest {
  readonly caller: Caller;
  readonly sent: InvitesRequest;
  readonly invitees: readonly Invitee[];
}

/**
 * Invites addresses and mails each of them. Addresses with an account are skipped, and the error that lists
 * them follows after the others were invited; after any other error, no address was.
 * @throws AppError INVITATION_FAILED, UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function createInvites(app: ChatApp, caller: Caller, sent: InvitesRequest): Promise<void> {
  const invitees = parseEmailList(sent.invitee_emails);
  const request = { caller, sent, invitees };
  // Checked before the addresses are looked up, so that callers who may not invite learn nothing about
  // accounts.
  const { permissions } = await transact(app.store, (tx) => requireInvitable(app, tx, request));
  const { invitable, invalid, taken } = await checkAddresses(app, permissions.realm, invitees);
  if (invalid.length > 0) {
    const errors = [...invalid, ...taken];
    throw invitationFailed("Some emails did not validate, so we didn't send any invitations.", { errors });
  }
  if (invitable.length > 0) await storeInvites(app, request, invitable);
  if (taken.length === 0) return;
  if (invitable.length === 0) throw invitationFailed("We weren't able to invite anyone.", { errors: taken });
  throw invitationFailed(
    "Some of those addresses are already using Sotto, so we didn't send them an invitation. " +
      "We did send invitations to everyone else!",
    { errors: taken, isSent: true },
  );
}

/** Checks the caller and the terms, in the order in which clients receive errors. */
async function requireInvitable(
  app: ChatApp,
  tx: Tx,
  { caller, sent, invitees }: CallerRequest,
): Promise<{ permissions: PermissionContext; user: UserRecord }> {
  const realmId = caller.realm.id;
  const permissions = await readPermissionContext(app, tx, realmId);
  const user = await getActingUser(tx, realmId, caller.actingUser);
  requireCanInvite(permissions, user, { permission: "can_invite_users_group", role: sent.invite_as });
  if (sent.invitee_emails === "") {
    throw new AppError("BAD_REQUEST", "You must specify at least one email address.");
  }
  await requireCanOffer(tx, permissions, { user, sent });
  await requireBelowDailyLimit(app, tx, { realmId, count: invitees.length });
  return { permissions, user };
}

/** Stores and mails invitations; the last commit, which writes the offer, makes all of them valid. */
async function storeInvites(
  app: ChatApp,
  request: CallerRequest,
  invitees: readonly Invitee[],
): Promise<void> {
  const realmId = request.caller.realm.id;
  const newInvites = { realmId, invitees, expires_at: getOfferExpiry(app, request.sent) };
  const staged = await stageInvites(app, newInvites);
  const mailing = await transact(
    app.store,
    (tx) => writeOffer(app, tx, { request, newInvites, staged }),
    INVITES_LOCK,
  );
  if (mailing === null) return;
  try {
    await sendMailing(app, mailing);
  } catch {
    // The invitations are valid; the worker composes the remaining mails on its next sweep.
  }
}

/** Writes the offer with everything that belongs to it; returns the key of the mailing that is due now. */
async function writeOffer(
  app: ChatApp,
  tx: Tx,
  { request, newInvites, staged }: {
    request: CallerRequest;
    newInvites: NewInvites;
    staged: StagedInvites | null;
  },
): Promise<Key | null> {
  const realmId = request.caller.realm.id;
  const { permissions, user } = await requireInvitable(app, tx, request);
  const { offerId, inviteIds } = staged ?? await writeInvites(app, tx, newInvites);
  const offer = toOffer(app, { id: offerId, inviterId: user.id, sent: request.sent });
  tx.set(inviteKeys.offer(realmId, offerId), offer, retentionOptions(app, offer));
  const count = newInvites.invitees.length;
  await countInvitations(app, tx, { realmId, count });
  const at = { realmId, now: permissions.now };
  countJoining(tx, at, { step: "invited", count });
  const addresses = newInvites.invitees.map(({ email }) => email);
  auditInvites(tx, at, { actor: user, offer, addresses });
  sendInvitesEvents(tx, at, user);
  return writeMailings(tx, realmId, { offer, inviteIds });
}
