/** The most ids that one event names: it must fit into one record of the store beside what it tells. */
export const MAX_IDS = 1000;

/** Ids in lists that events can hold. */
export function inEvents(ids: readonly number[]): readonly (readonly number[])[] {
  const lists: number[][] = [];
  for (let at = 0; at < ids.length; at += MAX_IDS) lists.push(ids.slice(at, at + MAX_IDS));
  return lists;
}
