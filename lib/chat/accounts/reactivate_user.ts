import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { getUser } from "../users/store.ts";
import { accountQueue } from "./account_queue.ts";
import { resumeAccount } from "./change_account.ts";
import { noteAccount } from "./note_account.ts";
import { getActor, requireMayAdminister } from "./rights.ts";

/**
 * Lets an account be used again, a bot's too; one that is active stays so.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function reactivateUser(
  app: ChatApp,
  { realm, actingUser }: Caller,
  id: number,
): Promise<void> {
  await transact(app.store, async (tx) => {
    const actor = await getActor(tx, realm.id, actingUser);
    const target = await getUser(tx, realm.id, id);
    requireMayAdminister(actor, target);
    if (target.is_active) return;
    const change = { app, tx, realm };
    const user = await resumeAccount(change, target, actor);
    noteAccount(change, { actor, user, what: "reactivated" });
  }, accountQueue(realm.id));
}
