import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { deriveApiKey } from "./model.ts";
import type { UserRecord } from "../users/model.ts";
import { toUser } from "../users/api.ts";
import { readUserByRealEmail, requireActivePerson, requireRealm } from "./authenticate.ts";
import { readTokenEmail } from "./read_token_email.ts";

/** Returns an account's API key with its real address and id. */
export function toFetchedApiKey(app: ChatApp, realm: RealmRecord, user: UserRecord) {
  return { api_key: deriveApiKey(app, realm.id, user), email: user.delivery_email, user_id: user.id };
}

/**
 * Returns the API key of the account whose real address a signed token contains, with the user on request.
 * @throws AppError NONEXISTENT_SUBDOMAIN, BAD_REQUEST for the token, AUTHENTICATION_FAILED, USER_DEACTIVATED
 * or REALM_DEACTIVATED.
 */
export async function fetchApiKeyByToken(
  app: ChatApp,
  where: RealmRecord | null,
  { token, include_profile }: { token: string; include_profile: boolean },
) {
  const realm = requireRealm(where);
  const email = await readTokenEmail(app, realm, token);
  const user = requireActivePerson(realm, await readUserByRealEmail(app, realm.id, email));
  app.activity.record(realm, user);
  const key = { api_key: deriveApiKey(app, realm.id, user), email: user.delivery_email };
  return include_profile ? { ...key, user: toUser(user, { app, realm, viewer: user }) } : key;
}
