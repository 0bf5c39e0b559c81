import {
  inviteKeys,
  type InviteLinkRecord,
  type InviteOffer,
  type InviteRecord,
  MAX_INVITES_PER_ADDRESS,
} from "@/lib/chat/joining/invites/model.ts";
import { foldEmail } from "@/lib/chat/organization/users/model.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { toEntry } from "@/lib/store/key.ts";
import { listValues } from "@/lib/store/reads.ts";
import { BATCH, type Complain } from "@/lib/chat/organization/check_index.ts";

/**
 * Compares the invitations found by an address with the stored ones, and looks for links that offer nothing.
 * Invitations without an offer never took effect: the server ended before it was written.
 */
export async function checkInvites(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  const offers = await listValues<InviteOffer>(kv, inviteKeys.offers(realmId));
  const offerIds = new Set(offers.map(({ id }) => id));
  for (const { id, offer_id } of await listValues<InviteLinkRecord>(kv, inviteKeys.links(realmId))) {
    if (!offerIds.has(offer_id)) complain(`the reusable link ${id} has no offer.`);
  }
  const listed = await listedByAddress(kv, realmId);
  const addressOf = new Map<number, string>();
  for (const invite of await listValues<InviteRecord>(kv, inviteKeys.invites(realmId))) {
    addressOf.set(invite.id, foldEmail(invite.email));
    const ids = listed.get(foldEmail(invite.email)) ?? [];
    // A full list has dropped its oldest invitation.
    const isFound = ids.includes(invite.id) || ids.length >= MAX_INVITES_PER_ADDRESS;
    if (invite.via_link_id === null && invite.state === "pending" && !isFound) {
      complain(`the invitation ${invite.id} is missing from the index of its address.`);
    }
  }
  for (const [address, ids] of listed) {
    // The store drops invitations that ended long ago, while the list still holds them.
    const stray = ids.find((id) => (addressOf.get(id) ?? address) !== address);
    if (stray !== undefined) {
      complain(`the index of an address has the invitation ${stray} of another address.`);
    }
  }
}

async function listedByAddress(
  kv: Kv,
  realmId: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const listed = new Map<string, readonly number[]>();
  const prefix = [...inviteKeys.addresses(realmId)];
  for await (const entry of kv.list({ prefix }, { batchSize: BATCH })) {
    const { key, value } = toEntry<readonly number[]>(entry);
    listed.set(String(key.at(-1)), value);
  }
  return listed;
}
