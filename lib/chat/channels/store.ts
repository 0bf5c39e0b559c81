import { serialize } from "node:v8";
import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import { type Audience, type ChatEvent, sendEvent } from "../events/emit.ts";
import { sortedSet } from "../group_setting.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { channelKeys, type ChannelRecord } from "./channel.ts";

/** The largest record of a channel, in bytes as stored: events that show it also name whom they are for, in 64 KiB. */
const MAX_RECORD_BYTES = 44 * 1024;

/** A channel before and after a change; `before` is null for a new one. */
export interface ChannelChange {
  readonly before: ChannelRecord | null;
  readonly after: ChannelRecord;
}

/**
 * Writes a channel and the name that it is found by.
 * @throws AppError BAD_REQUEST when it does not fit into one record of the store.
 */
export function putChannel(tx: Tx, { realm }: PermissionContext, { before, after }: ChannelChange): void {
  const record = { ...after, permissions: repack(after.permissions) };
  if (serialize(record).length > MAX_RECORD_BYTES) {
    throw new AppError("BAD_REQUEST", "The channel would name too many users and groups.");
  }
  if (before !== null) tx.delete(channelKeys.byName(realm.id, before.name));
  tx.set(channelKeys.byName(realm.id, after.name), after.id);
  tx.set(channelKeys.channel(realm.id, after.id), record);
}

/** The same values in lists of their own: lists as the store gave them back take twice the room when stored again. */
function repack(permissions: ChannelRecord["permissions"]): ChannelRecord["permissions"] {
  return Object.fromEntries(
    Object.entries(permissions).map(([setting, value]) => [
      setting,
      typeof value === "number" ? value : {
        direct_members: sortedSet(value.direct_members),
        direct_subgroups: sortedSet(value.direct_subgroups),
      },
    ]),
  );
}

/** Tells the same to several audiences. */
export function tell(
  tx: Tx,
  { realm, now }: PermissionContext,
  { event, audiences }: { event: ChatEvent; audiences: readonly Audience[] },
): void {
  for (const audience of audiences) sendEvent(tx, { realmId: realm.id, now }, { event, audience });
}
