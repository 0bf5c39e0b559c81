import type { StaticFile } from "../build/build_assets.ts";
import { Context } from "../context.ts";
import { ASSET_CACHE_KEY } from "../runtime/asset.ts";
import type { Middleware } from "../types.ts";

/** Serves the static folder and the bundled scripts; files asked for with the build's key may be kept for good. */
export function staticFiles<State>(): Middleware<State> {
  return (ctx) => {
    const { pathname } = ctx.url;
    const build = Context.buildCacheOf(ctx);
    const file = build?.findFile(pathname.includes("%") ? decodeURIComponent(pathname) : pathname);
    if (file !== undefined) return serveFile(ctx, file, build?.buildId ?? "");
    if (pathname === "/favicon.ico") return new Response(null, { status: 404 });
    return ctx.next();
  };
}

async function serveFile<State>(
  { req, url }: Context<State>,
  file: StaticFile,
  buildId: string,
): Promise<Response> {
  if (req.method !== "GET" && req.method !== "HEAD") {
    return new Response("Method Not Allowed", { status: 405 });
  }
  const key = url.searchParams.get(ASSET_CACHE_KEY);
  if (key !== null && key !== buildId) return redirectToClean(url);

  const { content, hash } = await file.read();
  const etag = `W/"${hash}"`;
  const headers = new Headers({
    "Content-Type": file.contentType,
    vary: "If-None-Match",
  });
  const known = req.headers.get("If-None-Match");
  if (known === etag || known === hash) return new Response(null, { status: 304, headers });
  headers.set("ETag", etag);

  const isKeyed = key !== null || url.pathname.startsWith(`/_fresh/js/${buildId}/`);
  headers.set(
    "Cache-Control",
    isKeyed ? "public, max-age=31536000, immutable" : "no-cache, no-store, max-age=0, must-revalidate",
  );
  headers.set("Content-Length", String(content.byteLength));
  return new Response(req.method === "HEAD" ? null : content, { headers });
}

/** A key of another build: the browser is sent to the file as it is now. */
function redirectToClean(url: URL): Response {
  const clean = new URL(url);
  clean.searchParams.delete(ASSET_CACHE_KEY);
  return new Response(null, {
    status: 307,
    headers: { location: clean.pathname + clean.search },
  });
}
