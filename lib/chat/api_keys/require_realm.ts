import { AppError } from "@/lib/core/errors.ts";
import type { RealmRecord } from "../realm/realm.ts";

/**
 * The organization that a key is asked from.
 * @throws AppError NONEXISTENT_SUBDOMAIN where there is none.
 */
export function requireRealm(realm: RealmRecord | null): RealmRecord {
  if (realm === null) throw new AppError("NONEXISTENT_SUBDOMAIN", "Invalid subdomain");
  return realm;
}
