import { foldEmail, MAX_NAME_LENGTH, requireFullName } from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Invitee } from "../model.ts";

/** Maximum number of addresses in one request. */
export const MAX_INVITEES = 5000;

/**
 * Parses a pasted list of addresses, separated by commas, semicolons and line breaks, each alone or as `Name
 * <address>`; a quoted name may contain separators. Keeps the first spelling of an address that occurs twice.
 * @throws AppError BAD_REQUEST for more than `MAX_INVITEES`.
 */
export function parseEmailList(text: string): Invitee[] {
  const byAddress = new Map<string, Invitee>();
  for (const piece of splitPieces(text)) {
    if (piece.trim() === "") continue;
    const invitee = toInvitee(piece);
    const folded = foldEmail(invitee.email);
    if (!byAddress.has(folded)) byAddress.set(folded, invitee);
    if (byAddress.size > MAX_INVITEES) {
      throw new AppError("BAD_REQUEST", `You can invite ${MAX_INVITEES} people at once at most.`);
    }
  }
  return [...byAddress.values()];
}

function* splitPieces(text: string): Generator<string> {
  let start = 0;
  let isBlank = true;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (/[,;\r\n]/.test(character)) {
      yield text.slice(start, at);
      start = at + 1;
      isBlank = true;
    } else if (isBlank && character === '"') {
      at = findClosingQuote(text, at);
      isBlank = false;
    } else if (character.trim() !== "") {
      isBlank = false;
    }
  }
  yield text.slice(start);
}

/**
 * Returns the offset of the quote that closes the one at `start` in the same line; `start` if there is none.
 */
function findClosingQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') return at;
    if (character === "\n" || character === "\r") return start;
    if (character === "\\" && text.charAt(at + 1) === '"') at++;
  }
  return start;
}

function toInvitee(piece: string): Invitee {
  const close = piece.lastIndexOf(">");
  const open = piece.lastIndexOf("<", close);
  const inside = open < 0 || close < 0 ? "" : piece.slice(open + 1, close).trim();
  // Text without an address is kept as entered, for the error message.
  if (inside === "") return { email: piece.trim(), name: "" };
  return { email: inside, name: toName(piece.slice(0, open)) };
}

function toName(text: string): string {
  const trimmed = text.trim();
  const unquoted = /^".*"$/s.test(trimmed) ? trimmed.slice(1, -1).replace(/\\(["\\])/g, "$1") : trimmed;
  const short = [...unquoted.trim().slice(0, 2 * MAX_NAME_LENGTH)].slice(0, MAX_NAME_LENGTH).join("");
  try {
    return requireFullName(short);
  } catch (error) {
    if (error instanceof AppError) return "";
    throw error;
  }
}
