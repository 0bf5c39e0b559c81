import type { ChatApp } from "../app.ts";
import { readProfileData } from "../profile_fields/store.ts";
import type { Caller } from "./model.ts";
import { getAccessibleUser } from "./get_accessible_user.ts";
import { toUserView, type UserViewOptions } from "./api.ts";

/**
 * Returns the user with an id or email address from a path, as the API shows it to the caller.
 * @throws AppError BAD_REQUEST when the caller cannot access the user.
 */
export async function getUserForCaller(
  app: ChatApp,
  caller: Caller,
  { name, options }: { name: string; options: UserViewOptions },
) {
  const user = await getAccessibleUser(app, caller, name);
  const profile = options.include_custom_profile_fields
    ? await readProfileData(app, caller.realm.id, user.id)
    : {};
  return toUserView(app, { ...caller, options, getProfile: () => profile }, user);
}
