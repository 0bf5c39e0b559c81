import type { Context } from "fresh";
import { readSignedIn } from "@/lib/api/page_session.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { canAdministerChannel } from "@/lib/chat/organization/channels/model/access.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { findGrant } from "@/lib/chat/organization/permissions/model/grants.ts";
import {
  hasRealmPermission,
  type PermissionContext,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { isSystemGroupMember } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import type { GroupRecord } from "@/lib/chat/organization/user_groups/model/group.ts";
import { type GroupPermission, listGroupGrants } from "@/lib/chat/organization/user_groups/model/rules.ts";
import { isAdmin, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { State } from "@/lib/services/services.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import { derived, type Table } from "@/lib/store/table.ts";

/** A user, and the organization that decides which pages they may open. */
interface PageVisitor {
  readonly organization: Snapshot;
  readonly permissions: PermissionContext;
  readonly user: UserRecord;
}

/** Whether a user may open a page; `id` is that of the record in its path. */
type Rule = (visitor: PageVisitor, id: number) => boolean;

/** Pages of the navigation that open for others than administrators. */
const NAVIGATION = [
  "/admin/invitations",
  "/admin/channels",
  "/admin/groups",
  "/admin/organization/emoji",
] as const;

const mayInvite = holds("can_invite_users_group");
const mayLink = holds("create_multiuse_invite_group");
const mayAddEmoji = holds("can_add_custom_emoji_group");
const mayCreateChannels = anyOf(
  holds("can_create_public_channel_group"),
  holds("can_create_private_channel_group"),
);
const mayEditGroup = ofGroup("can_manage_group", "can_add_members_group", "can_remove_members_group");
const mayAdminister: Rule = (visitor, id) => {
  const channel = channelsOf(visitor).get(id);
  return channel !== undefined && canAdministerChannel(visitor.permissions, { channel, user: visitor.user });
};
const mayOpenAny: Rule = (visitor) => NAVIGATION.some((path) => RULES[path](visitor, Number.NaN));

/**
 * Admin pages that open for holders of permissions, and paths that these pages use. All others are for administrators.
 * The actions of a page check permissions themselves.
 */
const RULES = {
  "/admin/invitations": anyOf(mayInvite, mayLink),
  "/admin/invitations/revoke": anyOf(mayInvite, mayLink),
  "/admin/invitations/email/[id]/link": mayInvite,
  "/admin/invitations/email/[id]/resend": mayInvite,
  "/admin/invitations/email/[id]/revoke": mayInvite,
  "/admin/invitations/link/[id]": mayLink,
  "/admin/invitations/link/[id]/revoke": mayLink,
  "/admin/channels": anyOf(
    mayCreateChannels,
    remembered((visitor) => channelsOf(visitor).values().some(({ id }) => mayAdminister(visitor, id))),
  ),
  "/admin/channels/new": mayCreateChannels,
  "/admin/channels/[id]": mayAdminister,
  "/admin/channels/[id]/archive": mayAdminister,
  "/admin/groups": anyOf(
    holds("can_create_groups"),
    remembered((visitor) => visitor.permissions.groups.keys().some((id) => mayEditGroup(visitor, id))),
  ),
  "/admin/groups/new": holds("can_create_groups"),
  "/admin/groups/[id]": mayEditGroup,
  "/admin/groups/[id]/deactivate": ofGroup("can_manage_group"),
  "/admin/organization/emoji": mayAddEmoji,
  "/admin/organization/emoji/[name]/deactivate": mayAddEmoji,
  "/admin/events": mayOpenAny,
  "/admin/find": mayOpenAny,
  "/admin/find/records": mayOpenAny,
  "/admin/people": mayOpenAny,
  "/admin/shortcuts": mayOpenAny,
  "/admin/theme": mayOpenAny,
} satisfies Readonly<Record<string, Rule>>;

const PATTERNS: readonly (readonly [RegExp, Rule])[] = Object.entries(RULES).map(([path, rule]) => [
  new RegExp(`^${path.replace("[id]", "([1-9]\\d{0,14})").replace("[name]", "[0-9a-z._-]+")}$`),
  rule,
]);

/** Pages about the server as a whole, which only administrators of the root organization may open. */
const SERVER_PAGES = /^\/admin\/(links|stats)(\/|$)/;

/** Returns whether a user may open a path of the admin pages, as a function of the path. */
export async function readOpenPages(
  app: ChatApp,
  user: UserRecord,
  realm: RealmRecord,
): Promise<(path: string) => boolean> {
  if (isAdmin(user)) return (path) => realm.subdomain === "" || !SERVER_PAGES.test(path);
  const organization = await app.readOrganization(realm.id);
  const visitor = { organization, permissions: permissionsOf(organization, app.clock), user };
  return (path) => {
    for (const [pattern, rule] of PATTERNS) {
      const match = pattern.exec(path);
      if (match !== null) return rule(visitor, Number(match[1]));
    }
    return false;
  };
}

/** Whether the request's session still belongs to a user who may open a path of the admin pages. */
export async function isStillOpen(ctx: Context<State>, path: string): Promise<boolean> {
  const signedIn = await readSignedIn(ctx);
  if (signedIn === null) return false;
  return (await readOpenPages(ctx.state.app.chat, signedIn.session.user, signedIn.realm))(path);
}

/** Returns the first admin page that a user may open; null for none. */
export function findAdminPath(opens: (path: string) => boolean): string | null {
  return ["/admin", ...NAVIGATION].find(opens) ?? null;
}

function holds(setting: string): Rule {
  return ({ permissions, user }) => hasRealmPermission(permissions, setting, user);
}

function anyOf(...rules: readonly Rule[]): Rule {
  return (visitor, id) => rules.some((rule) => rule(visitor, id));
}

/** Returns a rule that decides once for each user, as long as the rows are the same that decide it. */
function remembered(rule: (visitor: PageVisitor) => boolean): Rule {
  const decisionsOf = derived((_channels: Table<ChannelRecord>) =>
    derived((_groups: PermissionContext["groups"]) =>
      derived((_realm: RealmRecord) => derived((_user: UserRecord) => new Map<boolean, boolean>()))
    )
  );
  return (visitor) => {
    const { permissions, user } = visitor;
    const decisions = decisionsOf(channelsOf(visitor))(permissions.groups)(permissions.realm)(user);
    // Time changes nothing else that permissions depend on.
    const isFull = isSystemGroupMember("role:fullmembers", user, permissions);
    return decisions.getOrInsertComputed(isFull, () => rule(visitor));
  };
}

function ofGroup(...settings: readonly GroupPermission[]): Rule {
  return ({ permissions, user }, id) => {
    const owner: GroupRecord | undefined = permissions.groups.get(id);
    if (owner === undefined) return false;
    return settings.some((setting) =>
      findGrant(permissions, { kind: "user_group", owner, grants: listGroupGrants(setting) }, user) !== null
    );
  };
}

function channelsOf({ organization, permissions: { realm } }: PageVisitor) {
  return organization.rows<ChannelRecord>(channelKeys.channels(realm.id));
}
