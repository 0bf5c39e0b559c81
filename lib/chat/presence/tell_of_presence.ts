import { toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import type { Audience, ChatEvent } from "../events/emit.ts";
import { canAccessUser } from "../permissions/can_access_user.ts";
import { peekPermissionContext } from "../permissions/group_world.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { apiEmail } from "../users/email.ts";
import { userKeys, type UserRecord } from "../users/user.ts";
import type { PresenceViewer } from "./list_presences.ts";
import { type Seen, toPresence, toSlimPresence } from "./view.ts";

/** In larger organizations somebody always comes, and clients learn of it when they report. */
export const MAX_ACCOUNTS_TOLD = 100;

/** Who is told at once that somebody is there; null where the organization has too many active accounts. */
export async function audienceOf(app: ChatApp, { realm, user }: PresenceViewer): Promise<Audience | null> {
  const active = await listFewActive(app, realm.id);
  if (active === null) return null;
  if (!app.config.canAccessAllUsersGroupLimitsPresence) return "everyone";
  const permissions = await peekPermissionContext(app, realm);
  return active.filter((viewer) => canAccessUser(permissions, viewer, user)).map(({ id }) => id);
}

async function listFewActive(app: ChatApp, realmId: number): Promise<UserRecord[] | null> {
  const active: UserRecord[] = [];
  const listing = app.store.kv.list({ prefix: [...userKeys.users(realmId)] });
  for await (const entry of listing) {
    const { value } = toEntry<UserRecord>(entry);
    if (!value.is_active || value.is_system_bot === true) continue;
    active.push(value);
    if (active.length > MAX_ACCOUNTS_TOLD) return null;
  }
  return active;
}

/** That somebody is there, in both forms that clients know; a client is given the one that it registered for. */
export function presenceEvent(
  app: Pick<ChatApp, "config">,
  { realm, seen, now }: { realm: RealmRecord; seen: Seen; now: number },
): ChatEvent {
  const { website } = toPresence(seen);
  return {
    type: "presence",
    email: apiEmail(app, realm, seen.user),
    user_id: seen.user.id,
    server_timestamp: now / 1000,
    presence: { website },
    presences: { [seen.user.id]: toSlimPresence(seen) },
  };
}
