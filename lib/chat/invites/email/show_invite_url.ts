import type { ChatApp } from "@/lib/chat/app.ts";
import type { Caller } from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import { getUsableManagedInvite } from "../access.ts";
import { inviteUrl } from "../api.ts";
import { auditInvite } from "../events.ts";
import { inviteKeys, retentionOptions } from "../model.ts";

/** People whose rights are checked when the invitation is accepted. */
const MAX_SHOWN = 20;

/**
 * Returns the URL of an invitation of an address, by which anyone can accept it, and records that in the audit log.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function showInviteUrl(app: ChatApp, caller: Caller, id: number): Promise<string> {
  return await transact(app.store, async (tx) => {
    const { invite, offer, permissions } = await getUsableManagedInvite(app, tx, { caller, id });
    const { realm, now } = permissions;
    const actor = caller.actingUser;
    auditInvite(tx, { realmId: realm.id, now }, { actor, invite, action: "invite_url_shown" });
    const shown_to = [...new Set([...invite.shown_to ?? [], actor.id])];
    if (shown_to.length > MAX_SHOWN) {
      throw new AppError("BAD_REQUEST", "Too many people have seen this link. Revoke it and invite again.");
    }
    tx.set(inviteKeys.invite(realm.id, id), { ...invite, shown_to }, retentionOptions(app, offer));
    return inviteUrl(app, realm, invite);
  });
}
