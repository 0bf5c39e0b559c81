import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import {
  type Caller,
  type ChangeContext,
  isBot,
  noSuchUser,
  requireCanManageUser,
  type UserRecord,
} from "../users/model.ts";
import { getActingAdmin, getUser, putUser } from "../users/store.ts";
import { rotateApiKey } from "./regenerate_api_key.ts";
import { withoutSessions } from "./sessions.ts";
import { auditUser } from "../users/events.ts";

/**
 * Revokes a human's API key; only they can fetch the new one.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function resetUserApiKey(app: ChatApp, caller: Caller, id: number): Promise<void> {
  await changeManagedUser(app, caller, {
    id,
    work: async (context, { actor, target }) => {
      const { app, tx, realm } = context;
      const user = await rotateApiKey({ app, tx, realmId: realm.id }, target);
      auditUser(context, { actor, user, action: "key_reset" });
    },
  });
}

/**
 * Ends all browser sessions of a human at once.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function endUserSessions(app: ChatApp, caller: Caller, id: number): Promise<void> {
  await changeManagedUser(app, caller, {
    id,
    work: async (context, { actor, target }) => {
      const { app, tx, realm } = context;
      const user = withoutSessions({ app, tx, realmId: realm.id }, target);
      await putUser(tx, realm.id, user);
      auditUser(context, { actor, user, action: "sessions_ended" });
    },
  });
}

/** An administrator, and the active human whom they may manage. */
export interface ManagedUser {
  readonly actor: UserRecord;
  readonly target: UserRecord;
}

/**
 * Runs a change of an active human's access by an administrator who may manage them.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function changeManagedUser<T>(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { id, work }: { id: number; work: (context: ChangeContext, parties: ManagedUser) => Promise<T> },
): Promise<T> {
  return await transact(app.store, async (tx) => {
    const actor = await getActingAdmin(tx, { realm, actingUser });
    const target = await getUser(tx, realm.id, id);
    if (isBot(target) || target.is_system_bot === true) throw noSuchUser();
    requireCanManageUser(actor, target);
    if (!target.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
    return await work({ app, tx, realm }, { actor, target });
  });
}
