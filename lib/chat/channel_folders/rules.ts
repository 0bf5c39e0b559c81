import { AppError } from "@/lib/core/errors.ts";
import { codePointLength } from "@/lib/core/text.ts";

/** Control characters, halves of pairs, and what no character ever is. */
const BARRED = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/**
 * Refuses names that no folder may have; a good name is kept as it is, blanks included.
 * @throws AppError BAD_REQUEST.
 */
export function requireFolderName(name: string): void {
  if (name.trim() === "") throw new AppError("BAD_REQUEST", "Channel folder name can't be empty.");
  const at = name.search(BARRED);
  if (at < 0) return;
  const position = codePointLength(name.slice(0, at)) + 1;
  throw new AppError(
    "BAD_REQUEST",
    `Invalid character in channel folder name, at position ${position}.`,
  );
}

/**
 * Refuses an order that does not name each of the folders once.
 * @throws AppError BAD_REQUEST.
 */
export function requireWholeOrder(order: readonly number[], ids: readonly number[]): void {
  const named = new Set(order);
  const isWhole = order.length === ids.length && ids.every((id) => named.has(id));
  if (!isWhole) throw new AppError("BAD_REQUEST", "Invalid order mapping.");
}
