import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { type ChannelViewer, hasMetadataAccess } from "../model/access.ts";
import type { ChannelRecord } from "../model/channel.ts";
import { unsubscribe } from "./store.ts";
import { insufficientPermission, type PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { actsForOthers, canRemoveOthers, type UnsubscribeResult } from "./model.ts";
import type { ResolvedChannels } from "./resolve_targets.ts";
import { sendSubscriberRemovedEvents } from "./events.ts";

/** The users to unsubscribe, and the channels to unsubscribe them from. */
export interface UnsubscribeRequest {
  readonly actingUser: UserRecord;
  readonly channels: ResolvedChannels<{ readonly name: string }>;
  readonly users: readonly UserRecord[];
}

/**
 * Returns the channels to unsubscribe users from. Everyone may unsubscribe themselves and their bots.
 * @throws AppError BAD_REQUEST if the acting user may not unsubscribe the users, or has no access to a
 * channel.
 */
export function requireCanUnsubscribe(
  permissions: PermissionContext,
  { actingUser, channels, users }: UnsubscribeRequest,
): readonly ChannelRecord[] {
  const viewers = requireVisibleChannels(permissions, channels);
  const isAllowed = !actsForOthers(actingUser, users) ||
    viewers.every((viewer) => canRemoveOthers(permissions, viewer));
  if (!isAllowed) throw insufficientPermission();
  return viewers.map(({ channel }) => channel);
}

/** Unsubscribes users from channels, permissions being checked before, and sends the events. */
export async function unsubscribeUsers(
  app: ChatApp,
  tx: Tx,
  { permissions, channels, users }: {
    permissions: PermissionContext;
    channels: readonly ChannelRecord[];
    users: readonly UserRecord[];
  },
): Promise<readonly UnsubscribeResult[]> {
  const results: UnsubscribeResult[] = [];
  for (const channel of channels) {
    const removed: UserRecord[] = [];
    for (const user of users) {
      const wasSubscribed = await unsubscribe(tx, permissions, { channel, userId: user.id }) !== null;
      results.push({ userId: user.id, channel, wasSubscribed });
      if (wasSubscribed) removed.push(user);
    }
    await sendSubscriberRemovedEvents(app, tx, { permissions, channel, removed });
  }
  return results;
}

/** A channel without metadata access is rejected like one that does not exist. */
function requireVisibleChannels(
  permissions: PermissionContext,
  { found, missing }: UnsubscribeRequest["channels"],
): ChannelViewer[] {
  const unknown = [
    ...missing,
    ...found.filter(({ viewer }) => !hasMetadataAccess(permissions, viewer)).map(({ sent }) => sent),
  ].map(({ name }) => name);
  if (unknown.length > 0) {
    throw new AppError("BAD_REQUEST", `Channel(s) (${unknown.join(", ")}) do not exist`);
  }
  const archived = found.find(({ viewer }) => viewer.channel.is_archived);
  if (archived !== undefined) {
    throw new AppError("BAD_REQUEST", `Unable to access channel (${archived.viewer.channel.name}).`);
  }
  return found.map(({ viewer }) => viewer);
}
