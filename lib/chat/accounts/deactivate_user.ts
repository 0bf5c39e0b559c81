import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { botsOf } from "../users/bots_of.ts";
import type { Caller } from "../users/caller.ts";
import { isLastOwner } from "../users/owner_count.ts";
import { getUser } from "../users/store.ts";
import { isBot, type UserRecord } from "../users/user.ts";
import { accountQueue } from "./account_queue.ts";
import { type AccountChange, endAccount } from "./change_account.ts";
import { findAccount, noSuchUser } from "./get_account.ts";
import { getBot } from "./get_bot.ts";
import { noteAccount } from "./note_account.ts";
import { getActor, requireMayAdminister } from "./rights.ts";

/**
 * Deactivates a person's account and his bots.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function deactivateUser(app: ChatApp, caller: Caller, name: string): Promise<void> {
  const { id } = await findAccount(app, caller, name);
  await transact(
    app.store,
    (tx) => deactivate(app, tx, { ...caller, id, isForBots: false }),
    accountQueue(caller.realm.id),
  );
}

/**
 * Deactivates a bot.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function deactivateBot(app: ChatApp, caller: Caller, id: number): Promise<void> {
  await transact(
    app.store,
    (tx) => deactivate(app, tx, { ...caller, id, isForBots: true }),
    accountQueue(caller.realm.id),
  );
}

async function deactivate(
  app: ChatApp,
  tx: Tx,
  { realm, actingUser, id, isForBots }: Caller & { id: number; isForBots: boolean },
): Promise<void> {
  const actor = await getActor(tx, realm.id, actingUser);
  const target = isForBots ? await getBot(tx, realm.id, id) : await getUser(tx, realm.id, id);
  if (!isForBots && isBot(target)) throw noSuchUser();
  requireMayAdminister(actor, target);
  if (!target.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
  await endAndNote({ app, tx, realm }, { actor, target });
}

async function endAndNote(
  change: AccountChange,
  { actor, target }: { actor: UserRecord; target: UserRecord },
): Promise<void> {
  const bots = isBot(target) ? 0 : (await botsOf(change.tx, change.realm.id, target.id)).length;
  const user = await endAccount(change, target);
  const details = bots === 0 ? {} : { bots: String(bots) };
  noteAccount(change, { actor, user, what: "deactivated", details });
}

/**
 * Deactivates one's own account and one's bots.
 * @throws AppError BAD_REQUEST for the only owner.
 */
export async function deactivateOwnUser(
  app: ChatApp,
  { realm, actingUser }: Caller,
): Promise<void> {
  await transact(app.store, async (tx) => {
    const actor = await getActor(tx, realm.id, actingUser);
    if (await isLastOwner(tx, realm.id, actor)) {
      throw new AppError("BAD_REQUEST", "Cannot deactivate the only organization owner.", {
        extra: { is_last_owner: true, entity: "organization owner" },
      });
    }
    await endAndNote({ app, tx, realm }, { actor, target: actor });
  }, accountQueue(realm.id));
}
