import { listUsers, readUsers } from "../organization/users/store.ts";
import { renderChannelDescription, toChannel, toPermissionDifferences } from "./api.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../organization/app.ts";
import { type Audience, type ChatEvent, chunkIds } from "../organization/events/model.ts";
import {
  type GroupSetting,
  isSameGroupSetting,
  sortedUnique,
} from "../organization/permissions/model/group_setting.ts";
import { type PermissionContext, permissionValues } from "../organization/permissions/model/membership.ts";
import { isGuest, type UserRecord } from "../organization/users/model.ts";
import { sendEvent } from "../organization/events/send_events.ts";
import {
  type AuditAction,
  type AuditDetails,
  type AuditValues,
  diffDetails,
  diffValues,
  type FieldValues,
} from "../organization/audit/model.ts";
import { recordAudit } from "../organization/audit/store.ts";
import { permissionRules } from "../organization/permissions/model/registry.ts";
import { hasMetadataAccess, METADATA_PERMISSIONS } from "../organization/channels/model/access.ts";
import type { ChannelRecord } from "../organization/channels/model/channel.ts";
import { listSubscriberIds } from "./subscriptions/store.ts";
import { toSubscriberList } from "./subscriptions/api.ts";

export function sendToAudiences(
  tx: Tx,
  { realm, now }: PermissionContext,
  { event, audiences }: { event: ChatEvent; audiences: readonly Audience[] },
): void {
  for (const audience of audiences) sendEvent(tx, { realmId: realm.id, now }, { event, audience });
}

/** A channel, and the users that the current transaction subscribes to it. */
interface AudienceQuery {
  readonly channel: ChannelRecord;
  readonly addedUserIds?: readonly number[];
}

/** Returns the audiences of a channel's events: exactly the users with metadata access. */
export async function listChannelAudiences(
  app: ChatApp,
  permissions: PermissionContext,
  { channel, addedUserIds = [] }: AudienceQuery,
): Promise<readonly Audience[]> {
  if (channel.is_web_public) return ["everyone"];
  if (channel.invite_only) {
    return chunkIds(await listMetadataAudience(app, permissions, { channel, addedUserIds }));
  }
  const subscribers = await listSubscriberIds(app, permissions.realm.id, channel.id);
  const users = await readUsers(app, permissions.realm.id, sortedUnique([...subscribers, ...addedUserIds]));
  const guests = users.values().filter((user) => user.is_active && isGuest(user));
  return ["members", ...chunkIds(Array.from(guests, ({ id }) => id))];
}

/** Lists the ids of the active users with metadata access to a channel, ascending. */
async function listMetadataAudience(
  app: ChatApp,
  permissions: PermissionContext,
  { channel, addedUserIds = [] }: AudienceQuery,
): Promise<readonly number[]> {
  const users = await listUsers(app, permissions.realm.id);
  const subscriberIds = await listSubscriberIds(app, permissions.realm.id, channel.id);
  const subscribed = new Set([...subscriberIds, ...addedUserIds]);
  return users.filter((user) =>
    user.is_active && hasMetadataAccess(permissions, { channel, user, isSubscribed: subscribed.has(user.id) })
  ).map(({ id }) => id);
}

const AUDITED_PROPERTIES = [
  "name",
  "description",
  "invite_only",
  "is_web_public",
  "history_public_to_subscribers",
  "message_retention_days",
  "folder_id",
  "topics_policy",
] as const;

/** An action on a channel for the audit log. */
interface ChannelAuditEntry {
  readonly actingUser: Pick<UserRecord, "id">;
  readonly channel: Pick<ChannelRecord, "id" | "name">;
  readonly action: AuditAction;
  readonly details?: AuditDetails;
  readonly values?: AuditValues | undefined;
  /** Id of the entry that the change reverts. */
  readonly reverts?: string | undefined;
}

export function auditChannel(
  tx: Tx,
  { realm, now }: PermissionContext,
  { actingUser, channel: { id, name }, action, details = {}, values, reverts }: ChannelAuditEntry,
): void {
  recordAudit(tx, { realmId: realm.id, now, reverts }, {
    acting_user_id: actingUser.id,
    action,
    target: { kind: "channel", id, name },
    details,
    values,
  });
}

/** Returns the properties and permissions of a channel that are audited, by name. */
export function readChannelValues(permissions: PermissionContext, channel: ChannelRecord): FieldValues {
  return {
    ...Object.fromEntries(AUDITED_PROPERTIES.map((name) => [name, channel[name]])),
    ...permissionValues(permissions, { kind: "channel", owner: channel }),
  };
}

/** Records the differences of a channel update in the audit log; nothing without any. */
export function auditChannelUpdate(
  tx: Tx,
  permissions: PermissionContext,
  { actingUser, reverts, before, after, wasDefault, isDefault }: {
    reverts: string | undefined;
    actingUser: Pick<UserRecord, "id">;
    before: ChannelRecord;
    after: ChannelRecord;
    wasDefault: boolean;
    isDefault: boolean;
  },
): void {
  const audit = (action: AuditAction, entry: Pick<ChannelAuditEntry, "details" | "values"> = {}) =>
    auditChannel(tx, permissions, { actingUser, channel: after, action, reverts, ...entry });
  if (before.is_archived && !after.is_archived) audit("channel_unarchived");
  const details = {
    ...diffDetails(before, after, AUDITED_PROPERTIES),
    ...diffDetails(before.permissions, after.permissions),
  };
  if (Object.keys(details).length > 0) {
    const toValues = (channel: ChannelRecord) => readChannelValues(permissions, channel);
    audit("channel_changed", { details, values: diffValues(toValues(before), toValues(after)) });
  }
  if (wasDefault !== isDefault) audit(isDefault ? "default_channel_added" : "default_channel_removed");
}

