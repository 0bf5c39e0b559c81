import { readUser } from "@/lib/chat/organization/users/store.ts";
import { compareNames } from "@/lib/core/text.ts";
import type { AdminRequest } from "./admin_request.ts";

/** A user in a list of names. */
export interface ShownPerson {
  readonly id: number;
  readonly name: string;
  readonly isActive: boolean;
}

/** Returns the accounts with some ids by name. Each is read separately, so there should be few. */
export async function readShownPeople(
  { chat, realm }: AdminRequest,
  ids: readonly number[],
): Promise<readonly ShownPerson[]> {
  const users = await Promise.all(ids.map((id) => readUser(chat, realm.id, id)));
  return users.filter((user) => user !== null)
    .map(({ id, full_name, is_active }) => ({ id, name: full_name, isActive: is_active }))
    .sort((one, other) => compareNames(one.name, other.name));
}
