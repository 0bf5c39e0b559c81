import { listValues } from "@/lib/kv/list_values.ts";
import type { ChatApp } from "../app.ts";
import { presenceKeys, type PresenceRecord } from "./model.ts";

/** Time for which a listing is reused, in milliseconds. */
const FRESH_MS = 60 * 1000;

/** Returns the time of a user's last activity, or else connection, in milliseconds since 1970 UTC. */
export function getLastActivity(presence: PresenceRecord | null): number | null {
  return presence?.last_active ?? presence?.last_connected ?? null;
}

/**
 * Returns the last activity of every user of an organization who ever reported presence, by user id, as of at most a
 * minute ago: presence changes all the time, and the listing reads one record for each user.
 */
export function listLastActivity(app: ChatApp, realmId: number): Promise<ReadonlyMap<number, number>> {
  const minute = Math.floor(app.clock.now() / FRESH_MS);
  return app.caches.get(`activity ${realmId}`, minute, async () => {
    const presences = await listValues<PresenceRecord>(app.store.kv, presenceKeys.presences(realmId));
    return new Map(presences.map((presence) => [presence.user_id, getLastActivity(presence) ?? 0]));
  });
}