/** A channel before and after an update, and the permission context of the transaction. */
interface ChannelUpdate {
  readonly permissions: PermissionContext;
  readonly before: ChannelRecord;
  readonly after: ChannelRecord;
}

/** A changed property of a channel as events send it. */
interface PropertyDifference {
  readonly property: string;
  readonly value: GroupSetting | string | boolean | null;
  readonly [member: string]: unknown;
}

/** Properties sent by name and value. */
const SIMPLE_PROPERTIES = [
  "name",
  "message_retention_days",
  "folder_id",
  "topics_policy",
  "is_archived",
] as const;
/** Properties sent together in one event. */
const PRIVACY_PROPERTIES = ["invite_only", "is_web_public", "history_public_to_subscribers"] as const;

/** Returns the changed properties of a channel as events send them. */
export function diffChannel(
  permissions: PermissionContext,
  before: ChannelRecord,
  after: ChannelRecord,
): readonly PropertyDifference[] {
  const { description, invite_only, is_web_public, history_public_to_subscribers } = after;
  return [
    ...SIMPLE_PROPERTIES.filter((property) => before[property] !== after[property])
      .map((property) => ({ property, value: after[property] })),
    ...(description === before.description ? [] : [{
      property: "description",
      value: description,
      rendered_description: after.rendered_description ?? renderChannelDescription(description),
    }]),
    ...(PRIVACY_PROPERTIES.every((property) => before[property] === after[property]) ? [] : [{
      property: "invite_only",
      value: invite_only,
      is_web_public,
      history_public_to_subscribers,
    }]),
    ...permissionRules("channel").flatMap(({ setting }) => {
      const value = after.permissions[setting];
      if (value === undefined || !isChanged(before, after, setting)) return [];
      return toPermissionDifferences(permissions, setting, {
        before: before.permissions[setting],
        after: value,
      });
    }),
  ];
}

function isChanged(before: ChannelRecord, after: ChannelRecord, setting: string): boolean {
  const [old, value] = [before.permissions[setting], after.permissions[setting]];
  if (old === undefined || value === undefined) return old !== value;
  return !isSameGroupSetting(old, value);
}

/**
 * Sends the changes to users who keep metadata access, and the whole channel or its deletion to those who
 * gain or lose it.
 */
export async function sendChannelUpdateEvents(app: ChatApp, tx: Tx, update: ChannelUpdate): Promise<void> {
  const { permissions, before, after } = update;
  const { gained, lost, kept } = await diffAudience(app, update);
  if (before.is_archived && !after.is_archived) {
    await sendChannelUnarchivedEvents(app, tx, { permissions, after, kept });
  }
  for (const difference of diffChannel(permissions, before, after)) {
    const event = { type: "stream", op: "update", stream_id: before.id, name: before.name, ...difference };
    sendToAudiences(tx, permissions, { event, audiences: kept });
  }
  if (gained.length > 0) {
    const event = { type: "stream", op: "create", streams: [toChannel(permissions, after)] };
    sendToAudiences(tx, permissions, { event, audiences: chunkIds(gained) });
  }
  const stream = { stream_id: after.id };
  const event = { type: "stream", op: "delete", streams: [stream], stream_ids: [after.id] };
  sendToAudiences(tx, permissions, { event, audiences: chunkIds(lost) });
}

/** Some clients do not know an archived channel; delivery adds each subscriber's own settings. */
async function sendChannelUnarchivedEvents(
  app: ChatApp,
  tx: Tx,
  { permissions, after, kept }:
    & Pick<ChannelUpdate, "permissions" | "after">
    & Pick<AudienceDiff, "kept">,
): Promise<void> {
  const view = toChannel(permissions, after);
  const created = { type: "stream", op: "create", streams: [view], is_return: true };
  sendToAudiences(tx, permissions, { event: created, audiences: kept });
  const subscribers = await listSubscriberIds(app, permissions.realm.id, after.id);
  const subscription = { ...view, ...toSubscriberList(subscribers) };
  const event = { type: "subscription", op: "add", subscriptions: [subscription], is_return: true };
  sendToAudiences(tx, permissions, { event, audiences: [{ channel: after.id }] });
}

/** Users who gain, lose or keep metadata access. */
interface AudienceDiff {
  readonly gained: readonly number[];
  readonly lost: readonly number[];
  readonly kept: readonly Audience[];
}

async function diffAudience(
  app: ChatApp,
  { permissions, before, after }: ChannelUpdate,
): Promise<AudienceDiff> {
  const isAccessChanged = PRIVACY_PROPERTIES.some((property) => before[property] !== after[property]) ||
    (after.invite_only && METADATA_PERMISSIONS.some((setting) => isChanged(before, after, setting)));
  if (!isAccessChanged) {
    return {
      gained: [],
      lost: [],
      kept: await listChannelAudiences(app, permissions, { channel: after }),
    };
  }
  const idsBefore = await listMetadataAudience(app, permissions, { channel: before });
  const idsAfter = await listMetadataAudience(app, permissions, { channel: after });
  const [setBefore, setAfter] = [new Set(idsBefore), new Set(idsAfter)];
  return {
    gained: idsAfter.filter((id) => !setBefore.has(id)),
    lost: idsBefore.filter((id) => !setAfter.has(id)),
    kept: chunkIds(idsAfter.filter((id) => setBefore.has(id))),
  };
}
