import type { ChatApp } from "@/lib/chat/app.ts";
import type { Caller } from "@/lib/chat/users/model.ts";
import { transact } from "@/lib/kv/transact.ts";
import { getUsableManagedInvite } from "../access.ts";
import { inviteUrl } from "../api.ts";
import { auditInvite } from "../events.ts";

/**
 * Returns the URL of an invitation of an address, by which anyone can accept it, and records that in the audit log.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function showInviteUrl(app: ChatApp, caller: Caller, id: number): Promise<string> {
  return await transact(app.store, async (tx) => {
    const { invite, permissions } = await getUsableManagedInvite(app, tx, { caller, id });
    const { realm, now } = permissions;
    const actor = caller.actingUser;
    auditInvite(tx, { realmId: realm.id, now }, { actor, invite, action: "invite_url_shown" });
    return inviteUrl(app, realm, invite);
  });
}
