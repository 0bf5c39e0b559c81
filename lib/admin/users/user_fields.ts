import type { AppError } from "@/lib/core/errors.ts";

/** Fields of an account and the refusals that belong to them; the first match counts. */
const FIELDS: readonly (readonly [field: string, pattern: RegExp])[] = [
  ["role", /\bowner\b|\brole\b/i],
  ["password", /\bpassword\b/i],
  ["email", /\bemail\b|\bdomain\b|\baddress(es)?\b/i],
  ["full_name", /\bname\b|^Invalid format!$/i],
];

/** Returns the field of a refusal in an account's form, or null. */
export function accountFieldOf({ message }: AppError): string | null {
  return FIELDS.find(([, pattern]) => pattern.test(message))?.[0] ?? null;
}
