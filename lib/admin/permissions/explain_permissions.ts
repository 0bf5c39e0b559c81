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
import { nameOfGroup } from "./group_names.ts";
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
        ? held.flatMap((one) => listReasons(request, { permissions, source: "" }, one))
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
    const { formatter, messages: { permissions: { explain: { allowedBy } } } } = request;
    const holders = parts.map((part) =>
      part.source === "" ? part.users : formatter.t(allowedBy, { ...part })
    );
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
  const bySubscribing = listChannelReasons(request, permissions, { viewer, setting: "can_subscribe_group" });
  const isAllowed = hasContentAccess(permissions, viewer);
  return {
    setting: READ,
    label: read,
    isAllowed,
    reasons: !isAllowed ? [notSubscribed] : [
      ...(viewer.isSubscribed ? [subscribed] : []),
      ...bySubscribing,
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
    return listReasons(request, { permissions, source }, one);
  });
}

interface ReasonContext {
  readonly permissions: PermissionContext;
  /** Description of what decides the grant; empty where there is only one. */
  readonly source: string;
}

function listReasons(
  request: AdminRequest,
  { permissions, source }: ReasonContext,
  { inclusions, isDefault }: HeldGrant,
): readonly string[] {
  const { formatter, messages: { permissions: { explain: text } } } = request;
  const phrase = source === ""
    ? isDefault ? text.plainDefaultReason : text.plainReason
    : isDefault
    ? text.defaultReason
    : text.reason;
  return inclusions.map((inclusion) =>
    formatter.t(phrase, { source, users: describeInclusion(request, permissions, inclusion) })
  );
}

/** Describes who is allowed something, as the rest of a sentence: "members of All staff (through Engineering)". */
function describeInclusion(
  request: AdminRequest,
  permissions: PermissionContext,
  inclusion: Inclusion,
): string {
  const { formatter, messages: { permissions: { explain: text, roleNamesInside } } } = request;
  if (inclusion.by === "name") return text.named;
  const nameOf = (id: number) => {
    const role = systemGroupName(permissions.realm, id);
    return role === null ? nameOfGroup(request, permissions, id) : roleNamesInside[role];
  };
  const [group = 0, ...others] = inclusion.path;
  const inner = others.at(-1);
  if (systemGroupName(permissions.realm, group) !== null) return nameOf(group);
  return inner === undefined
    ? formatter.t(text.member, { group: nameOf(group) })
    : formatter.t(text.inside, { group: nameOf(group), inner: nameOf(inner) });
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
