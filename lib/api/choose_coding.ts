import Negotiator from "negotiator";
import { type Coding, CODINGS } from "@/lib/services/encoded_form.ts";
import { MAX_ACCEPT } from "./accept.ts";

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
