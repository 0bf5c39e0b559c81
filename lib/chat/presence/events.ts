import { toEntry } from "@/lib/store/key.ts";
import type { ChatApp } from "../app.ts";
import type { Audience, ChatEvent } from "../events/model.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { canAccessUser } from "../permissions/model/membership.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import { toApiEmail, userKeys, type UserRecord } from "../users/model.ts";
import { type PresenceViewer, toPresence, toSlimPresence, type UserPresence } from "./model.ts";

/**
 * Maximum number of active accounts whose clients are notified at once; in larger organizations clients poll.
 */
export const MAX_ACCOUNTS_NOTIFIED = 100;

/** Reads the audience of a user's arrival, or null when the organization has too many active accounts. */
export async function readPresenceAudience(
  app: ChatApp,
  { realm, user }: PresenceViewer,
): Promise<Audience | null> {
  const active = await listActiveUsers(app, realm.id);
  if (active === null) return null;
  if (!app.config.canAccessAllUsersGroupLimitsPresence) return "everyone";
  const permissions = await peekPermissionContext(app, realm);
  return active.filter((viewer) => canAccessUser(permissions, viewer, user)).map(({ id }) => id);
}

/** Lists the active users, or null when they exceed the maximum. */
async function listActiveUsers(app: ChatApp, realmId: number): Promise<UserRecord[] | null> {
  const active: UserRecord[] = [];
  const listing = app.store.kv.list({ prefix: [...userKeys.users(realmId)] });
  for await (const entry of listing) {
    const { value } = toEntry<UserRecord>(entry);
    if (!value.is_active || value.is_system_bot === true) continue;
    active.push(value);
    if (active.length > MAX_ACCOUNTS_NOTIFIED) return null;
  }
  return active;
}

/** Returns a presence event with both formats; each client receives the one it registered for. */
export function toPresenceEvent(
  app: Pick<ChatApp, "config">,
  { realm, presence, now }: { realm: RealmRecord; presence: UserPresence; now: number },
): ChatEvent {
  const { website } = toPresence(presence);
  return {
    type: "presence",
    email: toApiEmail(app, realm, presence.user),
    user_id: presence.user.id,
    server_timestamp: now / 1000,
    presence: { website },
    presences: { [presence.user.id]: toSlimPresence(presence) },
  };
}
