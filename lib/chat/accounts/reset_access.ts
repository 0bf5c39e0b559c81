import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { requireAdmin } from "../users/rights.ts";
import { getUser, putUser } from "../users/store.ts";
import { isBot, type UserRecord } from "../users/user.ts";
import { accountQueue } from "./account_queue.ts";
import { type AccountChange, rotateKey } from "./change_account.ts";
import { noSuchUser } from "./get_account.ts";
import { noteAccount } from "./note_account.ts";
import { getActor, requireMayAdminister } from "./rights.ts";

/**
 * Makes a person's API key worth nothing; he alone can fetch the new one.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function resetUserKey(app: ChatApp, caller: Caller, id: number): Promise<void> {
  await changePerson(app, caller, {
    id,
    work: async (change, { actor, target }) => {
      const user = await rotateKey(change, target);
      noteAccount(change, { actor, user, what: "key_reset" });
    },
  });
}

/**
 * Ends every session of a person in browsers, at once.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function endUserSessions(app: ChatApp, caller: Caller, id: number): Promise<void> {
  await changePerson(app, caller, {
    id,
    work: async (change, { actor, target }) => {
      const user = { ...target, session_epoch: target.session_epoch + 1 };
      await putUser(change.tx, change.realm.id, user);
      noteAccount(change, { actor, user, what: "sessions_ended" });
    },
  });
}

interface Parties {
  readonly actor: UserRecord;
  readonly target: UserRecord;
}

async function changePerson(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { id, work }: { id: number; work: (change: AccountChange, parties: Parties) => Promise<void> },
): Promise<void> {
  await transact(app.store, async (tx) => {
    const actor = await getActor(tx, realm.id, actingUser);
    requireAdmin(actor);
    const target = await getUser(tx, realm.id, id);
    if (isBot(target) || target.is_system_bot === true) throw noSuchUser();
    requireMayAdminister(actor, target);
    if (!target.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
    await work({ app, tx, realm }, { actor, target });
  }, accountQueue(realm.id));
}
