import { type Key, toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { isAdmin } from "../users/user.ts";
import {
  inviteKeys,
  type InviteLinkRecord,
  type InviteOffer,
  type InviteRecord,
  isExpired,
} from "./invite.ts";
import type { InviteCaller } from "./offer.ts";
import { toInvite, toLink } from "./view.ts";

/** Records that are read from the store at once. */
const BATCH = 500;

/**
 * What may still be used to join, as the API shows it: all of it for administrators, what they made themselves for
 * others; first the invitations of addresses, then the reusable links, the oldest first.
 */
export async function listInvites(app: ChatApp, { realm, actingUser }: InviteCaller) {
  const now = app.clock.now();
  const shown = new Map<number, InviteOffer>();
  for await (const offer of list<InviteOffer>(app, inviteKeys.offers(realm.id))) {
    const isOwn = offer.inviter_id === actingUser.id;
    if ((isOwn || isAdmin(actingUser)) && !isExpired(offer, now)) shown.set(offer.id, offer);
  }
  // Most people never invited anybody.
  if (shown.size === 0) return [];
  const invites: ReturnType<typeof toInvite>[] = [];
  for await (const invite of list<InviteRecord>(app, inviteKeys.invites(realm.id))) {
    const offer = shown.get(invite.offer_id);
    const isOpen = invite.state === "pending" && invite.via_link_id === null;
    if (offer !== undefined && isOpen) invites.push(toInvite(invite, offer));
  }
  const links: ReturnType<typeof toLink>[] = [];
  for await (const link of list<InviteLinkRecord>(app, inviteKeys.links(realm.id))) {
    const offer = shown.get(link.offer_id);
    if (offer !== undefined && !link.is_revoked) links.push(toLink(app, realm, { link, offer }));
  }
  return [...invites, ...links];
}

async function* list<T>({ store }: ChatApp, prefix: Key): AsyncGenerator<T> {
  for await (const entry of store.kv.list({ prefix: [...prefix] }, { batchSize: BATCH })) {
    yield toEntry<T>(entry).value;
  }
}
