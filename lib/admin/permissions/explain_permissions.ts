import {
  type ChannelViewer,
  hasChannelPermission,
  hasContentAccess,
} from "@/lib/chat/organization/channels/model/access.ts";
import { readChannelViewer } from "@/lib/chat/channels/store.ts";
import { findGrant, listHeldGrants } from "@/lib/chat/organization/permissions/model/grants.ts";
import {
  type Inclusion,
  isClosedToGuests,
  type PermissionContext,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { permissionRule, shownPermissionRules } from "@/lib/chat/organization/permissions/model/registry.ts";
import { systemGroupName } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { isGuest, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { AdminRequest } from "../admin_request.ts";
import {
  describeEffective,
  describeSource,
  listGrants,
  type PermissionSubject,
} from "./effective_permissions.ts";
import { nameOfGroup, ROLE_GROUP_NAMES, ROLE_GROUPS_INSIDE } from "./group_names.ts";
import { readNamedUsers } from "./permission_values.ts";

/** Name of the row for reading a channel, which is no permission of its own. */
export const READ = "read";
const SEND = "can_send_message_group";
const START_TOPICS = "can_create_topic_group";
const SUBSCRIBE = "can_subscribe_group";

/** An object whose permissions are explained; a channel with who is subscribed to it. */
export type ExplainedSubject =
  | Exclude<PermissionSubject, { readonly kind: "channel" }>
  | {
    readonly kind: "channel";
    readonly owner: ChannelViewer["channel"];
    readonly isSubscribed: (userId: number) => boolean;
  };

/** A permission of an object. */
export interface AskedPermission {
  readonly permissions: PermissionContext;
  readonly subject: ExplainedSubject;
  readonly setting: string;
}

/** Returns whether a user has a permission, as the actions decide. */
export function isAllowed({ permissions, subject, setting }: AskedPermission, user: UserRecord): boolean {
  if (subject.kind === "channel") {
    const viewer = toViewer(subject, user);
    if (setting === READ) return hasContentAccess(permissions, viewer);
    if (findBlocks(permissions, viewer, setting).length > 0) return false;
  }
  return findGrant(permissions, { ...subject, grants: listGrants(subject, setting) }, user) !== null;
}

/** Lists the reasons for which a user has a permission; empty for a user who has it not. */
export function listReasons(
  request: AdminRequest,
  asked: AskedPermission,
  user: UserRecord,
): readonly string[] {
  const { subject, setting } = asked;
  if (!isAllowed(asked, user)) return [];
  if (setting !== READ || subject.kind !== "channel") return describeGrants(request, asked, user);
  const subscribed = request.t("Subscribed to the channel");
  const bySubscribing = describeGrants(request, { ...asked, setting: SUBSCRIBE }, user);
  return subject.isSubscribed(user.id) ? [subscribed, ...bySubscribing] : bySubscribing;
}

function toViewer(
  { owner, isSubscribed }: Extract<ExplainedSubject, { kind: "channel" }>,
  user: UserRecord,
): ChannelViewer {
  return { channel: owner, user, isSubscribed: isSubscribed(user.id) };
}

/** Lists what prevents sending messages and starting topics besides a missing permission. */
function findBlocks(
  permissions: PermissionContext,
  viewer: ChannelViewer,
  setting: string,
): readonly string[] {
  if (setting !== SEND && setting !== START_TOPICS) return [];
  const isMissing = setting === START_TOPICS && !hasChannelPermission(permissions, viewer, SEND);
  return [
    ...(viewer.channel.is_archived ? ["The channel is archived"] : []),
    ...(hasContentAccess(permissions, viewer) ? [] : ["Cannot read this channel"]),
    ...(isMissing ? ["Needs “{label}”"] : []),
  ];
}

function describeGrants(
  request: AdminRequest,
  { permissions, subject, setting }: AskedPermission,
  user: UserRecord,
): readonly string[] {
  const { t } = request;
  const held = listHeldGrants(permissions, { ...subject, grants: listGrants(subject, setting) }, user);
  return held.flatMap(({ grant, inclusions, isDefault }) => {
    const source = subject.kind === "realm" ? "" : describeSource(request, { subject, setting }, grant);
    const [plain, byDefault] = source === ""
      ? ["Allowed to {users}.", "Allowed to {users} (built-in default)."] as const
      : ["Allowed to {users} {source}.", "Allowed to {users} {source} (built-in default)."] as const;
    return inclusions.map((inclusion) => {
      const users = describeInclusion(request, permissions, inclusion);
      return t(isDefault ? byDefault : plain, { source, users });
    });
  });
}

/** Describes who is allowed something, as the rest of a sentence: "members of All staff (through Engineering)". */
function describeInclusion(
  request: AdminRequest,
  permissions: PermissionContext,
  inclusion: Inclusion,
): string {
  if (inclusion.by === "name") return request.t("this person by name");
  const nameOf = (id: number) => {
    const role = systemGroupName(permissions.realm, id);
    return role === null ? nameOfGroup(request, permissions, id) : request.t(ROLE_GROUPS_INSIDE[role]);
  };
  const [group = 0, ...others] = inclusion.path;
  const inner = others.at(-1);
  if (systemGroupName(permissions.realm, group) !== null) return nameOf(group);
  return inner === undefined
    ? request.t("members of {group}", { group: nameOf(group) })
    : request.t("members of {group} (through {inner})", { group: nameOf(group), inner: nameOf(inner) });
}

/** Describes who has a permission that a user lacks, and what prevents it. */
function listObstacles(
  request: AdminRequest,
  { permissions, subject, setting, users }: AskedPermission & {
    /** The active users that the object and the organization name. */
    readonly users: ReadonlyMap<number, UserRecord>;
  },
  user: UserRecord,
): readonly string[] {
  const { t } = request;
  if (setting === READ) return [t("Not subscribed, and not allowed to subscribe")];
  const blocks = subject.kind === "channel" ? findBlocks(permissions, toViewer(subject, user), setting) : [];
  if (blocks.length > 0) {
    return blocks.map((block) => t(block, { label: t(permissionRule("channel", SEND).label) }));
  }
  const rules = listGrants(subject, setting).flatMap((grant) =>
    grant.by === "rule" ? [] : [permissionRule(grant.by === "realm" ? "realm" : subject.kind, grant.setting)]
  );
  const isClosed = isGuest(user) && rules.length > 0 && rules.every(isClosedToGuests);
  const holders = describeEffective(request, { permissions, subject, setting, users });
  return [
    ...(isClosed ? [t("Guests never have this permission.")] : []),
    ...holders.map((part) => {
      if (part.users === t(ROLE_GROUP_NAMES["role:nobody"])) return t("Not allowed for anyone.");
      const names = part.source === "" ? part.users : t("{users} ({source})", { ...part });
      return t("Only allowed: {users}", { users: names });
    }),
  ];
}

export type ExplainedPerson = Awaited<ReturnType<typeof explainPerson>>;

/** Explains the permissions of a user, or one of them. */
export async function explainPerson(
  request: AdminRequest,
  user: UserRecord,
  { channelId, setting }: {
    /** Null for the permissions of the organization. */
    readonly channelId: number | null;
    /** Empty or unknown for all permissions. */
    readonly setting: string;
  },
) {
  const { chat, realm, t } = request;
  const permissions = await request.readPermissions();
  const viewer = channelId === null
    ? null
    : await readChannelViewer({ get: chat.reads.read }, { realmId: realm.id, channelId, user });
  const subject: ExplainedSubject = viewer === null
    ? { kind: "realm", owner: permissions.realm }
    : { kind: "channel", owner: viewer.channel, isSubscribed: () => viewer.isSubscribed };
  const users = await readNamedUsers(request, [subject.owner, permissions.realm]);
  const choices = [
    ...(viewer === null ? [] : [{ setting: READ, label: t("Read messages") }]),
    ...shownPermissionRules(subject.kind).map(({ setting, label }) => ({ setting, label: t(label) })),
  ];
  const chosen = choices.filter((one) => one.setting === setting);
  return {
    user,
    channel: viewer?.channel ?? null,
    /** Whether the person can read the channel; true for permissions of the organization. */
    canRead: viewer === null || hasContentAccess(permissions, viewer),
    /** All permissions, to choose one of them. */
    choices,
    /** The chosen permissions, with each reason; for one that the person lacks, who has it and what prevents it. */
    permissions: (chosen.length === 0 ? choices : chosen).map((choice) => {
      const asked = { permissions, subject, setting: choice.setting };
      const reasons = listReasons(request, asked, user);
      const isAllowed = reasons.length > 0;
      return {
        ...{ ...choice, isAllowed },
        reasons: isAllowed ? reasons : listObstacles(request, { ...asked, users }, user),
      };
    }),
  };
}
