import Negotiator from "negotiator";
import { type Coding, CODINGS } from "@/lib/services/compressed_assets.ts";

/** Maximum length of an Accept header in characters, as of those for languages and codings; a longer one is ignored. */
export const MAX_ACCEPT = 1000;

/** Whether a client prefers a page to data, as browsers do. A client that accepts anything does not. */
export function prefersPage(accept: string | null): boolean {
  if (accept === null || accept.length > MAX_ACCEPT || !/text\/html|text\/\*/i.test(accept)) return false;
  return new Negotiator({ headers: { accept } }).mediaType(["application/json", "text/html"]) === "text/html";
}

/**
 * Returns the smallest of the available codings that a client prefers, given its Accept-Encoding header;
 * `identity` for a client that names none of them.
 */
export function chooseCoding(accepted: string | null, available: readonly Coding[] = CODINGS): Coding {
  if (accepted === null || accepted.length > MAX_ACCEPT) return "identity";
  const negotiator = new Negotiator({ headers: { "accept-encoding": accepted } });
  const liked = negotiator.encodings([...available], { preferred: [...CODINGS] });
  return CODINGS.find((coding) => coding === liked[0]) ?? "identity";
}
