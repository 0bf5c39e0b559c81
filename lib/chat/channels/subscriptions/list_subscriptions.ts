import type { ChatApp } from "@/lib/chat/app.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { listActiveSubscriptions, listSubscriberIds } from "./store.ts";
import { channelKeys, type ChannelRecord } from "../model/channel.ts";
import { toChannels } from "../api/view.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import type { Caller } from "@/lib/chat/users/model.ts";
import { listUsers } from "@/lib/chat/users/store.ts";
import { type ListedSubscribers, type ListedSubscription, toListedSubscription } from "./api/view.ts";

/** Maximum number of subscribers in a partial list. */
const MAX_PARTIAL_SUBSCRIBERS = 250;
/** Number of subscribers that are listed before the event loop takes its turn. */
const SLICE_WORK = 1000;
/** Number of subscribers that are listed in the time that beginning a list takes. */
const WORK_OF_LISTING = 50;

/** Lists the channels that the caller is subscribed to, by id, archived ones on request. */
export async function listSubscriptions(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { includeArchived }: { includeArchived: boolean },
): Promise<readonly ListedSubscription[]> {
  const permissions = await peekPermissionContext(app, realm);
  const records = await listActiveSubscriptions(app, realm.id, actingUser.id);
  const channels = await Promise.all(
    Array.from(records.keys(), (id) => app.reads.read<ChannelRecord>(channelKeys.channel(realm.id, id))),
  );
  const shown = channels.filter((channel) => channel !== null)
    .filter((channel) => includeArchived || !channel.is_archived);
  const views = await toChannels(app, permissions, shown);
  return views.flatMap((view) => {
    const record = records.get(view.stream_id);
    return record === undefined ? [] : [toListedSubscription(view, record)];
  });
}

/** Options of a list of subscribers; a partial one is limited for large channels. */
export interface SubscriberListing {
  readonly realmId: number;
  readonly active: ReadonlySet<number>;
  readonly isPartial: boolean;
}

/** Adds the ids of its active subscribers to each channel, ascending. */
export async function withSubscribers<T extends { readonly stream_id: number }>(
  app: ChatApp,
  { realmId, active, isPartial }: SubscriberListing,
  channels: readonly T[],
): Promise<readonly (T & ListedSubscribers)[]> {
  const listed: (T & ListedSubscribers)[] = [];
  let work = 0;
  for (const channel of channels) {
    if (work > SLICE_WORK) {
      work = 0;
      await yieldToEventLoop();
    }
    const ids = (await listSubscriberIds(app, realmId, channel.stream_id)).filter((id) => active.has(id));
    work += WORK_OF_LISTING + ids.length;
    const isCut = isPartial && ids.length > MAX_PARTIAL_SUBSCRIBERS;
    listed.push({
      ...channel,
      ...(isCut ? { partial_subscribers: ids.slice(0, MAX_PARTIAL_SUBSCRIBERS) } : { subscribers: ids }),
    });
  }
  return listed;
}

/**
 * Lists the unarchived channels that the caller is subscribed to, by id, with their subscribers on request.
 */
export async function listUnarchivedSubscriptions(
  app: ChatApp,
  caller: Caller,
  subscribers: "true" | "false" | "partial",
): Promise<readonly ListedSubscription[]> {
  const own = await listSubscriptions(app, caller, { includeArchived: false });
  if (subscribers === "false") return own;
  const realmId = caller.realm.id;
  const listing = {
    realmId,
    active: await listActiveUserIds(app, realmId),
    isPartial: subscribers === "partial",
  };
  return await withSubscribers(app, listing, own);
}

/** Lists the ids of an organization's active users. */
export async function listActiveUserIds(app: ChatApp, realmId: number): Promise<ReadonlySet<number>> {
  const users = await listUsers(app, realmId);
  return new Set(users.filter((user) => user.is_active).map(({ id }) => id));
}
