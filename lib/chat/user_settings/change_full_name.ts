import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { getActingUser, putUser } from "../users/store.ts";
import { sendProfileEvent } from "./events.ts";
import { type AccountCaller, withFullName } from "./model/account.ts";

/**
 * Changes the user's own name. Returns whether the account now has the new name.
 * @throws AppError BAD_REQUEST for an invalid name.
 */
export async function changeFullName(
  app: ChatApp,
  { realm, user: actingUser }: Pick<AccountCaller, "realm" | "user">,
  newName: string,
): Promise<boolean> {
  return await transact(app.store, async (tx) => {
    const before = await getActingUser(tx, realm.id, actingUser);
    const user = withFullName(realm, before, newName);
    if (user !== before) {
      await putUser(tx, realm.id, user);
      sendProfileEvent(tx, { realm, user, now: app.clock.now() }, { full_name: user.full_name });
    }
    return user.full_name === newName.trim();
  });
}
