import { readLastActivity } from "@/lib/chat/people/activity/store.ts";
import { listSessions } from "@/lib/chat/people/auth/sessions.ts";
import { isActiveOwner, isBot, isOwner, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readDirectory, readUser } from "@/lib/chat/organization/users/store.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { describeKeyUse, listShownDeliveries, readLastMessageTime } from "../bots/bot_details.tsx";
import { loadMemberships } from "./memberships.tsx";
import { loadProfile } from "./profile.tsx";

export type UserData = NonNullable<Awaited<ReturnType<typeof loadUser>>>;

/** Returns the properties of an account whose concurrent changes must be detected. */
export function seenUser(user: UserRecord): readonly unknown[] {
  const { full_name, delivery_email, role, bot_owner_id, outgoing_webhook } = user;
  return [full_name, delivery_email, role, bot_owner_id, outgoing_webhook?.payload_url];
}

/** Reads the account in the path; null without one. */
export async function readNamed(request: AdminRequest): Promise<UserRecord | null> {
  const user = await readUser(request.chat, request.realm.id, pathId(request));
  return user?.is_system_bot === true ? null : user;
}

/** Loads the account in the path; null without one. */
export async function loadUser(request: AdminRequest) {
  const { chat, realm, user: viewer } = request;
  const user = await readNamed(request);
  if (user === null) return null;
  const mayChange = isOwner(viewer) || !isOwner(user) || user.bot_owner_id === viewer.id;
  const [directory, [lastActive = null], sessions, keyUse] = await Promise.all([
    readDirectory(chat, realm.id),
    realm.settings.presence_disabled ? [] : readLastActivity(chat, realm.id, [user.id]),
    listSessions(chat, realm, user),
    describeKeyUse(request, user),
  ]);
  const { byId, byName } = directory;
  return {
    /** Whether the viewer may change the account. */
    ...{ user, mayChange, keyUse, now: chat.clock.now() },
    /** Owner of a bot. */
    owner: byId.get(user.bot_owner_id ?? 0) ?? null,
    /** Active bots of the user. */
    bots: byName.filter((bot) => isBot(bot) && bot.is_active && bot.bot_owner_id === user.id),
    isLastOwner: isActiveOwner(user) && byName.filter(isActiveOwner).length === 1,
    sessionCount: sessions.length,
    /** Milliseconds since 1970 UTC; null when unknown. */
    lastActive,
    lastMessageAt: isBot(user) ? await readLastMessageTime(request, user) : null,
    deliveries: mayChange ? await listShownDeliveries(request, user) : null,
    profile: isBot(user) ? null : await loadProfile(request, user),
    ...await loadMemberships(request, user),
  };
}
