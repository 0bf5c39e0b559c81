import {
  inviteKeys,
  type InviteLinkRecord,
  type InviteOffer,
  type InviteRecord,
} from "@/lib/chat/invites/invite.ts";
import { MAX_OF_ADDRESS } from "@/lib/chat/invites/stage_invites.ts";
import { foldEmail } from "@/lib/chat/users/user.ts";
import { toEntry } from "@/lib/kv/key.ts";
import { listValues } from "@/lib/kv/list_values.ts";
import { BATCH, type Complain } from "./check_index.ts";

/**
 * Compares the invitations that are found by an address with the invitations that there are, and looks for links that
 * offer nothing. Invitations without an offer never came to count: the server ended before it was written.
 */
export async function checkInvites(kv: Deno.Kv, realmId: number, complain: Complain): Promise<void> {
  const offers = await listValues<InviteOffer>(kv, inviteKeys.offers(realmId));
  const offerIds = new Set(offers.map(({ id }) => id));
  for (const { id, offer_id } of await listValues<InviteLinkRecord>(kv, inviteKeys.links(realmId))) {
    if (!offerIds.has(offer_id)) complain(`the reusable link ${id} offers nothing.`);
  }
  const listed = await listedByAddress(kv, realmId);
  const addressOf = new Map<number, string>();
  for (const invite of await listValues<InviteRecord>(kv, inviteKeys.invites(realmId))) {
    addressOf.set(invite.id, foldEmail(invite.email));
    const ids = listed.get(foldEmail(invite.email)) ?? [];
    // A full list has dropped the oldest.
    const isFound = ids.includes(invite.id) || ids.length >= MAX_OF_ADDRESS;
    if (invite.via_link_id === null && invite.state === "pending" && !isFound) {
      complain(`the invitation ${invite.id} is not found by its address.`);
    }
  }
  for (const [address, ids] of listed) {
    // What ended long ago is dropped by the store, and still listed.
    const stray = ids.find((id) => (addressOf.get(id) ?? address) !== address);
    if (stray !== undefined) complain(`an address leads to the invitation ${stray}, which is not its own.`);
  }
}

async function listedByAddress(
  kv: Deno.Kv,
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
