import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { accessChannel } from "../channels/access.ts";
import { channelKeys, type SubscriptionRecord } from "../channels/channel.ts";
import { sendEvent } from "../events/emit.ts";
import { type PermissionContext, readPermissionContext } from "../permissions/group_world.ts";
import type { Caller } from "../users/caller.ts";
import type { UserRecord } from "../users/user.ts";
import { subscriptionQueue } from "./caller.ts";
import { type PropertyChange, type SentProperty, toPropertyChange } from "./property.ts";

/** The most channels whose properties one request changes: one commit checks so much and no more. */
const MAX_CHANNELS = 45;
/** The most properties that one request changes. */
const MAX_PROPERTIES = 400;

/** A property of the caller's subscription to a channel. */
export interface ChannelProperty extends SentProperty {
  readonly channelId: number;
}

/**
 * Changes properties of the caller's own subscriptions in their order, all or none, and tells him of each, other than
 * before or not. Properties and values are judged before channels.
 * @throws AppError BAD_REQUEST.
 */
export async function setProperties(
  app: ChatApp,
  { realm, actingUser }: Caller,
  wanted: readonly ChannelProperty[],
): Promise<void> {
  const changes = wanted.map(({ channelId, ...sent }) => ({ channelId, ...toPropertyChange(sent) }));
  const channels = new Set(wanted.map(({ channelId }) => channelId));
  if (channels.size > MAX_CHANNELS || wanted.length > MAX_PROPERTIES) {
    throw new AppError(
      "BAD_REQUEST",
      `One request can change ${MAX_PROPERTIES} properties of ${MAX_CHANNELS} channels at most.`,
    );
  }
  await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    for (const change of changes) await setProperty(tx, permissions, { ...change, user: actingUser });
  }, subscriptionQueue(realm.id));
}

async function setProperty(
  tx: Tx,
  permissions: PermissionContext,
  { channelId, user, changes, told }: PropertyChange & { channelId: number; user: UserRecord },
): Promise<void> {
  const { realm, now } = permissions;
  const { isSubscribed } = await accessChannel(tx, permissions, { channelId, user });
  const key = channelKeys.subscription(realm.id, user.id, channelId);
  const before = await tx.get<SubscriptionRecord>(key);
  if (!isSubscribed || before === null) {
    throw new AppError("BAD_REQUEST", `Not subscribed to channel ID ${channelId}`);
  }
  tx.set(key, { ...before, ...changes });
  for (const { property, value } of told) {
    const event = { type: "subscription", op: "update", stream_id: channelId, property, value };
    sendEvent(tx, { realmId: realm.id, now }, { event, audience: [user.id] });
  }
}
