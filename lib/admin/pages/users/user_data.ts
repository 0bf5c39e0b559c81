import { GONE } from "@/lib/ui/texts.ts";
import { readLastActivity } from "@/lib/chat/people/activity/store.ts";
import { listSessions } from "@/lib/chat/people/auth/sessions.ts";
import { canManageUser, isActiveOwner, isBot, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { describeKeyUse, listShownDeliveries, readLastMessageTime } from "../bots/bot_details.tsx";
import { loadMemberships } from "./memberships.tsx";
import { loadProfile } from "./profile.tsx";

/**
 * Returns the account in the path.
 * @throws AppError NOT_FOUND.
 */
export async function getNamed(request: AdminRequest): Promise<UserRecord> {
  const { byId } = await readDirectory(request.chat, request.realm.id);
  const user = byId.get(pathId(request));
  if (user === undefined) throw new AppError("NOT_FOUND", request.t(GONE));
  return user;
}

/** Lists the active bots of a user by name. */
export async function listActiveBots({ chat, realm }: AdminRequest, { id }: UserRecord) {
  const { byName } = await readDirectory(chat, realm.id);
  return byName.filter(({ is_active, bot_owner_id }) => is_active && bot_owner_id === id);
}

export type UserData = Awaited<ReturnType<typeof loadUser>>;

export async function loadUser(request: AdminRequest) {
  const { chat, realm, user: viewer } = request;
  const user = await getNamed(request);
  const mayChange = canManageUser(viewer, user);
  const [{ byId, byName }, [lastActive = null], sessions, keyUse] = await Promise.all([
    readDirectory(chat, realm.id),
    realm.settings.presence_disabled ? [] : readLastActivity(chat, realm.id, [user.id]),
    listSessions(chat, realm, user),
    describeKeyUse(request, user),
  ]);
  return {
    ...{ user, mayChange, keyUse, now: chat.clock.now() },
    /** Owner of a bot. */
    owner: byId.get(user.bot_owner_id ?? 0) ?? null,
    bots: await listActiveBots(request, user),
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
