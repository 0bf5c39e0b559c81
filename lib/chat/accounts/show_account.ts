import type { ChatApp } from "../app.ts";
import { readProfileData } from "../profile_fields/values.ts";
import type { Caller } from "../users/caller.ts";
import { getAccount } from "./get_account.ts";
import { type AccountViewOptions, toAccount } from "./view.ts";

/**
 * The account that a path names, as the caller wants it shown, if he may know of it.
 * @throws AppError BAD_REQUEST.
 */
export async function showAccount(
  app: ChatApp,
  caller: Caller,
  { name, options }: { name: string; options: AccountViewOptions },
) {
  const user = await getAccount(app, caller, name);
  const profile = options.include_custom_profile_fields
    ? await readProfileData(app, caller.realm.id, user.id)
    : {};
  return toAccount(app, { ...caller, options, profileOf: () => profile }, user);
}
