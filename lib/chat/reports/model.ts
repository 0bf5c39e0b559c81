import { codePointLength } from "@/lib/core/text.ts";
import type { Key } from "@/lib/store/key.ts";

/** Reasons for which a message can be reported, with their names for users. */
export const REPORT_TYPES = [
  { key: "spam", name: "Spam" },
  { key: "harassment", name: "Harassment" },
  { key: "inappropriate", name: "Inappropriate content" },
  { key: "norms", name: "Violates community norms" },
  { key: "other", name: "Other reason" },
] as const;
/** One of the reasons. */
export type ReportType = typeof REPORT_TYPES[number]["key"];

/** Maximum length of the explanation of a report, in code points. */
export const MAX_REPORT_DESCRIPTION = 1000;
/** Maximum number of reports of one account in a day (UTC). */
export const MAX_REPORTS_PER_DAY = 20;
/** Maximum length of the quoted message in code points; the report fits into a message with its fences. */
const MAX_QUOTE = 2000;

/** Returns the key of the number of an account's reports on a day, counted in days since 1970 UTC. */
export function reportCountKey(realmId: number, userId: number, day: number): Key {
  return [realmId, "report_count", userId, day];
}

/** Returns a text that fits into the report beside the explanation. */
export function truncateQuote(text: string): string {
  return codePointLength(text) > MAX_QUOTE ? `${[...text].slice(0, MAX_QUOTE - 1).join("")}…` : text;
}
