import {
  type ChannelViewer,
  hasChannelPermission,
  hasContentAccess,
  listChannelGrants,
} from "@/lib/chat/channels/model/access.ts";
import {
  byRealm,
  type HeldGrant,
  listHeldGrants,
  type PermissionGrant,
} from "@/lib/chat/permissions/model/grants.ts";
import {
  type Inclusion,
  isClosedToGuests,
  type PermissionContext,
  permissionValue,
} from "@/lib/chat/permissions/model/membership.ts";
import { permissionRule, shownPermissionRules } from "@/lib/chat/permissions/model/registry.ts";
import { systemGroupName } from "@/lib/chat/permissions/model/system_groups.ts";
import { isGuest, type UserRecord } from "@/lib/chat/users/model.ts";
import type { AdminRequest } from "../admin_request.ts";
import { nameOfGroup } from "../groups/group_form.ts";
import { describeEffective, describeSource } from "./effective_permissions.ts";
import { readNamedUsers } from "./permission_values.ts";
import { describePermission } from "./permission_words.ts";

/** Name of the row for reading a channel, which is no permission of its own. */
const READ = "read";
const SEND = "can_send_message_group";
const START_TOPICS = "can_create_topic_group";

/** A permission of a user with its reasons. */
export interface ExplainedPermission {
  readonly setting: string;
  readonly label: string;
  readonly isAllowed: boolean;
  /** Each reason for which the user has it; for a user who has not, who has and what prevents it. */
  readonly reasons: readonly string[];
}

/** Explains the organization's permissions of a user, as the actions decide on them. */
export async function explainRealmPermissions(
  request: AdminRequest,
  permissions: PermissionContext,
  user: UserRecord,
): Promise<readonly ExplainedPermission[]> {
  const { realm } = permissions;
  const users = await readNamedUsers(request, [realm]);
  const texts = request.messages.permissions.settings.realm;
  return shownPermissionRules("realm").map((rule) => {
    const { setting } = rule;
    const grants = [byRealm(setting)];
    const held = listHeldGrants(permissions, { kind: "realm", owner: realm, grants }, user);
    const value = permissionValue(permissions, realm, rule);
    const named = typeof value === "number" ? [] : value.direct_members.flatMap((id) => users.get(id) ?? []);
    const holders = describePermission(request, { permissions, value, users: named });
    return {
      setting,
      label: texts[setting]?.label ?? setting,
      isAllowed: held.length > 0,
      reasons: held.length > 0
        ? held.flatMap((one) => listReasons(request, { permissions, user, source: "" }, one))
        : listObstacles(request, { user, rules: [rule], holders: [holders] }),
    };
  });
}

/** Explains what a user can do in a channel, as the actions decide on it. */
export async function explainChannelPermissions(
  request: AdminRequest,
  permissions: PermissionContext,
  viewer: ChannelViewer,
): Promise<readonly ExplainedPermission[]> {
  const { channel } = viewer;
  const users = await readNamedUsers(request, [channel, permissions.realm]);
  const texts = request.messages.permissions.settings.channel;
  const explained = shownPermissionRules("channel").map(({ setting }) => {
    const blocks = listBlocks(request, permissions, { viewer, setting });
    if (blocks.length > 0) {
      return { setting, label: texts[setting]?.label ?? setting, isAllowed: false, reasons: blocks };
    }
    const reasons = listChannelReasons(request, permissions, { viewer, setting });
    const subject = { kind: "channel", owner: channel } as const;
    const parts = describeEffective(request, { permissions, subject, setting, users });
    const rules = listChannelGrants(channel, setting).flatMap(toRule);
    const holders = parts.map((part) => part.source === "" ? part.users : `${part.users} · ${part.source}`);
    return {
      setting,
      label: texts[setting]?.label ?? setting,
      isAllowed: reasons.length > 0,
      reasons: reasons.length > 0 ? reasons : listObstacles(request, { user: viewer.user, rules, holders }),
    };
  });
  return [explainReading(request, permissions, viewer), ...explained];
}

/** Lists what prevents sending messages and starting topics besides a missing permission. */
function listBlocks(
  { messages, formatter }: AdminRequest,
  permissions: PermissionContext,
  { viewer, setting }: { readonly viewer: ChannelViewer; readonly setting: string },
): readonly string[] {
  const text = messages.permissions.explain;
  if (setting !== SEND && setting !== START_TOPICS) return [];
  const label = messages.permissions.settings.channel[SEND]?.label ?? SEND;
  const isMissing = setting === START_TOPICS && !hasChannelPermission(permissions, viewer, SEND);
  return [
    ...(viewer.channel.is_archived ? [text.isArchived] : []),
    ...(hasContentAccess(permissions, viewer) ? [] : [text.cannotRead]),
    ...(isMissing ? [formatter.t(text.needs, { label })] : []),
  ];
}

