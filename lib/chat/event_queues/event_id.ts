/** Events that one commit can hold, as it writes no more keys. */
const PER_COMMIT = 1000;
/** Digits of a version stamp that tell apart what a large store commits in the same moment; the embedded one has zeros. */
const WITHIN_MOMENT = /....$/;

/** Which ids a store's events have: `exact` where each has its own, else those of one moment share one. */
export type IdScheme = "exact" | "by moment";

/**
 * The ids of a store's events. A store of this machine counts its commits, so that there is room for each event's place.
 * A large one counts its microseconds, which leaves none: events of one moment then have the same id, and come together.
 */
export function idScheme({ path, location }: { path: string | null; location: string }): IdScheme {
  return path !== null || location === ":memory:" ? "exact" : "by moment";
}

/** The id of the event at a place, from 0, of the commit with this version stamp: ids ascend as commits do. */
export function toEventId(scheme: IdScheme, versionstamp: string, place: number): number {
  const moment = Number(`0x${versionstamp.replace(WITHIN_MOMENT, "")}`);
  return scheme === "exact" ? moment * PER_COMMIT + Math.min(place, PER_COMMIT - 1) : moment;
}

/** An id that no event has: those of the commit with this version stamp and before are not larger, all later ones are. */
export function toStartId(scheme: IdScheme, versionstamp: string): number {
  return toEventId(scheme, versionstamp, PER_COMMIT - 1);
}

/** The largest id that an event can have of the commit that one with this id is of. */
export function lastIdOf(scheme: IdScheme, id: number): number {
  return scheme === "exact" ? id - id % PER_COMMIT + PER_COMMIT - 1 : id;
}
