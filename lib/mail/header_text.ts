import { AppError } from "@/lib/core/errors.ts";

/** Controls, line separators, and what turns the direction of the text around it. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;
/** One `@`, and nothing that separates, quotes or hides. */
const ADDRESS = /^[^\s\p{Cc}\p{Cf}\p{Cs}@<>()[\],;:"\\]+@[^\s\p{Cc}\p{Cf}\p{Cs}@<>()[\],;:"\\]+$/u;
const MAX_ADDRESS = 254;

/** A text that fits in one line of a header: line breaks and other controls become one blank. */
export function toHeaderText(text: string): string {
  return text.toWellFormed().replace(UNSAFE, " ").trim();
}

/**
 * Gives back an address that is safe in a header. It is never repaired, as that could name somebody else.
 * @throws AppError BAD_REQUEST when it is not one plain address of at most 254 characters.
 */
export function requireAddress(address: string): string {
  if (address.length <= MAX_ADDRESS && ADDRESS.test(address)) return address;
  throw new AppError("BAD_REQUEST", "Mail can only be sent to one complete e-mail address.");
}
