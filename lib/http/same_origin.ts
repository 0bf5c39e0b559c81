import { AppError } from "@/lib/core/errors.ts";

/**
 * Whether a browser proves that a page of this very origin sent the request: by Sec-Fetch-Site, which no page can set,
 * or by an Origin that is the request's own where the browser does not send that.
 */
export function isSameOrigin(request: Request, ownOrigin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = request.headers.get("origin");
  return origin !== null && (origin === ownOrigin || origin === new URL(request.url).origin);
}

/**
 * Refuses forms that another site's page made a browser send.
 * @throws AppError BAD_REQUEST.
 */
export function requireSameOrigin(request: Request, ownOrigin: string): void {
  if (isSameOrigin(request, ownOrigin)) return;
  throw new AppError(
    "BAD_REQUEST",
    "This form was sent from another site, so nothing was done. Open the page here.",
  );
}

/** A path of this site to go on to: what a link named where that is one, else `otherwise`. */
export function safePath(wanted: string | null, otherwise: string): string {
  if (wanted === null || !/^\/(?![/\\])/.test(wanted) || /[\\\p{Cc}]/u.test(wanted)) return otherwise;
  const base = "http://sotto.invalid";
  const url = URL.parse(wanted, base);
  return url?.origin === base ? url.pathname + url.search : otherwise;
}
