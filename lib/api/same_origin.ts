import { AppError } from "@/lib/core/errors.ts";

/**
 * Whether a browser proves that a page of the same origin sent the request: by Sec-Fetch-Site, which pages
 * cannot set, or, where a browser does not send it, by a matching Origin.
 */
export function isSameOrigin(request: Request, ownOrigin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = request.headers.get("origin");
  return origin !== null && (origin === ownOrigin || origin === new URL(request.url).origin);
}

/**
 * Refuses forms that a page of another site made a browser send.
 * @throws AppError BAD_REQUEST.
 */
export function requireSameOrigin(request: Request, ownOrigin: string): void {
  if (isSameOrigin(request, ownOrigin)) return;
  throw new AppError(
    "BAD_REQUEST",
    "This form was sent from another site and was not processed. Open the page on this site and try again.",
  );
}

/** Beginnings of paths that browsers read as the name of a host. */
const LEADS_ELSEWHERE = /^\/[/\\]/;

/** Returns `wanted` if it is a path of this site, else `otherwise`. */
export function safePath(wanted: string | null, otherwise: string): string {
  if (
    wanted === null || !wanted.startsWith("/") || LEADS_ELSEWHERE.test(wanted) || /[\\\p{Cc}]/u.test(wanted)
  ) return otherwise;
  const base = "http://sotto.invalid";
  const url = URL.parse(wanted, base);
  if (url?.origin !== base) return otherwise;
  // Resolving "/.//host" leaves two slashes, which name a host again.
  return LEADS_ELSEWHERE.test(url.pathname) ? otherwise : url.pathname + url.search;
}
