import { gzipSync } from "node:zlib";
import type { Context } from "fresh";
import { GZIP_LEVEL } from "@/lib/core/response_bytes.ts";
import type { State } from "../services/services.ts";
import { isFromOtherSite } from "./response.ts";
import { chooseCoding } from "./accept.ts";
import { isSecretPath } from "./security_headers.ts";

/** Pages that show links by which people join, or the address of a webhook, as those of bots do. Ids may be encoded. */
const SECRET_PAGE =
  /^\/admin\/(?:invitations(?:\/link\/[\d%][^/]*)?|bots\/[\d%][^/]*\/webhook|users\/[\d%][^/]*)\/?$/;

/**
 * Compresses pages for clients that accept gzip, except those with secrets: the length of a compressed page says whether
 * other parts of it, which may be chosen by others, repeat the secret. These are pages whose address holds one, those
 * above, and responses to forms, which alone show keys and links that were asked for. They are not compressed on their way
 * either. Nor are pages that another site opens, which could learn the length.
 */
export async function compressPages({ req, url, next }: Context<State>): Promise<Response> {
  const response = await next();
  const { headers, status } = response;
  if (!headers.get("content-type")?.startsWith("text/html") || headers.has("content-encoding")) {
    return response;
  }
  if (req.method === "POST" || SECRET_PAGE.test(url.pathname) || isSecretPath(url.pathname)) {
    headers.set("cache-control", "no-store, no-transform");
    return response;
  }
  headers.append("vary", "Accept-Encoding");
  const coding = chooseCoding(req.headers.get("accept-encoding"), ["gzip", "identity"]);
  if (coding !== "gzip" || isFromOtherSite(req.headers)) return response;
  // Synchronous: in Deno, the asynchronous functions compress on the same thread, too.
  const bytes = new Uint8Array(gzipSync(await response.bytes(), { level: GZIP_LEVEL }));
  headers.set("content-encoding", coding);
  headers.set("content-length", String(bytes.length));
  return new Response(bytes, { status, headers });
}
