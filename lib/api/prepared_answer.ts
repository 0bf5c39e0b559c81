import { isTagKnown } from "@/lib/core/bytes.ts";
import type { PreparedJson } from "@/lib/services/prepared_json.ts";
import { Answer } from "./answer.ts";
import { chooseCoding } from "./choose_coding.ts";

/**
 * Responds with the form of prepared JSON that a request accepts, cacheable for `maxAge` seconds; 304 when
 * the client has it already.
 */
export function preparedAnswer(prepared: PreparedJson, maxAge: number, request: Headers): Answer {
  const coding = chooseCoding(request.get("accept-encoding"));
  const { bytes, etag } = prepared[coding];
  const headers = { etag, "cache-control": `public, max-age=${maxAge}`, vary: "accept-encoding" };
  if (isTagKnown(etag, request.get("if-none-match"))) return new Answer(304, null, headers);
  const encoding: Record<string, string> = coding === "identity" ? {} : { "content-encoding": coding };
  return new Answer(200, bytes, { ...headers, ...encoding, "content-type": "application/json" });
}
