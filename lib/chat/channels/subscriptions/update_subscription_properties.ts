import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { getReadableChannel } from "../store.ts";
import { channelKeys } from "../model/channel.ts";
import { readPermissionContext } from "@/lib/chat/permissions/store.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import type { Caller, UserRecord } from "@/lib/chat/users/model.ts";
import {
  type PropertyChange,
  type SentProperty,
  type SubscriptionRecord,
  toPropertyChange,
} from "./model.ts";
import { sendEvent } from "@/lib/chat/events/send_events.ts";

/** Maximum number of channels in one request: each costs checks of the commit. */
const MAX_UPDATED_CHANNELS = 45;
/** Maximum number of properties in one request. */
const MAX_PROPERTIES = 400;

/** A property to set on the caller's subscription to a channel. */
export interface SubscriptionPropertyUpdate extends SentProperty {
  readonly channelId: number;
}

/**
 * Sets properties of the caller's subscriptions in the given order, all or none, and sends each one to them,
 * changed or not. Checks all properties and values before any channel.
 * @throws AppError BAD_REQUEST.
 */
export async function updateSubscriptionProperties(
  app: ChatApp,
  { realm, actingUser }: Caller,
  updates: readonly SubscriptionPropertyUpdate[],
): Promise<void> {
  const changes = updates.map(({ channelId, ...sent }) => ({ channelId, ...toPropertyChange(sent) }));
  const channels = new Set(updates.map(({ channelId }) => channelId));
  if (channels.size > MAX_UPDATED_CHANNELS || updates.length > MAX_PROPERTIES) {
    throw new AppError(
      "BAD_REQUEST",
      `One request can change ${MAX_PROPERTIES} properties of ${MAX_UPDATED_CHANNELS} channels at most.`,
    );
  }
  await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    for (const change of changes) await updateProperty(tx, permissions, { ...change, user: actingUser });
  });
}

async function updateProperty(
  tx: Tx,
  permissions: PermissionContext,
  { channelId, user, changes, announced }: PropertyChange & { channelId: number; user: UserRecord },
): Promise<void> {
  const { realm, now } = permissions;
  const { isSubscribed } = await getReadableChannel(tx, permissions, { channelId, user });
  const key = channelKeys.subscription(realm.id, user.id, channelId);
  const before = await tx.get<SubscriptionRecord>(key);
  if (!isSubscribed || before === null) {
    throw new AppError("BAD_REQUEST", `Not subscribed to channel ID ${channelId}`);
  }
  tx.set(key, { ...before, ...changes });
  for (const { property, value } of announced) {
    const event = { type: "subscription", op: "update", stream_id: channelId, property, value };
    sendEvent(tx, { realmId: realm.id, now }, { event, audience: [user.id] });
  }
}
