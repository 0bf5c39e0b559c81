import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { apiKeyOf } from "../users/api_key.ts";
import type { UserRecord } from "../users/user.ts";
import { toUser } from "../users/view.ts";
import { requireActivePerson } from "./authenticate.ts";
import { readUserByRealEmail } from "./real_email.ts";
import { requireRealm } from "./require_realm.ts";
import { readTokenEmail } from "./token.ts";

/** An account's key with the real address and the id that it belongs to. */
export function toFetchedKey(app: ChatApp, realm: RealmRecord, user: UserRecord) {
  return { api_key: apiKeyOf(app, realm.id, user), email: user.delivery_email, user_id: user.id };
}

/**
 * The key of the person whom a signed token names by the real address, and on request how the account looks to itself.
 * @throws AppError NONEXISTENT_SUBDOMAIN, BAD_REQUEST for the token, AUTHENTICATION_FAILED, USER_DEACTIVATED or
 * REALM_DEACTIVATED.
 */
export async function fetchKeyByToken(
  app: ChatApp,
  where: RealmRecord | null,
  { token, include_profile }: { token: string; include_profile: boolean },
) {
  const realm = requireRealm(where);
  const email = await readTokenEmail(app, realm, token);
  const user = requireActivePerson(realm, await readUserByRealEmail(app, realm.id, email));
  const key = { api_key: apiKeyOf(app, realm.id, user), email: user.delivery_email };
  return include_profile ? { ...key, user: toUser(user, { app, realm, viewer: user }) } : key;
}
