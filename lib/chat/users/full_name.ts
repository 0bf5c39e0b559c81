import { AppError } from "@/lib/core/errors.ts";
import { codePointLength } from "@/lib/core/text.ts";

/** The longest name, in code points. */
export const MAX_NAME_LENGTH = 100;

/** What mentions are written with, and what cannot be printed. */
const BARRED = /[*`\\>"@]|[\p{C}\p{Zl}\p{Zp}]/u;
/** Characters that join others, as in many names of people and in emoji. */
const JOINERS = /[\u200c\u200d]/g;

/**
 * A name without the blanks around it.
 * @throws AppError BAD_REQUEST for an empty or long one, or one that a mention cannot carry.
 */
export function requireFullName(text: string): string {
  const name = text.trim();
  if (codePointLength(name) > MAX_NAME_LENGTH) throw new AppError("BAD_REQUEST", "Name too long!");
  if (name === "") throw new AppError("BAD_REQUEST", "Name must not be empty!");
  if (BARRED.test(name.replace(JOINERS, ""))) {
    throw new AppError("BAD_REQUEST", "Invalid characters in name!");
  }
  if (/\|\d+$/.test(name)) throw new AppError("BAD_REQUEST", "Invalid format!");
  return name;
}
