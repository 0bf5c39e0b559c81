import type { Context, Middleware } from "fresh";
import { isTagKnown } from "@/lib/core/bytes.ts";
import { chooseCoding } from "../api/accept.ts";
import type { AssetRecord, EncodedForm } from "../services/compressed_assets.ts";
import type { State } from "../services/services.ts";

/**
 * Serves static files for paths that contain a dot: every file name has one, and no short id does. Files of
 * packages carry their version in their name, so browsers may cache them for a year. Files that the build
 * compressed are sent in the smallest coding that the client accepts.
 */
export function serveStaticFiles(staticFiles: Middleware<State>): Middleware<State> {
  return (ctx) => {
    // Parsing the URL takes longer than all middlewares of most requests.
    if (!mayContainDot(ctx.req.url) || !ctx.url.pathname.includes(".")) return ctx.next();
    return serveFile(ctx, staticFiles);
  };
}

/** Whether the path of a URL may contain a dot, or the URL has an unusual host that may end within it. */
function mayContainDot(url: string): boolean {
  return url.includes(".", indexOfPath(url)) || url.includes("\\");
}

async function serveFile(ctx: Context<State>, staticFiles: Middleware<State>): Promise<Response> {
  const { pathname } = ctx.url;
  const response = await staticFiles(ctx);
  if (pathname.startsWith("/vendor/") && response.status === 200) {
    response.headers.set("cache-control", "public, max-age=31536000, immutable");
  }
  const asset = await findAsset(ctx, response);
  return asset === null ? response : await toAssetResponse(ctx, response, asset);
}

/** Returns the record of the compressed file that a response holds, or null. */
async function findAsset({ url, state }: Context<State>, response: Response): Promise<AssetRecord | null> {
  const length = response.headers.get("content-length");
  if (response.status !== 200 || length === null) return null;
  return await state.app.assets.find(url.pathname, Number(length));
}

async function toAssetResponse(
  { req, state }: Context<State>,
  response: Response,
  asset: AssetRecord,
): Promise<Response> {
  response.headers.append("vary", "Accept-Encoding");
  const coding = chooseCoding(req.headers.get("accept-encoding"), [...asset.codings, "identity"]);
  const form = coding === "identity" ? null : await state.app.assets.read(asset, coding);
  if (form === null) return response;
  await response.body?.cancel();
  return toEncodedResponse(req, new Headers(response.headers), { ...form, coding });
}

function toEncodedResponse(
  { method, headers: asked }: Request,
  headers: Headers,
  { bytes, etag, coding }: EncodedForm & { coding: string },
): Response {
  headers.set("etag", etag);
  if (isTagKnown(etag, asked.get("if-none-match"))) {
    headers.delete("content-length");
    return new Response(null, { status: 304, headers });
  }
  headers.set("content-encoding", coding);
  headers.set("content-length", String(bytes.length));
  return new Response(method === "HEAD" ? null : bytes, { headers });
}

/** Position in a URL from which its first slash begins the path: after the scheme and a character of the host. */
const AFTER_SCHEME = "http://".length + 1;

/** Returns where the path of an absolute URL begins, without parsing the URL; -1 when it has no path. */
export function indexOfPath(url: string): number {
  return url.indexOf("/", AFTER_SCHEME);
}
