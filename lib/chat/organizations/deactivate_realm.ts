import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { recordAudit } from "../audit/store.ts";
import { sendEvent } from "../events/send_events.ts";
import { realmKeys, type RealmRecord } from "./model.ts";

/**
 * Deactivates an organization. Its data is kept, but its users can neither sign in nor call the API
 * afterwards.
 * @throws AppError BAD_REQUEST when no organization has the subdomain.
 */
export async function deactivateRealm(app: ChatApp, subdomain: string): Promise<RealmRecord> {
  return await transact(app.store, async (tx) => {
    const id = await tx.get<number>(realmKeys.bySubdomain(subdomain.toLowerCase()));
    const realm = id === null ? null : await tx.get<RealmRecord>(realmKeys.realm(id));
    if (realm === null) throw new AppError("BAD_REQUEST", "No organization has this subdomain.");
    if (realm.is_deactivated) return realm;
    const deactivated = { ...realm, is_deactivated: true };
    tx.set(realmKeys.realm(realm.id), deactivated);
    const at = { realmId: realm.id, now: app.clock.now() };
    recordAudit(tx, at, {
      acting_user_id: null,
      action: "realm_deactivated",
      target: { kind: "realm", id: realm.id, name: realm.name },
    });
    sendEvent(tx, at, {
      event: { type: "realm", op: "deactivated", realm_id: realm.id },
      audience: "everyone",
    });
    return deactivated;
  });
}
