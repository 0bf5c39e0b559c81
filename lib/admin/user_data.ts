import { listKnownChannels, listSubscribedIds } from "@/lib/chat/channels/list.ts";
import { peekPermissionContext, type PermissionContext } from "@/lib/chat/permissions/group_world.ts";
import { presenceKeys, type PresenceRecord } from "@/lib/chat/presence/presence.ts";
import { listSessions } from "@/lib/chat/sessions/session.ts";
import { type Directory, readDirectory } from "@/lib/chat/users/directory.ts";
import { isActiveOwner } from "@/lib/chat/users/owner_count.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { type BotType, isBot, isOwner, type UserRecord } from "@/lib/chat/users/user.ts";
import { compareNames } from "@/lib/core/compare_names.ts";
import { type AdminRequest, pathId } from "./admin_request.ts";
import { revisionOf } from "./seen.ts";
import { type ShownAccount, toShownAccount } from "./shown_account.ts";

/** The most things of a kind that are named; the others are counted. */
const MAX_NAMED = 100;

/** Something that has a page. */
export interface NamedThing {
  readonly id: number;
  readonly name: string;
}

/** Things by name, and how many more there are. */
export interface NamedThings {
  readonly named: readonly NamedThing[];
  readonly others: number;
}

/** What the page of one account shows. */
export interface UserData extends ShownAccount {
  /** Milliseconds since 1970 UTC; null where nothing is known. */
  readonly lastActive: number | null;
  /** Null for people. */
  readonly bot: { readonly type: BotType; readonly owner: NamedThing | null } | null;
  /** Whether nobody else owns the organization. */
  readonly isLastOwner: boolean;
  /** Whether the viewer may change the account. */
  readonly mayChange: boolean;
  /** Whether the viewer may make owners. */
  readonly mayMakeOwners: boolean;
  readonly sessionCount: number;
  readonly groups: NamedThings;
  readonly channels: NamedThings;
  /** The active bots that a person owns. */
  readonly bots: NamedThings;
  readonly seen: string;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** What of an account two administrators may change at once. */
export function seenUser({ full_name, delivery_email, role }: UserRecord): readonly unknown[] {
  return [full_name, delivery_email, role];
}

/** The account in the path; null where there is none. */
export async function loadUser(request: AdminRequest): Promise<UserData | null> {
  const { chat, realm, user: viewer } = request;
  const user = await readUser(chat, realm.id, pathId(request));
  if (user === null || user.is_system_bot === true) return null;
  const [directory, permissions, presence, sessions] = await Promise.all([
    readDirectory(chat, realm.id),
    peekPermissionContext(chat, realm),
    chat.reads.read<PresenceRecord>(presenceKeys.presence(realm.id, user.id)),
    listSessions(chat, realm, user),
  ]);
  const isSeen = !realm.settings.presence_disabled;
  return {
    ...toAccount(directory, user, viewer),
    lastActive: isSeen ? presence?.last_active ?? presence?.last_connected ?? null : null,
    sessionCount: sessions.length,
    groups: toNamed(groupsOf(permissions, user)),
    channels: toNamed(await channelsOf(request, permissions, user)),
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

function groupsOf({ groups }: PermissionContext, { id }: UserRecord): readonly NamedThing[] {
  return [...groups.values()].filter((group) => !group.deactivated && group.members.includes(id))
    .toSorted((one, other) => compareNames(one.name, other.name));
}

/** The channels in use that the account is subscribed to and the viewer may know of. */
async function channelsOf(
  { chat, realm, user: viewer }: AdminRequest,
  permissions: PermissionContext,
  { id }: UserRecord,
): Promise<readonly NamedThing[]> {
  const [subscribed, known] = await Promise.all([
    listSubscribedIds(chat, realm.id, id),
    listKnownChannels(chat, permissions, viewer),
  ]);
  return known.map(({ channel }) => channel)
    .filter((channel) => !channel.is_archived && subscribed.has(channel.id));
}

function toNamed(things: readonly NamedThing[]): NamedThings {
  const named = things.slice(0, MAX_NAMED).map(({ id, name }) => ({ id, name }));
  return { named, others: things.length - named.length };
}
