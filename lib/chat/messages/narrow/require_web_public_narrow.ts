import { notLoggedIn } from "@/lib/chat/users/model.ts";
import type { WireTerm } from "./model/narrow.ts";

/** Operators that spectators can use; all others depend on an account. */
const SPECTATOR_OPERATORS: readonly string[] = [
  "channel",
  "stream",
  "channels",
  "streams",
  "topic",
  "subject",
  "sender",
  "has",
  "search",
  "near",
  "id",
  "with",
];

/**
 * Requires that a narrow is limited to web-public channels and does not depend on an account. A client that
 * lost its credentials thereby gets an error instead of an incomplete result.
 * @throws AppError UNAUTHORIZED.
 */
export function requireWebPublicNarrow(terms: readonly WireTerm[]): void {
  if (!terms.some(isWebPublicTerm) || !terms.every(isAllowedForSpectators)) throw notLoggedIn();
}

function isWebPublicTerm({ operator, operand, negated }: WireTerm): boolean {
  return ["channels", "streams"].includes(operator) && operand === "web-public" && !negated;
}

function isAllowedForSpectators({ operator, operand }: WireTerm): boolean {
  if (operator === "is") return operand === "resolved";
  return SPECTATOR_OPERATORS.includes(operator) && !(operator === "sender" && operand === "me");
}
