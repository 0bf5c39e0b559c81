import type { z } from "zod";
import type { badgeSchema } from "./params.ts";

/** Time for which clients may cache a badge, in seconds. */
export const BADGE_SECONDS = 300;

/** A badge in the format of badge services. */
export type Badge = z.infer<typeof badgeSchema>;

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Returns a badge that shows a count in compact form: 13334 as `13.3K`. */
export function toCountBadge(label: "urls" | "visits", count: number): Badge {
  return toBadge(label, compact.format(count));
}

/** Returns a badge that shows a version: `v1.2.3`. */
export function toVersionBadge(version: string): Badge {
  return toBadge("version", `v${version}`);
}

function toBadge(label: string, message: string): Badge {
  return { schemaVersion: 1, label, message, color: "informational", cacheSeconds: BADGE_SECONDS };
}
