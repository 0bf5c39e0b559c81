import { chunk } from "es-toolkit/array/chunk";
import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { readPermissionContext } from "@/lib/chat/permissions/store.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { type Caller, noSuchUser, userKeys, type UserRecord } from "@/lib/chat/users/model.ts";
import type { ChannelRecord } from "../model/channel.ts";
import { readMessageHead, subscribe, writeFirstSubscription } from "./store.ts";
import { type AddedSubscriber, sendChannelRevealedEvents, sendSubscriberAddedEvents } from "./events.ts";

/** Maximum number of users that the commit which creates a channel subscribes. */
export const MAX_FIRST_SUBSCRIBERS = 300;
/** Maximum number of users that a later commit subscribes: each costs a checked read. */
const MAX_LATER_SUBSCRIBERS = 80;
/** Number of users that are checked at once. */
const CHECK_BATCH_SIZE = 500;

/**
 * Rejects ids of users that do not exist or are deactivated, by the first such id.
 * @throws AppError BAD_REQUEST.
 */
export async function requireSubscribableUsers(
  tx: Tx,
  realmId: number,
  ids: readonly number[],
): Promise<void> {
  for (const batch of chunk(ids, CHECK_BATCH_SIZE)) {
    const users = await Promise.all(batch.map((id) => tx.peek<UserRecord>(userKeys.user(realmId, id))));
    const refused = users.find((user) => user?.is_active !== true);
    if (refused === null) throw noSuchUser();
    if (refused !== undefined) throw new AppError("BAD_REQUEST", "User is deactivated");
  }
}

/** Subscribes up to MAX_FIRST_SUBSCRIBERS users to a channel that the same commit creates. */
export async function subscribeFirstUsers(
  tx: Tx,
  permissions: PermissionContext,
  { channel, userIds }: { channel: ChannelRecord; userIds: readonly number[] },
): Promise<readonly AddedSubscriber[]> {
  const from = await readMessageHead(tx) + 1;
  return userIds.map((userId) => ({
    userId,
    record: writeFirstSubscription(tx, permissions, { channel, userId, from }),
  }));
}

/**
 * Subscribes the remaining users to a new channel and sends the events, a batch in each commit: after a
 * failure, the batches still to come are missing. Skips users who are already subscribed.
 */
export async function subscribeRemainingUsers(
  app: ChatApp,
  { realm }: Pick<Caller, "realm">,
  { channel, userIds }: { channel: ChannelRecord; userIds: readonly number[] },
): Promise<void> {
  for (let at = 0; at < userIds.length; at += MAX_LATER_SUBSCRIBERS) {
    const batch = userIds.slice(at, at + MAX_LATER_SUBSCRIBERS);
    await transact(app.store, async (tx) => {
      const permissions = await readPermissionContext(app, tx, realm.id);
      const added: AddedSubscriber[] = [];
      for (const userId of batch) {
        const record = await subscribe(tx, permissions, { channel, userId });
        if (record !== null) added.push({ userId, record });
      }
      const context = { isActive: () => true, subscriberCount: MAX_FIRST_SUBSCRIBERS + at + added.length };
      await sendChannelRevealedEvents(app, tx, { permissions, channel, added, context });
      await sendSubscriberAddedEvents(app, tx, { permissions, channel, added, context });
    });
  }
}
