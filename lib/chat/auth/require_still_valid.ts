import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { readRealmBySubdomain } from "../organizations/store.ts";
import { notLoggedIn, type UserRecord } from "../users/model.ts";
import { readUsers } from "../users/store.ts";
import { requireActive, requireRealm } from "./authenticate.ts";
import { isSessionLive } from "./sessions.ts";

/** A caller as they were when their request was admitted. */
export interface AdmittedCaller {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
  /** Id of the browser session that admitted the request; null for an API key. */
  readonly sessionId: string | null;
}

/**
 * Returns the organization and the account of a long request as they are now, and requires that its credentials would
 * still be accepted.
 * @throws AppError as the refusal of a new request: INVALID_API_KEY, UNAUTHORIZED, USER_DEACTIVATED,
 * REALM_DEACTIVATED or NONEXISTENT_SUBDOMAIN.
 */
export async function requireStillValid(
  app: ChatApp,
  { realm: { id: realmId, subdomain }, user: admitted, sessionId }: AdmittedCaller,
): Promise<Omit<AdmittedCaller, "sessionId">> {
  const [found, users] = await Promise.all([
    readRealmBySubdomain(app, subdomain),
    readUsers(app, realmId, [admitted.id]),
  ]);
  const realm = requireRealm(found);
  const user = users.get(admitted.id);
  if (user === undefined) throw invalidApiKey();
  if (sessionId === null && user.key_generation !== admitted.key_generation) throw invalidApiKey();
  const isOver = sessionId !== null && !await isSessionLive(app, { realmId, user }, sessionId);
  requireActive(realm, user);
  if (isOver) throw notLoggedIn();
  return { realm, user };
}

function invalidApiKey(): AppError {
  return new AppError("INVALID_API_KEY", "Invalid API key");
}
