import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { requireFullName } from "../users/full_name.ts";
import { putUser } from "../users/store.ts";
import { isAdmin, type UserRecord } from "../users/user.ts";
import { type AccountHolder, getActingUser } from "./caller.ts";
import { tellOfPerson } from "./events.ts";

/** Whether somebody may change his own name. */
export function mayChangeName({ settings }: RealmRecord, user: UserRecord): boolean {
  return !settings.name_changes_disabled || isAdmin(user);
}

/**
 * An account under the name that its user wants; under its old one where he may not change it.
 * @throws AppError BAD_REQUEST for a name that cannot be one.
 */
export function withFullName(realm: RealmRecord, user: UserRecord, wanted: string): UserRecord {
  if (wanted === user.full_name || !mayChangeName(realm, user)) return user;
  const name = requireFullName(wanted);
  return name === user.full_name ? user : { ...user, full_name: name };
}

/**
 * Gives an account the name that its user wants, and tells everybody; says whether it has it now.
 * @throws AppError BAD_REQUEST for a name that cannot be one.
 */
export async function changeFullName(
  app: ChatApp,
  { realm, user: actingUser }: Pick<AccountHolder, "realm" | "user">,
  wanted: string,
): Promise<boolean> {
  return await transact(app.store, async (tx) => {
    const before = await getActingUser(tx, realm.id, actingUser);
    const user = withFullName(realm, before, wanted);
    if (user !== before) {
      await putUser(tx, realm.id, user);
      tellOfPerson(tx, { realm, user, now: app.clock.now() }, { full_name: user.full_name });
    }
    return user.full_name === wanted.trim();
  });
}
