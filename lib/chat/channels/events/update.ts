import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { type Audience, type ChatEvent, chunkIds } from "@/lib/chat/events/model.ts";
import { type GroupSetting, isSameGroupSetting } from "@/lib/chat/permissions/model/group_setting.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { permissionRules } from "@/lib/chat/permissions/model/registry.ts";
import { readActiveNamedUsers } from "@/lib/chat/permissions/store.ts";
import { METADATA_PERMISSIONS } from "../model/access.ts";
import { listChannelAudiences, listMetadataAudience, sendToAudiences } from "./audience.ts";
import type { ChannelRecord } from "../model/channel.ts";
import { renderChannelDescription, toChannel, toPermissionDifferences } from "../api/view.ts";
import { listSubscriberIds, readSubscriberCount } from "../subscriptions/store.ts";
import { toSubscriberList } from "../subscriptions/api/view.ts";

/** A channel before and after an update, and the permission context of the transaction. */
export interface ChannelUpdate {
  readonly permissions: PermissionContext;
  readonly before: ChannelRecord;
  readonly after: ChannelRecord;
}

/** A changed property of a channel as events send it. */
export interface PropertyDifference {
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
    sendToAudiences(tx, permissions, { event: toUpdateEvent(before, difference), audiences: kept });
  }
  if (gained.length > 0) {
    const event = { type: "stream", op: "create", streams: [await readChannelView(app, permissions, after)] };
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
  const view = await readChannelView(app, permissions, after);
  const created = { type: "stream", op: "create", streams: [view], is_return: true };
  sendToAudiences(tx, permissions, { event: created, audiences: kept });
  const subscribers = await listSubscriberIds(app, permissions.realm.id, after.id);
  const subscription = { ...view, ...toSubscriberList(subscribers) };
  const event = { type: "subscription", op: "add", subscriptions: [subscription], is_return: true };
  sendToAudiences(tx, permissions, { event, audiences: [{ channel: after.id }] });
}

function toUpdateEvent({ id, name }: ChannelRecord, difference: PropertyDifference): ChatEvent {
  return { type: "stream", op: "update", stream_id: id, name, ...difference };
}

async function readChannelView(app: ChatApp, permissions: PermissionContext, channel: ChannelRecord) {
  return toChannel(permissions, channel, {
    isActive: await readActiveNamedUsers(app, permissions.realm.id, [channel]),
    subscriberCount: await readSubscriberCount(app, permissions.realm.id, channel.id),
  });
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
