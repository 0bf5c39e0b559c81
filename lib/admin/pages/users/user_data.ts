import { readLastActivity } from "@/lib/chat/people/activity/store.ts";
import { listSessions } from "@/lib/chat/people/auth/sessions.ts";
import {
  type BotType,
  isActiveOwner,
  isBot,
  isOwner,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { type Directory, readDirectory, readUser } from "@/lib/chat/organization/users/store.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { revisionOf } from "@/lib/admin/revision.ts";
import { type ShownAccount, toAvatarPath, toShownAccount } from "@/lib/admin/shown_people.ts";
import { type BotDetails, describeKeyUse, loadBotDetails } from "../bots/bot_details.tsx";
import { loadMemberships, type NamedThing, type NamedThings, toNamed } from "./memberships.tsx";
import { loadProfile, type ShownProfile } from "./profile.tsx";

/** Data of an account's page. */
export interface UserData extends ShownAccount, Awaited<ReturnType<typeof loadMemberships>> {
  /** Milliseconds since 1970 UTC; null when unknown. */
  readonly lastActive: number | null;
  /** Null for users who are not bots. */
  readonly bot: { readonly type: BotType; readonly owner: NamedThing | null } | null;
  readonly botDetails: BotDetails | null;
  /** Null for bots. */
  readonly profile: ShownProfile | null;
  /** Whether the account is the only owner of the organization. */
  readonly isLastOwner: boolean;
  /** Whether the viewer may change the account. */
  readonly mayChange: boolean;
  /** Whether the viewer may appoint owners. */
  readonly mayMakeOwners: boolean;
  readonly sessionCount: number;
  /** When the API key was last used. */
  readonly keyUse: string;
  readonly avatar: string;
  /** Active bots of the user. */
  readonly bots: NamedThings;
  readonly seen: string;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** Returns the properties of an account whose concurrent changes must be detected. */
export function seenUser(user: UserRecord): readonly unknown[] {
  const { full_name, delivery_email, role, bot_owner_id, outgoing_webhook } = user;
  return [full_name, delivery_email, role, bot_owner_id, outgoing_webhook?.payload_url];
}

/** Returns whether the viewer can make a sign-in link for a user. */
export function mayGetSignInLink({ isActive, isSelf, mayChange, bot }: UserData): boolean {
  return isActive && !isSelf && mayChange && bot === null;
}

/** Loads the account in the path; null without one. */
export async function loadUser(request: AdminRequest): Promise<UserData | null> {
  const { chat, realm, user: viewer } = request;
  const user = await readUser(chat, realm.id, pathId(request));
  if (user === null || user.is_system_bot === true) return null;
  const isSeen = !realm.settings.presence_disabled;
  const [directory, [lastActive = null], sessions, keyUse] = await Promise.all([
    readDirectory(chat, realm.id),
    isSeen ? readLastActivity(chat, realm.id, [user.id]) : [],
    listSessions(chat, realm, user),
    describeKeyUse(request, user),
  ]);
  const account = toAccount(directory, user, viewer);
  return {
    ...account,
    profile: isBot(user) ? null : await loadProfile(request, user),
    botDetails: isBot(user) ? await loadBotDetails(request, user, account.mayChange) : null,
    lastActive,
    sessionCount: sessions.length,
    keyUse,
    ...await loadMemberships(request, user),
    avatar: toAvatarPath(user),
    seen: revisionOf(seenUser(user)),
    now: chat.clock.now(),
  };
}

function toAccount(directory: Directory, user: UserRecord, viewer: UserRecord) {
  const owner = directory.byId.get(user.bot_owner_id ?? 0);
  const bots = directory.byName.filter((bot) => isBot(bot) && bot.is_active && bot.bot_owner_id === user.id);
  return {
    ...toShownAccount(user, viewer),
    bot: user.bot_type === null
      ? null
      : { type: user.bot_type, owner: owner === undefined ? null : toThing(owner) },
    isLastOwner: isActiveOwner(user) && directory.byName.filter(isActiveOwner).length === 1,
    mayChange: isOwner(viewer) || !isOwner(user) || user.bot_owner_id === viewer.id,
    mayMakeOwners: isOwner(viewer),
    bots: toNamed(bots.map(toThing)),
  };
}

function toThing({ id, full_name }: UserRecord): NamedThing {
  return { id, name: full_name };
}
