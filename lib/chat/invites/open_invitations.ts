import { type Key, readCount, toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { readUser } from "../users/store.ts";
import { isAdmin, type UserRecord } from "../users/user.ts";
import {
  inviteKeys,
  type InviteLinkRecord,
  type InviteOffer,
  type InviteRecord,
  isExpired,
} from "./invite.ts";
import { isEndedWith } from "./rights.ts";

/** An invitation of an address that waits for its answer. */
export interface OpenEmail {
  readonly kind: "email";
  readonly invite: InviteRecord;
  readonly offer: InviteOffer;
}

/** A reusable link that was not withdrawn. */
export interface OpenReusable {
  readonly kind: "link";
  readonly link: InviteLinkRecord;
  readonly offer: InviteOffer;
}

/** What may still be used to join. */
export type OpenInvitation = OpenEmail | OpenReusable;

/** Records that are read from the store at once. */
const BATCH = 500;

/**
 * What may still be used to join: all of it for administrators, what they made themselves for others; first the
 * invitations of addresses, then the reusable links, the oldest first. The store is listed anew only after a change.
 */
export async function readOpenInvitations(
  app: ChatApp,
  { realm, actingUser }: Caller,
): Promise<readonly OpenInvitation[]> {
  const now = app.clock.now();
  const mayAll = isAdmin(actingUser);
  const open = (await readAll(app, realm.id)).filter(({ offer }) =>
    (mayAll || offer.inviter_id === actingUser.id) && !isExpired(offer, now)
  );
  const inviters = new Map<number, UserRecord | null>();
  await Promise.all(
    Array.from(
      new Set(open.map(({ offer }) => offer.inviter_id)),
      async (id) => inviters.set(id, await readUser(app, realm.id, id)),
    ),
  );
  return open.filter(({ offer }) => {
    const inviter = inviters.get(offer.inviter_id) ?? null;
    return inviter !== null && !isEndedWith(inviter, offer);
  });
}

/** How many people joined by each of some links, in their order. */
export async function countJoined(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  linkIds: readonly number[],
): Promise<readonly number[]> {
  return await Promise.all(
    linkIds.map(async (id) => Number(await readCount(store.kv, inviteKeys.joinedBy(realmId, id)))),
  );
}

async function readAll(app: ChatApp, realmId: number): Promise<readonly OpenInvitation[]> {
  const readVersion = async () => Number(await readCount(app.store.kv, inviteKeys.version(realmId)));
  const version = await readVersion();
  const kept = await app.caches.get(`invitations ${realmId}`, version, async () => {
    const all = await listAll(app, realmId);
    return { all, isSettled: await readVersion() === version };
  });
  // What was listed while invitations changed is kept for nobody: the next version may already be here.
  return kept.isSettled ? kept.all : await listAll(app, realmId);
}

async function listAll(app: ChatApp, realmId: number): Promise<readonly OpenInvitation[]> {
  const offers = new Map<number, InviteOffer>();
  const now = app.clock.now();
  for await (const offer of list<InviteOffer>(app, inviteKeys.offers(realmId))) {
    if (!isExpired(offer, now)) offers.set(offer.id, offer);
  }
  if (offers.size === 0) return [];
  const all: OpenInvitation[] = [];
  for await (const invite of list<InviteRecord>(app, inviteKeys.invites(realmId))) {
    const offer = offers.get(invite.offer_id);
    const isOpen = invite.state === "pending" && invite.via_link_id === null;
    if (offer !== undefined && isOpen) all.push({ kind: "email", invite, offer });
  }
  for await (const link of list<InviteLinkRecord>(app, inviteKeys.links(realmId))) {
    const offer = offers.get(link.offer_id);
    if (offer !== undefined && !link.is_revoked) all.push({ kind: "link", link, offer });
  }
  return all;
}

async function* list<T>({ store }: ChatApp, prefix: Key): AsyncGenerator<T> {
  for await (const entry of store.kv.list({ prefix: [...prefix] }, { batchSize: BATCH })) {
    yield toEntry<T>(entry).value;
  }
}
