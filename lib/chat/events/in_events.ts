/** The most ids that one event names: it must fit into one record of the store beside what it tells. */
export const MAX_IDS_IN_EVENT = 1000;

/** Ids in lists that events can hold. */
export function chunkIds(ids: readonly number[]): readonly (readonly number[])[] {
  const lists: number[][] = [];
  for (let at = 0; at < ids.length; at += MAX_IDS_IN_EVENT) lists.push(ids.slice(at, at + MAX_IDS_IN_EVENT));
  return lists;
}
