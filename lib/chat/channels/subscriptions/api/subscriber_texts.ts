import type { ChatApp } from "@/lib/chat/app.ts";
import type { UserList } from "@/lib/chat/users/model.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { listSubscriberIds, readSubscriberActions, type SubscriberActions } from "../store.ts";

/** Maximum number of subscribers in a partial list. */
const MAX_PARTIAL_SUBSCRIBERS = 250;
/** Characters of the lists after which the event loop takes its turn. */
const CHARACTERS_AT_ONCE = 20_000;
/** Characters of a list in the time that finding it takes. */
const FINDING_WORK = 50;
const NO_ACTIONS: SubscriberActions = { joined: 0, left: 0 };

/** A listing of subscribers; partial lists are limited for large channels. */
export interface SubscriberListing {
  readonly realmId: number;
  readonly users: UserList;
  readonly isPartial: boolean;
}

/** The JSON text of a channel's subscribers. */
interface SubscriberText {
  readonly size: number;
  readonly isSettled: boolean;
  readonly text: string;
}

/**
 * Returns the JSON text of each channel with the ids of its active subscribers, ascending. Each list is kept
 * while no one joins or leaves the channel and no user changes.
 */
export async function appendSubscribers(
  app: ChatApp,
  listing: SubscriberListing,
  channels: readonly { readonly id: number; readonly text: string }[],
): Promise<readonly string[]> {
  const { byChannel, version } = await readSubscriberActions(app, listing.realmId);
  const isKept = version !== null && listing.users.version !== null;
  const texts: string[] = [];
  let work = 0;
  for (const { id, text } of channels) {
    const actions = isKept ? byChannel.get(id) ?? NO_ACTIONS : null;
    const subscribers = await readSubscriberText(app, listing, { channelId: id, actions });
    texts.push(`${text.slice(0, -1)},${subscribers.text}}`);
    work += FINDING_WORK + subscribers.text.length;
    if (work < CHARACTERS_AT_ONCE) continue;
    work = 0;
    await yieldToEventLoop();
  }
  return texts;
}

/** Returns the member with a channel's subscribers; from the cache if the number of actions is known. */
async function readSubscriberText(
  app: ChatApp,
  listing: SubscriberListing,
  { channelId, actions }: { channelId: number; actions: SubscriberActions | null },
): Promise<SubscriberText> {
  const { realmId, users, isPartial } = listing;
  const load = async () => {
    const ids = await listSubscriberIds(app, realmId, channelId);
    const now = actions === null ? null : await readSubscriberActions(app, realmId);
    const { joined, left } = now?.byChannel.get(channelId) ?? NO_ACTIONS;
    const text = toText(ids.filter((id) => users.activeIds.has(id)), isPartial);
    return { text, size: text.length, isSettled: joined === actions?.joined && left === actions.left };
  };
  if (actions === null) return await load();
  const name = `subscribers ${realmId} ${channelId} ${isPartial}`;
  return await app.caches.getSized(name, `${actions.joined} ${actions.left} ${users.version}`, load);
}

function toText(ids: readonly number[], isPartial: boolean): string {
  return isPartial && ids.length > MAX_PARTIAL_SUBSCRIBERS
    ? `"partial_subscribers":${JSON.stringify(ids.slice(0, MAX_PARTIAL_SUBSCRIBERS))}`
    : `"subscribers":${JSON.stringify(ids)}`;
}
