import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { type ChannelVisitor, hasMetadataAccess } from "../channels/access.ts";
import { audiencesOf } from "../channels/audience.ts";
import type { ChannelRecord } from "../channels/channel.ts";
import { tell } from "../channels/store.ts";
import { unsubscribe } from "../channels/subscribe.ts";
import type { Audience } from "../events/emit.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { insufficientPermission } from "../permissions/insufficient.ts";
import type { UserRecord } from "../users/user.ts";
import { actsForOthers, mayRemoveOthers } from "./rights.ts";
import type { NamedChannels } from "./target.ts";

/** Who is to leave which channels. */
export interface WantedLeaves {
  readonly actor: UserRecord;
  readonly channels: NamedChannels<{ readonly name: string }>;
  readonly targets: readonly UserRecord[];
}

/** One account and one channel, and whether it was subscribed until this change. */
export interface Leave {
  readonly userId: number;
  readonly channel: ChannelRecord;
  readonly wasSubscribed: boolean;
}

/**
 * The channels that accounts can leave, if the caller may do that. Everybody may leave a channel and take his bots along.
 * @throws AppError BAD_REQUEST.
 */
export function requireMayRemove(
  permissions: PermissionContext,
  { actor, channels, targets }: WantedLeaves,
): readonly ChannelRecord[] {
  const visitors = requireKnown(permissions, channels);
  const mayAll = !actsForOthers(actor, targets) ||
    visitors.every((visitor) => mayRemoveOthers(permissions, visitor));
  if (!mayAll) throw insufficientPermission();
  return visitors.map(({ channel }) => channel);
}

/** Ends subscriptions, all of it allowed, and tells all whom it concerns. */
export async function removeSubscribers(
  app: ChatApp,
  tx: Tx,
  { permissions, channels, targets }: {
    permissions: PermissionContext;
    channels: readonly ChannelRecord[];
    targets: readonly UserRecord[];
  },
): Promise<readonly Leave[]> {
  const leaves: Leave[] = [];
  for (const channel of channels) {
    const left: UserRecord[] = [];
    for (const user of targets) {
      const wasSubscribed = await unsubscribe(tx, permissions, { channel, userId: user.id }) !== null;
      leaves.push({ userId: user.id, channel, wasSubscribed });
      if (wasSubscribed) left.push(user);
    }
    await tellOfLeft(app, tx, { permissions, channel, left });
  }
  return leaves;
}

/** What the caller may not know of is not there for him. */
function requireKnown(
  permissions: PermissionContext,
  { found, missing }: WantedLeaves["channels"],
): ChannelVisitor[] {
  const unknown = [
    ...missing,
    ...found.filter(({ visitor }) => !hasMetadataAccess(permissions, visitor)).map(({ sent }) => sent),
  ].map(({ name }) => name);
  if (unknown.length > 0) {
    throw new AppError("BAD_REQUEST", `Channel(s) (${unknown.join(", ")}) do not exist`);
  }
  const archived = found.find(({ visitor }) => visitor.channel.is_archived);
  if (archived !== undefined) {
    throw new AppError("BAD_REQUEST", `Unable to access channel (${archived.visitor.channel.name}).`);
  }
  return found.map(({ visitor }) => visitor);
}

interface Left {
  readonly permissions: PermissionContext;
  readonly channel: ChannelRecord;
  readonly left: readonly UserRecord[];
}

/** Tells those who left, those of them who may know of the channel no more, and all who still may. */
async function tellOfLeft(app: ChatApp, tx: Tx, { permissions, channel, left }: Left): Promise<void> {
  if (left.length === 0) return;
  const { id: stream_id, name } = channel;
  const user_ids = left.map(({ id }) => id);
  const removed = { type: "subscription", op: "remove", subscriptions: [{ stream_id, name }] };
  tell(tx, permissions, { event: removed, audiences: [user_ids] });
  const losers = left.filter((user) =>
    !hasMetadataAccess(permissions, { channel, user, isSubscribed: false })
  )
    .map(({ id }) => id);
  const lost = { type: "stream", op: "delete", streams: [{ stream_id }], stream_ids: [stream_id] };
  if (losers.length > 0) tell(tx, permissions, { event: lost, audiences: [losers] });
  const audiences = (await audiencesOf(app, permissions, { channel }))
    .flatMap((audience) => without(audience, losers));
  const event = { type: "subscription", op: "peer_remove", stream_ids: [stream_id], user_ids };
  tell(tx, permissions, { event, audiences });
}

function without(audience: Audience, ids: readonly number[]): readonly Audience[] {
  if (typeof audience === "string" || "channel" in audience) return [audience];
  const rest = audience.filter((id) => !ids.includes(id));
  return rest.length === 0 ? [] : [rest];
}
