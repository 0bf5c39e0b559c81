import { toEntry } from "@/lib/store/key.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { queueEndEvent, type StoredEvent } from "@/lib/chat/events/model.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { type ActivationChange, listChangedPermissions, namesAny } from "@/lib/chat/permissions/store.ts";
import { listChannelAudiences } from "./audience.ts";
import { channelKeys, type ChannelRecord } from "../model/channel.ts";
import { toPermissionDifferences } from "../api/view.ts";

/** Maximum number of channels that are checked one by one; beyond it, all event queues end. */
const MAX_CHANNELS = 100;

/** Returns the events of channels whose permissions name users that are deactivated or reactivated. */
export async function toChannelActivationEvents(
  app: ChatApp,
  permissions: PermissionContext,
  change: ActivationChange,
): Promise<readonly StoredEvent[]> {
  const channels = await listChannelsNaming(app, permissions, change);
  if (channels.length > MAX_CHANNELS) return [queueEndEvent(["stream", "subscription"], "everyone")];
  const events: StoredEvent[] = [];
  for (const channel of channels) {
    const changed = await listChangedPermissions(app, permissions, {
      kind: "channel",
      owner: channel,
      change,
    });
    if (changed.size === 0) continue;
    const { id: stream_id, name } = channel;
    const audiences = await listChannelAudiences(app, permissions, { channel });
    for (const [setting, shown] of changed) {
      for (const difference of toPermissionDifferences(permissions, setting, shown)) {
        const event = { type: "stream", op: "update", stream_id, name, ...difference };
        events.push(...audiences.map((audience) => ({ event, audience })));
      }
    }
  }
  return events;
}

async function listChannelsNaming(
  { store }: Pick<ChatApp, "store">,
  { realm }: PermissionContext,
  change: ActivationChange,
): Promise<readonly ChannelRecord[]> {
  const channels: ChannelRecord[] = [];
  const prefix = [...channelKeys.channels(realm.id)];
  for await (const entry of store.kv.list({ prefix }, { batchSize: 500 })) {
    const { value } = toEntry<ChannelRecord>(entry);
    if (namesAny(value, change)) channels.push(value);
  }
  return channels;
}
