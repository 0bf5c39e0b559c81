import type { ChatApp } from "@/lib/chat/app.ts";
import { realmHost, type RealmRecord } from "@/lib/chat/organizations/model.ts";
import {
  foldEmail,
  isBot,
  parsePlaceholderEmail,
  requireAllowedEmail,
  requireEmail,
  userKeys,
  type UserRecord,
} from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import { createInviteToken, generateSalt, inviteKeys, type InviteRecord } from "../model.ts";
import { composeAccountExistsMail, composeJoinLinkMail } from "./compose_join_mails.ts";
import { resolveInviteInTransaction, type UnusableInvite, type UsableInviteLink } from "./resolve_invite.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Validity of a personal join link, in milliseconds. */
export const JOIN_LINK_LIFETIME_MS = DAY_MS;
/**
 * Time for which an expired personal join link is kept, so that it is reported as expired, in milliseconds.
 */
const JOIN_LINK_RETENTION_MS = 30 * DAY_MS;

/** Token of a reusable link, and the address that the visitor entered. */
export interface JoinLinkRequest {
  readonly token: string;
  readonly address: string;
}

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
  { token, address }: JoinLinkRequest,
): Promise<{ readonly kind: "sent" } | UnusableInvite> {
  const outcome = await transact(app.store, async (tx) => {
    const resolved = await resolveInviteInTransaction(app, tx, { realmId: realm.id, token });
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

/** Writes the invitation behind a personal join link and returns its token. */
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
