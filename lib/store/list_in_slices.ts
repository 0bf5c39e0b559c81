import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";

/** Number of entries of a listing after which the event loop takes its turn. */
const SLICE = 500;

/**
 * Makes long listings of a store let the event loop take its turn: batches that the store returns at once would
 * follow each other without a pause. Returns the same store.
 */
export function listInSlices(kv: Deno.Kv): Deno.Kv {
  const list = kv.list.bind(kv);
  const sliced: Pick<Deno.Kv, "list"> = {
    list: <T>(...args: Parameters<typeof list>) => sliceSteps(list<T>(...args)),
  };
  return Object.assign(kv, sliced);
}

function sliceSteps<T>(listing: Deno.KvListIterator<T>): Deno.KvListIterator<T> {
  const next = listing.next.bind(listing);
  let steps = 0;
  return Object.assign(listing, {
    next: () => ++steps % SLICE === 0 ? yieldToEventLoop().then(next) : next(),
  });
}
