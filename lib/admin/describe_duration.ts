import type { AdminSession } from "@/lib/services/admin_session.ts";

const UNITS = [
  [86_400, { one: "{count} day", other: "{count} days" }],
  [3600, { one: "{count} hour", other: "{count} hours" }],
  [60, { one: "{count} minute", other: "{count} minutes" }],
  [1, { one: "{count} second", other: "{count} seconds" }],
] as const;

/** Describes a number of seconds in the largest unit of which it is a multiple. */
export function describeDuration({ t }: Pick<AdminSession, "t">, seconds: number): string {
  const [size, phrase] = UNITS.find(([size]) => seconds % size === 0) ?? UNITS[3];
  return t(phrase, { count: seconds / size });
}
