import { notLoggedIn } from "../users/rights.ts";
import type { WireTerm } from "./narrow.ts";

/** What spectators may ask by; all else is about an account. */
const OPERATORS: readonly string[] = [
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
 * Lets only narrows through that say that they are about channels open to the web, and ask nothing else of an account.
 * Without that term a client that lost its credentials would take what is open for all that there is.
 * @throws AppError UNAUTHORIZED.
 */
export function requireOpenNarrow(terms: readonly WireTerm[]): void {
  if (!terms.some(isOpenTerm) || !terms.every(isForSpectators)) throw notLoggedIn();
}

function isOpenTerm({ operator, operand, negated }: WireTerm): boolean {
  return ["channels", "streams"].includes(operator) && operand === "web-public" && !negated;
}

function isForSpectators({ operator, operand }: WireTerm): boolean {
  if (operator === "is") return operand === "resolved";
  return OPERATORS.includes(operator) && !(operator === "sender" && operand === "me");
}
