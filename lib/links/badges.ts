import type { z } from "zod";
import type { badgeSchema } from "./params.ts";

/** Seconds for which a badge may be kept. */
export const BADGE_SECONDS = 300;

/** A badge as badge services read it. */
export type Badge = z.infer<typeof badgeSchema>;

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** A badge that shows a count in short form: 13334 as `13.3K`. */
export function toCountBadge(label: "urls" | "visits", count: number): Badge {
  return toBadge(label, compact.format(count));
}

/** A badge that shows a version: `v1.2.3`. */
export function toVersionBadge(version: string): Badge {
  return toBadge("version", `v${version}`);
}

function toBadge(label: string, message: string): Badge {
  return { schemaVersion: 1, label, message, color: "informational", cacheSeconds: BADGE_SECONDS };
}
