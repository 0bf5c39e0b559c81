import type { ChatApp } from "@/lib/chat/app.ts";
import type { UserList } from "@/lib/chat/users/model.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { listSubscriberIds } from "../store.ts";

/** Maximum number of subscribers in a partial list. */
const MAX_PARTIAL_SUBSCRIBERS = 250;
/** Characters of the lists after which the event loop takes its turn. */
const CHARACTERS_AT_ONCE = 20_000;
/** Characters of a list in the time that finding it takes. */
const FINDING_WORK = 50;

/** A listing of subscribers; partial lists are limited for large channels. */
export interface SubscriberListing {
  readonly realmId: number;
  readonly users: UserList;
  readonly isPartial: boolean;
}

/** The JSON text of a channel's subscribers. */
interface SubscriberText {
  readonly size: number;
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
  const texts: string[] = [];
  let work = 0;
  for (const { id, text } of channels) {
    const subscribers = await readSubscriberText(app, listing, id);
    texts.push(`${text.slice(0, -1)},${subscribers.text}}`);
    work += FINDING_WORK + subscribers.text.length;
    if (work < CHARACTERS_AT_ONCE) continue;
    work = 0;
    await yieldToEventLoop();
  }
  return texts;
}

/** Returns the member with a channel's subscribers. */
async function readSubscriberText(
  app: ChatApp,
  { realmId, users, isPartial }: SubscriberListing,
  channelId: number,
): Promise<SubscriberText> {
  const ids = await listSubscriberIds(app, realmId, channelId);
  return await app.cache.get(`subscribers ${realmId} ${channelId} ${isPartial}`, [ids, users], () => {
    const text = toText(ids.filter((id) => users.activeIds.has(id)), isPartial);
    return Promise.resolve({ text, size: text.length });
  });
}

function toText(ids: readonly number[], isPartial: boolean): string {
  return isPartial && ids.length > MAX_PARTIAL_SUBSCRIBERS
    ? `"partial_subscribers":${JSON.stringify(ids.slice(0, MAX_PARTIAL_SUBSCRIBERS))}`
    : `"subscribers":${JSON.stringify(ids)}`;
}
