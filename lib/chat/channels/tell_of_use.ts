import { toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import type { StoredEvent } from "../events/emit.ts";
import { queueEndEvent } from "../events/tell_together.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { changedByUse, namesAny, type UseChange } from "../permissions/named_users.ts";
import { audiencesOf } from "./audience.ts";
import { channelKeys, type ChannelRecord } from "./channel.ts";
import { toPermissionDifferences } from "./old_policy.ts";

/** Channels of which so many are told one by one: who may know of each has to be found out. */
const MAX_CHANNELS = 100;

/** What clients see otherwise of channels whose permissions name accounts that go out of use or come back. */
export async function toChannelUseEvents(
  app: ChatApp,
  permissions: PermissionContext,
  change: UseChange,
): Promise<readonly StoredEvent[]> {
  const channels = await listNaming(app, permissions, change);
  if (channels.length > MAX_CHANNELS) return [queueEndEvent(["stream", "subscription"], "everyone")];
  const told: StoredEvent[] = [];
  for (const channel of channels) {
    const changed = await changedByUse(app, permissions, { kind: "channel", owner: channel, change });
    if (changed.size === 0) continue;
    const { id: stream_id, name } = channel;
    const audiences = await audiencesOf(app, permissions, { channel });
    for (const [setting, shown] of changed) {
      for (const difference of toPermissionDifferences(permissions, setting, shown)) {
        const event = { type: "stream", op: "update", stream_id, name, ...difference };
        told.push(...audiences.map((audience) => ({ event, audience })));
      }
    }
  }
  return told;
}

async function listNaming(
  { store }: Pick<ChatApp, "store">,
  { realm }: PermissionContext,
  change: UseChange,
): Promise<readonly ChannelRecord[]> {
  const channels: ChannelRecord[] = [];
  const prefix = [...channelKeys.channels(realm.id)];
  for await (const entry of store.kv.list({ prefix }, { batchSize: 500 })) {
    const { value } = toEntry<ChannelRecord>(entry);
    if (namesAny(value, change)) channels.push(value);
  }
  return channels;
}
