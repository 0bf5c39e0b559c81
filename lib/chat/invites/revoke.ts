import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { userKeys, type UserRecord } from "../users/user.ts";
import { accessInvite, accessOffer, readById } from "./access_invite.ts";
import { noSuchInvitation } from "./failure.ts";
import { inviteKeys, type InviteLinkRecord, type InviteOffer, type InviteRecord } from "./invite.ts";
import { noteInvite, noteLink } from "./note_invite.ts";
import { keptUntil } from "./offer.ts";
import { tellOfInvites } from "./tell_of_invites.ts";

/**
 * Withdraws an invitation of an address, whose link then leads nowhere.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function revokeInvite(app: ChatApp, caller: Caller, id: number): Promise<void> {
  await transact(app.store, async (tx) => {
    const { invite, offer } = await accessInvite(tx, caller, id);
    const revoked: InviteRecord = { ...invite, state: "revoked" };
    tx.set(inviteKeys.invite(caller.realm.id, id), revoked, keptUntil(app, offer));
    const at = { realmId: caller.realm.id, now: app.clock.now() };
    noteInvite(tx, at, { actor: caller.actingUser, invite, action: "invite_revoked" });
    await tell(app, tx, { caller, offer });
  });
}

/**
 * Withdraws a reusable link, an expired one too.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function revokeLink(app: ChatApp, caller: Caller, id: number): Promise<void> {
  await transact(app.store, async (tx) => {
    const key = inviteKeys.link(caller.realm.id, id);
    const link = await readById<InviteLinkRecord>(tx, id, key);
    if (link === null) throw noSuchInvitation();
    const { offer } = await accessOffer(tx, caller, link.offer_id);
    if (link.is_revoked) throw new AppError("BAD_REQUEST", "Invitation has already been revoked");
    tx.set(key, { ...link, is_revoked: true } satisfies InviteLinkRecord, keptUntil(app, offer));
    const at = { realmId: caller.realm.id, now: app.clock.now() };
    noteLink(tx, at, { actor: caller.actingUser, link, action: "invite_link_revoked" });
    await tell(app, tx, { caller, offer });
  });
}

async function tell(
  app: ChatApp,
  tx: Tx,
  { caller, offer }: { caller: Caller; offer: InviteOffer },
): Promise<void> {
  const realmId = caller.realm.id;
  const inviter = await tx.peek<UserRecord>(userKeys.user(realmId, offer.inviter_id));
  tellOfInvites(tx, { realmId, now: app.clock.now() }, inviter);
}
