import { isNetworkStore, type Store } from "@/lib/store/open.ts";

/** Maximum number of events in one commit, which writes no more keys. */
const PER_COMMIT = 1000;
/**
 * Digits of a version stamp that distinguish the commits of one moment in a large store; the embedded store
 * has zeros.
 */
const WITHIN_MOMENT = /....$/;

/**
 * Kind of the event ids of a store: `exact` when each event has its own, else the events of one moment share
 * an id.
 */
export type IdScheme = "exact" | "by moment";

/**
 * Returns the kind of a store's event ids. The embedded store counts commits, which leaves room for the
 * position of each event in its commit. A large store counts microseconds, which does not: its events of one
 * moment share an id and are delivered together.
 */
export function idScheme(store: Pick<Store, "path" | "location">): IdScheme {
  return isNetworkStore(store) ? "by moment" : "exact";
}

/**
 * Returns the id of the event at a position, from 0, of the commit with a version stamp. Ids ascend with
 * commits.
 */
export function toEventId(scheme: IdScheme, versionstamp: string, position: number): number {
  const moment = Number(`0x${versionstamp.replace(WITHIN_MOMENT, "")}`);
  return scheme === "exact" ? moment * PER_COMMIT + Math.min(position, PER_COMMIT - 1) : moment;
}

/**
 * Returns an id not below those of the events up to the commit with a version stamp, and below those of later
 * events.
 */
export function toStartId(scheme: IdScheme, versionstamp: string): number {
  return toEventId(scheme, versionstamp, PER_COMMIT - 1);
}

/** Returns the largest id that an event in the same commit as the event with this id can have. */
export function lastIdOf(scheme: IdScheme, id: number): number {
  return scheme === "exact" ? id - id % PER_COMMIT + PER_COMMIT - 1 : id;
}
