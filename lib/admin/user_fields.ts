import type { AppError } from "@/lib/core/errors.ts";

/** What refusals of each field of an account speak of; the first that fits counts. */
const FIELDS: readonly (readonly [field: string, spokenOf: RegExp])[] = [
  ["role", /\bowner\b|\brole\b/i],
  ["password", /\bpassword\b/i],
  ["email", /\bemail\b|\bdomain\b|\baddress(es)?\b/i],
  ["full_name", /\bname\b|^Invalid format!$/i],
];

/** The field of an account's form that a refusal belongs to, or null. */
export function accountFieldOf({ message }: AppError): string | null {
  return FIELDS.find(([, spokenOf]) => spokenOf.test(message))?.[0] ?? null;
}