/** Explains the access to a channel's messages: by a subscription, or the permission to subscribe. */
function explainReading(
  request: AdminRequest,
  permissions: PermissionContext,
  viewer: ChannelViewer,
): ExplainedPermission {
  const { read, subscribed, notSubscribed } = request.messages.permissions.explain;
  const { settings } = request.messages.permissions;
  const bySubscribing = listChannelReasons(request, permissions, { viewer, setting: "can_subscribe_group" });
  const label = settings.channel["can_subscribe_group"]?.label ?? "";
  const { formatter, messages } = request;
  const isAllowed = hasContentAccess(permissions, viewer);
  return {
    setting: READ,
    label: read,
    isAllowed,
    reasons: !isAllowed ? [notSubscribed] : [
      ...(viewer.isSubscribed ? [subscribed] : []),
      ...bySubscribing.map((reason) =>
        formatter.t(messages.permissions.explain.reason, {
          reason,
          source: formatter.t(messages.permissions.sources.setting, { label }),
        })
      ),
    ],
  };
}

function listChannelReasons(
  request: AdminRequest,
  permissions: PermissionContext,
  { viewer: { channel, user }, setting }: { readonly viewer: ChannelViewer; readonly setting: string },
): readonly string[] {
  const grants = listChannelGrants(channel, setting);
  const held = listHeldGrants(permissions, { kind: "channel", owner: channel, grants }, user);
  return held.flatMap((one) => {
    const subject = { kind: "channel", owner: channel } as const;
    const source = describeSource(request, { subject, setting }, one.grant);
    return listReasons(request, { permissions, user, source }, one);
  });
}

interface ReasonContext {
  readonly permissions: PermissionContext;
  readonly user: UserRecord;
  /** Description of what decides the grant; empty where there is only one. */
  readonly source: string;
}

function listReasons(
  request: AdminRequest,
  { permissions, user, source }: ReasonContext,
  { inclusions, isDefault }: HeldGrant,
): readonly string[] {
  const { formatter, messages: { permissions: { explain: text } } } = request;
  return inclusions.map((inclusion) =>
    [source, isDefault ? text.byDefault : ""].filter((part) => part !== "").reduce(
      (reason, part) => formatter.t(text.reason, { reason, source: part }),
      describeInclusion(request, { permissions, user }, inclusion),
    )
  );
}

/** Describes a reason: "member of Engineering, which is in All staff". */
function describeInclusion(
  request: AdminRequest,
  { permissions, user }: Omit<ReasonContext, "source">,
  inclusion: Inclusion,
): string {
  const { formatter, messages } = request;
  const text = messages.permissions.explain;
  if (inclusion.by === "name") return text.named;
  const groups = inclusion.path.toReversed();
  const [inner, ...outer] = groups;
  if (inner === undefined) return text.named;
  const nameOf = (id: number) => nameOfGroup(request, permissions, id);
  const isRole = systemGroupName(permissions.realm, inner) !== null;
  const first = isRole
    ? formatter.t(text.role, { role: messages.shell.roles[user.role], group: nameOf(inner) })
    : formatter.t(text.member, { group: nameOf(inner) });
  return outer.reduce((reason, id) => formatter.t(text.inside, { inner: reason, group: nameOf(id) }), first);
}

/** Describes who has a permission that a user lacks, and whether guests never have it. */
function listObstacles(
  { messages, formatter }: AdminRequest,
  { user, rules, holders }: {
    readonly user: UserRecord;
    readonly rules: readonly Parameters<typeof isClosedToGuests>[0][];
    readonly holders: readonly string[];
  },
): readonly string[] {
  const text = messages.permissions.explain;
  const isClosed = isGuest(user) && rules.length > 0 && rules.every(isClosedToGuests);
  return [
    ...(isClosed ? [text.guests] : []),
    ...holders.map((users) =>
      users === messages.permissions.roleNames["role:nobody"]
        ? text.nobody
        : formatter.t(text.allowed, { users })
    ),
  ];
}

function toRule(grant: PermissionGrant) {
  return grant.by === "rule"
    ? []
    : [permissionRule(grant.by === "realm" ? "realm" : "channel", grant.setting)];
}
