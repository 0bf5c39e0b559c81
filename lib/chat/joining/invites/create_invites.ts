import { chunk } from "es-toolkit/array/chunk";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { countJoining } from "@/lib/chat/organization/statistics/store.ts";
import {
  type Caller,
  findEmailProblem,
  foldEmail,
  MAX_NAME_LENGTH,
  requireFullName,
  userKeys,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { getActingUser, readUser } from "@/lib/chat/organization/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { isEmailAddress } from "@/lib/mail/mail.ts";
import type { Key } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { requireCanInvite, requireCanOffer } from "./access.ts";
import { auditInvites, sendInvitesEvents } from "./events.ts";
import { sendMailing } from "./invite_mails.ts";
import {
  getOfferExpiry,
  invitationFailed,
  type Invitee,
  inviteKeys,
  type InviteProblem,
  INVITES_LOCK,
  type OfferRequest,
  retentionOptions,
  toOffer,
} from "./model.ts";
import {
  countInvitations,
  type NewInvites,
  requireBelowDailyLimit,
  type StagedInvites,
  writeInvites,
  writeMailings,
} from "./store.ts";

export const MAX_INVITEES = 5000;

/**
 * Parses a pasted list of addresses, separated by commas, semicolons and line breaks, each alone or as `Name
 * <address>`; a quoted name may contain separators. Keeps the first spelling of an address that occurs twice.
 * @throws AppError BAD_REQUEST for more than `MAX_INVITEES`.
 */
export function parseEmailList(text: string): Invitee[] {
  const byAddress = new Map<string, Invitee>();
  for (const piece of splitPieces(text)) {
    if (piece.trim() === "") continue;
    const invitee = toInvitee(piece);
    const folded = foldEmail(invitee.email);
    if (!byAddress.has(folded)) byAddress.set(folded, invitee);
    if (byAddress.size > MAX_INVITEES) {
      throw new AppError("BAD_REQUEST", `You can invite ${MAX_INVITEES} people at once at most.`);
    }
  }
  return [...byAddress.values()];
}

function* splitPieces(text: string): Generator<string> {
  let start = 0;
  let isBlank = true;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (/[,;\r\n]/.test(character)) {
      yield text.slice(start, at);
      start = at + 1;
      isBlank = true;
    } else if (isBlank && character === '"') {
      at = findClosingQuote(text, at);
      isBlank = false;
    } else if (character.trim() !== "") {
      isBlank = false;
    }
  }
  yield text.slice(start);
}

/** Returns the offset of the quote that closes the one at `start` in its line; `start` if there is none. */
function findClosingQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') return at;
    if (character === "\n" || character === "\r") return start;
    if (character === "\\" && text.charAt(at + 1) === '"') at++;
  }
  return start;
}

function toInvitee(piece: string): Invitee {
  const close = piece.lastIndexOf(">");
  const open = piece.lastIndexOf("<", close);
  const inside = open < 0 || close < 0 ? "" : piece.slice(open + 1, close).trim();
  // Text without an address is kept as entered, for the error message.
  if (inside === "") return { email: piece.trim(), name: "" };
  return { email: inside, name: toName(piece.slice(0, open)) };
}

function toName(text: string): string {
  const trimmed = text.trim();
  const unquoted = /^".*"$/s.test(trimmed) ? trimmed.slice(1, -1).replace(/\\(["\\])/g, "$1") : trimmed;
  const short = [...unquoted.trim().slice(0, 2 * MAX_NAME_LENGTH)].slice(0, MAX_NAME_LENGTH).join("");
  try {
    return requireFullName(short);
  } catch (error) {
    if (error instanceof AppError) return "";
    throw error;
  }
}

/** Addresses grouped by whether they can be invited, each list in the order of the request. */
interface CheckedAddresses {
  readonly invitable: readonly Invitee[];
  /** Invalid addresses, and addresses that the organization does not accept. */
  readonly invalid: readonly InviteProblem[];
  /** Addresses that already have an account. */
  readonly taken: readonly InviteProblem[];
}

/** Groups addresses by whether they can be invited. */
export async function checkAddresses(
  app: ChatApp,
  realm: RealmRecord,
  invitees: readonly Invitee[],
): Promise<CheckedAddresses> {
  const invalid: InviteProblem[] = [];
  const valid: Invitee[] = [];
  for (const invitee of invitees) {
    const host = invitee.email.slice(invitee.email.lastIndexOf("@") + 1).toLowerCase();
    // A host with a single label is a typing error (`ann@example`), except on this machine.
    const isReachable = isEmailAddress(invitee.email) && (host.includes(".") || host === "localhost");
    const reason = isReachable ? await findEmailProblem(realm, invitee.email) : "Invalid address.";
    if (reason === null) valid.push(invitee);
    else invalid.push([invitee.email, reason, false]);
  }
  const problems = await Promise.all(valid.map(({ email }) => findAccountProblem(app, realm.id, email)));
  return {
    invalid,
    taken: problems.filter((problem) => problem !== null),
    invitable: valid.filter((_, index) => problems[index] === null),
  };
}

async function findAccountProblem(
  app: ChatApp,
  realmId: number,
  email: string,
): Promise<InviteProblem | null> {
  const id = await app.reads.read<number>(userKeys.byEmail(realmId, email));
  const user = id === null ? null : await readUser(app, realmId, id);
  if (user === null) return null;
  if (user.is_system_bot === true) return [email, "Reserved for system bots.", false];
  if (user.is_active) return [email, "Already has an account.", false];
  return [email, "Account has been deactivated.", true];
}

/** Maximum number of invitations in one commit: two records each, and the store takes a thousand. */
const MAX_INVITES_PER_COMMIT = 300;

/** Writes many invitations in several commits for a later offer; null if they fit into its commit. */
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

export interface InvitesRequest extends OfferRequest {
  readonly invitee_emails: string;
}

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
  const permissions = permissionsOf(await tx.organization(realmId), app.clock);
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
