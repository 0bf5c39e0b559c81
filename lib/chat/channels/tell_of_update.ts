import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Audience, ChatEvent } from "../events/emit.ts";
import { chunkIds } from "../events/in_events.ts";
import { type GroupSetting, isSameGroupSetting } from "../group_setting.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { readNamedUsers } from "../permissions/named_users.ts";
import { METADATA_PERMISSIONS } from "./access.ts";
import { audiencesOf, listMetadataAudience, listSubscribers, watchSubscribers } from "./audience.ts";
import type { ChannelRecord } from "./channel.ts";
import { toPermissionDifferences } from "./old_policy.ts";
import { CHANNEL_PERMISSIONS } from "./permission_params.ts";
import { renderChannelDescription } from "./rendered_description.ts";
import { tell } from "./store.ts";
import { readSubscriberCount } from "./subscriber_count.ts";
import { toSubscribers } from "./subscription_view.ts";
import { toChannel } from "./view.ts";

/** A channel before and after a change, and the groups at that moment. */
export interface ChannelUpdate {
  readonly permissions: PermissionContext;
  readonly before: ChannelRecord;
  readonly after: ChannelRecord;
}

/** One thing about a channel that is other than before, as clients are told it. */
export interface Difference {
  readonly property: string;
  readonly value: GroupSetting | string | boolean | null;
  readonly [member: string]: unknown;
}

/** What is told by name and value. */
const PLAIN = ["name", "message_retention_days", "folder_id", "topics_policy", "is_archived"] as const;
/** What is told together: it makes sense together alone. */
const PRIVACY = ["invite_only", "is_web_public", "history_public_to_subscribers"] as const;

/** What is other than before; nothing for two of the same. */
export function differences(
  permissions: PermissionContext,
  before: ChannelRecord,
  after: ChannelRecord,
): readonly Difference[] {
  const { description, invite_only, is_web_public, history_public_to_subscribers } = after;
  return [
    ...PLAIN.filter((property) => before[property] !== after[property])
      .map((property) => ({ property, value: after[property] })),
    ...(description === before.description ? [] : [{
      property: "description",
      value: description,
      rendered_description: renderChannelDescription(description),
    }]),
    ...(PRIVACY.every((property) => before[property] === after[property]) ? [] : [{
      property: "invite_only",
      value: invite_only,
      is_web_public,
      history_public_to_subscribers,
    }]),
    ...CHANNEL_PERMISSIONS.flatMap((setting) => {
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

/** Tells of a change: what is new to those who knew and know of the channel, the rest to who gains or loses sight of it. */
export async function tellOfUpdate(app: ChatApp, tx: Tx, update: ChannelUpdate): Promise<void> {
  const { permissions, before, after } = update;
  await watchSubscribers(tx, permissions.realm.id, after.id);
  const { gained, lost, staying } = await sort(app, update);
  if (before.is_archived && !after.is_archived) await tellOfReturn(app, tx, { permissions, after, staying });
  for (const difference of differences(permissions, before, after)) {
    tell(tx, permissions, { event: toEvent(before, difference), audiences: staying });
  }
  if (gained.length > 0) {
    const event = { type: "stream", op: "create", streams: [await toShown(app, permissions, after)] };
    tell(tx, permissions, { event, audiences: chunkIds(gained) });
  }
  const stream = { stream_id: after.id };
  const event = { type: "stream", op: "delete", streams: [stream], stream_ids: [after.id] };
  tell(tx, permissions, { event, audiences: chunkIds(lost) });
}

/** Some clients know nothing of a channel while it is out of use; what subscribers chose is added for each. */
async function tellOfReturn(
  app: ChatApp,
  tx: Tx,
  { permissions, after, staying }: Pick<ChannelUpdate, "permissions" | "after"> & Pick<Sorted, "staying">,
): Promise<void> {
  const shown = await toShown(app, permissions, after);
  const created = { type: "stream", op: "create", streams: [shown], is_return: true };
  tell(tx, permissions, { event: created, audiences: staying });
  const subscribers = await listSubscribers(app, permissions.realm.id, after.id);
  const subscription = { ...shown, ...toSubscribers(subscribers) };
  const event = { type: "subscription", op: "add", subscriptions: [subscription], is_return: true };
  tell(tx, permissions, { event, audiences: [{ channel: after.id }] });
}

function toEvent({ id, name }: ChannelRecord, difference: Difference): ChatEvent {
  return { type: "stream", op: "update", stream_id: id, name, ...difference };
}

async function toShown(app: ChatApp, permissions: PermissionContext, channel: ChannelRecord) {
  return toChannel(permissions, channel, {
    isActive: await readNamedUsers(app, permissions.realm.id, [channel]),
    subscriberCount: await readSubscriberCount(app, permissions.realm.id, channel.id),
  });
}

interface Sorted {
  readonly gained: readonly number[];
  readonly lost: readonly number[];
  readonly staying: readonly Audience[];
}

async function sort(app: ChatApp, { permissions, before, after }: ChannelUpdate): Promise<Sorted> {
  const isSightChanged = PRIVACY.some((property) => before[property] !== after[property]) ||
    (after.invite_only && METADATA_PERMISSIONS.some((setting) => isChanged(before, after, setting)));
  if (!isSightChanged) {
    return { gained: [], lost: [], staying: await audiencesOf(app, permissions, { channel: after }) };
  }
  const knew = await listMetadataAudience(app, permissions, { channel: before });
  const know = await listMetadataAudience(app, permissions, { channel: after });
  const [knewSet, knowSet] = [new Set(knew), new Set(know)];
  return {
    gained: know.filter((id) => !knewSet.has(id)),
    lost: knew.filter((id) => !knowSet.has(id)),
    staying: chunkIds(know.filter((id) => knewSet.has(id))),
  };
}
