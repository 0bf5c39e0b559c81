import { toHex } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { requireAllowedAddress } from "../users/address_policy.ts";
import { placeholderId, requireEmail } from "../users/email.ts";
import { foldEmail, isBot, userKeys, type UserRecord } from "../users/user.ts";
import { inviteKeys, type InviteRecord } from "./invite.ts";
import { toMemberMail, toProofMail } from "./join_mails.ts";
import { type ClosedInvite, openInviteIn, type OpenLink } from "./open_invite.ts";
import { inviteToken } from "./token.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long the proof of an address works, in milliseconds. */
export const PROOF_LIFETIME_MS = DAY_MS;
/** How long a proof's link can still be told from one that never was, in milliseconds. */
const PROOF_KEPT_MS = 30 * DAY_MS;
const SALT_BYTES = 16;

/** Who came by a reusable link: its key, and the address that he gave. */
export interface LinkRequest {
  readonly key: string;
  readonly address: string;
}

/**
 * Lets an address through that somebody may join with; whether it has an account is not looked at.
 * @throws AppError BAD_REQUEST for one that is not valid, or that the organization does not take.
 */
export async function requireJoinableAddress(
  app: Pick<ChatApp, "config">,
  realm: RealmRecord,
  text: string,
): Promise<string> {
  const address = requireEmail(text);
  // Such an address stands for another account in the API, and receives no mail.
  if (placeholderId(app, realm, foldEmail(address)) !== undefined) {
    throw new AppError("BAD_REQUEST", "Please use your real email address.");
  }
  await requireAllowedAddress(realm, address);
  return address;
}

/**
 * Mails the address of somebody who came by a reusable link what lets him join, or that he has an account: nothing but
 * the mail tells which. Gives what the link leads to where it does not open.
 * @throws AppError BAD_REQUEST for an address that the organization does not take.
 */
export async function requestByLink(
  app: ChatApp,
  realm: RealmRecord,
  { key, address }: LinkRequest,
): Promise<{ readonly kind: "sent" } | ClosedInvite> {
  const outcome = await transact(app.store, async (tx) => {
    const opened = await openInviteIn(app, tx, { realmId: realm.id, key });
    if (opened.kind === "invite") return { kind: "dead", reason: "unknown" } as const;
    if (opened.kind === "link") return await answerByMail(app, tx, { opened, address });
    return opened;
  });
  app.wakeMailer();
  return outcome;
}

async function answerByMail(
  app: ChatApp,
  tx: Tx,
  { opened, address }: { opened: OpenLink; address: string },
): Promise<{ readonly kind: "sent" }> {
  const { realm, now } = opened.permissions;
  await requireJoinableAddress(app, realm, address);
  const holderId = await tx.get<number>(userKeys.byEmail(realm.id, address));
  const holder = holderId === null ? null : await tx.get<UserRecord>(userKeys.user(realm.id, holderId));
  if (holder === null) {
    enqueueMail(
      tx,
      toProofMail({ app, realm }, { address, key: await keepProof(app, tx, { opened, address }) }),
      now,
    );
  } else if (!isBot(holder)) enqueueMail(tx, toMemberMail({ app, realm }, holder), now);
  return { kind: "sent" };
}

/** Keeps the proof of an address, and gives the key of its link. */
async function keepProof(
  app: ChatApp,
  tx: Tx,
  { opened, address }: { opened: OpenLink; address: string },
): Promise<string> {
  const { permissions: { realm, now }, offer, link } = opened;
  const proof: InviteRecord = {
    id: await tx.nextId("invite"),
    offer_id: offer.id,
    email: address,
    suggested_name: "",
    state: "pending",
    salt: toHex(crypto.getRandomValues(new Uint8Array(SALT_BYTES))),
    via_link_id: link.id,
    expires_at: Math.min(now + PROOF_LIFETIME_MS, offer.expires_at ?? Infinity),
  };
  tx.set(inviteKeys.invite(realm.id, proof.id), proof, { expireIn: PROOF_KEPT_MS });
  return inviteToken(app, { kind: "invite", realmId: realm.id, id: proof.id, salt: proof.salt });
}
