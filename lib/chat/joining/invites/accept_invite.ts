import type { ChatApp } from "@/lib/chat/organization/app.ts";
import {
  getLinkJoining,
  realmHost,
  type RealmRecord,
  realmUrl,
} from "@/lib/chat/organization/organizations/model.ts";
import { defaultChannelIds } from "@/lib/chat/channels/store.ts";
import { countJoining } from "@/lib/chat/organization/statistics/store.ts";
import { addUser, type NewUser } from "@/lib/chat/people/users/create_user.ts";
import {
  foldEmail,
  isBot,
  parsePlaceholderEmail,
  requireAllowedEmail,
  requireEmail,
  userKeys,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { DAY_MS } from "@/lib/core/clock.ts";
import { AppError } from "@/lib/core/errors.ts";
import { composeMail, type Mail, toMailName } from "@/lib/mail/mail.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import type { Key } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { auditJoin, sendInvitesEvents } from "./events.ts";
import {
  createInviteToken,
  generateSalt,
  inviteKeys,
  type InviteOffer,
  type InviteRecord,
  retentionOptions,
} from "./model.ts";
import { completeJoin, writePendingJoin } from "./complete_join.ts";
import {
  resolveInviteWithin,
  type UnusableInvite,
  type UsableInvite,
  type UsableInviteLink,
} from "./resolve_invite.ts";

interface JoinMailContext {
  readonly app: Pick<ChatApp, "config">;
  readonly realm: RealmRecord;
}

/**
 * Composes the mail with a personal join link for a visitor to a reusable link. It contains no text of the
 * visitor's.
 * @throws AppError BAD_REQUEST when mail cannot be sent to the address.
 */
function composeJoinLinkMail(
  { app, realm }: JoinMailContext,
  { address, token }: { address: string; token: string },
): Mail {
  const url = realmUrl(app, realm);
  return composeMail({
    to: { name: "", address },
    subject: `Confirm your email address to join ${realm.name}`,
    greeting: "Hello,",
    paragraphs: [
      `Use the link below to join ${realm.name} with this email address.`,
      "You can use the link once, within one day. If you did not request this, you can ignore this email.",
    ],
    action: { label: `Join ${realm.name}`, url: `${url}/join/${token}` },
    footer: `Sent by ${realm.name}, ${url}`,
  });
}

/** Composes the mail about an existing account; the visitor who entered the address learns nothing. */
function composeAccountExistsMail({ app, realm }: JoinMailContext, user: UserRecord): Mail {
  const url = realmUrl(app, realm);
  const advice = user.is_active
    ? "You can sign in with this address and your password."
    : "The account is deactivated. An administrator of the organization can reactivate it.";
  return composeMail({
    to: { name: user.full_name, address: user.delivery_email },
    subject: `You already have an account at ${realm.name}`,
    greeting: `Hello ${toMailName(user.full_name)},`,
    paragraphs: [
      `Someone, possibly you, asked to join ${realm.name} with this email address, but it already has an account.`,
      advice,
    ],
    action: { label: "Sign in", url: `${url}/login` },
    footer: `Sent by ${realm.name}, ${url}. If you did not request this, you can ignore this email.`,
  });
}

/** Validity of a personal join link, in milliseconds. */
export const JOIN_LINK_LIFETIME_MS = DAY_MS;
/** Time that an expired personal join link is reported as expired, in milliseconds. */
const JOIN_LINK_RETENTION_MS = 30 * DAY_MS;

/**
 * Returns the canonical form of an address with which a visitor may join; does not look for an account.
 * @throws AppError BAD_REQUEST for an address that is invalid or that the organization does not accept.
 */
export async function requireJoinableAddress(
  app: Pick<ChatApp, "config">,
  realm: RealmRecord,
  text: string,
): Promise<string> {
  const address = requireEmail(text);
  // A placeholder address represents another account in the API; neither it nor that of a bot receives mail.
  const folded = foldEmail(address);
  const isOfBot = folded.endsWith(`-bot@${realmHost(app, realm).toLowerCase()}`);
  if (isOfBot || parsePlaceholderEmail(app, realm, folded) !== undefined) {
    throw new AppError("BAD_REQUEST", "Please use your real email address.");
  }
  await requireAllowedEmail(realm, address);
  return address;
}

/**
 * Mails a personal join link to the address of a visitor to a reusable link, or that the address has an
 * account: only the mail discloses which. Returns why the reusable link cannot be used if it cannot.
 * @throws AppError BAD_REQUEST for an address that the organization does not accept.
 */
export async function requestJoinLink(
  app: ChatApp,
  realm: RealmRecord,
  { token, address }: { token: string; address: string },
): Promise<{ readonly kind: "sent" } | UnusableInvite> {
  const outcome = await transact(app.store, async (tx) => {
    const resolved = await resolveInviteWithin(app, tx, { realmId: realm.id, token });
    if (resolved.kind === "invite") return { kind: "dead", reason: "unknown" } as const;
    if (resolved.kind === "link") return await enqueueReply(app, tx, { usable: resolved, address });
    return resolved;
  });
  app.wakeMailer();
  return outcome;
}

async function enqueueReply(
  app: ChatApp,
  tx: Tx,
  { usable, address }: { usable: UsableInviteLink; address: string },
): Promise<{ readonly kind: "sent" }> {
  const { realm, now } = usable.permissions;
  await requireJoinableAddress(app, realm, address);
  const userId = await tx.get<number>(userKeys.byEmail(realm.id, address));
  const user = userId === null ? null : await tx.get<UserRecord>(userKeys.user(realm.id, userId));
  if (user === null) {
    const token = await writeJoinInvite(app, tx, { usable, address });
    enqueueMail(tx, composeJoinLinkMail({ app, realm }, { address, token }), now);
  } else if (!isBot(user)) enqueueMail(tx, composeAccountExistsMail({ app, realm }, user), now);
  return { kind: "sent" };
}

/** Writes the invitation of a personal join link and returns its token. */
async function writeJoinInvite(
  app: ChatApp,
  tx: Tx,
  { usable, address }: { usable: UsableInviteLink; address: string },
): Promise<string> {
  const { permissions: { realm, now }, offer, link } = usable;
  const invite: InviteRecord = {
    id: await tx.nextId("invite"),
    offer_id: offer.id,
    email: address,
    suggested_name: "",
    state: "pending",
    salt: generateSalt(),
    via_link_id: link.id,
    expires_at: Math.min(now + JOIN_LINK_LIFETIME_MS, offer.expires_at ?? Infinity),
  };
  tx.set(inviteKeys.invite(realm.id, invite.id), invite, { expireIn: JOIN_LINK_RETENTION_MS });
  return createInviteToken(app, { kind: "invite", realmId: realm.id, id: invite.id, salt: invite.salt });
}

/** Token of an invitation, and the name and password of the new user, both validated. */
interface InviteAcceptance {
  readonly token: string;
  readonly fullName: string;
  readonly password: string;
  /** Address that the visitor to a reusable link entered. */
  readonly address?: string;
}

/** The new user, or the reason why the invitation cannot be accepted. */
type JoinOutcome = { readonly kind: "joined"; readonly user: UserRecord } | UnusableInvite;

interface CreatedAccount {
  readonly user: UserRecord;
  readonly pendingJoin: Key;
}

/**
 * Creates an account by an invitation of its address, once, or by a reusable link of an organization that needs no
 * confirmed addresses, with the offered role, channels and groups as far as the inviter may still grant them. Then
 * sends the welcome notices.
 * @throws AppError BAD_REQUEST for an address that cannot join by the link.
 */
export async function acceptInvite(
  app: ChatApp,
  realm: RealmRecord,
  { token, fullName, password, address = "" }: InviteAcceptance,
): Promise<JoinOutcome> {
  const passwordHash = await app.passwords.hash(password);
  const created = await transact(app.store, async (tx): Promise<CreatedAccount | UnusableInvite> => {
    const resolved = await resolveInviteWithin(app, tx, { realmId: realm.id, token });
    if (resolved.kind === "link") await requireCanJoinAtOnce(app, tx, { usable: resolved, address });
    else if (resolved.kind !== "invite") return resolved;
    const deliveryEmail = resolved.kind === "link" ? address : resolved.invite.email;
    return await join(app, tx, resolved, { fullName, deliveryEmail, passwordHash });
  });
  if ("kind" in created) return created;
  // A worker completes a join that cannot be completed now.
  await afterCommit(() => completeJoin(app, created.pendingJoin));
  return { kind: "joined", user: created.user };
}

/** @throws AppError BAD_REQUEST for an address that must be confirmed, is not accepted or has an account. */
async function requireCanJoinAtOnce(
  app: ChatApp,
  tx: Tx,
  { usable: { permissions: { realm } }, address }: { usable: UsableInviteLink; address: string },
): Promise<void> {
  if (getLinkJoining(app, realm) !== "at_once") {
    throw new AppError("BAD_REQUEST", "Addresses must be confirmed now. Open the invitation again.");
  }
  await requireJoinableAddress(app, realm, address);
  if (await tx.get<number>(userKeys.byEmail(realm.id, address)) !== null) throw addressTaken();
}

export function addressTaken(): AppError {
  return new AppError(
    "BAD_REQUEST",
    "This address already has an account. Sign in, or ask an administrator for a sign-in link.",
  );
}

/** Creates an account, and writes what it has yet to join. */
async function join(
  app: ChatApp,
  tx: Tx,
  usable: UsableInvite | UsableInviteLink,
  joiner: Pick<NewUser, "fullName" | "passwordHash" | "deliveryEmail">,
): Promise<CreatedAccount> {
  const { permissions, offer, inviter } = usable;
  const { realm, now } = permissions;
  const at = { realmId: realm.id, now };
  const user = await addUser({ app, tx, realm }, { ...joiner, role: offer.role });
  if (usable.kind === "invite") {
    await acceptInvitesOfAddress(app, tx, usable);
    auditJoin(tx, at, { user, invite: usable.invite });
  } else {
    // The invitations of the address stay pending: no one has proved that it is theirs.
    tx.sum(inviteKeys.joinedBy(realm.id, usable.link.id), 1n);
    countJoining(tx, at, { step: "linked" });
    auditJoin(tx, at, { user, invite: { id: 0, via_link_id: usable.link.id } });
  }
  const pendingJoin = writePendingJoin(tx, now, {
    realm_id: realm.id,
    user_id: user.id,
    inviter_id: inviter.id,
    offer_id: offer.id,
    group_ids: offer.group_ids,
    channel_ids: await listOfferedChannels(tx, realm.id, offer),
  });
  return { user, pendingJoin };
}

/** Lists the ids of the channels of an offer, each once, the named ones first; some may not be joinable. */
async function listOfferedChannels(
  tx: Tx,
  realmId: number,
  { channel_ids, include_realm_default_subscriptions }: InviteOffer,
): Promise<readonly number[]> {
  const defaultIds = include_realm_default_subscriptions ? await defaultChannelIds.get(tx, realmId) : [];
  return [...new Set([...channel_ids, ...defaultIds])];
}

/** Marks every pending invitation of the address as accepted: an address joins once. */
async function acceptInvitesOfAddress(
  app: ChatApp,
  tx: Tx,
  { permissions, invite, inviter }: UsableInvite,
): Promise<void> {
  const realmId = permissions.realm.id;
  const ids = await tx.get<readonly number[]>(inviteKeys.ofAddress(realmId, invite.email)) ?? [];
  const others = await Promise.all(
    // A peek is enough: this commit claims the address, so the other invitations cannot be accepted
    // concurrently.
    ids.map((id) => tx.peek<InviteRecord>(inviteKeys.invite(realmId, id))),
  );
  const pending = [invite, ...others.filter((other) => other !== null && other.id !== invite.id)]
    .filter((item) => item?.state === "pending").filter((item) => item !== null);
  for (const item of pending) {
    const accepted: InviteRecord = { ...item, state: "accepted" };
    const expires_at = item.expires_at ??
      (await tx.peek<InviteOffer>(inviteKeys.offer(realmId, item.offer_id)))?.expires_at ?? null;
    tx.set(inviteKeys.invite(realmId, item.id), accepted, retentionOptions(app, { expires_at }));
  }
  if (invite.via_link_id !== null) tx.sum(inviteKeys.joinedBy(realmId, invite.via_link_id), 1n);
  const at = { realmId, now: permissions.now };
  // No list contains personal join links, so accepting one changes none.
  const isInvited = pending.some(({ via_link_id }) => via_link_id === null);
  if (isInvited) sendInvitesEvents(tx, at, inviter);
  countJoining(tx, at, { step: isInvited ? "accepted" : "linked" });
}
