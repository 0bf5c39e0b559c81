import type { Key } from "@/lib/store/key.ts";

/** When a person last sent, read, reacted or changed something, or used a page. */
export interface ActivityRecord {
  readonly user_id: number;
  /** Latest day that was counted, in whole days since 1970 UTC. */
  readonly day: number;
  /** Milliseconds since 1970 UTC, accurate to minutes; it stays as it is while the person has turned presence off. */
  readonly at: number | null;
}

/** Keys of the activity of an organization's people. */
export const activityKeys = {
  activities: (realmId: number): Key => [realmId, "activity"],
  activity: (realmId: number, userId: number): Key => [realmId, "activity", userId],
  activeCounts: (realmId: number, unit: "day" | "week"): Key => [realmId, "active_count", unit],
  /** Number of people who were active in a period, which is numbered from 1970. */
  activeCount: (realmId: number, unit: "day" | "week", period: number): Key => [
    realmId,
    "active_count",
    unit,
    period,
  ],
};
